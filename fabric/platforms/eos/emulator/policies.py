"""Routing policy of a configuration, in neutral clauses, and what it brings into BGP.

A prefix list counts by its permits, a community list by its standard communities.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from ipaddress import ip_network

from fabric.platforms.emulated_ends import Clause, PrefixRange
from fabric.platforms.eos.emulator.tree import Block, Section
from fabric.platforms.routing.emulated_routes import aggregated, allowed

GRACEFUL_SHUTDOWN = "GSHUT"
Policies = dict[str, tuple[Clause, ...]]


def policies(config: Section) -> Policies:
    """Every route-map, its clauses in their order."""
    lists, communities = _prefix_lists(config), _community_lists(config)
    numbered: dict[str, list[tuple[int, Clause]]] = {}
    for block in config.starting("route-map "):
        _, name, verb, number = block.text.split()[:4]
        lines = [line.text.split() for line in block.body.items] if isinstance(block, Block) else []
        clause = _clause(verb == "permit", lines, lists, communities)
        numbered.setdefault(name, []).append((int(number), clause))
    return {
        name: tuple(clause for _, clause in sorted(rows, key=lambda row: row[0]))
        for name, rows in numbered.items()
    }


def _clause(
    permits: bool,  # noqa: FBT001  # the verb of the line
    lines: Iterable[list[str]],
    lists: dict[str, tuple[PrefixRange, ...]],
    communities: dict[str, frozenset[str]],
) -> Clause:
    prefixes: tuple[PrefixRange, ...] | None = None
    carries: frozenset[str] | None = None
    adds: frozenset[str] = frozenset()
    removes: frozenset[str] | None = frozenset()
    last = False
    for words in lines:
        match words:
            case ["match", "ip" | "ipv6", "address", "prefix-list", name]:
                prefixes = (*(prefixes or ()), *lists.get(name, ()))
            case ["match", "community", *names]:
                carries = frozenset(c for name in names for c in communities.get(name, ()))
            case ["set", "community", "none"]:
                removes = None
            case ["set", "community", *values, "delete"]:
                removes = frozenset(map(_canonical, values))
            case ["set", "community", *values, "additive"]:
                adds = frozenset(map(_canonical, values))
            case ["set", "community", *values]:
                removes, adds = None, frozenset(map(_canonical, values))
            case ["set", "local-preference", "0"]:
                last = True
    return Clause(
        permits=permits, prefixes=prefixes, communities=carries, removes=removes, adds=adds, last_resort=last
    )


def _canonical(community: str) -> str:
    return GRACEFUL_SHUTDOWN if community == "65535:0" else community


def _prefix_lists(config: Section) -> dict[str, tuple[PrefixRange, ...]]:
    ranges: dict[str, list[PrefixRange]] = {}
    for family in ("ip", "ipv6"):
        for item in config.starting(f"{family} prefix-list "):
            words = item.text.split()
            lines = (
                [line.text.split() for line in item.body.items] if isinstance(item, Block) else [words[3:]]
            )
            rows = ranges.setdefault(words[2], [])
            rows.extend(_range(line) for line in lines if line[2:3] == ["permit"])
    return {name: tuple(rows) for name, rows in ranges.items()}


def _range(words: list[str]) -> PrefixRange:
    """Of `seq 10 permit 10.0.0.0/8 ge 24 le 32`."""
    network = ip_network(words[3])
    limits = dict(zip(words[4::2], map(int, words[5::2]), strict=True))
    exact = limits.get("eq")
    if exact is not None:
        return PrefixRange(network, exact, exact)
    shortest = limits.get("ge", network.prefixlen)
    longest = limits.get("le", network.max_prefixlen if "ge" in limits else network.prefixlen)
    return PrefixRange(network, shortest, longest)


def _community_lists(config: Section) -> dict[str, frozenset[str]]:
    lists: dict[str, frozenset[str]] = {}
    for line in config.starting("ip community-list "):
        words = line.text.split()
        if words[2] != "regexp" and words[3] == "permit":
            lists[words[2]] = lists.get(words[2], frozenset()) | frozenset(map(_canonical, words[4:]))
    return lists


def originated(
    body: Section, connected: Iterable[str], static: Iterable[str], maps: Policies
) -> frozenset[str]:
    """What the lines of BGP announce of these routes."""
    sources = {"connected": tuple(connected), "static": tuple(static)}
    chosen = {
        prefix
        for words in _lines(body, "redistribute ")
        for prefix in sources.get(words[1], ())
        if allowed(prefix, maps.get(words[-1]) if "route-map" in words else None)
    }
    known = {prefix for prefixes in sources.values() for prefix in prefixes}
    chosen |= {words[1] for words in _lines(body, "network ") if words[1] in known}
    summaries = tuple(_lines(body, "aggregate-address "))
    hiding = [words[1] for words in summaries if "summary-only" in words]
    beside = aggregated(chosen, [words[1] for words in summaries if "summary-only" not in words])
    return aggregated(chosen, hiding) | {prefix for prefix in beside if prefix not in chosen}


def _lines(body: Section, start: str) -> Iterator[list[str]]:
    """Lines of BGP and of its address families."""
    for line in body.starting(start):
        yield line.text.split()
    for block in body.starting("address-family "):
        if isinstance(block, Block):
            for line in block.body.starting(start):
                yield line.text.split()


def max_paths(body: Section) -> int:
    """Next hops that share the traffic of a prefix; EOS's default is one."""
    return next((int(words[1]) for words in _lines(body, "maximum-paths ")), 1)
