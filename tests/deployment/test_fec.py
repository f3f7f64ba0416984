"""Error correction (FEC): every product in the sandbox tells it, another one ends a wave, and silence is named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from fabric.cli.views.apply_events import event_lines
from fabric.deployment import Event, Pace, Result, State, Thresholds
from fabric.deployment.between_waves import soak as soaking
from fabric.deployment.connection.device_session import Connection
from fabric.deployment.events import DeviceStepped, FecUnknown
from fabric.deployment.gates.judge import tells_no_fec
from fabric.deployment.gates.snapshot import Snapshot, snapshot
from fabric.platforms.device_state import PortState
from fabric.platforms.emulation import PortFault
from fabric.platforms.registry import platform
from tests.deployment.conftest import FAST, Clock, Network
from tests.deployment.played_site import PACE, PLAYED, PlayedSite, ended, played_site
from tests.platforms.sites import LEAF, services

IMPATIENT = msgspec.structs.replace(PACE, gate_timeout_s=1)
TIME = services("ntp: {servers: [192.0.2.77]}")
OTHER = "other-fec"
RS = PortState(is_up=True, speed_mbps=400_000, fec="rs")
SILENT = PortState(is_up=True, speed_mbps=400_000)
NAME = "leaf-0-0-0"


@pytest.fixture(scope="module", params=PLAYED)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedSite]:
    """A site that has been applied before."""
    with played_site(tmp_path_factory.mktemp("site"), request.param) as made:
        assert ended(made.apply()) in ("done", "nothing")
        yield made


def cabled(site: PlayedSite) -> dict[str, PortState]:
    """What a leaf tells of its ports of the intent."""
    kind = platform(site.product)
    with Connection(site.sandbox.targets[LEAF], kind) as device:
        ports = snapshot(device, kind, routes=False).ports
    return {port.name: ports[port.name] for port in site.compiled().devices[LEAF].ports if port.name in ports}


def test_a_port_that_is_up_tells_its_error_correction(site: PlayedSite) -> None:
    up = {name: port.fec for name, port in cabled(site).items() if port.is_up}

    assert up
    assert all(up.values()), up


def test_what_is_planted_at_a_port_is_told_there_and_nowhere_else(site: PlayedSite) -> None:
    before = {name: port.fec for name, port in cabled(site).items()}
    port = next(iter(before))
    site.sandbox.set_faults(LEAF, ports={port: PortFault(fec=OTHER)})
    now = {name: port.fec for name, port in cabled(site).items()}
    site.sandbox.clear_faults(LEAF)

    assert now == before | {port: OTHER}


def test_another_error_correction_in_mid_wave_takes_it_back(site: PlayedSite) -> None:
    before = site.running(LEAF)
    port = next(name for name, port in cabled(site).items() if port.is_up)
    compiled, _ = site.planned(TIME, only=[LEAF])

    def change(event: Event) -> None:
        if isinstance(event, DeviceStepped) and event.state == State.COMMITTED:
            site.sandbox.set_faults(LEAF, ports={port: PortFault(fec=OTHER)})

    result = site.carry_out(compiled, pace=IMPATIENT, on_event=change)
    site.sandbox.clear_faults(LEAF)

    assert result.in_state(State.REVERTED) == (LEAF,)
    assert f"{LEAF} {port}: error correction is {OTHER}, before " in result.waves[0].reason
    assert (site.running(LEAF), site.of(FecUnknown)) == (before, [])


def told_of(applied: Network, port: dict[str, Any]) -> None:
    for box in applied.boxes().values():
        with box.state() as state:
            state["ports"] = {"p1": port}


def apply_another_time(applied: Network, pace: Pace, **thresholds: Any) -> Result:
    applied.edit("ntp 192.0.2.9", "ntp 192.0.2.10")
    return applied.apply(applied.plan(), pace=pace, thresholds=Thresholds(**thresholds))


def test_another_error_correction_while_a_wave_soaks_keeps_the_next_from_beginning(
    applied: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    told_of(applied, {"is_up": True, "fec": "rs"})
    clock = Clock()
    monkeypatch.setattr(soaking, "time", clock)
    sleep = clock.sleep

    def changes(seconds: float) -> None:
        sleep(seconds)
        if clock.now > 100:
            told_of(applied, {"is_up": True, "fec": "fc"})

    monkeypatch.setattr(clock, "sleep", changes)
    result = apply_another_time(
        applied, Pace(revert_in_s=20, gate_timeout_s=10, gate_poll_s=1, soak_s=600), errors=None
    )

    assert result.outcome == "failed"
    assert "p1: error correction is fc, before rs" in ended(result)


def test_devices_that_tell_none_are_named_once_a_run(applied: Network) -> None:
    told_of(applied, {"is_up": True, "speed_mbps": 400_000})
    result = apply_another_time(applied, FAST, errors=None)
    unknown = [event for event in applied.events if isinstance(event, FecUnknown)]
    names = [name for event in unknown for name in event.devices]

    assert result.outcome == "done"
    assert sorted(names) == sorted(applied.site.switches)
    (line,) = event_lines(FecUnknown(run=1, wave=1, devices=(NAME,)))
    assert (
        "".join(text for text, _ in line)
        == f"  {NAME}: the error correction (FEC) of ports is not told: it is not judged"
    )


def test_what_else_such_a_device_tells_is_judged(applied: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    told_of(applied, {"is_up": True, "speed_mbps": 400_000})
    clock = Clock()
    clock.drive_waves(monkeypatch)
    sleep = clock.sleep

    def slower(seconds: float) -> None:
        sleep(seconds)
        told_of(applied, {"is_up": True, "speed_mbps": 100_000})

    monkeypatch.setattr(clock, "sleep", slower)
    result = apply_another_time(applied, Pace(revert_in_s=200, gate_timeout_s=5), watch_s=20)

    assert result.in_state(State.REVERTED)
    assert "p1: runs at 100,000 Mbit/s, before at 400,000" in ended(result)


@pytest.mark.parametrize(
    ("before", "now", "is_silent"),
    [
        ({"p1": SILENT}, {"p1": SILENT}, True),
        ({"p1": RS}, {"p1": SILENT}, True),
        ({"p1": SILENT}, {"p1": RS}, True),
        ({"p1": RS}, {"p1": RS}, False),
        ({"p1": SILENT, "p2": RS}, {"p1": SILENT, "p2": RS}, False),
        ({}, {"p1": SILENT}, False),
        ({"p1": SILENT}, {"p1": PortState(is_up=False)}, False),
        (
            {"mgmt": PortState(is_up=True, speed_mbps=1000)},
            {"mgmt": PortState(is_up=True, speed_mbps=1000)},
            False,
        ),
    ],
)
def test_silence_is_that_of_all_ports_that_stayed_up_and_can_have_any(
    before: dict[str, PortState], now: dict[str, PortState], *, is_silent: bool
) -> None:
    assert tells_no_fec(Snapshot(ports=before), Snapshot(ports=now)) is is_silent
