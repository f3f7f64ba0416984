"""A pool that hosts still have is accepted everywhere until they have moved, or the plan says whom it cuts off."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric.planning import Impact, Plan
from tests.planning.phased import Network, compiled_site
from tests.platforms.everywhere import MODELS
from tests.platforms.sites import attachments, network

NEW = network("addressing: {host_pool: 10.32.0.0/16}")
BESIDE = network("addressing: {former_host_pools: [10.0.0.0/11]}")
FIRST = network("addressing: {host_pool: 10.0.0.0/11}")
LOOPBACKS = network("addressing: {loopback_pool: 10.254.0.0/16}")
SPINES = {"spine-0", "spine-1"}


def isolating(plan: Plan) -> set[str]:
    return {
        device.device
        for device in plan.changed
        if any(c.what == "accepted prefixes" and c.impact is Impact.ISOLATING for c in device.changes)
    }


BORDER = attachments(
    "wan: {network: compute, kind: router, links: 2, speed: 800G, to: {tier: spine}, "
    "bgp: {asn: 65010, default_route: true, prefixes: [198.18.0.0/15], advertise: [10.0.0.0/8]}}"
)
ROOM = network("tiers: {spine: {reserved_ports: 2}}")
DROPPED = {
    "the pool": ((FIRST,), (NEW,)),
    "the pool, beside a default route": ((FIRST, ROOM, BORDER), (NEW, ROOM, BORDER)),
    "its lengths": ((), (network("addressing: {host_links: {prefix_length: 30}}"),)),
}


@pytest.mark.covering(most=8)
@pytest.mark.parametrize("case", DROPPED)
@pytest.mark.parametrize("product", MODELS)
def test_spines_that_drop_what_hosts_have_cut_them_off(tmp_path: Path, product: str, case: str) -> None:
    old, new = DROPPED[case]
    running = Network.of(compiled_site(tmp_path / "before", product, *old))
    plan, _ = running.planned(compiled_site(tmp_path / "after", product, *new))

    assert SPINES <= isolating(plan)


@pytest.mark.covering(most=4)
@pytest.mark.parametrize("gone", ["default_route: false", "prefixes: []"])
@pytest.mark.parametrize("product", MODELS)
def test_who_drops_what_is_outside_cuts_it_off(tmp_path: Path, product: str, gone: str) -> None:
    """Wherever its sessions end: every switch on the way accepts it no more."""
    running = Network.of(compiled_site(tmp_path / "before", product, ROOM, BORDER))
    less = attachments(f"wan: {{bgp: {{{gone}}}}}")
    plan, _ = running.planned(compiled_site(tmp_path / "after", product, ROOM, BORDER, less))

    leaves = {name for name in running.switches if name.startswith("leaf")}
    assert leaves <= isolating(plan)


@pytest.mark.covering(most=4)
@pytest.mark.parametrize("product", MODELS)
def test_a_former_pool_is_kept_until_the_hosts_have_moved(tmp_path: Path, product: str) -> None:
    running = Network.of(compiled_site(tmp_path / "before", product, FIRST))
    moved = list(running.changed(compiled_site(tmp_path / "moved", product, NEW, BESIDE)))
    after = list(running.changed(compiled_site(tmp_path / "after", product, NEW)))

    for plan, _ in (*moved, *after):
        assert isolating(plan) == set()
    ((first, _), *_), ((last, _),) = moved, after
    mild = {device.device for device in first.changed if device.impact is Impact.HITLESS}
    order = {name: wave.number for wave in first.waves for name in wave.devices}
    leaves = {device.device for device in first.changed if device.impact is Impact.ISOLATING}
    assert mild == SPINES
    assert max(order[name] for name in mild) < min(order[name] for name in leaves)
    assert {device.impact for device in last.changed} == {Impact.HITLESS}


@pytest.mark.covering(most=2)
@pytest.mark.parametrize("product", MODELS)
def test_other_loopbacks_cut_no_hosts_off(tmp_path: Path, product: str) -> None:
    running = Network.of(compiled_site(tmp_path / "before", product))

    for plan, _ in running.changed(compiled_site(tmp_path / "after", product, LOOPBACKS)):
        assert isolating(plan) == set()
