"""Sessions with routers outside are authenticated."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.border_examples import border
from fabric.linting.borders import sessions
from fabric.linting.rule import Found, rule
from fabric.linting.site import Linted


@rule(
    "FAB1502",
    "border-without-password",
    "The session with a router outside is not authenticated",
    why="Anybody on the link to the router can speak in its place, end the session, or add routes to it.",
    fix="Agree on a secret with the router's owner and write a reference to it in `password`.",
    source="RFC 7454 (BCP 194), section 5.1: protection of TCP sessions used by BGP; it prefers TCP-AO to MD5 "
    "and requires neither",
    fails=border(password=None),
    passes=border(),
)
def border_without_password(site: Linted) -> Iterator[Found]:
    """An attachment of kind `router` has `bgp` without `password`."""
    for name, at, session in sessions(site):
        if session.password is None:
            yield Found(at.child("password"), f"the session with {name}, AS {session.asn}, has no secret")
