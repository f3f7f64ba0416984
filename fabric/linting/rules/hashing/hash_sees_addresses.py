"""Flows to different hosts can take different paths."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.hash_fields import FIELDS, hashed_by
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted


@rule(
    "FAB1302",
    "hash-sees-addresses",
    "The hash leaves out an address",
    why="NICs give queue pairs source ports in like order, so that ports repeat from host to host. Without both "
    "addresses, flows of different hosts with equal ports meet on one link, in every phase of a collective.",
    fix="Hash `src_ip` and `dst_ip` too.",
    source="RFC 2992: the hash is over the fields that identify a flow; measured with sequential ports: the "
    "fullest of 60 links carries 2.8 times the mean for one queue pair each",
    fails=Example("two-tier", hashed_by("src_port, dst_port, protocol")),
    passes=Example("two-tier", hashed_by("src_ip, dst_ip, src_port")),
)
def hash_sees_addresses(site: Linted) -> Iterator[Found]:
    """`hashing.fields` lacks `src_ip` or `dst_ip`, and `load_balancing` is not `per_packet`."""
    for network in site.ethernet:
        routing = network.intent.routing
        fields = routing.hashing.fields
        missing = [field for field in ("src_ip", "dst_ip") if field not in fields]
        if missing and routing.load_balancing != "per_packet":
            yield Found(
                network.at.child("routing", "hashing", "fields"),
                f"the hash of network {network.name} sees {', '.join(fields)}, and not {' and '.join(missing)}",
                value=", ".join(fields),
                fix=FIELDS,
            )
