"""What is advertised to border routers: nothing at all, or prefixes that no route of the network is in.

`advertise` is a filter: a router is told every route that lies in one of its prefixes, by every product alike.
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis import codes
from fabric.analysis.routes.build_speakers import Built
from fabric.analysis.routes.originated_prefixes import inside, prefix_of
from fabric.devices.model import Prefix, PrefixRange
from fabric.devices.switch_ports import port_addresses
from fabric.diagnostics import Origin, Report
from fabric.intent.learned_prefixes import learned
from fabric.intent.model import Attachment
from fabric.topology.attachments.assign_addresses import pairs
from fabric.topology.roles import NONE, Role


def check_advertised(built: Built, report: Report) -> None:
    """A finding for each router that learns no route to the hosts, and for each prefix that tells it nothing."""
    network = built.context.network
    borders = {
        name: attachment
        for name, attachment in built.context.intent.site.attachments.items()
        if attachment.network == built.context.name and attachment.bgp is not None
    }
    hosts = () if network.routing.advertise_host_links == "none" else tuple(_host_routes(built))
    attached = tuple(_attached(built)) if hosts else ()
    routes = (*built.examples[0].routing.loopbacks, *hosts, *attached)
    for name, attachment in borders.items():
        learns = {
            p
            for other in borders
            if other != name
            for p in learned(borders[other], built.context.network.addressing)
        }
        here = (*routes, *(PrefixRange(p, p.prefixlen, p.prefixlen) for p in learns))
        _check(built, name, attachment, (here, hosts), report)


def _check(
    built: Built,
    name: str,
    attachment: Attachment,
    routes: tuple[tuple[PrefixRange, ...], tuple[PrefixRange, ...]],
    report: Report,
) -> None:
    """`routes`: all that may be advertised to the router, and those to hosts."""
    bgp, (known, hosts) = attachment.bgp, routes
    if bgp is None:
        return
    written = {ours.version for link in attachment.addresses for _, ours, _ in pairs(link)}
    pools = [host.prefix for host in hosts if host.prefix.version in (written or {4, 6})]
    at = Origin(("attachments", name, "bgp"))
    if pools and not bgp.advertise:
        rule = f"{name} receives no route: answers to hosts end there, unless it has static routes"
        hint = f"write `advertise: [{', '.join(map(str, pools))}]`, or accept the finding"
        report.add(codes.NOTHING_TOLD.at(at, rule, hint=hint))
    for index, prefix in enumerate(bgp.advertise):
        if not _holds_a_route(prefix, known):
            pool = next(
                (candidate for candidate in pools if candidate.version == prefix.version),
                None,
            )
            rule = f"no route of {built.context.name} is in {prefix}: {name} receives nothing by it"
            hint = (
                f"write `{pool}`, where the hosts are"
                if pool not in (None, *bgp.advertise)
                else "take it out"
            )
            report.add(
                codes.EMPTY_PREFIX.at(at.child("advertise", index), rule, value=str(prefix), hint=hint)
            )


def _holds_a_route(prefix: Prefix, known: tuple[PrefixRange, ...]) -> bool:
    """Whether a route of the network may lie in a prefix, by capacity."""
    return any(
        inside(prefix_range.prefix, prefix)
        or (inside(prefix, prefix_range.prefix) and prefix.prefixlen <= prefix_range.longest)
        for prefix_range in known
    )


def _attached(built: Built) -> Iterator[PrefixRange]:
    """The prefixes of links and VLANs of attachments."""
    net = built.context.topology
    for node in net.role_start[Role.ATTACHMENT]:
        for port in range(net.port_base[node], net.port_base[node + 1]):
            for address in port_addresses(net, port):
                prefix = prefix_of(address)
                yield PrefixRange(prefix, prefix.prefixlen, prefix.prefixlen)


def _host_routes(built: Built) -> Iterator[PrefixRange]:
    """Where routes to hosts lie, and how long they are at most: a leaf's block, a link, or one host."""
    network, net = built.context.network, built.context.topology
    links, leaves = network.addressing.host_links, net.role_start[Role.LEAF]
    whole = links.mode == "vlan" or (
        links.mode == "routed" and network.routing.advertise_host_links == "aggregate"
    )
    for version, pool, routed, blocks, lengths in (
        (4, network.addressing.host_pool, links.prefix_length, net.block, net.block_length),
        (6, network.addressing.host_pool6, links.prefix6_length, net.block6, net.block6_length),
    ):
        if version in network.addressing.host_families:
            longest = routed if links.mode == "routed" else pool.max_prefixlen
            if whole and blocks and all(blocks[node] != NONE for node in leaves):
                longest = max(lengths[node] for node in leaves)
            yield PrefixRange(pool, pool.prefixlen, longest)
