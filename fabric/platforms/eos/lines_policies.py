"""Every line of what routes are chosen by: prefix lists, community lists, route-maps, static routes."""

from __future__ import annotations

from fabric.configuration import Effect, Parts, Section, Statement
from fabric.platforms.effects import CHOSEN, DEFAULT_VRF, NO_TRAFFIC, THESE
from fabric.platforms.reading import State, note
from fabric.platforms.routing.policy_lines import MATCHES, SETS, entry, listed, named, route_map

ANEW = Effect("flap", "routing starts anew")
ENTRIES = Section(
    Statement(r"seq <number:\d+> {entry*:(?:permit|deny) .+}", reads=entry),
    Statement(r"<number:\d+> {entry*:(?:permit|deny) .+}", reads=entry),
    Statement("counters per-entry"),
)


def _routing(state: State, parts: Parts) -> None:
    if not parts["off"]:
        state.service("routing", f"ip routing {parts['how']}".rstrip())


def policy_lines() -> tuple[Statement, ...]:
    """The lists and route-maps, by name; routing itself, and static routes."""
    return (
        Statement("ip|ipv6 prefix-list <name>", reads=named, below=ENTRIES, effect=CHOSEN),
        Statement(
            "ip|ipv6 access-list standard <name>",
            reads=named,
            below=ENTRIES,
            effect=NO_TRAFFIC,
            access="changed",
        ),
        Statement(
            "ip community-list [standard] <name> <entry*:(?:permit|deny) .+>",
            reads=listed,
            effect=CHOSEN,
            topic="ip community-list",
        ),
        route_map(Statement("description {text*}"), MATCHES, SETS),
        Statement(
            "[{off:no}] ip routing [{how:ipv6 interfaces}]",
            reads=_routing,
            default=("no ip routing",),
            effect=ANEW,
        ),
        Statement(
            "ip hardware fib load-balance distribution dynamic",
            reads=note("routing"),
            effect=Effect("flap", "the hardware's path tables are written anew"),
        ),
        Statement("[no] ip routing vrf <vrf>", effect=NO_TRAFFIC),
        Statement("ipv6 unicast-routing", reads=note("routing"), effect=ANEW),
        Statement(
            r"ip|ipv6 route vrf <vrf> <prefix> <next_hop> [{distance:\d+}]",
            reads=note("static routes", "{vrf} {prefix} {next_hop} {distance}"),
            effect=THESE,
            access="always",
        ),
        Statement(
            r"ip|ipv6 route <prefix> <next_hop> [{distance:\d+}]",
            reads=note("static routes", "{vrf} {prefix} {next_hop} {distance}"),
            effect=THESE,
            access="always",
            vrf=DEFAULT_VRF,
            overrides=True,
        ),
    )
