"""Every published fabric comes out with its published figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from fabric.intent.load import load
from fabric.intent.model import Intent, Pods
from fabric.topology.expand import expand
from fabric.topology.model import NetworkTopology
from fabric.topology.roles import Facing, Role
from fabric.units import parse_ratio
from tests.topology.builders import REFERENCE, cables, count, intent_of, links, owners, pairs

ROWS = yaml.safe_load((Path(__file__).parent / "published.yaml").read_text())


def intent_for(row: dict[str, Any]) -> Intent:
    intent = load(REFERENCE / row["site"]) if "site" in row else intent_of(row["intent"])
    site = intent.site
    if "units" in row:
        site = msgspec.structs.replace(site, units=row["units"])
    if "pods" in row:
        network = msgspec.structs.replace(site.networks["compute"], pods=Pods(units=row["pods"]))
        site = msgspec.structs.replace(site, networks={"compute": network})
    return msgspec.structs.replace(intent, site=site)


class Measured:
    """One expanded network and what its publication counts."""

    def __init__(self, intent: Intent) -> None:
        self.intent = intent
        self.net: NetworkTopology = expand(intent).networks["compute"]
        site = intent.site
        self.group_name, self.group = next(iter(site.hosts.items()))
        model = intent.hardware.hosts.get(self.group.model or "")
        self.gpus_per_host = self.group.gpus if self.group.gpus is not None else (model.gpus if model else 0)
        self.domain = model.scale_up_domain_gpus if model else 0

    @property
    def hosts(self) -> list[int]:
        """Host nodes without the spare ones."""
        net, per_unit = self.net, self.group.per_unit
        return [h for h in net.role_start[Role.HOST] if per_unit == "auto" or net.index[h] < per_unit]

    def host_links(self) -> int:
        wanted, owner = set(self.hosts), owners(self.net)
        return sum(owner[port] in wanted for port, _ in links(self.net, Role.HOST, Role.LEAF))

    def across(self, role: Role) -> int:
        """Ports of a switch that lead to others of its tier."""
        made = self.net.port_maps[self.net.port_map[self.net.role_start[role].start]]
        return len(made.range_of(Facing.ACROSS))

    def down(self, role: Role) -> int:
        """Ports of a switch that lead down."""
        made = self.net.port_maps[self.net.port_map[self.net.role_start[role].start]]
        return len(made.range_of(Facing.DOWN))

    def tied(self, role: Role, *, near: bool | None = None) -> Counter[tuple[int, int]]:
        """Links between switches of one tier by their groups; `near`: within a group, or from one to another."""
        net, owner = self.net, owners(self.net)
        pods = ((net.pod[owner[a]], net.pod[owner[b]]) for a, b in links(net, role, role) if a < b)
        return Counter(tuple(sorted(pair)) for pair in pods if near in (None, pair[0] == pair[1]))

    def slot_speed(self, role: Role, facing: Facing) -> int:
        made = self.net.port_maps[self.net.port_map[self.net.role_start[role].start]]
        return made.slots[made.facing.index(facing)].speed_mbps

    def spine_ports_free(self) -> int:
        net = self.net
        made = net.port_maps[net.port_map[net.role_start[Role.SPINE].start]]
        cages = sum(128 if g.role == "fabric" else 0 for g in self.intent.hardware.switches[made.model].cages)
        return cages - len(made.slots)


def ratio(text: str) -> float:
    return round(float(parse_ratio(text)), 3)


MEASURES: dict[str, Callable[[Measured], Any]] = {
    "hosts": lambda m: len(m.hosts),
    "gpus": lambda m: len(m.hosts) * m.gpus_per_host,
    "scale_up_domains": lambda m: Fraction(len(m.hosts) * m.gpus_per_host, m.domain),
    "leaves": lambda m: count(m.net, Role.LEAF),
    "spines": lambda m: count(m.net, Role.SPINE),
    "superspines": lambda m: count(m.net, Role.SUPERSPINE),
    "switches": lambda m: len(m.net.switches),
    "spines_per_plane": lambda m: sum(m.net.plane[i] == 0 for i in m.net.role_start[Role.SPINE]),
    "leaves_per_unit": lambda m: sum(m.net.unit[i] == 0 for i in m.net.role_start[Role.LEAF]),
    "leaves_per_host": lambda m: len({b for a, b in pairs(m.net, Role.HOST, Role.LEAF) if a == "gpu-00-000"}),
    "spine_groups": lambda m: len({m.net.group[i] for i in m.net.role_start[Role.SPINE]}),
    "pods": lambda m: len({m.net.pod[i] for i in m.net.role_start[Role.LEAF]}),
    "gpus_per_pod": lambda m: sum(m.net.pod[i] == 0 for i in m.hosts) * m.gpus_per_host,
    "gpus_per_leaf": lambda m: (
        len({a for a, b in pairs(m.net, Role.HOST, Role.LEAF) if b == m.net.names[0]}) * m.gpus_per_host
    ),
    "hosts_per_unit": lambda m: sum(m.net.unit[i] == 0 for i in m.hosts),
    "host_links": lambda m: m.host_links(),
    "host_cables": lambda m: cables(m.net, links(m.net, Role.HOST, Role.LEAF)),
    "host_and_manager_cables": lambda m: (
        cables(m.net, links(m.net, Role.HOST, Role.LEAF))
        + cables(m.net, links(m.net, Role.ATTACHMENT, Role.LEAF))
    ),
    "links_per_host_cable": lambda m: Fraction(
        len(links(m.net, Role.HOST, Role.LEAF)), cables(m.net, links(m.net, Role.HOST, Role.LEAF))
    ),
    "leaf_spine_links": lambda m: len(links(m.net, Role.LEAF, Role.SPINE)),
    "leaf_spine_cables": lambda m: cables(m.net, links(m.net, Role.LEAF, Role.SPINE)),
    "spine_superspine_cables": lambda m: cables(m.net, links(m.net, Role.SPINE, Role.SUPERSPINE)),
    "links_per_pair": lambda m: max(pairs(m.net, Role.LEAF, Role.SPINE).values()),
    "paths": lambda m: len({b for a, b in pairs(m.net, Role.LEAF, Role.SPINE) if a == m.net.names[0]}),
    "leaf_ratio": lambda m: round(float(m.net.oversubscription[Role.LEAF]), 3),
    "spine_ratio": lambda m: round(float(m.net.oversubscription[Role.SPINE]), 3),
    "spine_ratio_about": lambda m: round(m.net.oversubscription[Role.SPINE]),
    "uplink_to_downlink_speed": lambda m: Fraction(
        m.slot_speed(Role.LEAF, Facing.UP), m.slot_speed(Role.LEAF, Facing.DOWN)
    ),
    "groups": lambda m: m.net.sizes.units // m.net.sizes.units_per_pod,
    "leaves_per_group": lambda m: sum(m.net.pod[i] == 0 for i in m.net.role_start[Role.LEAF]),
    "spines_per_group": lambda m: sum(m.net.pod[i] == 0 for i in m.net.role_start[Role.SPINE]),
    "hosts_per_group": lambda m: sum(m.net.pod[i] == 0 for i in m.hosts),
    "hosts_per_leaf": lambda m: m.down(Role.LEAF),
    "leaf_uplinks": lambda m: m.net.sizes.leaf_uplinks,
    "leaf_downlinks": lambda m: m.down(Role.LEAF),
    "spine_downlinks": lambda m: m.down(Role.SPINE),
    "global_links_per_spine": lambda m: m.across(Role.SPINE),
    "global_speed_mbps": lambda m: m.slot_speed(Role.LEAF, Facing.ACROSS),
    "links_between_leaves": lambda m: m.tied(Role.LEAF).total(),
    "links_per_leaf": lambda m: m.across(Role.LEAF),
    "local_links": lambda m: m.tied(Role.LEAF, near=True).total(),
    "global_links": lambda m: (m.tied(Role.LEAF, near=False) + m.tied(Role.SPINE, near=False)).total(),
    "links_per_group_pair": lambda m: max(m.tied(Role.SPINE, near=False).values()),
    "radix": lambda m: m.down(Role.LEAF) + m.net.sizes.leaf_uplinks + m.across(Role.LEAF),
    "global_ratio": lambda m: round(m.down(Role.SPINE) / m.across(Role.SPINE), 3),
    "full_spines": lambda m: m.spine_ports_free() == 0,
}


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_a_published_fabric_has_its_published_figures(row: dict[str, Any]) -> None:
    expected = {k: ratio(v) if k.endswith("_ratio") else v for k, v in row["expected"].items()}

    measured = Measured(intent_for(row))

    assert expected == {key: MEASURES[key](measured) for key in expected}


def test_every_row_says_where_its_figures_are_published() -> None:
    assert all(row["source"] for row in ROWS)
