"""Interfaces in EOS's words: Ethernet, Port-Channel, Loopback0, Management and Vlan.

Source of every line: Arista AVD 6.4 (`ethernet_interfaces`, `port_channel_interfaces`, `loopback_interfaces`,
`management_interfaces`, `vlan_interfaces`). The MTU of EOS is the IP MTU: it leaves the Ethernet header out.
"""

from __future__ import annotations

from collections.abc import Iterable

from fabric.devices.addresses import IpInterface
from fabric.devices.model import LinkRole, Switch, SwitchPort
from fabric.diagnostics import Report
from fabric.platforms.eos import codes
from fabric.platforms.eos.lower_qos import counted_queues
from fabric.platforms.eos.model import Ethernet, Kind, Loopback, PortChannel, Svi
from fabric.platforms.eos.model_services import Management
from fabric.platforms.eos.names import SPEED_WORDS, management_port, port_name, queue_word
from fabric.platforms.idle import idle_ports
from fabric.platforms.port_places import speed_place

IPV4, IPV6 = 4, 6
SLOWEST_WITH_FEC_MBPS = 25_000
"""Slower ports have no forward error correction."""


def lower_ports(switch: Switch, report: Report) -> tuple[Ethernet, ...]:
    """Every port of the port map, in EOS's order; unused ones and cages outside of the map are shut."""
    kinds = _Kinds(switch, report)
    ports = sorted((*switch.ports, *idle_ports(switch, port_name)), key=_position)
    return tuple([kinds.ethernet(port) for port in ports])  # a list is faster here, and this loop is hot


def spanning_tree(switch: Switch) -> str:
    """Off where every port routes; where ports switch it runs, since without it no port is guarded."""
    return "mstp" if any(port.vlan for port in switch.ports) else "none"


def lower_channels(switch: Switch) -> tuple[PortChannel, ...]:
    """The bonds of hosts and the bundles of attachments, one for all ports of a bundle."""
    first: dict[int, SwitchPort] = {}
    for port in sorted(switch.ports, key=lambda port: (port.bond, not port.enabled)):
        if port.bond:
            first.setdefault(port.bond, port)
    return tuple(_channel(switch, port) for port in first.values())


def channel_description(port: SwitchPort) -> str:
    """What is at the other end: of a bond to a host, its one port; of a bundle, the attachment."""
    return port.peer if port.role is LinkRole.ATTACHMENT else description(port)


def _channel(switch: Switch, port: SwitchPort) -> PortChannel:
    """One bond. Both leaves of a pair show the same LACP system: it comes from unit and rail."""
    system_id = f"02fa.{max(switch.unit, 0) & 0xFFFF:04x}.{max(switch.rail, 0) & 0xFFFF:04x}"
    return PortChannel(
        port.bond,
        channel_description(port),
        not port.enabled,
        None if port.tagged else port.vlan or None,
        port.vlan if port.tagged else None,
        system_id if port.vlan in switch.paired_vlans else "",
        port.queueing.name if port.queueing else "",
    )


def lacp_range(switch: Switch) -> str:
    """Port ids of the two leaves of a pair must differ: the lower half for one, the upper half for the other."""
    if not switch.bond_system:
        return ""
    return "1 32767" if switch.bond_system == 1 else "32768 65535"


def virtual_mac(switch: Switch) -> str:
    """The MAC of the gateway of bonded hosts: a host sends to it over either leaf, so both must own it."""
    if not switch.bond_system:
        return ""
    return "02:fb:" + ":".join(f"{byte:02x}" for byte in (*_bytes(switch.unit), *_bytes(switch.rail)))


def lower_loopback(switch: Switch) -> Loopback:
    """`interface Loopback0`."""
    return Loopback(_of(IPV4, switch.loopbacks), _of(IPV6, switch.loopbacks))


def lower_management(switch: Switch) -> Management:
    """`interface Management1`: our management access."""
    vrf = "" if switch.management.vrf == "default" else switch.management.vrf
    addresses = switch.management.addresses
    return Management(management_port(switch.hardware), vrf, _of(IPV4, addresses), _of(IPV6, addresses))


def lower_gateways(switch: Switch) -> tuple[Svi, ...]:
    """`interface Vlan`: the gateways of host VLANs."""
    return tuple(_gateway(switch, vlan) for vlan in sorted({gateway.vlan for gateway in switch.gateways}))


def description(port: SwitchPort) -> str:
    """`spine-1:Ethernet5/1`: what is at the other end."""
    return f"{port.peer}:{port.peer_port}" if port.peer else str(port.role)


