"""A router outside cannot fill the tables of a leaf."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.border_examples import border
from fabric.linting.borders import sessions
from fabric.linting.rule import Found, rule
from fabric.linting.site import Linted


@rule(
    "FAB1503",
    "border-without-limit",
    "A router outside may send any number of prefixes",
    why="One wrong filter on its side sends a full table. What is not accepted is dropped, but each prefix is judged "
    "by the CPU that keeps the sessions of the fabric up.",
    fix="Write `max_prefixes`: a few times of what it sends today.",
    source="RFC 7454 (BCP 194), section 8: maximum prefixes on a peering",
    fails=border(max_prefixes=None),
    passes=border(),
)
def border_without_limit(site: Linted) -> Iterator[Found]:
    """An attachment of kind `router` has `bgp` without `max_prefixes`."""
    for name, at, session in sessions(site):
        if session.max_prefixes is None:
            yield Found(
                at.child("max_prefixes"), f"{name}, AS {session.asn}, may send any number of prefixes"
            )
