"""Everything one device must know, in the standards' terms: no vendor words, no other device, no decision left.

Numbers are bytes, Mb/s, milliseconds. Addresses are `Ip` and `IpInterface`. A platform sees one of these and
nothing else.
"""

from __future__ import annotations

import enum
from ipaddress import IPv4Network, IPv6Network

import msgspec

from fabric.devices.addresses import Ip, IpInterface
from fabric.devices.infiniband.model import Subnet
from fabric.diagnostics import Origin
from fabric.hardware import PortSlot, SwitchModel
from fabric.intent.model import Hashing, Services
from fabric.qos.model import PortQueueing, Queueing

Prefix = IPv4Network | IPv6Network

DISCARD_DISTANCE = 250
"""Administrative distance of `Routing.discards`: above that of BGP and its aggregates on every product (20 to 200), so
that a route of BGP to the same prefix wins."""


class LinkRole(enum.StrEnum):
    """What a port is for."""

    HOST = "host"
    DOWN = "down"
    """To a switch of the tier below."""
    UP = "up"
    ACROSS = "across"
    """To a spine of another zone."""
    ATTACHMENT = "attachment"
    UNUSED = "unused"
    """Nothing is plugged: shut."""


class SwitchPort(msgspec.Struct, frozen=True, gc=False):
    """One port of a switch."""

    name: str
    """As the product calls it; made by the platform's `port_name` from `slot`."""
    slot: PortSlot
    role: LinkRole
    peer: str
    """Name of the device at the other end; empty if none."""
    peer_port: str
    """As the peer's product calls it; a host's NIC as `nic0` or `nic0-port1`."""
    enabled: bool
    addresses: tuple[IpInterface, ...] = ()
    link_local: bool = False
    """Unnumbered: IPv6 link-local only."""
    ip_mtu_bytes: int = 9000
    queueing: PortQueueing | None = None
    """None: no class of the policy on this port."""
    bond: int = 0
    """LACP group: of a host's bond over two leaves, or of all ports of a bundle to this switch; 0: none."""
    vlan: int = 0
    """VLAN that it switches in; 0: routed."""
    tagged: bool = False
    """It carries the VLAN with a tag, and nothing else."""
    rail: int = -1
    plane: int = -1
    peer_platform: str = ""
    """Product of the switch at the other end; empty: it is not a switch of the network."""

    @property
    def description(self) -> str:
        """`spine-1:Ethernet5/1`: what is at the other end; without one, what the port is for."""
        return f"{self.peer}:{self.peer_port}" if self.peer else str(self.role)


class HostGateway(msgspec.Struct, frozen=True):
    """A VLAN of hosts, or of an attachment, with its gateway on this leaf."""

    vlan: int
    addresses: tuple[IpInterface, ...]
    ip_mtu_bytes: int
    arp_hosts: bool = False
    """Learned ARP entries become host routes (dual-ToR bonds)."""
    attachment: str = ""
    """Whose VLAN it is; empty: the hosts'."""

    @property
    def owner(self) -> str:
        """Whose VLAN it is, for a description."""
        return self.attachment or "hosts"


class HostAddressing(msgspec.Struct, frozen=True):
    """How hosts get their addresses on routed ports and gateways."""

    assignment: str
    """`static`, `dhcp_relay` or `slaac`."""
    dhcp_servers: tuple[Ip, ...] = ()


class Relation(enum.StrEnum):
    """A BGP neighbour seen from here, for valley-free export."""

    UP = "up"
    DOWN = "down"
    ACROSS = "across"
    EXTERNAL = "external"


class Neighbor(msgspec.Struct, frozen=True, gc=False):
    """One eBGP session."""

    relation: Relation
    remote_asn: int
    peer: str
    """Device name of the neighbour."""
    address: Ip | None
    """None: unnumbered, over `port`."""
    port: str
    """Our port, as the product calls it."""
    family: int
    """Address family of the session and of what it carries: 4 or 6; unnumbered sessions carry IPv4 over IPv6."""
    password: str | None = None
    """A secret reference, where it differs from the group's."""
    accept: tuple[Prefix, ...] = ()
    """External only: what is imported."""
    advertise: tuple[Prefix, ...] = ()
    """External only: what is advertised."""
    bfd: bool = False
    """Watched by BFD, with the timers of `Routing`."""
    ttl_security: bool = False
    """GTSM (RFC 5082) over one hop: sent with a TTL of 255, and nothing lower is taken."""
    max_prefixes: int | None = None
    """The session is torn down when the neighbour sends more; None: no limit."""

    @property
    def key(self) -> str:
        """What configurations call it by: the neighbour's address, or our port if it is unnumbered."""
        return self.port if self.address is None else str(self.address)

    @property
    def place(self) -> tuple[int, int]:
        """Sort key: by address, IPv4 first; unnumbered ones before those."""
        return (self.address.version, self.address.value) if self.address else (0, 0)


class PrefixRange(msgspec.Struct, frozen=True):
    """A prefix and the lengths that match inside it."""

    prefix: Prefix
    shortest: int
    longest: int

    @property
    def is_exact(self) -> bool:
        """Whether nothing matches but the prefix itself."""
        return self.longest == self.prefix.prefixlen


