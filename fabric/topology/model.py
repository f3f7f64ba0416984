"""Every node, port, link and cable of the site as integer columns, with lazy views for people.

Port id = `port_base[node] + index`; `peer[peer[p]] == p`. Columns are `array`s (numpy can read their buffers);
a view (`Node`, `Port`, `Link`) is made when somebody asks for it and holds nothing but the columns and an id.
No vendor's word stands here: a port is a `PortSlot` of its node's port map, and a platform gives it a name.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from fractions import Fraction
from ipaddress import IPv4Address, IPv6Address

import msgspec

from fabric.diagnostics import Diagnostic
from fabric.hardware import PortSlot
from fabric.intent.default_pools import PRIMARY
from fabric.intent.model.lock import Lock, NetworkLock
from fabric.topology.roles import NONE, PortMap, Role
from fabric.topology.sizing.sizes import Sizes


class Sizing(msgspec.Struct, frozen=True):
    """How an `auto` size was chosen, for `fabric show topology`: the choice, the runner-up, and why."""

    what: str
    chosen: str
    runner_up: str | None
    reason: str


class AttachedVlan(msgspec.Struct, frozen=True):
    """The VLAN of an attachment on one leaf."""

    leaf: int
    """Node id; likewise that of the attachment."""
    attachment: int
    vlan: int
    gateway: tuple[tuple[int, int, int], ...]
    """IP version, address and prefix length of each gateway address."""


class NetworkTopology:
    """One network as columns. Made by the passes of `expand`, then only read."""

    __slots__ = (
        "address",
        "address6",
        "asn",
        "attached_vlans",
        "block",
        "block6",
        "block6_length",
        "block_length",
        "cable",
        "group",
        "host_group",
        "index",
        "loopback",
        "loopback6",
        "name",
        "names",
        "ordinal",
        "oversubscription",
        "peer",
        "plane",
        "pod",
        "port_base",
        "port_map",
        "port_maps",
        "prefix6_length",
        "prefix_length",
        "rail",
        "role",
        "role_start",
        "shape",
        "sizes",
        "sizing",
        "technology",
        "unit",
    )

    name: str
    technology: str
    sizes: NetworkLock
    """Capacities: every stride comes from here."""
    shape: Sizes
    """The same as the passes use it: where switches are placed, and where another link would land."""
    sizing: tuple[Sizing, ...]
    oversubscription: dict[Role, Fraction]
    """Downlink by uplink bandwidth of each tier that has uplinks, at full capacity. Spare hosts count, for they may
    become hosts; reserved ports count once storage takes them."""
    # --- a column per node fact; nodes are ordered leaves, spines, superspines, hosts, attachments
    role: array[int]
    role_start: dict[Role, range]
    """The node ids of each role."""
    names: list[str]
    ordinal: array[int]
    """Position among the role's nodes by capacity, not by what is installed: never moves."""
    unit: array[int]
    host_group: dict[int, str]
    """Group of each host node, a name of `hosts` in the intent."""
    rail: array[int]
    """Of a leaf: its first rail. Of a host: the rail of its NIC 0. NONE where rails do not apply."""
    plane: array[int]
    pod: array[int]
    """Pod, or zone where there are zones."""
    group: array[int]
    """Spine group (or superspine group): switches with the same number are alternatives of each other."""
    index: array[int]
    """Position within the group, unit or host group."""
    asn: array[int]
    loopback: array[int]
    """IPv4 as integer, or NONE."""
    loopback6: list[int]
    """IPv6 as integer, or NONE; empty if the network has none."""
    block: array[int]
    """Of a leaf: the aligned IPv4 prefix of all its host positions by capacity, as integer; else, and where the
    allocation order gives a leaf no block of its own, NONE. VLAN and LACP host links: the leaf's subnet (both
    leaves of a dual-ToR pair have the same one; its first address is the gateway)."""
    block_length: array[int]
    block6: list[int]
    """Likewise IPv6; empty if hosts have none."""
    block6_length: array[int]
    port_map: array[int]
    """Index into `port_maps`; NONE for hosts and attachments."""
    port_maps: tuple[PortMap, ...]
    port_base: array[int]
    """First port of each node, and one more entry: the number of ports."""
    # --- a column per port fact
    peer: array[int]
    cable: array[int]
    """Cable number; ports of one cable share it. NONE where nothing is plugged."""
    address: array[int]
    """IPv4 as integer, or NONE."""
    prefix_length: array[int]
    address6: list[int]
    """IPv6 as integer, or NONE; empty if no link has IPv6 addresses."""
    prefix6_length: array[int]
    attached_vlans: tuple[AttachedVlan, ...]
    """VLANs of attachments, by attachment and leaf."""

    # --- views

    def nic_label(self, index: int) -> str:
        """What people call port `index` of a host: `nic0`, `nic0-port1` where NICs have several ports.

        In any network but `compute` with the network's name before it, so that it is unique on the host and stays
        when a network is added.
        """
        nic, part = divmod(index, self.sizes.planes)
        return f"{self._prefix}nic{nic}" + ("" if self.sizes.planes == 1 else f"-port{part}")

    def cable_label(self, cable: int) -> str:
        """A cable's number, unique in the site: with the network's name before it, but for `compute`."""
        return f"{self._prefix}{cable}"

    @property
    def _prefix(self) -> str:
        return "" if self.name == PRIMARY else f"{self.name}-"

    def rail_of(self, node: int, nic: int) -> int:
        """The rail that NIC `nic` of a host lands on, or NONE."""
        first = self.rail[node]
        return NONE if first == NONE else (first + nic) % self.sizes.rails

    @property
    def switches(self) -> range:
        """Node ids of all switches."""
        return range(self.role_start[Role.SUPERSPINE].stop)

    def nodes(self, role: Role) -> Iterator[Node]:
        """Views of all nodes of a role, in id order."""
        return (Node(self, i) for i in self.role_start[role])

    def node(self, name: str) -> Node:
        """The node of that name. `KeyError` if there is none."""
        for i, candidate in enumerate(self.names):
            if candidate == name:
                return Node(self, i)
        raise KeyError(name)

    def links(self) -> Iterator[Link]:
        """Every link once, from its lower to its upper end, in port order of the lower end."""
        for port, peer in enumerate(self.peer):
            if peer > port and peer != NONE:
                yield Link(self, port, peer)


