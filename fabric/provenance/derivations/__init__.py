"""How values are computed: the formula, its inputs and its source, with the numbers of one device."""

from __future__ import annotations

from collections.abc import Mapping

from fabric.provenance.derivations import ports, queues, routing
from fabric.provenance.derivations.case import Case, Deriver
from fabric.provenance.model import Derivation

DERIVERS: Mapping[str, Deriver] = {
    "as_number": routing.as_number,
    "budget": queues.budget,
    "from_above": routing.constant("a private number of this program", "RFC 6996"),
    "graceful_shutdown": routing.constant("the well-known community", "RFC 8326"),
    "hash_seed": routing.hash_seed,
    "headroom": queues.headroom_of_port,
    "host_block": routing.host_block,
    "kmax": queues.kmax,
    "kmin": queues.kmin,
    "loopback": routing.place_in_pool("loopback", "loopback_pool"),
    "max_paths": routing.max_paths,
    "max_prefixes": routing.max_prefixes,
    "max_rate": queues.max_rate,
    "peer_as_number": routing.peer_as_number,
    "pmax": queues.pmax,
    "poll": queues.poll,
    "port_address": routing.place_in_pool("address", "{pool_of_port}"),
    "port_name": ports.port_name,
    "profile_name": queues.profile_name,
    "router_id": routing.place_in_pool("router id", "loopback_pool"),
}
"""By the names that rows of the table have."""


def derivation(name: str, case: Case) -> Derivation | None:
    """How a value is computed; None if it is taken as it is written."""
    return DERIVERS[name](case) if name in DERIVERS else None
