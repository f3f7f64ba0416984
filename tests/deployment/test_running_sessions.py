"""A switch carries hosts over its sessions with other switches: neither over one with a router nor over a cut link."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from typing import Any, cast

import pytest

from fabric.deployment.device_steps import Work
from fabric.deployment.gates import running_sessions
from fabric.deployment.gates.snapshot import Snapshot
from fabric.deployment.gates.surroundings import Session, Surroundings
from fabric.platforms.device_state import BgpSession, PortState
from tests.deployment.conftest import AtOnce

LEAF = Surroundings(
    platform="eos",
    sessions=tuple(
        Session(f"spine-{n}", f"Ethernet{n}", f"10.0.0.{n}", f"Ethernet{n}", is_upward=True) for n in (1, 2)
    ),
)
UP, DOWN = BgpSession(is_up=True), BgpSession(is_up=False)
ROUTER = {"10.255.0.1": UP}
CUT = {"Ethernet1": PortState(is_up=False), "Ethernet2": PortState(is_up=True)}


@pytest.mark.parametrize(
    ("sessions", "ports", "now", "carries"),
    [
        ({"10.0.0.1": UP, "10.0.0.2": DOWN}, {}, {}, True),
        ({"10.0.0.1": DOWN, "10.0.0.2": DOWN}, {}, {}, False),
        ({"10.0.0.1": DOWN, "10.0.0.2": DOWN, **ROUTER}, {}, {}, False),
        ({"10.0.0.1": UP, "10.0.0.2": DOWN}, CUT, {}, False),
        ({"10.0.0.1": DOWN, "10.0.0.2": UP}, CUT, {}, True),
        ({"10.9.0.1": UP}, {}, {("Ethernet1", 4): "10.9.0.1"}, True),
        ({"10.9.0.1": DOWN, **ROUTER}, {}, {("Ethernet1", 4): "10.9.0.1"}, False),
        ({}, {}, {}, False),
    ],
)
def test_who_carries_hosts(
    sessions: Mapping[str, BgpSession],
    ports: Mapping[str, PortState],
    now: Mapping[tuple[str, int], str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    carries: bool,
) -> None:
    """`now`: the addresses in the middle of a change of them."""
    monkeypatch.setattr(running_sessions.device_steps, "sessions_by_port", lambda _work: now)
    asked: dict[str, Any] = {"leaf-0-0": cast("Work", None)}
    quiet = running_sessions.without_session(
        {"leaf-0-0": LEAF}, {"leaf-0-0": Snapshot(sessions, ports=ports)}, asked, cast("Executor", AtOnce())
    )

    assert quiet == (() if carries else ("leaf-0-0",))
