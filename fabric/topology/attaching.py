"""Things that are no GPU host: which switches and ports their links take."""

from __future__ import annotations

from fabric.diagnostics import Origin
from fabric.intent.model import AttachTo
from fabric.topology import codes
from fabric.topology.draft import Attached, Draft
from fabric.topology.model import NONE, Facing, Role
from fabric.units import Speed


def choose_switches(draft: Draft) -> None:
    """Find the switches of every attachment: its links land on them in turn."""
    attachments = draft.intent.site.attachments
    for name in sorted(attachments):
        attachment = attachments[name]
        if attachment.network != draft.name:
            continue
        at = Origin(("attachments", name))
        nodes = _candidates(draft, attachment.to)
        if not nodes:
            rule = f"no {attachment.to.tier} is where `to` says"
            hint = "name a unit, rail, plane or index that is installed"
            draft.report.add(codes.ATTACHMENT.at(at.child("to"), rule, hint=hint))
        links = attachment.links if nodes else 0
        switches = [nodes[i % len(nodes)] for i in range(links)]
        draft.attached.append(Attached(name, attachment, switches, at))
        _check_reserved(draft, draft.attached[-1])


def _candidates(draft: Draft, to: AttachTo) -> list[int]:
    net, sizes = draft.net, draft.sizes
    unit = sizes.units - 1 if to.unit == "last" else to.unit
    leaves = {sizes.rails.leaf_of(rail) for rail in to.rails if rail < sizes.rails.rails}
    role = Role[to.tier.upper()]
    if to.rails and role is Role.LEAF and not leaves:
        return []
    return [
        node
        for node in net.role_start[role]
        if unit in (None, net.unit[node])
        and (not leaves or role is not Role.LEAF or net.index[node] in leaves)
        and (not to.planes or net.plane[node] in to.planes)
        and to.pod in (None, net.pod[node])
        and (not to.index or net.index[node] in to.index)
    ]


def _check_reserved(draft: Draft, attached: Attached) -> None:
    """Whether the reserved ports of the chosen switches are enough for all attachments so far."""
    to = attached.attachment.to
    if to.cages or to.host_slot is not None or not attached.switches:
        return
    tier = getattr(draft.network.tiers, to.tier)
    used: dict[int, int] = {}
    for other in draft.attached:
        if not other.attachment.to.cages and other.attachment.to.host_slot is None:
            for node in other.switches:
                used[node] = used.get(node, 0) + 1
    most = max((used[node] for node in attached.switches), default=0)
    if most > tier.reserved_ports:
        rule = f"{most} links on one {to.tier} need {most} reserved ports, it has {tier.reserved_ports}"
        hint = f"set `reserved_ports: {most}` on the {to.tier}s, or name `cages` or a `host_slot`"
        draft.report.add(codes.ATTACHMENT.at(attached.at.child("to"), rule, value=most, hint=hint))


def attach(draft: Draft) -> None:
    """Give every link of every attachment its port."""
    net = draft.net
    used: dict[int, int] = {}
    explicit_first = sorted(draft.attached, key=lambda a: (not a.attachment.to.cages, a.name))
    for attached in explicit_first:
        for node in attached.switches:
            if attached.attachment.to.host_slot is None:
                block = draft.way(node, Facing.OUT)
                port = block[used.get(node, 0)] if used.get(node, 0) < len(block) else NONE
                used[node] = used.get(node, 0) + 1
            else:
                port = _seat(draft, attached, node)
            if port != NONE:
                _check_speed(draft, attached, node, port)
            attached.ports.append(port)
    for node, attached in zip(net.role_start[Role.ATTACHMENT], draft.attached, strict=True):
        for mine, theirs in enumerate(attached.ports, net.port_base[node]):
            if theirs != NONE:
                net.peer[mine], net.peer[theirs] = theirs, mine


def _seat(draft: Draft, attached: Attached, leaf: int) -> int:
    """The next free downlink of a host position on a leaf; NONE with a finding if there is none."""
    net, slot = draft.net, attached.attachment.to.host_slot
    at = attached.at.child("to", "host_slot")
    unit = net.unit[leaf]
    if unit == NONE or slot in draft.seat_hosts[unit]:
        name = net.names[draft.seat_hosts[unit][slot]] if unit != NONE and slot is not None else "no host"
        rule = f"host position {slot} of unit {unit} holds {name}"
        draft.report.add(codes.ATTACHMENT.at(at, rule, value=slot, hint="choose an empty position"))
        return NONE
    first = net.port_base[leaf]
    others = {port for other in draft.attached for port in other.ports}
    for i, seat in enumerate(draft.sizes.seats[net.index[leaf]]):
        if seat.slot == slot and first + i not in others:
            return first + i
    rule = f"{net.names[leaf]} has no free downlink for host position {slot}"
    draft.report.add(codes.ATTACHMENT.at(at, rule, value=slot, hint="choose another position or more leaves"))
    return NONE


def _check_speed(draft: Draft, attached: Attached, node: int, port: int) -> None:
    net = draft.net
    slot = net.port_maps[net.port_map[node]].slots[port - net.port_base[node]]
    wanted = int(attached.attachment.speed_mbps)
    if slot.speed_mbps != wanted:
        rule = f"{Speed(wanted)} cannot join a port of {Speed(slot.speed_mbps)} on {net.names[node]}"
        hint = f"set `speed: {Speed(slot.speed_mbps)}`, or name `cages` of its own"
        draft.report.add(
            codes.SPEEDS_DIFFER.at(attached.at.child("speed"), rule, value=str(Speed(wanted)), hint=hint)
        )
