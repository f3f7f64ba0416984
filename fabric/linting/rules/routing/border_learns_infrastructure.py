"""Addresses of switches are not told to routers outside."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network, IPv6Network

from fabric.diagnostics import Origin
from fabric.intent.model import Addressing
from fabric.linting.border_examples import border
from fabric.linting.borders import sessions
from fabric.linting.rule import Found, rule
from fabric.linting.site import Linted


@rule(
    "FAB1504",
    "border-learns-infrastructure",
    "Loopbacks of switches are advertised to a router outside",
    why="Hosts outside need routes to hosts, not to switches. Whoever has a route to the loopbacks can send to the BGP "
    "and SSH of every switch, through the fabric instead of the management network.",
    fix="Write the host pool in `advertise`, not prefixes that cover the loopback pool.",
    source="RFC 7454 (BCP 194), section 4: who may reach TCP port 179 of the BGP speaker; RFC 6192: protecting the "
    "router control plane",
    fails=border(advertise="[10.0.0.0/8]"),
    passes=border(),
)
def border_learns_infrastructure(site: Linted) -> Iterator[Found]:
    """A prefix of `bgp.advertise` of a router overlaps `loopback_pool` or `loopback_pool6` of its network."""
    for name, at, session in sessions(site):
        network = site.intent.site.attachments[name].network
        pools = _loopbacks(site.intent.site.networks[network].addressing)
        for index, prefix in enumerate(session.advertise):
            for pool in pools:
                if _overlap(prefix, pool):
                    yield Found(
                        _place(at, index), f"{prefix} holds loopbacks out of {pool}", value=str(prefix)
                    )


def _place(at: Origin, index: int) -> Origin:
    return at.child("advertise", index)


def _loopbacks(addressing: Addressing) -> list[IPv4Network | IPv6Network]:
    pools = (addressing.loopback_pool, addressing.loopback_pool6)
    return [pool for pool in pools if pool is not None]


def _overlap(one: IPv4Network | IPv6Network, other: IPv4Network | IPv6Network) -> bool:
    if isinstance(one, IPv4Network) and isinstance(other, IPv4Network):
        return one.overlaps(other)
    return isinstance(one, IPv6Network) and isinstance(other, IPv6Network) and one.overlaps(other)
