"""Whoever still sends larger packets than a switch takes loses them: hosts, storage and routers, on every product."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric.planning import Impact
from fabric.planning.codes import HOST_END
from tests.planning.phased import Network, compiled_site
from tests.platforms.everywhere import MODELS
from tests.platforms.sites import attachments, network

ROOM = network("tiers: {leaf: {reserved_ports: 4, max_oversubscription: '4:1'}}")
AT_LEAVES = "{network: compute, links: 2, speed: 400G, to: {tier: leaf}"
STORE = f"{AT_LEAVES}, kind: storage"
ROUTER = (
    f"{AT_LEAVES}, kind: router, bgp: {{asn: 65010, prefixes: [203.0.113.0/24], advertise: [10.0.0.0/10]}}"
)


@pytest.mark.covering(most=8)
@pytest.mark.parametrize(("old", "new"), [(9000, 1500), (9000, 4200), (1500, 9000)])
@pytest.mark.parametrize("what", [STORE, ROUTER])
@pytest.mark.parametrize("product", MODELS)
def test_a_smaller_size_of_what_is_attached_is_isolating_and_named(
    tmp_path: Path, product: str, what: str, old: int, new: int
) -> None:
    """1500 is what some products take without a word."""
    before, after = (
        compiled_site(tmp_path / str(size), product, ROOM, attachments(f"it: {what}, ip_mtu: {size}}}"))
        for size in (old, new)
    )
    made, _ = Network.of(before).planned(after)

    assert {device.device for device in made.changed} >= {"leaf-0-0", "leaf-0-1"}
    assert [d.impact is Impact.ISOLATING for d in made.changed if d.impact is not Impact.NONE] == [
        new < old
    ] * 2
    told = [finding for finding in made.diagnostics if finding.code == HOST_END.code]
    assert [finding.subjects for finding in told] == [("it",)]
    assert "IP MTU" in told[0].rule
