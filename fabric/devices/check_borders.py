"""Border routers whose routes would not be used, or would have led to what a switch now drops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from ipaddress import IPv4Address, IPv6Address, ip_network

from fabric.devices import codes
from fabric.devices.context import NetworkContext
from fabric.devices.discard_routes import own_prefixes
from fabric.diagnostics import Origin, Report
from fabric.intent.learned_prefixes import learned
from fabric.intent.model import Attachment
from fabric.topology.roles import NONE, Role


def check_borders(contexts: Iterable[NetworkContext], report: Report) -> None:
    """Hold the border routers of every network against the management gateway and the servers of its hosts."""
    for context in contexts:
        _check(context, report)


def _check(context: NetworkContext, report: Report) -> None:
    borders = {
        name: attachment
        for name, attachment in context.intent.site.attachments.items()
        if attachment.network == context.name and attachment.bgp is not None
    }
    for name, border in borders.items():
        _gateway(context, name, border, report)
    _servers(context, borders, report)


def _gateway(context: NetworkContext, name: str, border: Attachment, report: Report) -> None:
    """A static default route in the hosts' table wins over one of BGP, on every product."""
    management = context.intent.site.services.management
    if management.vrf != "default" or management.gateway is None:
        return
    version = management.gateway.version
    if any(
        prefix.version == version and prefix.prefixlen == 0
        for prefix in learned(border, context.network.addressing)
    ):
        rule = (
            f"the default route to {management.gateway} is in the table of hosts: the one of {name} is never used, "
            "and what hosts send outside leaves by the management port"
        )
        place = Origin(("services", "management", "vrf"))
        report.add(codes.MANAGEMENT_DEFAULT.at(place, rule, value="default", hint="write `vrf: MGMT`"))


def _servers(context: NetworkContext, borders: dict[str, Attachment], report: Report) -> None:
    """A server of DHCP that has an address of our pools and is not attached: nothing leads there."""
    outside = [
        prefix for border in borders.values() for prefix in learned(border, context.network.addressing)
    ]
    place = context.origin.child("addressing", "host_links", "dhcp_servers")
    for number, server in enumerate(context.network.addressing.host_links.dhcp_servers):
        pool = next((own for own in own_prefixes(context) if server in own), None)
        covered = any(server in prefix for prefix in outside)
        if pool is not None and covered and not any(_is_attached(context, server)):
            rule = (
                f"{server} lies in {pool}, where nothing attached has it: border switches drop what is for it"
            )
            hint = f"write the address of a server outside of {pool}, or give the pool another prefix"
            report.add(codes.SERVER_DROPPED.at(place.child(number), rule, value=str(server), hint=hint))


def _is_attached(context: NetworkContext, server: IPv4Address | IPv6Address) -> Iterator[bool]:
    """Whether each block of a leaf, and the prefix of each attachment, holds an address."""
    net, four = context.topology, server.version == 4
    blocks, lengths = (net.block, net.block_length) if four else (net.block6, net.block6_length)
    addresses, prefix_lengths = (
        (net.address, net.prefix_length) if four else (net.address6, net.prefix6_length)
    )
    bits = 32 if four else 128
    for node in net.role_start[Role.LEAF] if blocks else ():
        yield (
            blocks[node] != NONE
            and blocks[node] >> bits - lengths[node] == int(server) >> bits - lengths[node]
        )
    for node in net.role_start[Role.ATTACHMENT] if addresses else ():
        for port in range(net.port_base[node], net.port_base[node + 1]):
            address, length = addresses[port], prefix_lengths[port]
            yield address != NONE and address >> bits - length == int(server) >> bits - length
    for vlan in net.attached_vlans:
        for version, address, length in vlan.gateway:
            subnet = ip_network((address, length), strict=False)
            yield version == server.version and server in subnet