def _gateway(switch: Switch, vlan: int) -> Svi:
    gateway = next(one for one in switch.gateways if one.vlan == vlan)
    relay = switch.host_addressing.assignment == "dhcp_relay"
    four, six = _of(IPV4, gateway.addresses), _of(IPV6, gateway.addresses)
    servers = switch.host_addressing.dhcp_servers if relay else ()
    shared = vlan in switch.paired_vlans
    return Svi(
        vlan,
        gateway.owner,
        gateway.ip_mtu_bytes,
        () if shared else four,
        () if shared else six,
        tuple(str(s) for s in servers if s.version == IPV4) if four else (),
        tuple(str(s) for s in servers if s.version == IPV6) if six else (),
        quiet=bool(six) and switch.host_addressing.assignment == "static",
        managed=bool(six) and relay,
        export_hosts=gateway.arp_hosts,
        virtual_addresses=four if shared else (),
        virtual_addresses6=six if shared else (),
        answers_for_hosts=shared and bool(four),
    )


def _bytes(number: int) -> tuple[int, int]:
    return max(number, 0) >> 8 & 255, max(number, 0) & 255


def _of(version: int, addresses: Iterable[IpInterface]) -> tuple[str, ...]:
    return tuple(str(address) for address in addresses if address.version == version)


def _position(port: SwitchPort) -> tuple[int, int, int]:
    slot = port.slot
    return slot.slot, slot.cage, slot.first_lane


class _Kinds:
    """Makes ports, and each kind of port once."""

    def __init__(self, switch: Switch, report: Report) -> None:
        self.switch = switch
        self.report = report
        self.assignment = switch.host_addressing.assignment
        self.queue_word = queue_word(switch.hardware)
        self.known: dict[object, Kind] = {}

    def ethernet(self, port: SwitchPort) -> Ethernet:
        """One port. Hot: a fabric has more than a million of them."""
        four: tuple[str, ...] = ()
        six: tuple[str, ...] = ()
        for address in port.addresses:
            if address.version == IPV4:
                four = (*four, str(address))
            else:
                six = (*six, str(address))
        slot = port.slot
        key = (
            port.role,
            port.enabled,
            port.ip_mtu_bytes,
            slot.speed_mbps,
            slot.lanes,
            port.vlan,
            port.tagged,
            port.bond != 0,
            port.link_local,
            id(port.queueing),
            not four,
            not six,
        )
        kind = self.known.get(key)
        if kind is None:
            kind = self.known[key] = self._kind(port, four, six)
        text = f"{port.peer}:{port.peer_port}" if port.peer else description(port)
        return Ethernet(port.name, text, kind, four, six, port.bond)

    def _kind(self, port: SwitchPort, four: tuple[str, ...], six: tuple[str, ...]) -> Kind:
        routed = not port.vlan
        used = port.role is not LinkRole.UNUSED
        to_host = port.role is LinkRole.HOST and routed
        relay = to_host and self.assignment == "dhcp_relay"
        servers = self.switch.host_addressing.dhcp_servers if relay else ()
        return Kind(
            shutdown=not port.enabled,
            mtu=port.ip_mtu_bytes if routed and used else None,
            speed=self._speed(port),
            reed_solomon=used and port.slot.speed_mbps >= SLOWEST_WITH_FEC_MBPS,
            access_vlan=port.vlan if port.vlan and not port.bond and not port.tagged else None,
            trunk_vlan=port.vlan if port.tagged and not port.bond else None,
            guarded=bool(port.vlan and not port.bond),
            routed=routed,
            helpers=tuple(str(s) for s in servers if s.version == IPV4) if four else (),
            relays=tuple(str(s) for s in servers if s.version == IPV6) if six else (),
            link_local=port.link_local,
            quiet=bool(six) and self._is_quiet(port),
            managed=bool(six) and relay,
            profile=port.queueing.name if port.queueing else "",
            queue_word=self.queue_word,
            counted_queues=counted_queues(port.queueing) if port.queueing else (),
        )

    def _is_quiet(self, port: SwitchPort) -> bool:
        """Whether nobody at the other end may take an address or a route from router advertisements."""
        return port.role is LinkRole.ATTACHMENT or (
            port.role is LinkRole.HOST and self.assignment == "static"
        )

    def _speed(self, port: SwitchPort) -> str:
        slot = port.slot
        if not slot.speed_mbps:
            return ""
        word = SPEED_WORDS.get((slot.speed_mbps, slot.lanes))
        if word is None:
            known = ", ".join(w for (mbps, _), w in SPEED_WORDS.items() if mbps == slot.speed_mbps)
            self.report.add(
                codes.SPEED.at(
                    speed_place(self.switch, port),
                    f"Arista EOS has no speed of {slot.speed_mbps // 1000}G over {slot.lanes} lanes (port {port.name})",
                    value=f"{slot.speed_mbps // 1000}g-{slot.lanes}",
                    hint=f"EOS knows {known}" if known else "choose another breakout",
                    subjects=(self.switch.name,),
                    about=f"{slot.speed_mbps}/{slot.lanes}",
                )
            )
        return word or ""
