"""BGP, BFD, hashing: where their values come from."""

from __future__ import annotations

from fabric.provenance.stems.row import POOLS, row

ASN = (
    "NET.addressing.asn.policy",
    "NET.addressing.asn.leaf_numbers",
    "NET.addressing.asn.leaf",
    "NET.addressing.asn.spine",
    "NET.addressing.asn.superspine",
    "overrides.*.asn",
    "attachments.*.bgp.asn",
)
BORDERS = ("attachments.*.bgp.**",)
FAMILIES = "NET.addressing.family NET.addressing.host_family"

ROWS = (
    row(
        "routing.asn",
        "AS number",
        "overrides.*.asn NET.addressing.asn.{role} lock:networks.{network}.asn_bases.{role}",
        ASN,
        cabling=True,
        derive="as_number",
    ),
    row(
        "routing.neighbors.*.remote_asn",
        "AS number of {peer}",
        "attachments.{peer}.bgp.asn",
        (*ASN, "lock:networks.{network}.asn_bases.**"),
        cabling=True,
        derive="peer_as_number",
    ),
    row(
        "routing.router_id",
        "router id",
        "NET.addressing.loopback_pool",
        POOLS,
        cabling=True,
        derive="router_id",
    ),
    row("routing.families", "address families", FAMILIES),
    row(
        "routing.neighbors.*.address routing.neighbors.*.family",
        "address of the session with {peer}",
        "NET.addressing.fabric_pool NET.addressing.family attachments.{peer}.addresses",
        (*POOLS, *BORDERS),
        cabling=True,
        narrow=True,
    ),
    row(
        "routing.neighbors.*.relation routing.neighbors.*.peer routing.neighbors.*.port",
        "session with {peer} over {port}",
        "",
        (
            "networks.{network}.prefix",
            "networks.{network}.tiers.*.name",
            *BORDERS,
            "NET.addressing.family",
            "NET.addressing.host_family",
        ),
        cabling=True,
    ),
    row(
        "routing.neighbors.*.bfd",
        "BFD of the session with {peer}",
        "NET.routing.bfd NET.routing.bfd.** attachments.{peer}.bgp.bfd",
        cabling=True,
    ),
    row(
        "routing.neighbors.*.ttl_security",
        "GTSM of the session with {peer}",
        "NET.routing.bgp.ttl_security attachments.{peer}.bgp.ttl_security",
        cabling=True,
    ),
    row(
        "routing.neighbors.*.max_prefixes",
        "most prefixes that {peer} may send",
        "NET.routing.bgp.max_prefixes attachments.{peer}.bgp.max_prefixes",
        (*BORDERS, "attachments.*.links"),
        cabling=True,
        derive="max_prefixes",
    ),
    row(
        "routing.neighbors.*.password routing.password",
        "secret of the sessions",
        "NET.routing.bgp.password attachments.{peer}.bgp.password",
        cabling=True,
    ),
    row(
        "routing.neighbors.*.accept routing.neighbors.*.advertise",
        "prefixes exchanged with {peer}",
        "attachments.{peer}.bgp.prefixes attachments.{peer}.bgp.default_route attachments.{peer}.bgp.advertise",
        POOLS,
        cabling=True,
        narrow=True,
    ),
    row(
        "routing.max_paths",
        "ECMP width",
        "NET.routing.max_paths overrides.*.max_paths",
        BORDERS,
        cabling=True,
        derive="max_paths",
    ),
    row(
        "routing.bfd_interval_ms",
        "time between BFD packets",
        "NET.routing.bfd NET.routing.bfd.interval",
        unit="ms",
        narrow=True,
    ),
    row(
        "routing.bfd_multiplier", "BFD packets that may be lost", "NET.routing.bfd NET.routing.bfd.multiplier"
    ),
    row("routing.keepalive_ms", "time between keepalives", "NET.routing.bgp.keepalive", unit="ms"),
    row("routing.hold_ms", "hold time", "NET.routing.bgp.hold", unit="ms"),
    row("routing.from_above", "community of routes received from upstream", derive="from_above"),
    row("routing.graceful_shutdown", "community of routes of a drained switch", derive="graceful_shutdown"),
    row(
        "routing.loopbacks",
        "loopbacks of the network",
        "NET.addressing.loopback_pool NET.addressing.loopback_pool6 NET.addressing.family",
        POOLS,
        narrow=True,
    ),
    row(
        "routing.aggregates routing.host_prefixes",
        "prefixes of hosts that are advertised",
        "NET.addressing.host_pool NET.addressing.host_pool6 NET.routing.advertise_host_links "
        "NET.addressing.host_links.mode NET.addressing.host_links.prefix_length",
        POOLS,
        cabling=True,
        derive="host_block",
        narrow=True,
    ),
    row(
        "routing.accepted routing.discards",
        "prefixes that belong in the network",
        "NET.addressing.loopback_pool NET.addressing.host_pool NET.addressing.host_pool6 "
        "NET.addressing.former_host_pools "
        "NET.addressing.host_links.prefix_length NET.addressing.host_links.prefix6_length",
        (*POOLS, *BORDERS),
        cabling=True,
        narrow=True,
    ),
    row(
        "routing.allow_own_asn routing.peers_reuse_asn",
        "AS numbers are used again in other pods",
        "NET.addressing.asn.leaf_numbers",
        cabling=True,
    ),
    row("routing.hashing.fields", "header fields that go into the hash", "NET.routing.hashing.fields"),
    row(
        "routing.hash_seed routing.hashing.seed",
        "seed of the hash",
        "NET.routing.hashing.seed",
        cabling=True,
        derive="hash_seed",
    ),
    row("routing.load_balancing", "load balancing", "NET.routing.load_balancing NET.routing.nics_reorder"),
)
