"""Checks of a finished network: what must hold for every fabric, whatever its intent."""

from __future__ import annotations

from array import array
from collections.abc import Callable

from fabric.diagnostics import Severity
from fabric.topology import codes
from fabric.topology.network_draft import Draft
from fabric.topology.oversubscription import bandwidths_of
from fabric.topology.roles import NONE, Role
from fabric.topology.sizing.sizing_findings import below_ceiling
from fabric.units import Speed, counted

Check = Callable[[Draft], None]


def ports_used_once(draft: Draft) -> None:
    """Both ends of every link name each other, so no port is in two links."""
    peer = draft.net.peer
    for port, other in enumerate(peer):
        if other != NONE and peer[other] != port:
            _wrong(draft, f"port {port} is joined to {other}, that to {peer[other]}")
            return


def speeds_equal(draft: Draft) -> None:
    """Both ends of every link run at one speed."""
    net, speeds = draft.net, array("i")
    nics = {group.name: int(group.nics.speed_mbps) for group in draft.sizes.groups}
    of_map = [array("i", (slot.speed_mbps for slot in port_map.slots)) for port_map in net.port_maps]
    attached = dict(zip(net.role_start[Role.ATTACHMENT], draft.attached, strict=True))
    for node, chosen in enumerate(net.port_map):
        if chosen != NONE:
            speeds.extend(of_map[chosen])
            continue
        count = net.port_base[node + 1] - net.port_base[node]
        group = net.host_group.get(node)
        speed = nics[group] if group else int(attached[node].attachment.speed_mbps)
        speeds.extend(array("i", [speed]) * count)
    for port, other in enumerate(net.peer):
        if other > port and speeds[port] != speeds[other]:
            _wrong(draft, f"a port of {Speed(speeds[port])} is joined to one of {Speed(speeds[other])}")
            return


def planes_apart(draft: Draft) -> None:
    """Switches of two planes are joined by no link; they meet in switches that belong to all planes."""
    net, planes = draft.net, array("i")
    if draft.sizes.planes == 1:
        return
    for node in range(len(net.role)):
        planes.extend(array("i", [net.plane[node]]) * (net.port_base[node + 1] - net.port_base[node]))
    for port, other in enumerate(net.peer):
        if other > port and planes[port] != planes[other] and NONE not in (planes[port], planes[other]):
            _wrong(draft, f"a switch of plane {planes[port]} is joined to one of plane {planes[other]}")
            return


def below_ceilings(draft: Draft) -> None:
    """No tier is oversubscribed beyond its ceiling, storage on reserved ports included."""
    tiers = draft.network.tiers
    older = draft.locked is not None and not draft.locked.spares_have_uplinks
    spares = draft.sizes.spare_mbps if older else 0
    for role, (down, up) in bandwidths_of(draft).items():
        tier = tiers.leaf if role is Role.LEAF else tiers.spine
        if tier is not None:
            name = role.name.lower()
            of_spares = spares if role is Role.LEAF else 0
            at, locked = draft.at.child("tiers", name), draft.locked is not None
            below_ceiling(draft.report, at, tier, down, up, name, of_spares, locked=locked)


def layout_joined(draft: Draft) -> None:
    """Every installed switch of a torus or dragonfly reaches all others of its plane."""
    net = draft.net
    if draft.sizes.across is None:
        return
    owners = array("i")
    for node in net.switches:
        owners.extend(array("i", [node]) * (net.port_base[node + 1] - net.port_base[node]))
    for plane in sorted({net.plane[leaf] for leaf in net.role_start[Role.LEAF]}):
        alike = [node for node in net.switches if net.plane[node] in (plane, NONE)]
        reached = _reached(draft, alike[0], owners)
        missed = [node for node in alike if node not in reached]
        if missed:
            rule = f"no links join {net.names[missed[0]]} to {net.names[alike[0]]}"
            more = f", nor {counted(len(missed) - 1, 'other')}" if len(missed) > 1 else ""
            hint = "install the rest of its group: the switches with the links to other groups are among them"
            draft.report.add(codes.LAYOUT_APART.at(draft.at.child("layout"), rule + more, hint=hint))


def _reached(draft: Draft, start: int, owners: array[int]) -> set[int]:
    """Every switch that links lead to, from switch to switch."""
    net, reached, waiting = draft.net, {start}, [start]
    while waiting:
        node = waiting.pop()
        for port in range(net.port_base[node], net.port_base[node + 1]):
            peer = net.peer[port]
            if NONE < peer < len(owners) and owners[peer] not in reached:
                reached.add(owners[peer])
                waiting.append(owners[peer])
    return reached


def _wrong(draft: Draft, rule: str) -> None:
    draft.report.add(codes.MISWIRED.at(draft.at, rule, severity=Severity.ERROR, hint=codes.MISWIRED.fix))


CHECKS: tuple[Check, ...] = (
    ports_used_once,  # first: the others follow peers
    speeds_equal,
    planes_apart,
    layout_joined,
    below_ceilings,  # again after sizing: attachments have added their bandwidth
)
