"""What the lines of an interface mean."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Interface, IPv6Interface, ip_interface

from fabric.platforms.eos.emulator.tree import EMPTY, Block, Item
from fabric.platforms.eos.names import SPEEDS_MBPS

NO_FEC = "disabled"
Address = IPv4Interface | IPv6Interface


@dataclass(slots=True)
class Port:
    """An interface."""

    name: str
    enabled: bool = True
    description: str = ""
    speed_mbps: int | None = None
    fec: str | None = None
    mtu_bytes: int = 1500
    vrf: str = "default"
    addresses: tuple[Address, ...] = ()
    ipv6: bool = False
    lldp_transmit: bool = True
    lldp_receive: bool = True


def port_of(item: Item) -> Port:
    """An interface and its lines."""
    port = Port(item.text.split()[1])
    body = item.body if isinstance(item, Block) else EMPTY
    addresses: list[Address] = []
    for line in body.items:
        words = line.text.split()
        match words:
            case ["ip" | "ipv6", "address", value, *_] if "/" in value:
                addresses.append(ip_interface(value))
            case ["ipv6", "enable"]:
                port.ipv6 = True
            case _:
                _plain(port, words, line.text)
    port.addresses = tuple(addresses)
    port.ipv6 = port.ipv6 or any(address.version == 6 for address in addresses)
    return port


def _plain(port: Port, words: list[str], line: str) -> None:
    match words:
        case ["shutdown"]:
            port.enabled = False
        case ["description", *_]:
            port.description = line.partition(" ")[2]
        case ["mtu", value]:
            port.mtu_bytes = int(value)
        case ["vrf", value]:
            port.vrf = value
        case ["speed", *_]:
            port.speed_mbps = SPEEDS_MBPS.get(words[-1])
        case ["error-correction", "encoding", value]:
            port.fec = value
        case ["no", "error-correction", "encoding"]:
            port.fec = NO_FEC
        case ["no", "lldp", "transmit"]:
            port.lldp_transmit = False
        case ["no", "lldp", "receive"]:
            port.lldp_receive = False
