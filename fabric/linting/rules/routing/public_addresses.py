"""Addresses of a fabric are private."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network, IPv6Network, ip_network

from fabric.diagnostics import Severity
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted

POOLS = ("fabric_pool", "fabric_pool6", "host_pool", "host_pool6", "loopback_pool", "loopback_pool6")
PRIVATE = tuple(
    map(
        ip_network,
        (
            *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"),  # RFC 1918
            *("100.64.0.0/10", "fc00::/7"),  # RFC 6598, RFC 4193
            *(
                "192.0.2.0/24",
                "198.51.100.0/24",
                "203.0.113.0/24",
                "2001:db8::/32",
            ),  # documentation: RFC 5737, 3849
            *("3fff::/20", "198.18.0.0/15"),  # documentation: RFC 9637; measurements: RFC 2544
        ),
    )
)
"""Nobody on the Internet has them."""


def _pool(prefix: str) -> Example:
    return Example("two-tier", f"networks: {{compute: {{addressing: {{fabric_pool: {prefix}}}}}}}")


@rule(
    "FAB1510",
    "public-addresses",
    "A pool holds addresses that may belong to somebody else",
    why="If the pool is not yours, hosts and switches cannot reach whoever has the addresses, and a route that leaks "
    "through a border router takes traffic of others.",
    fix="Write a private pool (RFC 1918, RFC 6598, or RFC 4193 for IPv6), leave it out, or accept the finding where "
    "the addresses are your own.",
    source="RFC 1918, section 3: addresses outside private blocks are assigned by a registry; RFC 6598; RFC 4193",
    severity=Severity.INFO,
    fails=_pool("8.0.0.0/10"),
    passes=_pool("172.16.0.0/12"),
)
def public_addresses(site: Linted) -> Iterator[Found]:
    """A pool of `addressing` is outside all private blocks (RFC 1918, 6598, 4193) and those for documentation."""
    for network in site.ethernet:
        for key in POOLS:
            pool = getattr(network.intent.addressing, key)
            if pool is not None and not _is_private(pool):
                yield Found(
                    network.at.child("addressing", key),
                    f"{pool} is not inside a private block",
                    value=str(pool),
                )


def _is_private(pool: IPv4Network | IPv6Network) -> bool:
    return any(block.version == pool.version and pool.subnet_of(block) for block in PRIVATE)  # type: ignore[arg-type]  # of one version
