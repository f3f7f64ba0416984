"""Things that are not GPU hosts: which switches and ports their links take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from fabric.diagnostics import Origin
from fabric.hardware import PortSlot
from fabric.intent.model.lock import LockedAttachment
from fabric.topology import codes
from fabric.topology.attachments.check_vlans import check_vlans
from fabric.topology.attachments.landing_switches import Landed, land, locked_link, uses_reserved
from fabric.topology.network_draft import Attached, Draft
from fabric.topology.place_nodes import Position, positions
from fabric.topology.port_maps import cage_text, named_cages
from fabric.topology.roles import NONE, Facing, Role
from fabric.units import Speed, counted


def choose_switches(draft: Draft) -> None:
    """Find the switches of every attachment, as locked or in turn."""
    attachments = draft.intent.site.attachments
    landed = _landed(draft)
    nodes: dict[Position, int] = {}
    for role in (Role.LEAF, Role.SPINE, Role.SUPERSPINE):
        stands = positions(draft.sizes, role) if any(landed.values()) else ()
        nodes |= dict(zip(stands, draft.net.role_start[role], strict=False))
    for name in sorted(name for name in attachments if attachments[name].network == draft.name):
        attachment, links = attachments[name], landed[name]
        at = Origin(("attachments", name))
        if not links:
            rule = f"no {attachment.to.tier} is where `to` says"
            hint = "name a unit, rail, plane or index that is installed"
            draft.report.add(codes.ATTACHMENT.at(at.child("to"), rule, hint=hint))
        switches = [nodes[link.position] for link in links]
        draft.attached.append(Attached(name, attachment, switches, [link.held for link in links], at))
        _check_reserved(draft, draft.attached[-1])
    check_vlans(draft)


def _landed(draft: Draft) -> dict[str, list[Landed]]:
    tiers, site = draft.network.tiers, draft.intent.site
    landed: dict[str, list[Landed]] = {}
    for role, tier in (
        (Role.LEAF, tiers.leaf),
        (Role.SPINE, tiers.spine),
        (Role.SUPERSPINE, tiers.superspine),
    ):
        reserved = tier.reserved_ports if tier else 0
        landed |= land(site.attachments, draft.name, role, draft.sizes, reserved, draft.intent.lock)
    return landed


def _check_reserved(draft: Draft, attached: Attached) -> None:
    """Whether the reserved ports of the chosen switches are enough for all attachments so far."""
    to = attached.attachment.to
    if not uses_reserved(to) or not attached.switches:
        return
    tier = getattr(draft.network.tiers, to.tier)
    used: Counter[int] = Counter()
    for other in draft.attached:
        if uses_reserved(other.attachment.to):
            used.update(other.switches)
    most = max((used[node] for node in attached.switches), default=0)
    if most > tier.reserved_ports:
        rule = (
            f"for {counted(most, 'link')} a {to.tier} needs {counted(most, 'reserved port')}, "
            f"it has {tier.reserved_ports}"
        )
        hint = f"set `tiers.{to.tier}.reserved_ports: {most}`, or name `cages` or a `host_slot`"
        draft.report.add(codes.ATTACHMENT.at(attached.at.child("to"), rule, value=most, hint=hint))


def attach(draft: Draft) -> None:
    """Give every link of every attachment its port: those of `fabric.lock` first."""
    net = draft.net
    taken: set[int] = set()
    for attached in draft.attached:
        attached.ports = [NONE] * len(attached.switches)
        for link, node in enumerate(attached.switches):
            port = _locked_port(draft, attached, link, node)
            if port not in taken:
                attached.ports[link] = port
                taken |= {port} - {NONE}
    for attached in draft.attached:
        for link, node in enumerate(attached.switches):
            if attached.ports[link] == NONE:
                port = next((p for p in _offered(draft, attached, node) if p not in taken), NONE)
                attached.ports[link] = port
                taken |= {port} - {NONE}
            _check_port(draft, attached, node, attached.ports[link])
    for node, attached in zip(net.role_start[Role.ATTACHMENT], draft.attached, strict=True):
        for mine, theirs in enumerate(attached.ports, net.port_base[node]):
            if theirs != NONE:
                net.peer[mine], net.peer[theirs] = theirs, mine


def _slot(draft: Draft, node: int, port: int) -> PortSlot:
    net = draft.net
    return net.port_maps[net.port_map[node]].slots[port - net.port_base[node]]


def _locked_port(draft: Draft, attached: Attached, link: int, node: int) -> int:
    """The port of a link as locked; NONE if it is new, or the port is not one that `to` offers."""
    place = attached.held[link]
    for port in _offered(draft, attached, node) if place else ():
        slot = _slot(draft, node, port)
        if place and (place.cage, place.part) == (cage_text((slot.slot, slot.cage)), slot.sub_port):
            return port
    return NONE


def _offered(draft: Draft, attached: Attached, node: int) -> Iterator[int]:
    """Ports of a switch that an attachment may take, in order: of its host position, its cages, or reserved ones."""
    net, to = draft.net, attached.attachment.to
    if to.host_slot is not None:
        yield from _seats(draft, to.host_slot, node)
        return
    own, named = named_cages(to.cages), draft.named_cages[Role(net.role[node])]
    for port in (*draft.way(node, Facing.OUT), *draft.way(node, Facing.SPARE)):
        slot = _slot(draft, node, port)
        if (slot.slot, slot.cage) in (own if to.cages else ()) or (
            not to.cages and (slot.slot, slot.cage) not in named
        ):
            yield port


def _seats(draft: Draft, slot: int, leaf: int) -> Iterator[int]:
    """The downlinks of an empty host position on a leaf."""
    net, unit = draft.net, draft.net.unit[leaf]
    if unit != NONE and slot not in draft.seat_hosts[unit]:
        for i, seat in enumerate(draft.sizes.seats[net.index[leaf]]):
            if seat.slot == slot:
                yield net.port_base[leaf] + i


def _check_port(draft: Draft, attached: Attached, node: int, port: int) -> None:
    """Report a port of another speed, or the lack of one on a host position; other lacks are known by now."""
    if port != NONE:
        _check_speed(draft, attached, node, port)
    elif attached.attachment.to.host_slot is not None:
        _refuse_seat(draft, attached, node)


def _refuse_seat(draft: Draft, attached: Attached, leaf: int) -> None:
    net, slot = draft.net, attached.attachment.to.host_slot
    at, unit = attached.at.child("to", "host_slot"), draft.net.unit[leaf]
    rule = f"{net.names[leaf]} has no free downlink for host position {slot}"
    hint = "choose another position or more leaves"
    if unit == NONE or slot in draft.seat_hosts[unit]:
        name = net.names[draft.seat_hosts[unit][slot]] if unit != NONE and slot is not None else "no host"
        rule, hint = f"host position {slot} of unit {unit} holds {name}", "choose an empty position"
    draft.report.add(codes.ATTACHMENT.at(at, rule, value=slot, hint=hint))


def _check_speed(draft: Draft, attached: Attached, node: int, port: int) -> None:
    net = draft.net
    slot = net.port_maps[net.port_map[node]].slots[port - net.port_base[node]]
    speed_mbps = int(attached.attachment.speed_mbps)
    if slot.speed_mbps != speed_mbps:
        rule = f"{Speed(speed_mbps)} cannot join a port of {Speed(slot.speed_mbps)} on {net.names[node]}"
        hint = f"set `speed: {Speed(slot.speed_mbps)}`, or name `cages` of its own"
        draft.report.add(
            codes.SPEEDS_DIFFER.at(attached.at.child("speed"), rule, value=str(Speed(speed_mbps)), hint=hint)
        )


def locked_attachment(draft: Draft, attached: Attached) -> LockedAttachment:
    """Where the links of an attachment land, for `fabric.lock`."""
    role = Role[attached.attachment.to.tier.upper()]
    stands = list(positions(draft.sizes, role)) if attached.switches else []
    first = draft.net.role_start[role].start
    links, attachment = [], attached.attachment
    for node, port in zip(attached.switches, attached.ports, strict=True):
        if port != NONE:
            slot = _slot(draft, node, port)
            cage = cage_text((slot.slot, slot.cage))
            links.append(locked_link(stands[node - first], draft.sizes, cage, slot.sub_port))
    return LockedAttachment(
        network=draft.name,
        links=tuple(links),
        blocks=tuple(attached.blocks),
        cables=tuple(attached.cables),
        vlan=attachment.vlan,
        prefix_length=attachment.prefix_length,
        lacp=attachment.lacp,
        addresses=attachment.addresses,
    )
