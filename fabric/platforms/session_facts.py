"""What every product's text must say of the sessions of a switch, in neutral words."""

from __future__ import annotations

from collections.abc import Mapping

from fabric.devices.model import Relation, Routing
from fabric.platforms.facts import NeighborFacts
from fabric.platforms.peer_groups import by_bfd


def session_facts(routing: Routing, policies: Mapping[str, str]) -> dict[str, NeighborFacts]:
    """The sessions by key. `policies`: by the same key, the name of what decides about imports and exports."""
    found = {}
    for one in routing.neighbors:
        inside = one.relation is not Relation.EXTERNAL
        found[one.key] = NeighborFacts(
            remote_asn=one.remote_asn,
            bfd=by_bfd(one, routing),
            has_password=bool(one.password or (inside and routing.password)),
            ttl_security=one.ttl_security,
            max_prefixes=one.max_prefixes,
            policy=policies[one.key],
        )
    return found
