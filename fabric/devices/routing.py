"""eBGP of one switch: sessions, what is advertised and what is accepted, valley-free."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from ipaddress import IPv4Network, IPv6Network

import msgspec

from fabric.devices.addresses import Ip
from fabric.devices.bgp_limits import max_paths, most_prefixes
from fabric.devices.context import NetworkContext
from fabric.devices.discard_routes import discards
from fabric.devices.model import LinkRole, Neighbor, Prefix, PrefixRange, Relation, Routing, SwitchPort
from fabric.devices.switch_ports import attached_gateways, port_addresses
from fabric.intent.learned_prefixes import learned
from fabric.intent.model import Attachment, Override
from fabric.topology.assign_addresses import LOOPBACKS6
from fabric.topology.attachments.address_blocks import is_inside
from fabric.topology.attachments.assign_addresses import pairs
from fabric.topology.model import NetworkTopology
from fabric.topology.roles import NONE, Role

FROM_ABOVE = (64999, 1)
"""The community of routes that came from above. 64999 is a private two-byte AS number (RFC 6996)."""

RELATION = {LinkRole.UP: Relation.UP, LinkRole.ACROSS: Relation.ACROSS, LinkRole.DOWN: Relation.DOWN}
ORDER = {Relation.UP: 0, Relation.ACROSS: 1, Relation.DOWN: 2, Relation.EXTERNAL: 3}


def network_routing(context: NetworkContext) -> Routing:
    """What is the same for all switches of a network; `switch_routing` fills in the rest."""
    settings = context.network.routing
    bfd = None if settings.bfd == "none" else settings.bfd
    return Routing(
        asn=0,
        router_id=Ip(0),
        families=families(context),
        neighbors=(),
        max_paths=max_paths(context),
        bfd_interval_ms=int(bfd.interval_ms) if bfd else None,
        bfd_multiplier=bfd.multiplier if bfd else 0,
        keepalive_ms=int(settings.bgp.keepalive_ms),
        hold_ms=int(settings.bgp.hold_ms),
        password=settings.bgp.password,
        from_above=FROM_ABOVE,
        loopbacks=_loopbacks(context),
        aggregates=(),
        host_prefixes=(),
        accepted=_accepted(context),
        hashing=settings.hashing,
        load_balancing=settings.load_balancing,
    )


def switch_routing(
    context: NetworkContext,
    shared: Routing,
    node: int,
    ports: Sequence[SwitchPort],
    overrides: Sequence[Override],
    *,
    limited: bool = True,
) -> Routing:
    """Everything that one switch must know to route. `limited`: its product supports a limit of prefixes."""
    topology, network = context.topology, context.network
    blocks = _blocks(topology, node)
    aggregate = network.routing.advertise_host_links == "aggregate"
    is_leaf = topology.role[node] == Role.LEAF
    paths = [override.max_paths for override in overrides if override.max_paths]
    neighbors = _neighbors(context, node, ports, most_prefixes(context, limited=limited))
    return msgspec.structs.replace(
        shared,
        asn=context.asn_of(node),
        router_id=Ip(topology.loopback[node]),
        neighbors=neighbors,
        max_paths=paths[-1] if paths else shared.max_paths,
        aggregates=blocks if aggregate and network.addressing.host_links.mode == "routed" else (),
        host_prefixes=(
            *(_host_prefixes(context, blocks) if is_leaf else ()),
            *_attached(context, blocks, node, ports),
        ),
        allow_own_asn=int(is_leaf and _leaf_numbers_return(context)),
        discards=discards(context, neighbors),
        peers_reuse_asn=topology.role[node] == Role.SPINE and _leaf_numbers_return(context),
        hash_seed=_hash_seed(context, node),
    )


def families(context: NetworkContext) -> tuple[int, ...]:
    """Address families that the network carries."""
    addressing = context.network.addressing
    words = {addressing.family, host_family(context)} - {"unnumbered"}
    four = bool(words & {"ipv4", "dual"})
    six = bool(words & {"ipv6", "dual"})
    return (4,) * four + (6,) * six


def host_family(context: NetworkContext) -> str:
    """Address family of the links to hosts."""
    four, six = (version in context.network.addressing.host_families for version in (4, 6))
    return "dual" if four and six else "ipv6" if six else "ipv4"


def _neighbors(
    context: NetworkContext, node: int, ports: Sequence[SwitchPort], most: int | None
) -> tuple[Neighbor, ...]:
    """One session per cabled link and address family; ordered by relation, then by port."""
    neighbors: list[Neighbor] = []
    first = context.topology.port_base[node]
    for index, port in enumerate(ports):
        relation = RELATION.get(port.role)
        if relation is not None:
            neighbors.extend(
                _fabric_sessions(context, relation, port, context.topology.peer[first + index], most)
            )
        elif port.role is LinkRole.ATTACHMENT:
            neighbors.extend(_external_sessions(context, port, context.topology.peer[first + index]))
    neighbors.sort(key=lambda neighbor: ORDER[neighbor.relation])
    return tuple(neighbors)


def _fabric_sessions(
    context: NetworkContext, relation: Relation, port: SwitchPort, peer: int, most: int | None
) -> Iterator[Neighbor]:
    settings = context.network.routing
    asn = context.asn_of(context.node_of(peer))
    if port.link_local:
        ends: Iterable[tuple[Ip | None, int]] = ((None, family) for family in families(context))
    else:
        ends = ((interface.ip, interface.version) for interface in port_addresses(context.topology, peer))
    for address, family in ends:
        yield Neighbor(
            relation,
            asn,
            port.peer,
            address,
            port.name,
            family,
            bfd=settings.bfd != "none",
            ttl_security=settings.bgp.ttl_security,
            max_prefixes=most,
        )


def _external_sessions(context: NetworkContext, port: SwitchPort, peer: int) -> Iterator[Neighbor]:
    attachment = context.intent.site.attachments[port.peer]
    if attachment.bgp is None:
        return
    known = dict.fromkeys(learned(attachment, context.network.addressing))
    for address in port_addresses(context.topology, peer):
        yield Neighbor(
            Relation.EXTERNAL,
            attachment.bgp.asn,
            port.peer,
            address.ip,
            port.name,
            address.version,
            password=attachment.bgp.password,
            accept=tuple(p for p in known if p.version == address.version),
            advertise=tuple(p for p in attachment.bgp.advertise if p.version == address.version),
            bfd=attachment.bgp.bfd,
            ttl_security=attachment.bgp.ttl_security,
            max_prefixes=attachment.bgp.max_prefixes,
        )


def _leaf_numbers_return(context: NetworkContext) -> bool:
    """Whether leaves of other pods have a leaf's AS number (RFC 7938, 5.2.2). By capacity: growth changes nothing."""
    sizes = context.topology.sizes
    reused = context.network.addressing.asn.leaf_numbers == "per_pod"
    return reused and sizes.units > sizes.units_per_pod


