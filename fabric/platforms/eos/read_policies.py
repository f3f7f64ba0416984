"""Reading what routes are chosen by: prefix lists, community lists, route-maps, static routes."""

from __future__ import annotations

import re
from typing import NamedTuple

from fabric.platforms.eos.reading import State
from fabric.platforms.sections import Row, Table


class Named(NamedTuple):
    """A list or route-map whose entries are read."""

    state: State
    name: str
    before: str = ""
    """Put before each entry."""


def policy_rows() -> tuple[Row, ...]:
    """The lists and route-maps, by name; routing itself, and static routes."""
    entries = Table(
        Row(r"seq \d+ ((?:permit|deny) .+)", _entry),
        Row(r"<number> ((?:permit|deny) .+)", _entry),
        Row(r"counters per-entry"),
    )
    clause = Table(Row(r"description (.+)"), Row(r"match .+", _clause), Row(r"set .+", _clause))
    return (
        Row(r"ip prefix-list (\S+)", _named, entries),
        Row(r"ipv6 prefix-list (\S+)", _named, entries),
        Row(r"ip access-list standard (\S+)", _named, entries),
        Row(r"ipv6 access-list standard (\S+)", _named, entries),
        Row(r"ip community-list (?:standard )?(\S+) ((?:permit|deny) .+)", _community),
        Row(r"route-map (\S+) (permit|deny) (\d+)", _route_map, clause),
        Row(r"ip routing(?: ipv6 interfaces)?", _routing),
        Row(r"ip hardware fib load-balance distribution dynamic", _routing),
        Row(r"(no )?ip routing vrf \S+"),
        Row(r"ipv6 unicast-routing", _routing),
        Row(r"ip route(?: vrf (\S+))? (\S+/\d+) (\S+)(?: (\d+))?", _static),
        Row(r"ipv6 route(?: vrf (\S+))? (\S+/\d+) (\S+)(?: (\d+))?", _static),
    )


def _named(state: State, match: re.Match[str]) -> Named:
    state.policy(match[1])
    return Named(state, match[1])


def _entry(named: Named, match: re.Match[str]) -> None:
    named.state.policy(named.name, match[1])


def _community(state: State, match: re.Match[str]) -> None:
    state.policy(match[1], match[2])


def _route_map(state: State, match: re.Match[str]) -> Named:
    state.policy(match[1], f"{match[3]} {match[2]}")
    return Named(state, match[1], match[3])


def _clause(named: Named, match: re.Match[str]) -> None:
    named.state.policy(named.name, f"{named.before} {match[0]}")


def _routing(state: State, match: re.Match[str]) -> None:
    state.service("routing", match[0])


def _static(state: State, match: re.Match[str]) -> None:
    words = (match[1] or "default", match[2], match[3], *([match[4]] if match[4] else []))
    state.service("static routes", " ".join(words))
