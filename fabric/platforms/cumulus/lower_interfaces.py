"""From ports to `interface`: kinds of port, breakouts, VLANs with their gateways, DHCP relay, advertisements.

Sources, below CumulusNetworks/docs `content/`: `nvue-reference/Set-and-Unset-Commands/{Interface,Bridge,
Neighbor-Discovery,DHCP-Relay}.md`; lanes and disabled cages in Switch-Port-Attributes of the manuals; the shape of a
relay with groups also in NVIDIA/nv-config-manager @52f4a837 (`service.j2`, for 5.16.1). A gateway has no MTU of its
own: the bridge takes the smallest of its ports.
"""

from __future__ import annotations

from fabric.devices.addresses import IpInterface
from fabric.devices.model import LinkRole, Switch, SwitchPort
from fabric.platforms.cumulus.lower_qos import names_of, watched
from fabric.platforms.cumulus.model import Addresses, Breakout, Kind, Names, Port, Relay
from fabric.platforms.cumulus.names import quoted
from fabric.platforms.cumulus.releases import facts, words
from fabric.platforms.ports import SLOWEST_WITH_FEC_MBPS

IPV4 = 4
NO_ADDRESS = Addresses((), ())
ADAPTIVE_ROLES = frozenset({LinkRole.UP, LinkRole.ACROSS})
FABRIC_ROLES = frozenset({LinkRole.UP, LinkRole.ACROSS, LinkRole.DOWN, LinkRole.ATTACHMENT})
"""Ports that answers of a DHCP server may come from."""


def addresses_of(addresses: tuple[IpInterface, ...], *, advertised: bool = False) -> Addresses:
    """By family, as texts; with the prefixes of IPv6 that are advertised to hosts, if they are."""
    four = tuple(str(address) for address in addresses if address.version == IPV4)
    six = tuple(address for address in addresses if address.version != IPV4)
    prefixes = tuple(str(address.network) for address in six) if advertised else ()
    return Addresses(four, tuple(map(str, six)), prefixes)


def lower_ports(switch: Switch) -> tuple[Port, ...]:
    """Every port, in the order of cages and lanes; equal ones share their kind."""
    names = names_of(switch.queueing)
    kinds: dict[object, Kind] = {}
    is_slaac = switch.host_addressing.assignment == "slaac"
    ports = []
    for port in sorted(present(switch), key=_place):
        key = (port.role, port.slot.speed_mbps, id(port.queueing))
        if key not in kinds:
            kinds[key] = _kind(switch, port, names.get(port.queueing.name) if port.queueing else None)
        is_advertised = is_slaac and port.role is LinkRole.HOST
        ip = addresses_of(port.addresses, advertised=is_advertised) if port.addresses else NO_ADDRESS
        ports.append(Port(port, quoted(port.description), kinds[key], ip))
    return tuple(ports)


def present(switch: Switch) -> tuple[SwitchPort, ...]:
    """The ports that exist: a disabled cage has none."""
    disabled = disabled_cages(switch)
    return (
        tuple(port for port in switch.ports if port.slot.cage not in disabled) if disabled else switch.ports
    )


def _place(port: SwitchPort) -> tuple[int, int]:
    return port.slot.cage, port.slot.first_lane


def negotiation(switch: Switch, speed: str) -> str:
    """What to say of auto-negotiation; empty: it is on by itself. Between two Spectrum-4 it has to be on."""
    spoken = words(switch.release)
    if speed in facts(switch.hardware).get("forced_speeds", ()):
        return spoken.off
    return "" if spoken.negotiates else spoken.on


def _kind(switch: Switch, port: SwitchPort, names: Names | None) -> Kind:
    used, speed = port.role is not LinkRole.UNUSED, port.slot.speed_mbps
    word = f"{speed // 1000}G" if used else ""
    return Kind(
        speed=word,
        negotiate=negotiation(switch, word) if used else "",
        reed_solomon=used and speed >= SLOWEST_WITH_FEC_MBPS,
        adaptive=adaptive(switch, port),
        profiles=names,
        watched=bool(names and names.pauses and watched(switch)),
        trimmed=trimmed(switch, port),
    )


def trimmed(switch: Switch, port: SwitchPort) -> tuple[int, ...]:
    """Traffic classes of a port whose packets are cut, not dropped."""
    cut = switch.queueing.trimming if switch.queueing else None
    return cut.queues if cut and port.queueing else ()


def adaptive(switch: Switch, port: SwitchPort) -> bool:
    """Whether the port takes part in adaptive routing."""
    return switch.routing.load_balancing == "per_packet" and port.role in ADAPTIVE_ROLES


def lower_breakouts(switch: Switch) -> tuple[Breakout, ...]:
    """The cages that are split, lanes always told (a QSFP-DD cage split by four would use four), and those disabled."""
    split = {
        port.slot.cage: (f"{port.slot.sub_ports}x", port.slot.lanes)
        for port in switch.ports
        if port.slot.sub_ports > 1
    }
    cages = split | dict.fromkeys(disabled_cages(switch), ("disabled", 0))
    return tuple(Breakout(f"swp{cage}", *cages[cage]) for cage in sorted(cages))


def disabled_cages(switch: Switch) -> frozenset[int]:
    """Cages whose neighbour is split so far that the ASIC has no lanes left for them, by the catalogue's limits."""
    pairs = {
        mode: limit.only_cages for limit in switch.hardware.limits if limit.only_cages for mode in limit.modes
    }
    if not pairs:
        return frozenset()
    disabled = set()
    for port in switch.ports:
        side = pairs.get(f"{port.slot.sub_ports}x{port.slot.speed_mbps // 1000}G")
        if side is not None:
            disabled.add(port.slot.cage + (1 if side == "odd" else -1))
    return frozenset(disabled)


def lower_gateways(switch: Switch) -> tuple[tuple[int, Addresses], ...]:
    """The gateways of the VLANs, ordered by VLAN."""
    is_slaac = switch.host_addressing.assignment == "slaac"
    gateways = sorted(switch.gateways, key=lambda gateway: gateway.vlan)
    return tuple((gateway.vlan, addresses_of(gateway.addresses, advertised=is_slaac)) for gateway in gateways)


def lower_relay(switch: Switch) -> Relay | None:
    """DHCP relay for IPv4, where hosts get their addresses by it."""
    if switch.host_addressing.assignment != "dhcp_relay":
        return None
    routed = (port.name for port in switch.ports if port.role is LinkRole.HOST and port.addresses)
    downstream = (*routed, *(f"vlan{gateway.vlan}" for gateway in switch.gateways))
    if not downstream:
        return None
    return Relay(
        tuple(server for server in switch.host_addressing.dhcp_servers if server.version == IPV4),
        downstream,
        tuple(port.name for port in switch.ports if port.role in FABRIC_ROLES),
    )