def _blocks(topology: NetworkTopology, node: int) -> tuple[Prefix, ...]:
    """The prefixes of a leaf's own host positions."""
    prefixes: tuple[Prefix, ...] = ()
    if topology.block[node] != NONE:
        prefixes = (IPv4Network((topology.block[node], topology.block_length[node])),)
    if topology.block6 and topology.block6[node] != NONE:
        prefixes = (*prefixes, IPv6Network((topology.block6[node], topology.block6_length[node])))
    return prefixes


def _host_prefixes(context: NetworkContext, blocks: tuple[Prefix, ...]) -> tuple[PrefixRange, ...]:
    """Which connected prefixes of hosts enter BGP here."""
    if context.network.routing.advertise_host_links == "none":
        return ()
    addressing = context.network.addressing
    pools: tuple[Prefix, ...] = blocks or _host_pools(context)
    links = addressing.host_links
    if links.mode == "lacp":  # the subnet, and a host route for each learned ARP entry
        return tuple(PrefixRange(p, p.prefixlen, p.max_prefixlen) for p in pools)
    if links.mode == "vlan":
        return tuple(PrefixRange(p, p.prefixlen, p.prefixlen) for p in pools)
    lengths = {4: links.prefix_length, 6: links.prefix6_length}
    return tuple(PrefixRange(p, lengths[p.version], lengths[p.version]) for p in pools)


