"""Rows and readers of lists and route-maps that stand in sections of their own, for the products that have these."""

from __future__ import annotations

from typing import NamedTuple

from fabric.configuration import Parts, Section, Statement
from fabric.platforms.effects import CHOSEN
from fabric.platforms.reading import State


class Named(NamedTuple):
    """A list or route-map whose entries are read."""

    state: State
    name: str
    before: str = ""
    """Put before each entry."""


def named(state: State, parts: Parts) -> Named:
    """The reader of a list, which is there even without an entry."""
    state.policy(parts["name"])
    return Named(state, parts["name"])


def entry(section: Named, parts: Parts) -> None:
    """The reader of a line of such a section."""
    section.state.policy(section.name, f"{section.before}{parts['entry']}")


def listed(state: State, parts: Parts) -> None:
    """The reader of an entry that names its list."""
    state.policy(parts["name"], parts["entry"])


def route_map(*clause: Statement) -> Statement:
    """`route-map`, with the lines of a clause."""
    return Statement(
        r"route-map <name> {action:permit|deny} <number:\d+>",
        reads=_clause,
        below=Section(*clause),
        effect=CHOSEN,
    )


def _clause(state: State, parts: Parts) -> Named:
    state.policy(parts["name"], f"{parts['number']} {parts['action']}")
    return Named(state, parts["name"], f"{parts['number']} ")


MATCHES = Statement("<entry*:match .+>", reads=entry)
SETS = Statement("<entry*:set .+>", reads=entry)
