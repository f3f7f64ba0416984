"""What a change of an intent does to a switch with Dell Enterprise SONiC."""

from __future__ import annotations

import pytest

from tests.platforms.judging import impacts, judged, lockouts, lockouts_of_texts
from tests.platforms.sites import LEAF, Words, klass, leaf, network, override, policy, printed, services

WITHOUT = network("lossless: <null>")
CHANGES = [
    ((), (services("ntp: {servers: [192.0.2.99]}"),), {"none"}),
    ((), (network("routing: {bfd: {interval: 400ms}}"),), {"hitless"}),
    ((), (network("routing: {max_paths: 32}"),), {"hitless"}),
    ((), (network("ip_mtu: 8000"),), {"flap"}),
    ((), (policy("watchdog: {detect: 300ms, restore: 300ms}"),), {"buffer"}),
    ((), (klass("roce", "ecn: {kmin: 1MB, kmax: 2MB, pmax: 5}"),), {"buffer"}),
    ((WITHOUT,), (), {"buffer", "reload"}),
    ((), (override(f"[{{device: {LEAF}, asn: 4200009999}}]"),), {"flap"}),
]
"""An intent, another one, and the impacts between them."""


@pytest.mark.parametrize(("old", "new", "expected"), CHANGES)
def test_a_change_has_its_impact(old: tuple[Words, ...], new: tuple[Words, ...], expected: set[str]) -> None:
    assert expected == set(impacts(leaf("dellsonic", *old), leaf("dellsonic", *new)).values())


def test_lossless_buffers_reboot_the_switch() -> None:
    before, after = leaf("dellsonic", WITHOUT), leaf("dellsonic")

    assert "reload" == judged(before, after)["buffer init lossless"].impact
    assert "reboots" in judged(before, after)["buffer init lossless"].reason


def test_splitting_a_cage_concerns_its_ports_alone() -> None:
    text = printed(leaf("dellsonic", network("tiers: {leaf: {up: {speed: 400G}}}")))

    assert "interface breakout port 1/1 mode 2x400G" in text
    split = {
        what: one
        for what, one in judged(
            leaf("dellsonic", network("tiers: {leaf: {up: {speed: 400G}}}")), leaf("dellsonic")
        ).items()
        if "breakout" in what
    }
    assert {"reload"} == {one.impact for one in split.values()}
    assert all(one.ports for one in split.values())


def test_management_access_stands_on_its_address_and_its_vrf() -> None:
    device = leaf("dellsonic")
    text = printed(device)

    assert () == lockouts(device, device)
    for line in (" ip address 198.51.100.11/24 gwaddr 198.51.100.1\n", "ip vrf mgmt\n"):
        assert line in text
        assert lockouts_of_texts(device, text, text.replace(line, ""))
