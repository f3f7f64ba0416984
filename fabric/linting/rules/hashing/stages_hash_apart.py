"""A second stage of hashing does not repeat the first."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.hash_stages import used_parts_other_seed, used_parts_same_hash
from fabric.diagnostics import Severity
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted
from fabric.linting.uplinks import stages


@rule(
    "FAB1304",
    "stages-hash-apart",
    "Two tiers in turn choose by the same hash",
    severity=Severity.INFO,
    why="Flows that meet on a spine have been chosen by the leaf's hash. If the spine takes the same fields by a "
    "linear hash (CRC, XOR), what the leaf has decided decides there again: some uplinks of each spine stay empty. "
    "Another seed does not help: it moves which links those are.",
    fix="Make the uplinks of the two tiers have no common factor of two, use `flowlet` or `per_packet`, or hash "
    "`ingress_port` too where the products support it; or ask the vendor whether the hash is linear, and accept "
    "it.",
    source="measured with CRC32 over 65,536 flows: two stages of 32 use 1 of 32 links with equal seeds and with other "
    "ones; used share 1/gcd(U1, U2), of the common power of two with other seeds; 30 to 32 of 32 with the ingress port "
    "as a further field; HPN (SIGCOMM 2024) section 7",
    fails=Example(
        "two-tier",
        "units: 4\n"
        "networks:\n"
        "  compute:\n"
        "    pods: {units: 2}\n"
        "    tiers: {superspine: {model: arista-7060x6-64pe}}\n",
    ),
    passes=Example("two-tier"),
)
def stages_hash_apart(site: Linted) -> Iterator[Found]:
    """Leaves with U1 and spines with U2 uplinks hash alike, and gcd(U1, U2) leaves links out.

    With `hashing.seed: product` or one seed the whole gcd counts, with `per_tier` or `per_device` its power of two.
    Not with `ingress_port` among the fields, nor with `load_balancing` other than `ecmp`.
    """
    for network in site.ethernet:
        routing, widths = network.intent.routing, stages(network.intact)
        if len(widths) < 2 or routing.load_balancing != "ecmp" or "ingress_port" in routing.hashing.fields:
            continue
        first, second = widths[0], widths[1]
        seeded = routing.hashing.seed != "product"
        parts = used_parts_other_seed(first, second) if seeded else used_parts_same_hash(first, second)
        if parts > 1:
            yield Found(
                network.at.child("tiers", "spine"),
                f"{first} uplinks of a leaf and {second} of a spine: with a linear hash, flows of one uplink use "
                f"1 in {parts} of those of the spine{', in spite of the seeds' if seeded else ''}",
            )
