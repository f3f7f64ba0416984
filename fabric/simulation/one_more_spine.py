"""The same network with a spine more in each group: what more uplinks would give a job."""

from __future__ import annotations

import re

from msgspec.structs import replace

from fabric.diagnostics import Invalid
from fabric.intent.model import Intent
from fabric.topology.expand import expand
from fabric.topology.model import NetworkTopology
from fabric.topology.roles import Role

NO_PORT = "one more spine (no free port)"
PLAIN = re.compile(r"(\d+)-(\d+)$(?!\n)", re.ASCII)
"""Cages of a box: `1-64`."""


def with_one_more_spine(intent: Intent, net: NetworkTopology) -> tuple[Intent, NetworkTopology, str] | None:
    """The intent and the network that it makes, and the change in words; None where it does not make sense.

    Leaves get as many links to it as they have to each other spine. Where they lack the ports, larger ones stand for
    them, and the words say so.
    """
    sizes = net.sizes
    if not sizes.spines or intent.site.networks[net.name].layout is not None:
        return None
    groups = len(net.role_start[Role.SPINE]) // sizes.spines
    words = "one more spine" if groups <= 1 else "one more spine in each group"
    wanted = _with_spine(intent, net.name, sizes.spines + 1, sizes.links_per_leaf_spine)
    for asked, change in ((wanted, words), (_wider(wanted, net.name), NO_PORT)):
        try:
            made = expand(asked).networks[net.name]
        except Invalid:
            continue
        if _hosts(made) == _hosts(net):
            return asked, made, change
    return None


def _hosts(net: NetworkTopology) -> list[str]:
    return [net.names[node] for node in (*net.role_start[Role.LEAF], *net.role_start[Role.HOST])]


def _with_spine(intent: Intent, name: str, spines: int, links: int) -> Intent:
    network = intent.site.networks[name]
    tiers = network.tiers
    assert tiers.spine is not None  # noqa: S101  # the network has some
    up = replace(tiers.leaf.up, ports=spines * links, cages=None)
    superspine = tiers.superspine
    if superspine is not None and superspine.groups == spines - 1:
        superspine = replace(superspine, groups=spines)
    tiers = replace(
        tiers,
        leaf=replace(tiers.leaf, up=up),
        spine=replace(tiers.spine, count=spines, installed=None, links_per_pair=links),
        superspine=superspine,
    )
    networks = {**intent.site.networks, name: replace(network, tiers=tiers)}
    overrides = tuple(each for each in intent.site.overrides if not (each.up_cages or each.down_cages))
    site = replace(intent.site, networks=networks, overrides=overrides)
    return replace(intent, site=site, lock=None)


def _wider(intent: Intent, name: str) -> Intent:
    """With leaves of twice as many cages."""
    model = intent.hardware.switches[intent.site.networks[name].tiers.leaf.model]
    spans = [match for group in model.cages if (match := PLAIN.match(group.cages))]
    last = max((int(match[2]) for match in spans), default=0)
    more = tuple(
        replace(group, cages=f"{int(match[1]) + last}-{int(match[2]) + last}")
        for group in model.cages
        if (match := PLAIN.match(group.cages)) and group.role == "fabric"
    )
    wide = replace(model, cages=(*model.cages, *more), max_ports=None, bandwidth_mbps=None)
    hardware = replace(intent.hardware, switches={**intent.hardware.switches, model.id: wide})
    return replace(intent, hardware=hardware)
