"""Ports as products list them: all of them by cage, and what those where hosts are say and pass on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache

import msgspec

from fabric.devices.addresses import Ip, IpInterface
from fabric.devices.model import HostAddressing, LinkRole, Switch, SwitchPort
from fabric.hardware import PortSlot, SwitchModel, idle_slots

IPV6 = 6
PortName = Callable[[PortSlot, SwitchModel], str]
"""What a product calls a port."""
SLOWEST_WITH_FEC_MBPS = 25_000
"""Slower ports, as those of management, have no FEC that a link depends on (IEEE 802.3, clause 108)."""


class HostSide(msgspec.Struct, frozen=True, gc=False):
    """What a port or a gateway does for those who take their addresses from it."""

    is_silent: bool
    """No router advertisements: whoever is there may take neither an address nor a route from them."""
    advertises: bool
    """Hosts find their gateway by router advertisements."""
    is_managed: bool
    """Those point to DHCPv6."""
    relays: tuple[Ip, ...]
    """DHCP servers that requests go to."""


NOBODY = HostSide(is_silent=False, advertises=False, is_managed=False, relays=())


def every_port(switch: Switch, port_name: PortName) -> list[SwitchPort]:
    """Every port by cage; unused ones are shut, as are the cages outside of the port map."""
    return sorted((*switch.ports, *idle_ports(switch, port_name)), key=_position)


def idle_ports(switch: Switch, port_name: PortName) -> tuple[SwitchPort, ...]:
    """A port, shut, for each cage of the box that is not in the port map. Its speed is 0: nobody chose one."""
    slots = idle_slots(switch.hardware, (port.slot for port in switch.ports))
    return tuple(
        SwitchPort(port_name(slot, switch.hardware), slot, LinkRole.UNUSED, "", "", enabled=False)
        for slot in slots
    )


def host_side(switch: Switch, role: LinkRole, addresses: Iterable[IpInterface]) -> HostSide:
    """What a port of this role does; a gateway of hosts does what their own ports do."""
    if role is not LinkRole.HOST and role is not LinkRole.ATTACHMENT:
        return NOBODY
    return _host_side(switch.host_addressing, role, tuple([address.version for address in addresses]))


@lru_cache(maxsize=256)
def _host_side(addressing: HostAddressing, role: LinkRole, versions: tuple[int, ...]) -> HostSide:
    to_host, has_ipv6 = role is LinkRole.HOST, IPV6 in versions
    is_silent = role is LinkRole.ATTACHMENT or (to_host and addressing.assignment == "static")
    relays = to_host and addressing.assignment == "dhcp_relay"
    return HostSide(
        is_silent=has_ipv6 and is_silent,
        advertises=has_ipv6 and to_host and not is_silent,
        is_managed=has_ipv6 and relays,
        relays=tuple(server for server in addressing.dhcp_servers if relays and server.version in versions),
    )


def _position(port: SwitchPort) -> tuple[int, int, int]:
    slot = port.slot
    return slot.slot, slot.cage, slot.sub_port


def announced_ports(alias_of: PortName, switch: Switch) -> dict[str, str]:
    """Names of the ports of a switch by what LLDP may call them, in small letters.

    Products announce the name of a port, its alias or its description. A description that several ports have tells none
    of them from the others.
    """
    common = Counter(port.description.lower() for port in switch.ports)
    called = {
        port.description.lower(): port.name for port in switch.ports if common[port.description.lower()] == 1
    }
    for port in switch.ports:
        if alias := alias_of(port.slot, switch.hardware):
            called[alias.lower()] = port.name
    return called | {port.name.lower(): port.name for port in switch.ports}
