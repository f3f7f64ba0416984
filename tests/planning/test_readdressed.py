"""A host whose addresses change on all of his paths is cut off until he has the new ones, whatever brings them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fabric.planning import Impact
from tests.planning.phased import Network, compiled_site
from tests.platforms.everywhere import MODELS, capabilities
from tests.platforms.sites import Words, attachments, network, site

TWO_PLANES = (
    network("planes: {count: 2}"),
    site("hosts: {gpu: {nics: {compute: {ports: 2}}}}"),
)
VLAN = network("addressing: {host_links: {mode: vlan}}")
POOL = network("addressing: {host_pool: 10.32.0.0/16}")
DUAL, SIX = (network(f"addressing: {{family: dual, host_family: {word}}}") for word in ("dual", "ipv6"))
TIMERS = network("routing: {bgp: {keepalive: 2s, hold: 6s}}")
CASES: dict[str, tuple[tuple[Words, ...], tuple[Words, ...]]] = {
    "another pool": ((), (POOL,)),
    "a VLAN": ((), (VLAN,)),
    "no VLAN": ((VLAN,), ()),
    "another pool of a VLAN": ((VLAN,), (VLAN, POOL)),
    "IPv4 no more": ((DUAL,), (SIX,)),
}
ABLE = [name for name in MODELS if capabilities(name).vlan_gateways and capabilities(name).ipv6_fabric]


def compiled(folder: Path, product: str, *words: Words) -> Any:
    return compiled_site(folder, product, *TWO_PLANES, *words)


def isolating(folder: Path, product: str, old: tuple[Words, ...], new: tuple[Words, ...]) -> set[str]:
    running = Network.of(compiled(folder / "before", product, *old))
    return {
        device.device
        for made, _ in running.changed(compiled(folder / "after", product, *new))
        for device in made.changed
        if device.impact is Impact.ISOLATING
        and any("change on all their paths" in change.reason for change in device.changes)
    }


@pytest.mark.covering(most=8)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("product", ABLE)
def test_hosts_with_other_addresses_on_both_planes_are_cut_off(
    tmp_path: Path, product: str, case: str
) -> None:
    found = isolating(tmp_path, product, *CASES[case])

    assert {name for name in found if name.startswith("leaf")} == found
    assert len(found) == 8


@pytest.mark.covering(most=4)
@pytest.mark.parametrize("product", ABLE)
def test_storage_with_other_addresses_on_all_its_links_is_cut_off(tmp_path: Path, product: str) -> None:
    room = network("tiers: {leaf: {reserved_ports: 2, max_oversubscription: '4:1'}}")
    links = "filer: {network: compute, kind: storage, links: 2, speed: 400G, to: {tier: leaf}"
    routed, switched = (room, attachments(f"{links}}}")), (room, attachments(f"{links}, vlan: 40}}"))

    for old, new in ((routed, switched), (switched, routed)):
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        assert len(isolating(folder, product, old, new)) == 2


@pytest.mark.covering(most=4)
@pytest.mark.parametrize("mode", [(), (VLAN,)])
@pytest.mark.parametrize("product", ABLE)
def test_hosts_that_keep_theirs_are_not(tmp_path: Path, product: str, mode: tuple[Words, ...]) -> None:
    assert isolating(tmp_path, product, mode, (*mode, TIMERS)) == set()