class Routing(msgspec.Struct, frozen=True):
    """eBGP, valley-free.

    The rule that every platform writes in its own words: routes imported from `UP` and `ACROSS` neighbours get
    the community `from_above`; a route with that community is told only to `DOWN` and `EXTERNAL` neighbours.
    """

    asn: int
    router_id: Ip
    families: tuple[int, ...]
    """Address families carried: (4,), (6,) or (4, 6)."""
    neighbors: tuple[Neighbor, ...]
    """Ordered by relation, then port order."""
    max_paths: int
    bfd_interval_ms: int | None
    bfd_multiplier: int
    keepalive_ms: int
    hold_ms: int
    password: str | None
    """Secret reference of all fabric sessions."""
    from_above: tuple[int, int]
    """A standard community as two 16-bit numbers."""
    loopbacks: tuple[PrefixRange, ...]
    """Our loopbacks, advertised to every neighbour."""
    aggregates: tuple[Prefix, ...]
    """Blocks of host addresses advertised as one prefix."""
    host_prefixes: tuple[PrefixRange, ...]
    """Connected prefixes of hosts, advertised one by one (if `aggregates` is empty) or summarised by `aggregates`; and
    those of attachments, which are advertised one by one unless they are inside of an aggregate."""
    accepted: tuple[PrefixRange, ...]
    """All prefixes of the network: nothing else is imported from a fabric neighbour."""
    allow_own_asn: int = 0
    """How often our own AS number may occur in a path (RFC 7938 with reused leaf numbers)."""
    peers_reuse_asn: bool = False
    """Neighbours below have AS numbers that switches of other pods have too: they get those routes all the same."""
    hashing: Hashing = Hashing()
    hash_seed: int | None = None
    load_balancing: str = "ecmp"
    """`ecmp`, `flowlet` or `per_packet`."""
    discards: tuple[Prefix, ...] = ()
    """Prefixes of the network's own that a neighbour outside could take: packets for them are dropped where no longer
    prefix is known, and none as long by BGP. Told to nobody."""
    graceful_shutdown: tuple[int, int] = (65535, 0)
    """The community of routes of a switch that is being drained (RFC 8326): imported with local preference 0."""

    @property
    def keepalive_s(self) -> int:
        """The keepalive time in whole seconds."""
        return self.keepalive_ms // 1000

    @property
    def hold_s(self) -> int:
        """The hold time in whole seconds."""
        return self.hold_ms // 1000

    def has_bfd(self, neighbor: Neighbor) -> bool:
        """Whether BFD watches a session."""
        return neighbor.bfd and self.bfd_interval_ms is not None


class ManagementPort(msgspec.Struct, frozen=True):
    """Our management access."""

    addresses: tuple[IpInterface, ...]
    gateway: Ip | None
    vrf: str


class ExtraLines(msgspec.Struct, frozen=True):
    """Verbatim lines of an override."""

    section: str
    text: str
    origin: Origin

    def place_of(self, number: int) -> Origin:
        """The place of one of its lines, from 1; 0: of all."""
        return msgspec.structs.replace(self.origin, line=number)


class Switch(msgspec.Struct, frozen=True, kw_only=True):
    """One Ethernet switch."""

    name: str
    site: str
    network: str
    role: str
    """`leaf`, `spine` or `superspine`."""
    unit: int = -1
    rail: int = -1
    plane: int = -1
    pod: int = -1
    group: int = -1
    """Switches of equal role and group stand in for each other: never changed at once."""
    platform: str
    release: str | None
    hardware: SwitchModel
    loopbacks: tuple[IpInterface, ...]
    ports: tuple[SwitchPort, ...]
    """Every port of the port map, unused ones too, in the map's order."""
    gateways: tuple[HostGateway, ...] = ()
    host_addressing: HostAddressing = HostAddressing("static")
    bond_system: int = 0
    """Which of the leaves of a dual-ToR pair this is: 1 or 2; 0: no bonds."""
    routing: Routing
    queueing: Queueing | None
    services: Services
    management: ManagementPort
    drained: bool = False
    """It shall carry no traffic: its routes carry GRACEFUL_SHUTDOWN (RFC 8326)."""
    keeps_sessions: bool = False
    """Drained, with sessions up: the first step of a drain. False: they are shut."""
    extra: tuple[ExtraLines, ...] = ()
    origin: Origin
    """The tier it comes from."""
    widened_by: int | None = None
    """The override that sets its ECMP width, as a position in the intent."""

    @property
    def max_paths_origin(self) -> Origin:
        """Where its ECMP width is written."""
        if self.widened_by is not None:
            return Origin(("overrides", self.widened_by, "max_paths"))
        return Origin(("networks", self.network, "routing", "max_paths"))

    @property
    def has_bonds(self) -> bool:
        """Whether hosts are bonded over this leaf and another one."""
        return bool(self.bond_system) or any(port.bond and port.role is LinkRole.HOST for port in self.ports)

    @property
    def vlans(self) -> tuple[int, ...]:
        """VLANs of its ports and gateways, in order."""
        ports = {port.vlan for port in self.ports if port.vlan}
        return tuple(sorted(ports | {gateway.vlan for gateway in self.gateways}))

    @property
    def paired_vlans(self) -> frozenset[int]:
        """VLANs that another leaf has too, for bonds over both."""
        return frozenset(gateway.vlan for gateway in self.gateways if gateway.arp_hosts)

    @property
    def shuts_sessions(self) -> bool:
        """Whether its BGP sessions are administratively down."""
        return self.drained and not self.keeps_sessions


class SubnetManager(msgspec.Struct, frozen=True, kw_only=True):
    """One host that manages a subnet."""

    name: str
    site: str
    network: str
    role: str = "subnet_manager"
    platform: str
    release: str | None = None
    priority: int
    port_guid: int
    """The HCA port that it manages through."""
    peers: tuple[str, ...] = ()
    """The other managers of the subnet."""
    subnet: Subnet
    unit: int = -1
    rail: int = -1
    plane: int = -1
    pod: int = -1
    group: int = 0
    """Managers of one subnet stand in for each other: never changed at once."""
    drained: bool = False
    ports: tuple[SwitchPort, ...] = ()
    """None that it configures itself: the subnet's ports are all the manager's."""
    origin: Origin


Device = Switch | SubnetManager
"""What takes a configuration of ours."""
