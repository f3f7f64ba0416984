"""Tables of a topology: tiers, sizes, devices, AS numbers."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from fabric.intent.inventory import DeviceFacts
from fabric.intent.model.lock import NetworkLock
from fabric.tables.chosen_names import Chosen, is_chosen
from fabric.tables.table import Column, Row, Table
from fabric.tables.value_formats import ROLE_NAMES, View, or_none, speed
from fabric.topology.roles import NONE, Facing, Role
from fabric.units import counted, ratio

SWITCHES = (Role.LEAF, Role.SPINE, Role.SUPERSPINE)
TIER_COLORS = {"leaf": "green", "spine": "blue", "superspine": "magenta"}
KEPT = "kept by fabric.lock"
MOST_NAMES = 3
"""More devices than this are shown by the first, the last, and their number."""


def colored_role(value: Any) -> str:
    """The colour of a tier."""
    return TIER_COLORS.get(str(value), "")


NETWORK = Column(key="network", heading="NETWORK", rank=2)
ROLE = Column(key="role", heading="ROLE", style=colored_role, rank=1)


def tier_table(views: Sequence[View]) -> Table:
    """One row a tier: how many of what, with which ports."""
    has_names = any(view.tier_name(role) for view in views for role in Role)

    def rows() -> Iterator[Row]:
        for view in views:
            for role in Role:
                nodes = view.topology.role_start[role]
                if nodes:
                    yield (
                        view.topology.name,
                        ROLE_NAMES[role],
                        *([view.tier_name(role)] if has_names else []),
                        len(nodes),
                        *_tier_facts(view, nodes[0], role),
                    )

    columns = (
        NETWORK,
        Column(key="tier", heading="TIER", style=colored_role),
        *([Column(key="called", heading="CALLED", rank=5)] if has_names else []),
        Column(key="count", heading="COUNT", right=True),
        Column(key="model", heading="MODEL"),
        Column(key="platform", heading="PLATFORM", rank=3),
        Column(key="ports_down", heading="DOWN", right=True),
        Column(key="down_mbps", heading="AT", right=True, show=speed),
        Column(key="ports_up", heading="UP", right=True),
        Column(key="up_mbps", heading="AT", right=True, show=speed),
        Column(
            key="oversubscription",
            heading="RATIO",
            show=lambda v: "" if v is None else ratio(v),
            rank=4,
        ),
    )
    return Table(
        name="tiers",
        columns=columns,
        rows=rows,
        noun=("tier", "tiers"),
        total=lambda: _devices(views),
    )


def _devices(views: Sequence[View]) -> str:
    """`18 switches, 32 hosts`. A host that is in several networks is one host."""
    switches = sum(len(view.topology.switches) for view in views)
    hosts = {view.topology.names[n] for view in views for n in view.topology.role_start[Role.HOST]}
    others = {view.topology.names[n] for view in views for n in view.topology.role_start[Role.ATTACHMENT]}
    counts = [counted(switches, ("switch", "switches")), counted(len(hosts), ("host", "hosts"))]
    return ", ".join(counts + ([counted(len(others), ("attachment", "attachments"))] if others else []))


def _tier_facts(view: View, node: int, role: Role) -> Row:
    if not role.is_switch:
        base = view.topology.port_base
        return (None, None, None, None, base[node + 1] - base[node], None, None)
    slots = view.topology.port_maps[view.topology.port_map[node]]
    down = [s.speed_mbps for s, f in zip(slots.slots, slots.facing, strict=True) if f is Facing.DOWN]
    up = [
        s.speed_mbps
        for s, f in zip(slots.slots, slots.facing, strict=True)
        if f in (Facing.UP, Facing.ACROSS)
    ]
    return (
        view.model(node),
        view.platform(node),
        len(down) + _storage_ports(view, role),
        max(down, default=None),
        len(up) or None,
        max(up, default=None),
        view.topology.oversubscription.get(role),
    )


def _storage_ports(view: View, role: Role) -> int:
    """Most ports of storage on one switch of a tier: it counts in the ratio as hosts do."""
    topology, counts = view.topology, Counter[int]()
    for node in topology.role_start[Role.ATTACHMENT]:
        attachment = view.intent.site.attachments[topology.names[node]]
        if attachment.kind == "storage" and attachment.to.host_slot is None:
            peers = topology.peer[topology.port_base[node] : topology.port_base[node + 1]]
            counts.update(bisect_right(topology.port_base, peer) - 1 for peer in peers)
    return max((ports for node, ports in counts.items() if topology.role[node] == role), default=0)


def sizing_table(views: Sequence[View]) -> Table:
    """How each `auto` size was chosen; where fabric.lock holds the sizes, all of them as it says."""

    def rows() -> Iterator[Row]:
        for view in views:
            lock = view.intent.lock.networks.get(view.topology.name) if view.intent.lock else None
            if lock is not None:
                yield from ((view.topology.name, what, size, None, KEPT) for what, size in _sizes(lock))
                continue
            for sizing in view.topology.sizing:
                yield view.topology.name, sizing.what, sizing.chosen, sizing.runner_up, sizing.reason

    columns = (
        NETWORK,
        Column(key="what", heading="SIZE", show=_within),
        Column(key="chosen", heading="CHOSEN", style=lambda _v: "bold", wraps=True),
        Column(key="runner_up", heading="RUNNER-UP", wraps=True),
        Column(key="reason", heading="REASON", wraps=True, rank=1),
    )
    return Table(name="sizing", columns=columns, rows=rows, noun=("size", "sizes"))


def _within(what: str) -> str:
    """The path of a size without its network, which has a column of its own."""
    return re.sub(r"^networks\.[^.]+\.", "", what)


def _sizes(lock: NetworkLock) -> Iterator[tuple[str, str]]:
    """The sizes of a network as fabric.lock calls them; not those of tiers that it has not."""
    for what in lock.__struct_fields__:
        size = getattr(lock, what)
        if isinstance(size, int) and size:
            yield what, "yes" if size is True else str(size)
    yield from ((f"auto_per_unit.{group}", str(size)) for group, size in lock.auto_per_unit.items())


def device_table(views: Sequence[View], only: Chosen = None) -> Table:
    """Every switch with its place, numbers and addresses."""

    def rows() -> Iterator[Row]:
        for view in views:
            for node in view.topology.switches:
                if is_chosen(only, view.topology.names[node]):
                    yield _device(view, node)

    columns = (
        Column(key="device", heading="DEVICE", style=lambda _v: "bold"),
        NETWORK,
        ROLE,
        Column(key="pod", heading="POD", right=True, rank=6),
        Column(key="unit", heading="UNIT", right=True, rank=3),
        Column(key="rail", heading="RAIL", right=True, rank=3),
        Column(key="plane", heading="PLANE", right=True, rank=4),
        Column(key="model", heading="MODEL", rank=5),
        Column(key="platform", heading="PLATFORM", rank=7),
        Column(key="asn", heading="ASN", right=True),
        Column(key="loopback", heading="LOOPBACK"),
        Column(key="loopback6", heading="LOOPBACK6", rank=8),
        Column(key="management", heading="MANAGEMENT", rank=4),
        Column(key="rack", heading="RACK", rank=8),
        Column(key="rack_unit", heading="AT", right=True, rank=9),
        Column(key="serial", heading="SERIAL", rank=9),
        Column(
            key="drained",
            heading="DRAINED",
            rank=2,
            style=lambda _v: "yellow",
        ),
    )
    return Table(name="devices", columns=columns, rows=rows, noun=("device", "devices"))


def _device(view: View, node: int) -> Row:
    topology, facts = view.topology, view.facts(node)
    device_facts = facts if isinstance(facts, DeviceFacts) else DeviceFacts()
    places = [
        or_none(column[node]) for column in (topology.pod, topology.unit, topology.rail, topology.plane)
    ]
    return (
        topology.names[node],
        topology.name,
        ROLE_NAMES[Role(topology.role[node])],
        *places,
        view.model(node),
        view.platform(node),
        topology.asn[node] if topology.asn[node] > 0 else None,
        _address4(topology.loopback[node]),
        _address6(topology.loopback6, node),
        device_facts.address,
        device_facts.rack,
        device_facts.position,
        device_facts.serial,
        next((e.mode for e in view.intent.state.drained if e.device == topology.names[node]), None),
    )


def _address4(value: int) -> str | None:
    from ipaddress import IPv4Address

    return None if value == NONE else str(IPv4Address(value))


def _address6(column: list[int], node: int) -> str | None:
    from ipaddress import IPv6Address

    return None if not column or column[node] == NONE else str(IPv6Address(column[node]))


def asn_table(views: Sequence[View], only: Chosen = None) -> Table:
    """Every AS number with the devices that have it; or that of one device."""

    def rows() -> Iterator[Row]:
        for view in views:
            topology = view.topology
            numbers: dict[int, list[int]] = {}
            for node in topology.switches:
                numbers.setdefault(topology.asn[node], []).append(node)
            for asn, nodes in sorted(numbers.items()):
                if asn > 0 and is_chosen(only, *(topology.names[node] for node in nodes)):
                    role = ROLE_NAMES[Role(topology.role[nodes[0]])]
                    yield asn, topology.name, role, len(nodes), tuple(topology.names[node] for node in nodes)

    columns = (
        Column(key="asn", heading="ASN", right=True, style=lambda _v: "bold"),
        NETWORK,
        ROLE,
        Column(key="count", heading="COUNT", right=True),
        Column(key="devices", heading="DEVICES", show=abridged, wraps=True),
    )
    return Table(name="asn", columns=columns, rows=rows, noun=("AS number", "AS numbers"))


def abridged(names: Sequence[str]) -> str:
    """A few names, or the first and the last of many."""
    if len(names) <= MOST_NAMES:
        return ", ".join(names)
    return f"{names[0]} to {names[-1]}"
