"""A router outside that nobody keeps in touch with is cut off, by whatever ends its sessions or what they carry."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fabric.deployment.gates.host_paths import Leaves, RailPort, last_paths
from fabric.deployment.gates.purpose import Purpose
from fabric.deployment.gates.snapshot import Snapshot
from fabric.planning import Impact
from fabric.platforms.device_state import BgpSession
from tests.planning.phased import Network, compiled_site
from tests.platforms.everywhere import MODELS, capabilities
from tests.platforms.sites import Words, attachments, network

BORDER = (
    "wan: {network: compute, kind: router, links: 2, speed: 800G, to: {tier: spine}, "
    "bgp: {asn: 65010, prefixes: [198.18.0.0/15, 203.0.113.0/24], advertise: [10.0.0.0/10, 10.64.0.0/10]}}"
)
ROOM = network("tiers: {spine: {reserved_ports: 2}}")
AT = {"spine-0", "spine-1"}
TIMERS = network("routing: {bgp: {keepalive: 2s, hold: 6s}}")
CUT = {
    "the router": {"site.yaml": {"attachments": None}},
    "what it sends": attachments("wan: {bgp: {prefixes: [203.0.113.0/24]}}"),
    "what it is told": attachments("wan: {bgp: {advertise: [10.64.0.0/10]}}"),
    "its AS number": attachments("wan: {bgp: {asn: 65011}}"),
}
KEPT = {
    "more prefixes": attachments(
        "wan: {bgp: {prefixes: [198.18.0.0/15, 203.0.113.0/24, 192.0.2.0/25], advertise: [10.0.0.0/9]}}"
    ),
    "timers": TIMERS,
    "another one": attachments(BORDER.replace("wan:", "exit:").replace("198.18.0.0/15, ", "")),
}


def compiled(folder: Path, product: str, *words: Words) -> Any:
    return compiled_site(folder, product, ROOM, attachments(BORDER), *words)


def outside(folder: Path, product: str, words: Words) -> dict[str, str]:
    """Why a plan says that switches cut a router off, from the site as it is to the site with other words."""
    running = Network.of(compiled(folder / "before", product))
    made, _ = running.planned(compiled(folder / "after", product, words))
    return {
        device.device: change.reason
        for device in made.changed
        for change in device.changes
        if change.what.startswith("outside:") and change.impact is device.impact is Impact.ISOLATING
    }


@pytest.mark.covering(most=8)
@pytest.mark.parametrize("words", CUT)
@pytest.mark.parametrize("product", MODELS)
def test_who_is_outside_is_cut_off_if_no_switch_keeps_in_touch(
    tmp_path: Path, product: str, words: str
) -> None:
    assert outside(tmp_path, product, CUT[words]).keys() == AT


@pytest.mark.covering(most=8)
@pytest.mark.parametrize("words", KEPT)
@pytest.mark.parametrize("product", MODELS)
def test_nobody_is_cut_off_by_what_leaves_his_sessions_and_prefixes(
    tmp_path: Path, product: str, words: str
) -> None:
    assert outside(tmp_path, product, KEPT[words]) == {}


@pytest.mark.covering(most=2)
@pytest.mark.parametrize("product", [name for name in MODELS if capabilities(name).bgp_password])
def test_a_password_at_our_end_alone_cuts_him_off(
    tmp_path: Path, product: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BORDER", "geheim")

    assert outside(tmp_path, product, attachments('wan: {bgp: {password: "env:BORDER"}}')).keys() == AT


def test_a_router_that_the_other_switch_has_no_session_with_now_is_cut_off() -> None:
    """As after the first of two plans that change our AS numbers: no text tells that its session is down."""
    port = RailPort("wan", -1, "1/1", (("spine-0", "1/1"),), ("192.0.2.1",), "192.0.2.3")

    def told(*, is_up: bool, own: bool = True) -> dict[str, str]:
        seen = {
            "spine-0": Snapshot({"192.0.2.1": BgpSession(is_up=is_up)}),
            "spine-1": Snapshot({"192.0.2.3": BgpSession(is_up=own)}),
        }
        interrupts = {"spine-1": frozenset(["*"])}
        leaves = Leaves(seen, (), (), {"spine-1": Purpose("spine-1")}, interrupts, (), ())
        return last_paths({"spine-1": [port]}, leaves)

    assert told(is_up=True) == {}
    assert told(is_up=False) == {
        "spine-1": "spine-1 is the last path in service of wan: spine-0 has no session with 192.0.2.1"
    }
    assert told(is_up=False, own=False) == {}  # it is out of touch already


def test_one_switch_that_keeps_in_touch_is_enough(tmp_path: Path) -> None:
    assert outside(tmp_path, "eos", attachments("wan: {links: 1}")) == {}
