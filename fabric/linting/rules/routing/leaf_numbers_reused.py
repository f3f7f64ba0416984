"""AS numbers are reused only where they are few."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted
from fabric.topology.roles import Role
from fabric.units import counted

TWO_BYTES = 65_535
PODS = """
units: 4
networks:
  compute:
    pods: {units: 2}
    tiers: {superspine: {model: arista-7060x6-64pe}}
    addressing: {asn: {leaf_numbers: LEAVES}}
"""


@rule(
    "FAB1507",
    "leaf-numbers-reused",
    "Leaves of several pods share AS numbers, though there are enough",
    why="Leaves must then accept routes with their own number in the path: the loop check of BGP no longer stops a "
    "route that comes back, and a path no longer says which leaf it began at.",
    fix="Leave `asn.leaf_numbers` out: there are 94,967,295 private numbers of four bytes.",
    source="RFC 7938, section 5.2.2: reuse and `allowas-in` are for the 1,023 private numbers of two bytes; RFC 6996",
    fails=Example("two-tier", PODS.replace("LEAVES", "per_pod")),
    passes=Example("two-tier", PODS.replace("LEAVES", "unique")),
)
def leaf_numbers_reused(site: Linted) -> Iterator[Found]:
    """`addressing.asn.leaf_numbers` is `per_pod`, and leaves of several pods share numbers of four bytes."""
    for network in site.ethernet:
        asn = network.intent.addressing.asn
        leaves = network.topology.role_start[Role.LEAF]
        if asn.leaf_numbers != "per_pod" or not leaves or network.topology.asn[leaves.start] <= TWO_BYTES:
            continue
        numbers = {network.topology.asn[leaf] for leaf in leaves}
        if len(numbers) < len(leaves):
            yield Found(
                network.at.child("addressing", "asn", "leaf_numbers"),
                f"{len(leaves)} leaves of network {network.name} share {counted(len(numbers), 'number')}",
                value=asn.leaf_numbers,
                fix="unique",
            )
