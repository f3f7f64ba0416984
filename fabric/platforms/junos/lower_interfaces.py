"""`interfaces` in Junos's order: ports with their families, cages that are split, gateways.

Source: github Juniper/jvd @005ab344, data_center/aidc; 24.4R1-EVO YANG. `mtu` of an interface is the largest frame
without its checksum; `family inet mtu` is what IP may use of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from fabric.devices.addresses import IpInterface
from fabric.devices.model import HostGateway, Switch
from fabric.platforms.junos.lower_qos import map_names, pause_names
from fabric.platforms.junos.model import Binding, Family, Port
from fabric.platforms.junos.names import FAMILIES, SPEED_WORDS, port_name
from fabric.platforms.ports import every_port

BOTH = tuple(FAMILIES.values())


def families(addresses: Iterable[IpInterface], always: Collection[str] = ()) -> tuple[Family, ...]:
    """The families that have addresses, or that are there all the same."""
    own: dict[str, tuple[IpInterface, ...]] = dict.fromkeys(always, ())
    for address in addresses:
        word = FAMILIES[address.version]
        own[word] = (*own.get(word, ()), address)
    return tuple([Family(word, own[word]) for word in BOTH if word in own]) if own else ()


def lower_cages(switch: Switch) -> tuple[tuple[int, int, str], ...]:
    """The cages that are split, each once."""
    split = {
        port.slot.cage: (port.slot.sub_ports, SPEED_WORDS.get(port.slot.speed_mbps, ""))
        for port in switch.ports
        if port.slot.sub_ports > 1
    }
    return tuple((cage, *split[cage]) for cage in sorted(split))


def lower_ports(switch: Switch) -> tuple[Port, ...]:
    """Every port of the port map, in order; unused ones are disabled, as are the cages outside of the map."""
    bindings = lower_bindings(switch)
    return tuple(
        [
            Port(
                port,
                SPEED_WORDS.get(port.slot.speed_mbps, "") if port.slot.sub_ports == 1 else "",
                families(port.addresses, BOTH if port.link_local else ()),
                bindings[port.queueing.name] if port.queueing else None,
            )
            for port in every_port(switch, port_name)
        ]
    )


def lower_bindings(switch: Switch) -> dict[str, Binding]:
    """What ports of each kind are bound to."""
    pauses = pause_names(switch.queueing)
    return {kind: Binding(name, pauses.get(kind, "")) for kind, name in map_names(switch.queueing).items()}


def lower_gateways(switch: Switch) -> tuple[tuple[HostGateway, tuple[Family, ...]], ...]:
    """The gateways of VLANs, `irb.VLAN`."""
    gateways = sorted(switch.gateways, key=lambda gateway: gateway.vlan)
    return tuple((gateway, families(gateway.addresses)) for gateway in gateways)
