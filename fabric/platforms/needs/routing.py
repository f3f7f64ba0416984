"""What routing wants of a product: the rows of `fabric.platforms.needs.table` about BGP and equal paths."""

from __future__ import annotations

from fabric.devices.model import LinkRole, Neighbor, Switch
from fabric.diagnostics import Origin
from fabric.intent.model import Hashing
from fabric.platforms.needs.need import (
    Need,
    in_network,
    in_tier,
    is_external,
    not_among,
    of_attachment,
    of_session,
    sessions,
    when,
)
from fabric.topology.attachments.address_blocks import is_inside

SIX = 6
BALANCING = in_network("routing", "load_balancing")
LINKS = frozenset({LinkRole.UP, LinkRole.DOWN, LinkRole.ACROSS})


def _family(switch: Switch, _wanted: object) -> Origin:
    """Of the links between switches if they are of IPv6; else of the links to hosts."""
    addresses = (address for port in switch.ports if port.role in LINKS for address in port.addresses)
    key = "family" if any(address.version == SIX for address in addresses) else "host_family"
    return Origin(("networks", switch.network, "addressing", key))


def _with_password(switch: Switch) -> list[Neighbor]:
    shared = switch.routing.password
    return [
        neighbor
        for neighbor in switch.routing.neighbors
        if neighbor.password or (shared and not is_external(neighbor))
    ]


def _covering(switch: Switch) -> list[Neighbor]:
    """Sessions whose routes would take packets for the network's own prefixes outside."""
    own = switch.routing.discards
    outside = [neighbor for neighbor in switch.routing.neighbors if own and is_external(neighbor)]
    return [
        neighbor
        for neighbor in outside
        if any(is_inside(prefix, other) for prefix in own for other in neighbor.accept)
    ]


def _chosen_fields(switch: Switch) -> tuple[frozenset[str], ...]:
    fields = frozenset(switch.routing.hashing.fields)
    return (fields,) if fields != frozenset(Hashing().fields) else ()


ROUTING = (
    Need(
        "unnumbered_bgp",
        sessions(lambda neighbor: neighbor.address is None),
        in_network("addressing", "family"),
        "no BGP over link-local addresses",
        "set `addressing: {{family: ipv4}}`",
    ),
    Need(
        "ipv6_fabric",
        when(lambda switch: SIX in switch.routing.families),
        _family,
        "no IPv6 on links and in BGP",
        "set `addressing: {{family: ipv4, host_family: ipv4}}`",
    ),
    Need(
        "external_sessions",
        sessions(is_external),
        of_attachment("bgp"),
        "no BGP with {wanted.peer}, a router outside of the network",
        "let another tier or platform have the router, or remove `bgp`",
    ),
    Need(
        "bfd",
        sessions(lambda neighbor: neighbor.bfd),
        of_session("bfd", "routing"),
        "no BFD of a BGP session",
        "write `bfd: none` for the network, leave `bfd` out of attachments, and shorten `bgp: {{hold}}`",
    ),
    Need(
        "bgp_password",
        _with_password,
        of_session("password"),
        "no password of a BGP session",
        "leave `password` out",
    ),
    Need(
        "ttl_security",
        sessions(lambda neighbor: neighbor.ttl_security),
        of_session("ttl_security"),
        "no TTL security (GTSM) of a BGP session",
        "leave `ttl_security` out, and set a `password`",
    ),
    Need(
        "max_prefixes",
        sessions(lambda neighbor: neighbor.max_prefixes is not None),
        of_session("max_prefixes"),
        "no limit of a neighbour's prefixes",
        "leave `max_prefixes` out",
    ),
    Need(
        "discard_routes",
        _covering,
        of_attachment("bgp"),
        "no route that drops what is for the network's own prefixes and would leave by the router",
        "accept `prefixes` alone that lie outside of the pools",
        given="external_sessions",
    ),
    Need(
        "drain",
        when(lambda switch: switch.keeps_sessions),
        lambda _switch, _wanted: Origin(("drained",), "state"),
        "the routes of a drained switch cannot be marked (RFC 8326)",
        "write `mode: shut` for {switch.name}",
    ),
    Need(
        "flowlet_balancing",
        when(lambda switch: switch.routing.load_balancing == "flowlet"),
        BALANCING,
        "no flowlet load balancing",
        "use `load_balancing: ecmp`",
    ),
    Need(
        "per_packet_balancing",
        when(lambda switch: switch.routing.load_balancing == "per_packet"),
        BALANCING,
        "no per_packet load balancing",
        "use `load_balancing: ecmp`",
    ),
    Need(
        "hash_fields",
        _chosen_fields,
        in_network("routing", "hashing", "fields"),
        "no hashing by {missing}",
        "leave `fields` out, or choose among {have}",
        not_among,
    ),
    Need(
        "hash_seed",
        when(lambda switch: switch.routing.hash_seed is not None),
        in_network("routing", "hashing", "seed"),
        "no hash seed can be chosen",
        "use `seed: product`",
    ),
)

KNOWN = (
    Need(
        "known_release",
        when(lambda _switch: True),
        in_tier("release"),
        "the release is not known",
        "write a release that is known, or leave it out for the newest one",
    ),
    Need(
        "known_hardware",
        when(lambda _switch: True),
        in_tier("model"),
        "{switch.hardware.model} is not known",
        "use another model, or another platform",
    ),
)
"""What is judged first: where one of them is missing, every other flag says *cannot*."""
