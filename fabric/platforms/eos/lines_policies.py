"""Every line of what routes are chosen by: prefix lists, community lists, route-maps, static routes."""

from __future__ import annotations

from typing import NamedTuple

from fabric.configuration import Effect, Parts, Section, Statement
from fabric.platforms.reading import State, note


class Named(NamedTuple):
    """A list or route-map whose entries are read."""

    state: State
    name: str
    before: str = ""
    """Put before each entry."""


CHOSEN = Effect("hitless", "routes are chosen anew")
THESE = Effect("hitless", "only these routes")
NO_TRAFFIC = Effect("none", "no traffic of hosts")


def policy_lines() -> tuple[Statement, ...]:
    """The lists and route-maps, by name; routing itself, and static routes."""
    return (
        Statement("ip|ipv6 prefix-list <name>", reads=_named, below=ENTRIES, effect=CHOSEN),
        Statement(
            "ip|ipv6 access-list standard <name>",
            reads=_named,
            below=ENTRIES,
            effect=NO_TRAFFIC,
            access="changed",
        ),
        Statement(
            "ip community-list [standard] <name> <entry*:(?:permit|deny) .+>",
            reads=lambda state, parts: state.policy(parts["name"], parts["entry"]),
            effect=CHOSEN,
            topic="ip community-list",
        ),
        Statement(
            r"route-map <name> {action:permit|deny} <number:\d+>",
            reads=_route_map,
            below=CLAUSE,
            effect=CHOSEN,
        ),
        Statement(
            "[{off:no}] ip routing [{how:ipv6 interfaces}]",
            reads=_routing,
            default=("no ip routing",),
            effect=Effect("flap", "routing starts anew"),
        ),
        Statement(
            "ip hardware fib load-balance distribution dynamic",
            reads=note("routing", "ip hardware fib load-balance distribution dynamic"),
            effect=Effect("flap", "the hardware's path tables are written anew"),
        ),
        Statement("[no] ip routing vrf <vrf>", effect=NO_TRAFFIC),
        Statement(
            "ipv6 unicast-routing",
            reads=note("routing", "ipv6 unicast-routing"),
            effect=Effect("flap", "routing starts anew"),
        ),
        Statement(
            r"ip|ipv6 route [vrf <vrf>] <prefix> <next_hop> [{distance:\d+}]",
            reads=note("static routes", "{vrf} {prefix} {next_hop} {distance}"),
            effect=THESE,
            access="removed",
        ),
    )


def _named(state: State, parts: Parts) -> Named:
    state.policy(parts["name"])
    return Named(state, parts["name"])


def _entry(named: Named, parts: Parts) -> None:
    named.state.policy(named.name, f"{named.before}{parts['entry']}")


def _route_map(state: State, parts: Parts) -> Named:
    state.policy(parts["name"], f"{parts['number']} {parts['action']}")
    return Named(state, parts["name"], f"{parts['number']} ")


def _routing(state: State, parts: Parts) -> None:
    if not parts["off"]:
        state.service("routing", f"ip routing {parts['how']}".rstrip())


ENTRIES = Section(
    Statement(r"seq <number:\d+> {entry*:(?:permit|deny) .+}", reads=_entry),
    Statement(r"<number:\d+> {entry*:(?:permit|deny) .+}", reads=_entry),
    Statement("counters per-entry"),
)
CLAUSE = Section(
    Statement("description {text*}"),
    Statement("<entry*:match .+>", reads=_entry),
    Statement("<entry*:set .+>", reads=_entry),
)
