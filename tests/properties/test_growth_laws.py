"""Growth moves nothing, over random sites; what would move something is refused, and `resize` says what."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from ipaddress import ip_address
from itertools import pairwise
from typing import Any

from hypothesis import HealthCheck, assume, given, settings

from fabric.devices.infiniband.guids import Lids
from fabric.diagnostics import Invalid
from fabric.intent.model.lock import Lock
from fabric.topology.expand import expand
from fabric.topology.model import NetworkTopology, Topology
from fabric.topology.resize import Move, differences, resize
from fabric.topology.roles import NONE, Role
from tests.properties.growth_strategies import Site, changes, growths, sites
from tests.topology.builders import intent_of

CHECKED = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow]
)
ENDS = 2
"""Of a cable."""
Facts = dict[tuple[Any, ...], Any]


def compiled(site: Site, lock: Lock | None = None) -> Topology | set[str]:
    """The topology of a site, or the codes of what is wrong with it."""
    try:
        return expand(intent_of(site, lock))
    except Invalid as invalid:
        return {finding.code for finding in invalid.diagnostics if finding.is_error}


def built(site: Site) -> Topology:
    """The topology of a site that can be built; others are passed over."""
    found = compiled(site)
    assume(isinstance(found, Topology))
    assert isinstance(found, Topology)
    return found


# --- what must not change, read from the columns and by nothing that `resize` uses


def facts(topology: Topology) -> Facts:
    """Everything that a technician or another system has written down, by names and plugs."""
    found: Facts = {}
    for network in topology.networks.values():
        found |= _devices(network)
        found |= _links(network)
    return found


def _devices(net: NetworkTopology) -> Facts:
    found: Facts = {}
    for node in net.switches:
        address6 = net.loopback6[node] if net.loopback6 else NONE
        stand = (net.unit[node], net.rail[node], net.plane[node], net.pod[node], net.index[node])
        found[net.name, "device", net.names[node]] = (stand, net.asn[node], net.loopback[node], address6)
        if net.technology == "infiniband":
            found[net.name, "LID", net.names[node]] = Lids(net, 0, 1).switch(node)
    for one in net.attached_vlans:
        found[net.name, "gateway", net.names[one.leaf], net.names[one.attachment]] = (one.vlan, one.gateway)
    for node in net.role_start[Role.HOST]:
        place = (net.host_group[node], net.unit[node], net.index[node])
        found[net.name, "host", net.names[node]] = place
    return found


def _plug(net: NetworkTopology, owner: list[int], port: int) -> tuple[Any, ...]:
    node = owner[port]
    index = port - net.port_base[node]
    if net.port_map[node] == NONE:
        return net.names[node], index
    slot = net.port_maps[net.port_map[node]].slots[index]
    return net.names[node], slot.slot, slot.cage, slot.sub_port, slot.sub_ports


def _links(net: NetworkTopology) -> Facts:
    owner = [
        node for node in range(len(net.role)) for _ in range(net.port_base[node], net.port_base[node + 1])
    ]
    found: Facts = {}
    for port, peer in enumerate(net.peer):
        if peer == NONE:
            continue
        plug, far = _plug(net, owner, port), _plug(net, owner, peer)
        found[net.name, "cable", *plug] = (far, net.cable[port])
        address6 = (net.address6[port], net.prefix6_length[port]) if net.address6 else NONE
        found[net.name, "address", *plug] = (far, net.address[port], net.prefix_length[port], address6)
        if net.technology == "infiniband":
            found[net.name, "LID", *plug] = (far, _lid(net, owner, port, peer))
    return found


def _lid(net: NetworkTopology, owner: list[int], port: int, peer: int) -> int:
    """The LID of the end of a link that is no switch; NONE between switches."""
    lids = Lids(net, 0, 1)
    for mine, theirs in ((port, peer), (peer, port)):
        node, leaf = owner[mine], owner[theirs]
        if net.role[node] == Role.HOST:
            return lids.end(leaf, theirs - net.port_base[leaf])
        if net.role[node] == Role.ATTACHMENT:
            return lids.attachment(net.names[node], mine - net.port_base[node])
    return NONE


def moved(old: Site, new: Site, before: Facts, after: Facts) -> Facts:
    """What is different, or gone although nobody took it away."""
    detached = old["attachments"].keys() - new["attachments"].keys()
    return {
        key: (value, after.get(key))
        for key, value in before.items()
        if after.get(key) != value
        and not detached & {part for part in (*key, *_ends(value)) if isinstance(part, str)}
    }


def _ends(value: Any) -> tuple[Any, ...]:
    return value[0] if isinstance(value, tuple) and value and isinstance(value[0], tuple) else ()


def shared_cables(site: Site, topology: Topology) -> list[str]:
    """Attachments whose cable has the number of another one."""
    found: list[str] = []
    for net in topology.networks.values():
        used = Counter(net.cable)
        for node in net.role_start[Role.ATTACHMENT]:
            ports = range(net.port_base[node], net.port_base[node + 1])
            if "host_slot" not in site["attachments"][net.names[node]]["to"]:
                found += [net.names[node] for port in ports if used[net.cable[port]] != ENDS]
    return found


# --- the laws


@CHECKED
@given(growths())
def test_growth_moves_nothing_and_what_was_not_declared_is_refused_with_a_list(
    growth: tuple[list[Site], list[frozenset[str]]],
) -> None:
    stages, allowed = growth
    last = built(stages[0])
    for (old, new), errors in zip(pairwise(stages), allowed, strict=True):
        now = compiled(new, last.lock)
        raised = not isinstance(now, Topology)
        if not isinstance(now, Topology):
            # Either nobody could build it, or it asks for more than was declared: `resize` lists what moves.
            assume(isinstance(compiled(new), Topology))
            assert now <= errors
            assert len(now) == 1
            assert resizable(new, last.lock)
            if now == {"FAB214"}:
                return
            now = expand(intent_of(with_raised_ceilings(new, last.lock), last.lock))
        assert [] == shared_cables(new, now)
        assert {} == moved(old, new, facts(last), facts(now))
        if old["attachments"].keys() <= new["attachments"].keys():
            assert () == differences(last, now)
        if raised:
            return
        last = now


def with_raised_ceilings(site: Site, lock: Lock) -> Site:
    """The site with the ceilings on oversubscription that the hints say to write."""
    site = deepcopy(site)
    for _ in Role:
        try:
            expand(intent_of(site, lock))
        except Invalid as invalid:
            for finding in (f for f in invalid.diagnostics if f.is_error):
                *place, key = finding.origin.path
                target: Any = site
                for step in place:
                    target = target[step]
                target[key] = re.findall(rf"`{key}: ([^`]+)`", finding.hint or "")[0]
        else:
            break
    return site


def resizable(site: Site, lock: Lock) -> bool:
    """Whether `resize` answers, with a lock that holds from then on."""
    found = resize(intent_of(site, lock))
    again = compiled(site, found.lock)
    return isinstance(again, Topology) and again.lock == found.lock


@CHECKED
@given(sites(), sites())
def test_whatever_compiles_can_be_resized_from_any_lock(old: Site, new: Site) -> None:
    before = built(old)
    built(new)

    assert resizable(new, before.lock)


@CHECKED
@given(changes())
def test_resize_lists_what_is_different_between_before_and_after_and_nothing_else(
    change: tuple[Site, Site],
) -> None:
    old, new = change
    last = built(old)
    now = compiled(new, last.lock)
    built(new)
    found = resize(intent_of(new, last.lock))
    then = expand(intent_of(new, found.lock))

    detached = old["attachments"].keys() - new["attachments"].keys()
    assert found.lock == then.lock
    if isinstance(now, Topology):  # what `compile` does without a move, `resize` does too
        assert now.lock == found.lock
        assert {} == moved(old, new, facts(now), facts(then))
        if not detached and not moved(old, new, facts(last), facts(now)):
            assert () == found.moves
    if not found.diagnostics:  # else it says why it cannot list them one by one
        real, told = set(differences(last, then)), set(found.moves)
        assert set() == {move for move in real - told if not is_of(move, detached)}
        assert detached <= {move.device for move in told if move.kind == "device"}
        assert set() == {move for move in told - real if not is_of(move, detached) and stood(move, last)}


def is_of(move: Move, names: set[str]) -> bool:
    """Whether it is of one of these things: of a detached one only that it goes is told."""
    return not names.isdisjoint((move.device, *move.old.split()))


def stood(move: Move, topology: Topology) -> bool:
    """Whether there was something to move: the lock has room for more than what was installed."""
    net = topology.networks.get(move.network)
    if net is None:
        return True
    words = {"label": {str(number) for number in net.cable}, "address": set(addresses(net))}
    known = words.get(move.kind, set(net.names))
    ends = move.old.split(" - ") if move.kind in ("cable", "address", "label") else [move.device]
    return all(end.split(" ")[0].split("/")[0] in known for end in ends)


def addresses(net: NetworkTopology) -> Iterator[str]:
    """Every address of a port."""
    yield "none"
    for column in (net.address, net.address6):
        yield from (str(ip_address(value)) for value in column if value != NONE)
