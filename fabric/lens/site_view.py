"""What the panes show of a device: rows of plain text, from a compiled site. No terminal is needed for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from fabric.compiler import Compiled
from fabric.devices.hosts.model import Host
from fabric.devices.model import Device, Switch
from fabric.exports.network_view import View, views
from fabric.lens.groups import TIERS, Group, site_group
from fabric.platforms.registry import platform
from fabric.qos.model import ClassQueueing, PortQueueing
from fabric.topology.roles import NONE, Role
from fabric.units import Length, Speed, counted

MOST_PORTS = 3
"""Ports that a row of neighbours names."""


class PortRow(NamedTuple):
    """One port."""

    port: str
    use: str
    """`host`, `down`, `up`, ..., `unused`; empty: no device is derived."""
    neighbor: str
    their_port: str
    speed: str
    cable: str
    queues: str
    """The profile of its queues."""
    network: str


class NeighborRow(NamedTuple):
    """All links to one device."""

    neighbor: str
    tier: str
    links: str
    """How many of what speed."""
    ports: str
    as_number: str
    network: str


class QueueRow(NamedTuple):
    """One class on one kind of port."""

    profile: str
    ports: str
    traffic_class: str
    queue: str
    pfc: str
    scheduler: str
    kmin: str
    kmax: str
    pmax: str
    headroom: str


class SiteView:
    """A compiled site, for reading. `Invalid` if nothing can be shown of it."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.views = views(compiled.intent, compiled.topology)
        self.devices, self.not_derived = compiled.devices_if_any

    @cached_property
    def nodes(self) -> Mapping[str, list[tuple[View, int]]]:
        """Where each device and host is in the networks."""
        found: dict[str, list[tuple[View, int]]] = {}
        for view in self.views:
            for node, name in enumerate(view.topology.names):
                found.setdefault(name, []).append((view, node))
        return found

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every device and host."""
        return tuple(dict.fromkeys(chain(self.nodes, self.devices or ())))

    @cached_property
    def root(self) -> Group:
        """The tree of all devices."""
        others = [name for name in self.devices or () if name not in self.nodes]
        return site_group(self.compiled.intent.site.site, self.views, others)

    def search(self, words: str, most: int) -> tuple[str, ...]:
        """Names that contain some words, those that begin with the first before others."""
        wanted = words.casefold().split()
        found = [name for name in self.names if all(word in name.casefold() for word in wanted)]
        found.sort(key=lambda name: not (wanted and name.casefold().startswith(wanted[0])))
        return tuple(found[:most])

    # --- one device

    def derived(self, name: str) -> Device | Host | None:
        """The device or host itself; None if it is not derived: an attachment, a switch without a product."""
        if self.devices is None:
            return None
        if name in self.devices:
            return self.devices[name]
        return self.devices.hosts.get(name)

    def title(self, name: str) -> str:
        """What a device is, in one line."""
        places = self.nodes.get(name, [])
        if not places:
            return f"{name}: subnet manager"
        view, node = places[0]
        topology = view.topology
        words = [f"{self.tier(view, node)} of {', '.join(v.topology.name for v, _ in places)}"]
        for word in ("plane", "pod", "unit", "rail"):
            value = getattr(topology, word)[node]
            words += [f"{word} {value}"] if value != NONE else []
        software, model = view.platform(node), view.model(node)
        words += [platform(software).title] if software else []
        return f"{name}: {', '.join([*words, *([model] if model else [])])}"

    def tier(self, view: View, node: int) -> str:
        """`leaf`, or as the people of the site call it."""
        role = Role(view.topology.role[node])
        return view.tier_name(role) or role.name.lower()

    def ports(self, name: str) -> tuple[PortRow, ...]:
        """Every port of a device in its order, unused ones too."""
        derived = self.derived(name)
        return tuple(
            row for view, node in self.nodes.get(name, []) for row in _port_rows(view, node, _facts(derived))
        )

    def neighbors(self, name: str) -> tuple[NeighborRow, ...]:
        """Every device that it is cabled to, by its own ports."""
        rows = []
        for view, node in self.nodes.get(name, []):
            peers: dict[int, list[tuple[int, int]]] = {}
            for port, peer in _links(view, node):
                peers.setdefault(view.owner(peer), []).append((port, peer))
            rows += [self._neighbor(view, node, other, links) for other, links in peers.items()]
        return tuple(rows)

    def _neighbor(self, view: View, node: int, other: int, links: list[tuple[int, int]]) -> NeighborRow:
        mbps = view.speed_mbps(*links[0])
        ports = [view.port(port, node) for port, _ in links]
        more = f" and {len(ports) - MOST_PORTS} more" if len(ports) > MOST_PORTS else ""
        topology, context = view.topology, view.context
        as_number = topology.asn[other] if topology.role[other] <= Role.SUPERSPINE else 0
        if context is not None and as_number:
            as_number = context.asn_of(other)
        return NeighborRow(
            topology.names[other],
            self.tier(view, other),
            f"{len(links)} x {Speed(mbps)}" if mbps else counted(len(links), ("link", "links")),
            ", ".join(ports[:MOST_PORTS]) + more,
            str(as_number) if as_number > 0 else "",
            topology.name,
        )

    def queues(self, name: str) -> tuple[QueueRow, ...]:
        """The classes of each kind of port of a device."""
        profiles: dict[str, list[PortQueueing]] = {}
        for queueing in _queueings(self.derived(name)):
            profiles.setdefault(queueing.name, []).append(queueing)
        return tuple(
            _queue_row(shared[0], each, len(shared))
            for shared in profiles.values()
            for each in shared[0].classes
        )


def _links(view: View, node: int) -> Iterator[tuple[int, int]]:
    base, peers = view.topology.port_base, view.topology.peer
    return ((port, peers[port]) for port in range(base[node], base[node + 1]) if peers[port] != NONE)


Facts = Mapping[tuple[str, int], tuple[str, PortQueueing | None]]
"""Use and queues of a port, by network and position."""


def _facts(device: Device | Host | None) -> Facts:
    if isinstance(device, Switch):
        return {
            (device.network, index): (str(port.role), port.queueing)
            for index, port in enumerate(device.ports)
        }
    if isinstance(device, Host):
        found: dict[tuple[str, int], tuple[str, PortQueueing | None]] = {}
        count: dict[str, int] = {}
        for port in device.ports:
            index = count[port.network] = count.get(port.network, -1) + 1
            found[port.network, index] = ("bond" if port.bonded else "nic", port.queueing)
        return found
    return {}


def _queueings(device: Device | Host | None) -> Iterator[PortQueueing]:
    return (queueing for _, queueing in _facts(device).values() if queueing is not None)


def _port_rows(view: View, node: int, facts: Facts) -> Iterator[PortRow]:
    topology = view.topology
    first = topology.port_base[node]
    for port in range(first, topology.port_base[node + 1]):
        peer = topology.peer[port]
        use, queueing = facts.get((topology.name, port - first), ("", None))
        slot = view.slot(port, node)
        mbps = slot.speed_mbps if slot else view.speed_mbps(port, peer) if peer != NONE else None
        other = view.owner(peer) if peer != NONE else NONE
        yield PortRow(
            view.port(port, node),
            use,
            topology.names[other] if other != NONE else "-",
            view.port(peer, other) if other != NONE else "",
            str(Speed(mbps)) if mbps else "",
            _cable(view, port, node, other) if other != NONE else "",
            queueing.name if queueing else "",
            topology.name,
        )


def _cable(view: View, port: int, node: int, other: int) -> str:
    """`17: 20m mmf`."""
    low, high = (node, other) if _depth(view, node) <= _depth(view, other) else (other, node)
    label = view.topology.cable_label(view.topology.cable[port])
    return f"{label}: {Length(view.cable_m(low, high))} {view.cable_kind(low, high)}"


def _depth(view: View, node: int) -> int:
    role = view.topology.role[node]
    return -1 if role >= Role.HOST else role


def _queue_row(profile: PortQueueing, each: ClassQueueing, ports: int) -> QueueRow:
    room = profile.headroom if each.priority is not None else None
    limit = f", at most {each.max_rate_percent}%" if each.max_rate_percent is not None else ""
    share = f"{each.share_percent}%" if each.share_percent is not None else ""
    curve = each.ecn
    return QueueRow(
        profile.name,
        str(ports),
        each.name,
        str(each.queue),
        "" if each.priority is None else str(each.priority),
        f"strict{limit}" if each.strict else share,
        f"{curve.kmin_bytes:,}" if curve else "",
        f"{curve.kmax_bytes:,}" if curve else "",
        f"{curve.pmax_percent}%" if curve else "",
        f"{room.headroom_bytes:,}" if room else "",
    )


def group_title(group: Group) -> str:
    """What a group is, in one line."""
    count = counted(len(set(group.names)), ("device", "devices"))
    where = f" of {group.view.topology.name}" if group.view is not None and not group.parts else ""
    return f"{group.label}{where}: {count} and hosts" if not where else f"{group.label}{where}"


__all__ = ["TIERS", "NeighborRow", "PortRow", "QueueRow", "SiteView", "group_title"]
