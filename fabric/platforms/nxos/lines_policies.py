"""Every line of what routes are chosen by: prefix lists, community lists, route-maps, static routes, balancing.

Sources: Ansible cisco.nxos (`prefix_lists`, `route_maps`); Cisco Nexus 9000 Unicast Routing guide 10.5: dynamic
balancing takes effect with a reload, and `graceful-shutdown` stands for the community 65535:0 (RFC 8326).
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.configuration import Effect, Parts, Section, Statement
from fabric.platforms.effects import CHOSEN, NO_TRAFFIC, PATHS, THESE
from fabric.platforms.line_tables import noted, others
from fabric.platforms.reading import note
from fabric.platforms.routing.policy_lines import MATCHES, SETS, entry, listed, named, route_map

HARDWARE = Effect("reload", "hardware profiles take effect with a reload")
WELL_KNOWN = {"graceful-shutdown": "65535:0"}
"""Communities that NX-OS shows by their names."""


def _in_numbers(parts: Parts) -> Iterator[str]:
    """The line with each community as a number."""
    before = parts["line"].removesuffix(parts["entry"])
    yield before + " ".join(WELL_KNOWN.get(word, word) for word in parts["entry"].split())


ENTRIES = Section(Statement(r"<number:\d+> {entry*:(?:permit|deny) .+}", reads=entry))
LISTS = tuple(
    Statement(
        rf"{word} prefix-list <name> seq <number:\d+> {{entry*}}",
        reads=listed,
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
        overrides=True,
    )
    for word in ("ip", "ipv6")
)
BALANCED = Section(
    *noted("balancing", ("dlb-interface {interfaces*}", "mode {mode*}"), effect=None), effect=HARDWARE
)


def policy_lines() -> tuple[Statement, ...]:
    """The lists and route-maps, by name; static routes, and how equal paths are shared."""
    return (
        *LISTS,
        Statement(
            r"ip community-list standard <name> seq <number:\d+> {entry*}",
            reads=listed,
            expands=_in_numbers,
            effect=CHOSEN,
            topic="ip community-list standard {name}",
        ),
        Statement(
            "ip|ipv6 access-list <name>",
            reads=named,
            below=ENTRIES,
            effect=NO_TRAFFIC,
            access="removed",
        ),
        route_map(Statement("<entry*:set community .+>", reads=entry, expands=_in_numbers), MATCHES, SETS),
        *ROUTES,
        *noted("balancing", ("ip load-sharing address {how*}",), topic="ip load-sharing", effect=PATHS),
        Statement("hardware profile dlb", reads=note("balancing"), below=BALANCED, effect=HARDWARE),
        *others(CHOSEN, "ip prefix-list", "ipv6 prefix-list", "ip community-list", "route-map"),
        *others(THESE, "ip route", "ipv6 route"),
        *others(PATHS, "ip load-sharing"),
        *others(HARDWARE, "hardware profile"),
    )