def _attached(
    context: NetworkContext, blocks: tuple[Prefix, ...], node: int, ports: Sequence[SwitchPort]
) -> tuple[PrefixRange, ...]:
    """Connected prefixes of attachments on this switch, links and VLANs, but for those on a host position."""
    if context.network.routing.advertise_host_links == "none":
        return ()
    links = (port.addresses for port in ports if port.role is LinkRole.ATTACHMENT)
    vlans = (addresses for _, _, addresses in attached_gateways(context.topology, node))
    prefixes = (address.network for addresses in (*links, *vlans) for address in addresses)
    return tuple(
        PrefixRange(p, p.prefixlen, p.prefixlen)
        for p in dict.fromkeys(prefixes)
        if not any(is_inside(p, block) for block in blocks)
    )


def _host_pools(context: NetworkContext) -> tuple[Prefix, ...]:
    addressing, family = context.network.addressing, host_family(context)
    four: tuple[Prefix, ...] = (addressing.host_pool,) if family in ("ipv4", "dual") else ()
    six: tuple[Prefix, ...] = (addressing.host_pool6,) if family in ("ipv6", "dual") else ()
    return four + six


def _loopbacks(context: NetworkContext) -> tuple[PrefixRange, ...]:
    pools: list[Prefix] = []
    if 4 in families(context):
        pools.append(context.network.addressing.loopback_pool)
    if context.topology.loopback6:
        pools.append(context.network.addressing.loopback_pool6 or LOOPBACKS6)
    return tuple(PrefixRange(p, p.max_prefixlen, p.max_prefixlen) for p in pools)


def _accepted(context: NetworkContext) -> tuple[PrefixRange, ...]:
    """Every prefix that belongs in this network: loopbacks, hosts, and what its border routers bring in."""
    ranges = [*_loopbacks(context)]
    links = context.network.addressing.host_links
    for pool in _host_pools(context):
        routed = links.prefix_length if pool.version == 4 else links.prefix6_length
        longest = routed if links.mode == "routed" else pool.max_prefixlen
        ranges.append(PrefixRange(pool, pool.prefixlen, longest))
    versions = {pool.version for pool in _host_pools(context)}
    former = [pool for pool in context.network.addressing.former_host_pools if pool.version in versions]
    ranges += (PrefixRange(pool, pool.prefixlen, pool.max_prefixlen) for pool in former)
    for attachment in context.intent.site.attachments.values():
        if attachment.network == context.name:
            prefixes = [*_written(attachment), *learned(attachment, context.network.addressing)]
            ranges.extend(PrefixRange(p, p.prefixlen, p.prefixlen) for p in prefixes if not _is_in(p, ranges))
    return tuple(dict.fromkeys(ranges))


def _is_in(prefix: Prefix, ranges: Sequence[PrefixRange]) -> bool:
    return any(
        is_inside(prefix, accepted.prefix) and accepted.shortest <= prefix.prefixlen <= accepted.longest
        for accepted in ranges
    )


def _written(attachment: Attachment) -> Iterator[Prefix]:
    """The prefixes of links whose addresses are in the intent."""
    yield from (ours.network for link in attachment.addresses for _, ours, _ in pairs(link))


def _hash_seed(context: NetworkContext, node: int) -> int | None:
    """A seed by tier or by device, as written; None leaves it to the product."""
    seed, topology = context.network.routing.hashing.seed, context.topology
    if seed == "product":
        return None
    tier = topology.role[node] + 1
    return tier if seed == "per_tier" else (topology.ordinal[node] << 2) + tier