class Node(msgspec.Struct, frozen=True):
    """A view of one node."""

    network: NetworkTopology
    id: int

    @property
    def name(self) -> str:
        """Host name."""
        return self.network.names[self.id]

    @property
    def role(self) -> Role:
        """Leaf, spine, superspine, host or attachment."""
        return Role(self.network.role[self.id])

    @property
    def unit(self) -> int:
        """Scalable unit, or NONE."""
        return self.network.unit[self.id]

    @property
    def rail(self) -> int:
        """Rail, or NONE."""
        return self.network.rail[self.id]

    @property
    def plane(self) -> int:
        """Plane; NONE for what belongs to all planes."""
        return self.network.plane[self.id]

    @property
    def pod(self) -> int:
        """Pod or zone; NONE for superspines."""
        return self.network.pod[self.id]

    @property
    def asn(self) -> int:
        """AS number, 0 for hosts."""
        return self.network.asn[self.id]

    @property
    def loopback(self) -> IPv4Address | None:
        """IPv4 loopback."""
        value = self.network.loopback[self.id]
        return None if value == NONE else IPv4Address(value)

    @property
    def loopback6(self) -> IPv6Address | None:
        """IPv6 loopback."""
        column = self.network.loopback6
        return None if not column or column[self.id] == NONE else IPv6Address(column[self.id])

    def ports(self) -> Iterator[Port]:
        """Views of its ports in index order."""
        base = self.network.port_base
        return (Port(self.network, i) for i in range(base[self.id], base[self.id + 1]))


class Port(msgspec.Struct, frozen=True):
    """A view of one port."""

    network: NetworkTopology
    id: int

    @property
    def node(self) -> Node:
        """The node it belongs to."""
        base = self.network.port_base
        low, high = 0, len(base) - 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if base[middle] <= self.id else (low, middle)
        return Node(self.network, low)

    @property
    def index(self) -> int:
        """Position among the ports of its node. Of a host: nic * ports per nic + port."""
        return self.id - self.network.port_base[self.node.id]

    @property
    def slot(self) -> PortSlot | None:
        """Cage and lanes of a switch port; None on hosts and attachments."""
        chosen = self.network.port_map[self.node.id]
        return None if chosen == NONE else self.network.port_maps[chosen].slots[self.index]

    @property
    def peer(self) -> Port | None:
        """The port at the other end of its link."""
        other = self.network.peer[self.id]
        return None if other == NONE else Port(self.network, other)


class Link(msgspec.Struct, frozen=True):
    """A view of one link; `lower` is the end nearer to the hosts."""

    network: NetworkTopology
    first: int
    second: int

    @property
    def ends(self) -> tuple[Port, Port]:
        """Lower end, upper end."""
        first, second = Port(self.network, self.first), Port(self.network, self.second)
        depth = {Role.HOST: -1, Role.ATTACHMENT: -1}
        if depth.get(first.node.role, first.node.role) <= depth.get(second.node.role, second.node.role):
            return first, second
        return second, first


class Topology(msgspec.Struct, frozen=True):
    """Stage 2: every network of the site, expanded."""

    site: str
    networks: Mapping[str, NetworkTopology]
    lock: Lock
    """What `fabric.lock` must hold for this intent."""
    diagnostics: tuple[Diagnostic, ...] = ()
