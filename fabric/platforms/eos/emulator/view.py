"""What a configuration means for neighbours: ports, addresses, BGP sessions. Computed once per configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from ipaddress import ip_address

from fabric.platforms.emulated_ends import LinkEnd
from fabric.platforms.eos.emulator.policies import Policies, originated, policies
from fabric.platforms.eos.emulator.tree import Block, Section
from fabric.platforms.eos.emulator.view_bgp import Instance, bgp_of
from fabric.platforms.eos.emulator.view_ports import Port, port_of

LLDP_TTL_S = 120.0
"""Default of `lldp hold-time`: Arista EOS user manual, "LLDP"."""


@dataclass
class View:
    """A configuration, understood."""

    hostname: str
    domain: str
    ports: dict[str, Port]
    bgp: dict[str, Instance]
    lldp: bool
    lldp_ttl_s: float
    routes: frozenset[int]
    """Address families that are routed."""
    networks: dict[tuple[int, int, int], list[str]]
    """Connected networks, as (version, prefix length, leading bits), to their ports."""
    policies: Policies
    """Route-maps by name."""
    static: tuple[str, ...]
    """Prefixes of static routes of the default VRF."""
    ends: dict[str, LinkEnd] = field(default_factory=dict)
    """Computed when asked for."""

    def ports_towards(self, address: str) -> list[str]:
        """Ports in whose networks an address lies."""
        host = ip_address(address)
        value, width = int(host), host.max_prefixlen
        matches = (
            self.networks.get((host.version, length, value >> (width - length)), ())
            for version, length in self.lengths
            if version == host.version
        )
        return [port for ports in matches for port in ports]

    def connected(self, is_up: Callable[[str], bool]) -> Iterator[str]:
        """Networks of ports that are up, in the default VRF."""
        for port in self.ports.values():
            if port.vrf == "default" and port.addresses and is_up(port.name):
                yield from (str(address.network) for address in port.addresses)

    @cached_property
    def announced(self) -> tuple[int, int]:
        """How many IPv4 and IPv6 prefixes BGP brings in if all ports are up, for who cannot evaluate policies."""
        if "default" not in self.bgp:
            return 0, 0
        networks = self.connected(lambda name: self.ports[name].enabled)
        prefixes = originated(self.bgp["default"].body, networks, self.static, self.policies)
        sixes = sum(":" in prefix for prefix in prefixes)
        return len(prefixes) - sixes, sixes

    @cached_property
    def lengths(self) -> frozenset[tuple[int, int]]:
        """The prefix lengths in use, with their versions."""
        return frozenset((version, length) for version, length, _ in self.networks)


def view(config: Section) -> View:
    """Understand a configuration."""
    heads = {item.key: item for item in config.items if not isinstance(item, Block)}
    ports = {port.name: port for port in map(port_of, config.starting("interface "))}
    routed = set()
    if heads["ip routing"].text.startswith("ip routing"):
        routed.add(4)
    if "ipv6 unicast-routing" in heads:
        routed.add(6)
    name, domain = heads.get("hostname"), heads.get("dns domain")
    return View(
        hostname=name.text.split()[1] if name else "localhost",
        domain=domain.text.split()[2] if domain else "",
        ports=ports,
        bgp=bgp_of(config, ports),
        lldp="lldp run" not in heads,
        lldp_ttl_s=float(heads["lldp hold-time"].text.split()[2])
        if "lldp hold-time" in heads
        else LLDP_TTL_S,
        routes=frozenset(routed),
        networks=_networks(ports),
        policies=policies(config),
        static=tuple(_static(config)),
    )


def _networks(ports: dict[str, Port]) -> dict[tuple[int, int, int], list[str]]:
    networks: dict[tuple[int, int, int], list[str]] = {}
    for port in ports.values():
        for address in port.addresses:
            length, width = address.network.prefixlen, address.max_prefixlen
            networks.setdefault((address.version, length, int(address) >> (width - length)), []).append(
                port.name
            )
    return networks


def _static(config: Section) -> Iterator[str]:
    for family in ("ip", "ipv6"):
        for line in config.starting(f"{family} route "):
            prefix = line.text.split()[2]
            if "/" in prefix:
                yield prefix
