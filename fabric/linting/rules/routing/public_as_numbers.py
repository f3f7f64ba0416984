"""AS numbers of a fabric are private."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted
from fabric.topology.roles import Role

PRIVATE = (range(64_512, 65_535), range(4_200_000_000, 4_294_967_295))
"""RFC 6996."""
DOCUMENTED = (range(64_496, 64_512), range(65_536, 65_552))
"""For documentation, RFC 5398: nobody has them either."""


def _first(number: int) -> Example:
    return Example("two-tier", f"networks: {{compute: {{addressing: {{asn: {{leaf: {number}}}}}}}}}")


@rule(
    "FAB1508",
    "public-as-numbers",
    "Switches have AS numbers that belong to somebody else",
    why="Where the fabric meets a network that has routes of the Internet, routes of the number's owner are dropped as "
    "loops, and ours look as if they came from there.",
    fix="Write private numbers (64512 to 65534, 4200000000 to 4294967294), or leave them out.",
    source="RFC 6996; RFC 7938, section 5.2.1",
    fails=_first(3_000),
    passes=_first(4_200_100_000),
)
def public_as_numbers(site: Linted) -> Iterator[Found]:
    """A switch of a tier has an AS number that is neither private (RFC 6996) nor for documentation (RFC 5398)."""
    for network in site.ethernet:
        net = network.topology
        for role, name in ((Role.LEAF, "leaf"), (Role.SPINE, "spine"), (Role.SUPERSPINE, "superspine")):
            numbers = {net.asn[node] for node in net.role_start[role]}
            public = sorted(number for number in numbers if not _is_free(number))
            if public:
                yield Found(
                    network.at.child("addressing", "asn", name),
                    f"{len(public)} numbers from AS {public[0]} on are not private",
                    value=public[0],
                )


def _is_free(number: int) -> bool:
    return not number or any(number in numbers for numbers in (*PRIVATE, *DOCUMENTED))
