"""Settings of a network that need one another, or exclude one another."""

from __future__ import annotations

from fabric.diagnostics import Origin, Report
from fabric.intent import codes
from fabric.intent.checks.layout_limits import check_layout
from fabric.intent.model.addressing import HostLinks
from fabric.intent.model.site import Intent
from fabric.intent.model.tiers import Network, Rails
from fabric.units import counted

SLAAC_LENGTH = 64
"""Prefix length of stateless address autoconfiguration (RFC 4862, RFC 7421)."""
WIDEST_ROUTED = 26
"""Shortest IPv4 prefix of a routed host port. More addresses on one NIC have no use."""
IPV6 = 6
HOLD_TO_KEEPALIVE = 3
"""Keepalives that fit into the hold time (RFC 4271, section 10)."""


def check_networks(intent: Intent, report: Report) -> None:
    """Contradictions between one network's own settings."""
    if not intent.site.networks:
        rule = "the site has no network"
        report.add(
            codes.EMPTY.at(Origin(("networks",)), rule, hint="describe one: `compute:` with its `tiers`")
        )
    for name, network in intent.site.networks.items():
        origin = Origin(("networks", name))
        _check_shape(network, origin, report)
        check_layout(network, origin, report)
        _check_routing(network, origin.child("routing"), report)
        _check_host_links(network, origin.child("addressing", "host_links"), report)


def _check_shape(network: Network, origin: Origin, report: Report) -> None:
    if network.pods is not None and network.zones is not None:
        rule = "pods are joined by superspines, zones by links between their spines: a network has one or the other"
        hint = "remove `zones`, or remove `pods`"
        report.add(codes.EXCLUSIVE.at(origin.child("zones"), rule, hint=hint))
    rails = network.rails if isinstance(network.rails, Rails) else Rails()
    if isinstance(rails.count, int) and isinstance(rails.leaves, int) and rails.leaves > rails.count:
        rule = f"{counted(rails.count, 'rail')} cannot spread over {counted(rails.leaves, 'leaf')}"
        hint = f"write at most {rails.count}"
        report.add(codes.COUNTS.at(origin.child("rails", "leaves"), rule, value=rails.leaves, hint=hint))
    _check_planes(network, origin, report)
    _check_installed(network, origin.child("tiers"), report)


def _check_planes(network: Network, origin: Origin, report: Report) -> None:
    meet_at, tiers = network.planes.meet_at, network.tiers
    there = {"spine": tiers.spine, "superspine": tiers.superspine}
    if meet_at != "none" and there[meet_at] is None:
        rule = f"the planes meet at the {meet_at}s, but the network has none"
        hint = f"add `tiers.{meet_at}`, or write `meet_at: none`"
        place = origin.child("planes", "meet_at")
        report.add(codes.NEEDS.at(place, rule, value=meet_at, hint=hint))


def _check_installed(network: Network, origin: Origin, report: Report) -> None:
    for role, tier in (("spine", network.tiers.spine), ("superspine", network.tiers.superspine)):
        if tier is None or tier.installed is None or tier.count == "auto":
            continue
        if tier.installed > tier.count:
            rule = f"{tier.installed} {role}s are installed, a group has only {tier.count}"
            hint = f"write at most {tier.count}, or raise `count`"
            report.add(
                codes.COUNTS.at(origin.child(role, "installed"), rule, value=tier.installed, hint=hint)
            )


def _check_routing(network: Network, origin: Origin, report: Report) -> None:
    routing = network.routing
    keepalive, hold = routing.bgp.keepalive_ms, routing.bgp.hold_ms
    if hold < HOLD_TO_KEEPALIVE * keepalive:
        rule = f"a hold time of {hold} leaves no room for {HOLD_TO_KEEPALIVE} keepalives of {keepalive}"
        place = origin.child("bgp", "hold")
        hint = f"write a hold time of at least {HOLD_TO_KEEPALIVE * keepalive}ms, or a shorter keepalive"
        report.add(codes.TIMERS.at(place, rule, value=str(hold), hint=hint))


def _check_host_links(network: Network, origin: Origin, report: Report) -> None:
    links = network.addressing.host_links
    if links.mode == "lacp" and not links.host_arp_duplication:
        rule = "a bond over two independent leaves works only if the hosts send every ARP on both ports"
        hint = (
            "add `host_arp_duplication: true` if the hosts do (stock Linux bonding does not), or use `routed`"
        )
        report.add(codes.NEEDS.at(origin.child("mode"), rule, value="lacp", hint=hint))
    if links.mode == "routed" and links.prefix_length < WIDEST_ROUTED:
        rule = f"a routed port has a prefix of /{WIDEST_ROUTED} to /31, not /{links.prefix_length}"
        hint = "use `mode: vlan` for one prefix per leaf"
        report.add(codes.NEEDS.at(origin.child("prefix_length"), rule, value=links.prefix_length, hint=hint))
    _check_assignment(network, links, origin.child("assignment"), report)


def _check_assignment(network: Network, links: HostLinks, origin: Origin, report: Report) -> None:
    addressing = network.addressing
    default = "ipv4" if addressing.family == "unnumbered" else addressing.family
    family = addressing.host_family or default
    if links.assignment == "dhcp_relay" and not links.dhcp_servers:
        rule, hint = "a relay needs servers to relay to", "add `dhcp_servers: [ADDRESS]`"
        report.add(codes.NEEDS.at(origin, rule, value="dhcp_relay", hint=hint))
    elif links.assignment == "dhcp_relay":
        _check_servers(network, links, Origin(origin.path[:-1]).child("dhcp_servers"), report)
    if links.assignment == "slaac" and family == "ipv4":
        rule, hint = (
            "SLAAC gives IPv6 addresses; the host links have IPv4 alone",
            "write `family: dual` or `family: ipv6`",
        )
        report.add(codes.NEEDS.at(origin, rule, value="slaac", hint=hint))
    elif links.assignment == "slaac" and links.prefix6_length != SLAAC_LENGTH:
        rule = f"SLAAC needs a /{SLAAC_LENGTH}, the host links have a /{links.prefix6_length}"
        report.add(codes.NEEDS.at(origin, rule, value="slaac", hint="add `prefix6_length: 64`"))


def _check_servers(network: Network, links: HostLinks, origin: Origin, report: Report) -> None:
    """A relay passes requests on in their own address family: hosts of both need a server of each."""
    theirs = {server.version for server in links.dhcp_servers}
    for version in network.addressing.host_families:
        if version not in theirs:
            rule = f"hosts have IPv{version} addresses, and no server has one to relay their requests to"
            alone = "ipv4" if version == IPV6 else "ipv6"
            hint = f"add an IPv{version} server, or write `host_family: {alone}`"
            report.add(codes.NEEDS.at(origin, rule, hint=hint))
