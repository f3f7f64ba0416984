"""What the reader must find in the text that is printed for a device: facts from the device alone.

Written once for all products; each names in its `facts.py` what it calls things, and what its text leaves out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module

from hypothesis.strategies import SearchStrategy
from msgspec.structs import replace

from fabric.devices.addresses import IpInterface
from fabric.devices.model import Device, LinkRole, Relation, Switch, SwitchPort
from fabric.diagnostics import Report
from fabric.platforms.facts import Facts, InterfaceFacts, NeighborFacts
from fabric.platforms.ports import idle_ports
from fabric.platforms.registry import platform
from tests.platforms.cases import Case

Interfaces = Iterator[tuple[str, InterfaceFacts]]


PLAIN = InterfaceFacts()


def no_interfaces(_switch: Switch) -> Interfaces:
    yield from ()


@dataclass(frozen=True, kw_only=True)
class Words:
    """What a product calls things, and what its text leaves out."""

    cases: Mapping[str, Case]
    """Intents that between them use every section of its text."""
    random: Callable[[], SearchStrategy[Switch]]
    """Any switch, in the releases and on the models that make a difference."""
    loopback: InterfaceFacts = PLAIN
    loopback_name: str
    management: InterfaceFacts = PLAIN
    management_name: Callable[[Switch], str]
    management_vrf: Callable[[Switch], str] = lambda switch: switch.management.vrf
    gateway_name: str
    """With the number of the VLAN in its braces."""
    gateway_omits: tuple[str, ...] = ()
    """Fields that the text has no line for."""
    ports: Callable[[Switch], Iterable[SwitchPort]] = lambda switch: switch.ports
    port: Callable[[SwitchPort, InterfaceFacts], InterfaceFacts] = lambda _port, facts: facts
    """What is printed of a port otherwise."""
    interfaces: Callable[[Switch], Interfaces] = no_interfaces
    """Those that only this product has."""
    max_paths: Callable[[Switch], int | None] = lambda switch: switch.routing.max_paths
    group_names: Callable[[Switch], Mapping[str, str]]
    """What decides about imports and exports of each session."""
    policies: Callable[[Switch], Mapping[str, str]]
    services: Callable[[Switch], Mapping[str, str]]
    complete: Callable[[Facts, Switch], Facts] = lambda facts, _switch: facts
    """With what the product has without being asked."""


def words(name: str) -> Words:
    """Those of a product."""
    found: Words = import_module(f"tests.platforms.{name}.facts").WORDS
    return found


def expected_facts(device: Device) -> Facts:
    """All that the reader must find, and nothing else."""
    product = platform(device.platform)
    if not isinstance(device, Switch):
        facts: Facts = import_module(f"fabric.platforms.{device.platform}.read").facts(
            product.lower(device, Report())
        )
        return facts
    its = words(device.platform)
    routing, queues = device.routing, product.port_facts(device)
    facts = replace(
        queues,
        hostname=device.name,
        asn=routing.asn,
        router_id=str(routing.router_id),
        max_paths=its.max_paths(device),
        interfaces=dict(_interfaces(device, its, queues)),
        neighbors=_neighbors(device, its.group_names(device)),
        policies=its.policies(device),
        services=its.services(device),
    )
    return its.complete(facts, device)


def by_version(addresses: Iterable[IpInterface]) -> tuple[str, ...]:
    """IPv4 before IPv6, as all products print them."""
    return tuple(str(address) for address in sorted(addresses, key=lambda address: address.version))


def with_idle_cages(switch: Switch) -> Sequence[SwitchPort]:
    """For products that would leave a cage outside of the port map up."""
    return (*switch.ports, *idle_ports(switch, platform(switch.platform).port_name))


def description(port: SwitchPort) -> str:
    """`spine-1:Ethernet5/1`: what is at the other end."""
    return f"{port.peer}:{port.peer_port}" if port.peer else str(port.role)


def _interfaces(switch: Switch, its: Words, queues: Facts) -> Interfaces:
    for port in its.ports(switch):
        yield port.name, _port(port, its, queues.interfaces.get(port.name, PLAIN))
    yield its.loopback_name, replace(its.loopback, addresses=by_version(switch.loopbacks))
    addresses, vrf = by_version(switch.management.addresses), its.management_vrf(switch)
    yield its.management_name(switch), replace(its.management, addresses=addresses, vrf=vrf)
    for one in switch.gateways:
        gateway = InterfaceFacts(
            description=one.owner,
            ip_mtu_bytes=one.ip_mtu_bytes,
            addresses=by_version(one.addresses),
            vlan=one.vlan,
        )
        omitted = {field: getattr(PLAIN, field) for field in its.gateway_omits}
        yield its.gateway_name.format(one.vlan), replace(gateway, **omitted)
    yield from its.interfaces(switch)


def _port(port: SwitchPort, its: Words, queues: InterfaceFacts) -> InterfaceFacts:
    routed = not port.vlan and port.role is not LinkRole.UNUSED
    facts = InterfaceFacts(
        enabled=port.enabled,
        description=description(port),
        speed_mbps=port.slot.speed_mbps or None,
        ip_mtu_bytes=port.ip_mtu_bytes if routed else None,
        addresses=by_version(port.addresses),
        link_local=port.link_local,
        vlan=port.vlan or None,
        tagged=port.tagged,
        bond=port.bond or None,
        queueing=queues.queueing,
    )
    return its.port(port, facts)


def _neighbors(switch: Switch, groups: Mapping[str, str]) -> dict[str, NeighborFacts]:
    routing, found = switch.routing, {}
    for one in routing.neighbors:
        inside = one.relation is not Relation.EXTERNAL
        found[one.key] = NeighborFacts(
            remote_asn=one.remote_asn,
            bfd=routing.has_bfd(one),
            has_password=bool(one.password or (inside and routing.password)),
            ttl_security=one.ttl_security,
            max_prefixes=one.max_prefixes,
            policy=groups[one.key],
            shut=switch.shuts_sessions,
        )
    return found
