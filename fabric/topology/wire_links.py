"""Which port is cabled to which: arithmetic over capacity, so that growth moves no cable.

A leaf's downlinks are its seats in order. Uplink k of a switch goes to the switch and parallel link that
`Upward.target` says; on the switch above, the ports of a group are ordered by the switches below, so that a
port there depends on the lower switch and the parallel link alone.
"""

from __future__ import annotations

from array import array

from fabric.topology.network_draft import Draft
from fabric.topology.roles import NONE, Facing, Role


def wire_hosts(draft: Draft) -> None:
    """NIC k of every host to the leaf of its rail, port p of a NIC to plane p."""
    sizes, net = draft.sizes, draft.net
    peer, base, planes = net.peer, net.port_base, sizes.planes
    full = [[(seat.slot, seat.nic * planes) for seat in seats] for seats in sizes.seats]
    for leaf, unit, position, plane in draft.leaves():
        hosts, first = draft.seat_hosts[unit], base[leaf]
        for i, (slot, offset) in enumerate(full[position]):
            host = hosts.get(slot)
            if host is not None:
                port = base[host] + offset + plane
                peer[first + i] = port
                peer[port] = first + i


def wire_spines(draft: Draft) -> None:
    """Every leaf to every spine of its group, with the same number of links."""
    sizes = draft.sizes
    upward = sizes.leaf
    if not upward.installed:
        return
    targets = [upward.target(k) for k in range(upward.uplinks)]
    starts: dict[int, list[int]] = {}
    for leaf, unit, position, plane in draft.leaves():
        group = draft.spine_group(
            unit // sizes.units_per_pod if sizes.spine_pods > 1 else 0,
            position if sizes.spine_rails > 1 else 0,
            plane if sizes.spine_planes > 1 else 0,
        )
        if group not in starts:
            starts[group] = _starts(draft, draft.spine(group, 0), targets, upward.installed)
        below = _leaf_position(draft, unit, position, plane)
        _join(draft, draft.way(leaf, Facing.UP).start, starts[group], below * upward.links_per_pair)


def _leaf_position(draft: Draft, unit: int, position: int, plane: int) -> int:
    """Place of a leaf among those of its spine group, by capacity; the unit is slowest."""
    sizes = draft.sizes
    place = unit % sizes.units_per_pod if sizes.spine_pods > 1 else unit
    if sizes.spine_rails == 1:
        place = place * sizes.rails.leaves + position
    return place * sizes.planes + plane if sizes.spine_planes < sizes.planes else place


def wire_superspines(draft: Draft) -> None:
    """Spine j of every pod to superspine group j modulo the groups."""
    sizes = draft.sizes
    upward = sizes.spine
    if not upward.installed:
        return
    targets = [upward.target(k) for k in range(upward.uplinks)]
    starts: dict[int, list[int]] = {}
    for number, pod, rail, plane in draft.spine_groups():
        for index in range(sizes.leaf.installed):
            spine = draft.spine(number, index)
            turn, group = divmod(rail * sizes.leaf.count + index, sizes.superspine_groups)
            group = group * sizes.superspine_planes + (plane if sizes.superspine_planes > 1 else 0)
            if group not in starts:
                starts[group] = _starts(draft, draft.superspine(group, 0), targets, upward.installed)
            turns = sizes.spine_rails * sizes.leaf.count // sizes.superspine_groups
            below = pod * turns + turn
            if sizes.superspine_planes < sizes.spine_planes:
                below = below * sizes.spine_planes + plane
            up = draft.way(spine, Facing.UP).start
            _join(draft, up, starts[group], below * upward.links_per_pair)


def _starts(draft: Draft, first: int, targets: list[tuple[int, int]], installed: int) -> list[int]:
    """For each uplink the port above of the group's first switch below, NONE where nothing is installed."""
    base = draft.net.port_base
    return [base[first + switch] + link if switch < installed else NONE for switch, link in targets]


def _join(draft: Draft, lower: int, starts: list[int], offset: int) -> None:
    peer = draft.net.peer
    for port, start in enumerate(starts, lower):
        if start != NONE:
            peer[port] = start + offset
            peer[start + offset] = port


def wire_zones(draft: Draft) -> None:
    """Spine j of each zone to spine j of each other zone."""
    sizes, net = draft.sizes, draft.net
    links = sizes.zone_links
    if not links:
        return
    for number, zone, rail, plane in draft.spine_groups():
        for other in range(zone + 1, sizes.pods_installed):
            twin = draft.spine_group(other, rail, plane)
            for index in range(sizes.leaf.installed):
                spine, twin_spine = draft.spine(number, index), draft.spine(twin, index)
                first = draft.way(spine, Facing.ACROSS).start + (other - 1) * links
                second = draft.way(twin_spine, Facing.ACROSS).start + zone * links
                net.peer[first : first + links] = array("i", range(second, second + links))
                net.peer[second : second + links] = array("i", range(first, first + links))


def wire_layout(draft: Draft) -> None:
    """The leaves of a torus or dragonfly, or the spines of a dragonfly+, to each other: each plane for itself."""
    across = draft.sizes.across
    if across is None:
        return
    peer = draft.net.peer
    for nodes in _layers(draft):
        firsts = [NONE if node == NONE else draft.way(node, Facing.ACROSS).start for node in nodes]
        for switch, first in enumerate(firsts):
            for port in range(across.ports if first != NONE else 0):
                far = across.far(switch, port)
                if far is not None and firsts[far[0]] != NONE:
                    peer[first + port] = firsts[far[0]] + far[1]


def _layers(draft: Draft) -> list[list[int]]:
    """The switches of each plane (and rail group, of spines) in the order of the layout; NONE: not installed."""
    sizes = draft.sizes
    if sizes.across_role is Role.LEAF:
        count = sizes.units * sizes.rails.leaves
        missing = [NONE] * (sizes.unit_capacity * sizes.rails.leaves - count)
        return [
            [place * sizes.planes + plane for place in range(count)] + missing
            for plane in range(sizes.planes)
        ]
    spines = {(pod, rail, plane): number for number, pod, rail, plane in draft.spine_groups()}
    return [
        [
            draft.spine(spines[pod, rail, plane], index)
            if (pod, rail, plane) in spines and index < sizes.leaf.installed
            else NONE
            for pod in range(sizes.pods)
            for index in range(sizes.leaf.count)
        ]
        for rail in range(sizes.spine_rails)
        for plane in range(sizes.spine_planes)
    ]
