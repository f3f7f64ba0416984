"""The management network of a lab: a bridge in a namespace of its own, joined to this machine by one veth.

Each lab claims a number by the name of its veth, which the kernel gives once, and with the number a block of addresses
that no route of this machine has: any process of this machine reaches the boxes, without entering a namespace.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from ipaddress import IPv4Network, ip_network
from pathlib import Path
from typing import NamedTuple

from fabric.devices.addresses import IpInterface
from fabric.diagnostics import Refused
from fabric.lab.run_programs import failure, run

RANGE = IPv4Network("198.18.0.0/15")
"""For tests of networks, never on the Internet (RFC 2544, section C.2.2; RFC 6890)."""
BLOCK_LENGTH = 20
"""4,093 boxes."""
LABS = 2 ** (BLOCK_LENGTH - RANGE.prefixlen)
PREFIX = "fabric-lab"
"""Of the veth on this machine; the lab's number follows."""
AT_ONCE = 200
"""Lines: `ip` opens two files for each cable, and keeps them until it ends."""
BRIDGE, UPLINK = "br0", "uplink"
"""In the lab's own namespace."""


class Block(NamedTuple):
    """The addresses of one lab."""

    number: int

    @property
    def interface(self) -> str:
        """The veth on this machine."""
        return f"{PREFIX}{self.number}"

    @property
    def interface_index(self) -> int:
        """The number of that veth, as the kernel counts; 0 if there is none."""
        try:
            return int(Path(f"/sys/class/net/{self.interface}/ifindex").read_text())
        except OSError:
            return 0

    @property
    def network(self) -> IPv4Network:
        """All of them."""
        size = 2 ** (RANGE.max_prefixlen - BLOCK_LENGTH)
        return IPv4Network((int(RANGE.network_address) + self.number * size, BLOCK_LENGTH))

    @property
    def gateway(self) -> IpInterface:
        """Of this machine."""
        return self._at(1)

    def addresses(self, names: Iterable[str]) -> dict[str, IpInterface]:
        """An address for each name, in order. `Refused` if they are too many."""
        addresses = {name: self._at(number) for number, name in enumerate(names, start=2)}
        room = self.network.num_addresses - 3  # the network, its broadcast, this machine
        if len(addresses) > room:
            message = f"a lab has room for {room:,} boxes, not {len(addresses):,}"
            raise Refused(message, "leave the hosts out, or take a smaller site")
        return addresses

    def _at(self, number: int) -> IpInterface:
        return IpInterface(int(self.network.network_address) + number, BLOCK_LENGTH)


def claim(lab: int) -> Block:
    """Join the namespace of process `lab` to this machine. The veth goes when that namespace goes.

    `Refused` if no number is free, or no veth can be made.
    """
    taken = _networks_of_this_machine()
    for number in range(LABS):
        block = Block(number)
        if any(block.network.overlaps(network) for network in taken):
            continue
        words = f"link add {block.interface} type veth peer name {UPLINK} netns {lab}"
        done = run("ip", *words.split())
        if done.returncode == 0:
            lines = (f"addr add {block.gateway} dev {block.interface}", f"link set {block.interface} up")
            batch(lines)
            return block
        if "File exists" not in done.stderr:
            raise Refused(failure("ip", done), "a lab needs veth interfaces of the Linux kernel")
    message = f"every block of {RANGE} is in use on this machine"
    raise Refused(message, "end a lab with `fabric lab down`")


def _networks_of_this_machine() -> list[IPv4Network]:
    networks = []
    for row in json.loads(run("ip", "-4", "-j", "route", "show", "table", "all").stdout or "[]"):
        if row.get("dst", "default") != "default":
            network = ip_network(row["dst"], strict=False)
            if isinstance(network, IPv4Network):
                networks.append(network)
    return networks


def batch(lines: Iterable[str], *enter: str) -> None:
    """Run lines of `ip`, behind the words that enter a namespace. `Refused` with what it says at the first failure."""
    text = list(lines)
    for first in range(0, len(text), AT_ONCE):
        done = run(*enter, "ip", "-batch", "-", stdin="\n".join((*text[first : first + AT_ONCE], "")))
        if done.returncode or done.stderr:
            raise Refused(failure("ip -batch", done))
