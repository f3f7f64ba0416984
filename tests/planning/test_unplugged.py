"""Whom the site has no longer loses his paths all the same: a plan that takes them isolates, unless he was drained."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from fabric import api
from fabric.devices.model import LinkRole, Switch
from fabric.planning import Impact, Plan
from tests.analysis.sites import FAMILIES, intent
from tests.analysis.test_separated import ADMIN
from tests.planning.phased import Network
from tests.platforms.everywhere import MODELS

SHAPES = ("two tiers", "pods", "planes", "parallel links")
everywhere = pytest.mark.parametrize(
    ("platform", "shape", "family"),
    [(one, shape, family) for one in MODELS for shape in SHAPES for family in FAMILIES],
)


def compiled(
    folder: Any,
    platform: str,
    shape: str,
    family: str,
    *,
    units: int = 4,
    hosts: int = 4,
    pool: str = "",
    **override: str,
) -> Any:
    value = intent(shape, platform=platform, model=MODELS[platform], family=family)
    value |= {"units": units, "capacity": {"units": 4, "hosts_per_unit": 4}}
    value["services"] = {"users": {"netops": ADMIN}}
    value["hosts"]["gpu"]["per_unit"] = hosts
    if pool:
        value["networks"]["compute"].setdefault("addressing", {}).update(host_pool=pool, host_family="ipv4")
    value["overrides"] = [{**override, "reason": "a test"}] if override else []
    (folder / "site.yaml").write_text(json.dumps(value))
    return api.compile(folder)


def switches(site: Any) -> dict[str, Switch]:
    return {name: device for name, device in site.devices.items() if isinstance(device, Switch)}


def isolating(plan: Plan) -> set[str]:
    return {device.device for device in plan.changed if device.impact is Impact.ISOLATING}


@pytest.mark.covering(most=12)
@everywhere
def test_who_takes_the_links_of_a_leaf_that_the_site_has_no_longer_isolates_it(
    tmp_path, platform, shape, family
):
    before = compiled(tmp_path, platform, shape, family)
    network = Network.of(before)
    after = compiled(tmp_path, platform, shape, family, units=3)
    gone = {name for name in switches(before) if name not in after.devices}
    above = {port.peer for name in gone for port in switches(before)[name].ports if port.role is LinkRole.UP}
    assert gone
    assert above
    for name in gone:
        del network.running[name]

    plan, _ = network.planned(after)
    assert above == isolating(plan)
    words = " ".join(change.reason for device in plan.changed for change in device.changes)
    assert any(f"links to {name}" in words for name in gone)

    for name in gone:
        network.applied[name] = msgspec.structs.replace(network.applied[name], drained=True)
    assert set() == isolating(network.planned(after)[0])


@pytest.mark.covering(most=8)
@everywhere
def test_who_takes_the_ports_of_hosts_that_the_site_has_no_longer_isolates_them(
    tmp_path, platform, shape, family
):
    network = Network.of(compiled(tmp_path, platform, shape, family))
    after = compiled(tmp_path, platform, shape, family, hosts=3)

    leaves = {name for name, switch in switches(after).items() if switch.role == "leaf"}
    assert leaves == isolating(network.planned(after)[0])


@pytest.mark.covering(most=12)
@everywhere
@pytest.mark.parametrize("moved", ["down_cages", "up_cages"])
def test_who_moves_the_cables_of_a_leaf_to_other_cages_isolates_its_hosts(
    tmp_path, platform, shape, family, moved
):
    """What is plugged in stays where it is: the ports vanish with the splitting of their cage, or lead elsewhere."""
    before = compiled(tmp_path, platform, shape, family)
    leaf = min(name for name, switch in switches(before).items() if switch.role == "leaf")
    network = Network.of(before)
    after = compiled(tmp_path, platform, shape, family, device=leaf, **{moved: "20-40"})

    expected = {leaf} if moved == "down_cages" or shape != "planes" else set()
    assert expected == isolating(network.planned(after)[0])


@pytest.mark.covering(most=12)
@everywhere
def test_who_gives_hosts_other_addresses_on_all_their_paths_isolates_them(tmp_path, platform, shape, family):
    """Each wave takes one plane, and yet a host that nobody has changed has no path after the last one."""
    before = compiled(tmp_path, platform, shape, family, pool="10.0.0.0/16")
    after = compiled(tmp_path, platform, shape, family, pool="10.64.0.0/16")
    leaves = {name for name, switch in switches(after).items() if switch.role == "leaf"}

    plan = Network.of(before).planned(after)[0]
    by_addresses = {
        device.device
        for device in plan.changed
        if any(c.impact is Impact.ISOLATING and c.what != "accepted prefixes" for c in device.changes)
    }
    assert leaves == by_addresses <= isolating(plan)
