"""Which links share a cable. A cable's number comes from its capacity position, so growth renumbers none.

Links and cables are kept apart: an 800G cable may carry two 400G links, and at its other end these may go to
two devices. The links of one cable share a cage at the end where the cable is split.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from fabric.intent.model import Cable
from fabric.topology import codes
from fabric.topology.network_draft import Draft
from fabric.topology.roles import NONE, Facing, Role
from fabric.units import counted


def bundle(draft: Draft) -> None:
    """Number the cables: host links, leaf uplinks, spine uplinks, links within a tier, attachments."""
    sizes, cables = draft.sizes, draft.network.cables
    first = _host_cables(draft, cables.host_leaf)
    first = _up_cables(draft, Role.LEAF, cables.leaf_spine, first, sizes.leaf_capacity, sizes.spine_capacity)
    first = _up_cables(
        draft, Role.SPINE, cables.spine_superspine, first, sizes.spine_capacity, sizes.superspine_capacity
    )
    first = _across_cables(draft, first)
    _attachment_cables(draft, first)


def _host_cables(draft: Draft, cable: Cable) -> int:
    """Numbers by leaf and downlink; split at the host, by host and NIC."""
    net, sizes = draft.net, draft.sizes
    down = sizes.leaf_down
    by_leaf = cable.links == 1 or cable.split_at == "upper"
    if not by_leaf and sizes.planes % cable.links:
        _uneven(draft, "host_leaf", cable, f"a NIC has {counted(sizes.planes, 'port')}")
    nics = max(group.nics.count * group.nics.ports for group in sizes.groups)
    heads = _heads(draft, Role.LEAF, Facing.DOWN, cable, "host_leaf") if by_leaf else {}
    for leaf in net.role_start[Role.LEAF]:
        block = draft.way(leaf, Facing.DOWN)
        if by_leaf:
            _number(draft, block, heads[net.port_map[leaf]], leaf * down)
        else:
            _number_by_nic(draft, block, cable.links, nics)
    return max(sizes.leaf_capacity * down, sizes.unit_capacity * sizes.host_slots * nics)


def _number_by_nic(draft: Draft, block: range, links: int, nics: int) -> None:
    net = draft.net
    for port in block:
        peer = net.peer[port]
        host = bisect_right(net.port_base, peer) - 1
        if peer != NONE and net.role[host] == Role.HOST:
            index = peer - net.port_base[host]
            net.cable[port] = net.cable[peer] = net.ordinal[host] * nics + index // links * links


def _heads(draft: Draft, role: Role, facing: Facing, cable: Cable, what: str) -> dict[int, list[int]]:
    """For each port map of a tier: of each port in a block, the first one on the same cable."""
    net = draft.net
    heads_by_map: dict[int, list[int]] = {}
    for chosen in {net.port_map[node] for node in net.role_start[role]}:
        block = draft.ways[chosen][facing]
        slots = net.port_maps[chosen].slots[block.start : block.stop]
        if cable.links == 1:
            heads_by_map[chosen] = list(range(len(slots)))
            continue
        heads: list[int] = []
        seen: dict[tuple[int, int], list[int]] = {}
        for i, slot in enumerate(slots):
            if slot.sub_ports % cable.links:
                _uneven(
                    draft,
                    what,
                    cable,
                    f"a cage of the {role.name.lower()} has {counted(slot.sub_ports, 'port')}",
                )
            mates = seen.setdefault((slot.slot, slot.cage), [])
            mates.append(i)
            heads.append(mates[(len(mates) - 1) // cable.links * cable.links])
        heads_by_map[chosen] = heads
    return heads_by_map


def _uneven(draft: Draft, what: str, cable: Cable, why: str) -> None:
    at = draft.at.child("cables", what, "links")
    end = f"at the {cable.split_at} end, where they share a cage"
    rule = f"{cable.links} links of one cable do not divide {end}: {why}"
    hint = "change `links`, or `split_at`"
    draft.report.add(codes.CABLES_UNEVEN.at(at, rule, value=cable.links, hint=hint))


def _up_cables(draft: Draft, role: Role, cable: Cable, first: int, below: int, above: int) -> int:
    """Numbers by lower switch and uplink; split above, by upper switch and downlink."""
    net, sizes = draft.net, draft.sizes
    upward = sizes.leaf if role is Role.LEAF else sizes.spine
    if not upward.count:
        return first
    what = "leaf_spine" if role is Role.LEAF else "spine_superspine"
    lower_end = cable.links == 1 or cable.split_at == "lower"
    owner, facing = (role, Facing.UP) if lower_end else (Role(role + 1), Facing.DOWN)
    heads = _heads(draft, owner, facing, cable, what)
    width = sum(d.count for d in sizes.demands[owner][0] if d.facing is facing)
    for node in net.role_start[owner]:
        block = draft.way(node, facing)
        _number(draft, block, heads[net.port_map[node]], first + net.ordinal[node] * width)
    return first + max(below * upward.uplinks, above * (width if not lower_end else 0))


def _number(draft: Draft, block: range, heads: Sequence[int], first: int) -> None:
    """Give the cabled ports of a block, and their peers, the number of their cable."""
    peer, cable = draft.net.peer, draft.net.cable
    for port, head in zip(block, heads, strict=True):
        other = peer[port]
        if other != NONE:
            cable[port] = cable[other] = first + head


def _across_cables(draft: Draft, first: int) -> int:
    """Numbers by the switch with the lower port id, and its port."""
    net, sizes = draft.net, draft.sizes
    width, role = sizes.across_ports, sizes.across_role
    if not width:
        return first
    for switch in net.role_start[role]:
        for i, port in enumerate(draft.way(switch, Facing.ACROSS)):
            other = net.peer[port]
            if other > port:
                net.cable[port] = net.cable[other] = first + net.ordinal[switch] * width + i
    return first + (sizes.leaf_capacity if role is Role.LEAF else sizes.spine_capacity) * width


def _attachment_cables(draft: Draft, first: int) -> None:
    """Numbers as locked; of new cables by switch and port; on the downlink of a host position that downlink's own."""
    net, lock = draft.net, draft.intent.lock
    for attached in draft.attached:
        locked = lock.attachments.get(attached.name) if lock else None
        known = locked.cables if locked is not None and locked.network == draft.name else ()
        seated = attached.attachment.to.host_slot is not None
        attached.cables = [
            known[i] if i < len(known) and not seated else NONE for i in range(len(attached.ports))
        ]
    taken = {number for attached in draft.attached for number in attached.cables}
    width = 1 + max((len(port_map.slots) for port_map in net.port_maps), default=0)
    for attached in draft.attached:
        for link, (node, port) in enumerate(zip(attached.switches, attached.ports, strict=True)):
            if port == NONE:
                continue
            index = port - net.port_base[node]
            if attached.attachment.to.host_slot is not None:
                number = net.ordinal[node] * draft.sizes.leaf_down + index
            else:
                if attached.cables[link] == NONE:
                    wish = draft.switch_ordinal(node) * width + index
                    attached.cables[link] = max(taken) + 1 if wish in taken else wish
                    taken.add(attached.cables[link])
                number = first + attached.cables[link]
            net.cable[port] = net.cable[net.peer[port]] = number
