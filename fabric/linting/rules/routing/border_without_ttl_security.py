"""Sessions with routers outside are guarded against packets from afar."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.border_examples import border
from fabric.linting.borders import sessions
from fabric.linting.rule import Found, rule
from fabric.linting.site import Linted


@rule(
    "FAB1501",
    "border-without-ttl-security",
    "The session with a router outside takes packets from any distance",
    why="Whoever can send to the border address can keep the CPU of the switch busy with packets of BGP, or end "
    "the session. With GTSM whatever has crossed a router is dropped.",
    fix="Write `ttl_security: true`, once the router sends with a TTL of 255.",
    source="RFC 7454 (BCP 194), section 5.2: TTL security on directly connected peerings; RFC 5082",
    fails=border(ttl_security=None),
    passes=border(),
)
def border_without_ttl_security(site: Linted) -> Iterator[Found]:
    """An attachment of kind `router` has `bgp` without `ttl_security: true`."""
    for name, at, session in sessions(site):
        if not session.ttl_security:
            yield Found(
                at.child("ttl_security"),
                f"the session with {name}, AS {session.asn}, takes packets of any TTL",
            )
