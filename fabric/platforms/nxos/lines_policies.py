"""Every line of what routes are chosen by: prefix lists, community lists, route-maps, static routes, balancing.

Sources: Ansible cisco.nxos (`prefix_lists`, `route_maps`); Cisco Nexus 9000 Unicast Routing guide 10.5: dynamic
balancing takes effect with a reload, and `graceful-shutdown` stands for the community 65535:0 (RFC 8326).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fabric.configuration import Effect, Parts, Section, Statement
from fabric.platforms.line_tables import others
from fabric.platforms.nxos.state import NxosState
from fabric.platforms.reading import note

CHOSEN = Effect("hitless", "routes are chosen anew")
THESE = Effect("hitless", "only these routes")
PATHS = Effect("hitless", "flows choose their paths anew")
HARDWARE = Effect("reload", "hardware profiles take effect with a reload")
NO_TRAFFIC = Effect("none", "no traffic of hosts")
WELL_KNOWN = {"graceful-shutdown": "65535:0"}
"""Communities that NX-OS shows by their names."""


class Named(NamedTuple):
    """An access list or route-map whose entries are read."""

    state: NxosState
    name: str
    before: str = ""
    """Put before each entry."""


def _entry(named: Named, parts: Parts) -> None:
    named.state.policy(named.name, f"{named.before}{parts['entry']}")


def _listed(state: NxosState, parts: Parts) -> None:
    state.policy(parts["name"], parts["entry"])


def _route_map(state: NxosState, parts: Parts) -> Named:
    state.policy(parts["name"], f"{parts['number']} {parts['action']}")
    return Named(state, parts["name"], f"{parts['number']} ")


def _in_numbers(parts: Parts) -> Iterator[str]:
    """The line with each community as a number."""
    before = parts["line"].removesuffix(parts["entry"])
    yield before + " ".join(WELL_KNOWN.get(word, word) for word in parts["entry"].split())


ENTRIES = Section(Statement(r"<number:\d+> {entry*:(?:permit|deny) .+}", reads=_entry))
CLAUSE = Section(
    Statement("<entry*:set community .+>", reads=_entry, expands=_in_numbers),
    Statement("<entry*:match .+>", reads=_entry),
    Statement("<entry*:set .+>", reads=_entry),
)
LISTS = tuple(
    Statement(
        rf"{word} prefix-list <name> seq <number:\d+> {{entry*}}",
        reads=_listed,
        effect=CHOSEN,
        topic=f"{word} prefix-list {{name}}",
    )
    for word in ("ip", "ipv6")
)
ROUTES = tuple(
    Statement(
        rf"{word} route <prefix:\S+/\d+> <next_hop> [{{rest*}}]",
        reads=note("static routes", "default {prefix} {next_hop} {rest}"),
        effect=THESE,
        topic=f"{word} route",
    )
    for word in ("ip", "ipv6")
)
BALANCED = Section(
    Statement("dlb-interface {interfaces*}", reads=note("balancing")),
    Statement("mode {mode*}", reads=note("balancing")),
    effect=HARDWARE,
)


def policy_lines() -> tuple[Statement, ...]:
    """The lists and route-maps, by name; static routes, and how equal paths are shared."""
    return (
        *LISTS,
        Statement(
            r"ip community-list standard <name> seq <number:\d+> {entry*}",
            reads=_listed,
            expands=_in_numbers,
            effect=CHOSEN,
            topic="ip community-list standard {name}",
        ),
        Statement(
            "ip|ipv6 access-list <name>",
            reads=lambda state, parts: Named(state, parts["name"]),
            below=ENTRIES,
            effect=NO_TRAFFIC,
            access="removed",
        ),
        Statement(
            r"route-map <name> {action:permit|deny} <number:\d+>",
            reads=_route_map,
            below=CLAUSE,
            effect=CHOSEN,
        ),
        *ROUTES,
        Statement(
            "ip load-sharing address {how*}",
            reads=note("balancing"),
            effect=PATHS,
            topic="ip load-sharing",
        ),
        Statement(
            "hardware profile dlb",
            reads=note("balancing"),
            below=BALANCED,
            effect=HARDWARE,
        ),
        *others(CHOSEN, "ip prefix-list", "ipv6 prefix-list", "ip community-list", "route-map"),
        *others(THESE, "ip route", "ipv6 route"),
        *others(PATHS, "ip load-sharing"),
        *others(HARDWARE, "hardware profile"),
    )
