"""What the reader of each product makes of routing policies, as functions from a route to what becomes of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from ipaddress import ip_network

from fabric.devices.model import PrefixRange
from fabric.platforms.facts import Facts
from tests.devices.routes import DRAINED, Route, within

Texts = Mapping[str, str]
Test = Callable[[Route], bool]
SEQUENCE = re.compile(r"(\d+) (.*)")
PERMITTED = re.compile(r"permit (\S+)(?: (eq) (\d+))?(?: ge (\d+))?(?: le (\d+))?")


@dataclass
class Clause:
    """One clause as it was read."""

    permit: bool = True
    tests: list[Test] = field(default_factory=list)
    delete: set[str] = field(default_factory=set)
    add: set[str] = field(default_factory=set)
    replaces: bool = False
    local_preference: int | None = None


Policy = list[Clause]


def passed(policy: Policy, route: Route) -> Route | None:
    """What becomes of a route; None: it is rejected."""
    clause = next((one for one in policy if all(test(route) for test in one.tests)), None)
    if clause is None or not clause.permit:
        return None
    kept = set() if clause.replaces else route.communities - clause.delete
    preference = route.local_preference if clause.local_preference is None else clause.local_preference
    return replace(route, communities=frozenset(kept | clause.add), local_preference=preference)


EVERYTHING: Policy = [Clause()]


@dataclass(frozen=True)
class Ways:
    """The policies of one group and address family."""

    imports: Policy
    exports: Policy
    connected: Policy
    """Which connected prefixes are advertised."""


def carrying(community: str) -> Test:
    """Routes that carry a community."""
    return lambda route: community in route.communities


def among(ranges: Iterable[PrefixRange]) -> Test:
    """Routes of one of these ranges."""
    known = tuple(ranges)
    return lambda route: any(within(one, route.prefix) for one in known)


def of_protocol(*names: str) -> Test:
    """Routes that came from there."""
    return lambda route: route.protocol in names


def by_number(lines: Iterable[str]) -> dict[int, list[str]]:
    """Lines that begin with a sequence."""
    found: dict[int, list[str]] = {}
    for match in filter(None, map(SEQUENCE.fullmatch, lines)):
        found.setdefault(int(match[1]), []).append(match[2])
    return dict(sorted(found.items()))


def _value(texts: Texts, name: str) -> str:
    """Of a community, by the name of its list or by itself."""
    word = texts.get(name, name).split()[-1]
    return DRAINED if word == "GSHUT" else word


def _listed(text: str) -> Iterator[PrefixRange]:
    for entry in text.split("; "):
        match = PERMITTED.fullmatch(entry)
        assert match, entry
        prefix, _, equal, low, high = match.groups()
        network = ip_network(prefix)
        if equal or not (low or high):
            length = int(equal or network.prefixlen)
            yield PrefixRange(network, length, length)
        else:
            yield PrefixRange(network, int(low or network.prefixlen), int(high or network.max_prefixlen))


def _route_map(texts: Texts, name: str) -> Policy:
    policy = []
    for lines in by_number(texts[name].split("; ")).values():
        clause = Clause()
        policy.append(clause)
        for line in lines:
            _word(clause, line.split(), texts)
    return policy


def _word(clause: Clause, words: list[str], texts: Texts) -> None:
    match words:
        case ["permit" | "deny" as action]:
            clause.permit = action == "permit"
        case ["match", "community", name]:
            clause.tests.append(carrying(_value(texts, name)))
        case ["match", "ip" | "ipv6" as word, "address", "prefix-list", name]:
            ranges = [
                one for one in _listed(texts[name]) if one.prefix.version == (6 if word == "ipv6" else 4)
            ]
            clause.tests.append(among(ranges))
        case ["set", "community", value, "additive"]:
            clause.add.add(_value(texts, value))
        case ["set", "community", value, "delete"]:
            clause.delete.add(value)
        case ["set", "community", value]:
            clause.add.add(_value(texts, value))
            clause.replaces = True
        case ["set", "comm-list", name, "delete"]:
            clause.delete.add(_value(texts, name))
        case ["set", "local-preference", value]:
            clause.local_preference = int(value)
        case _:
            raise AssertionError(words)


def by_route_maps(facts: Facts, group: str, version: int) -> Ways:
    """Of products with route-maps."""
    texts = facts.policies
    lines = (texts.get(f"group {group}") or texts[f"template {group}"]).split("; ")
    assert f"ipv{version} activate" in lines or f"ipv{version} send-community" in lines
    maps = dict(
        match.group(2, 1)
        for line in lines
        if (match := re.fullmatch(rf"ipv{version} route-map (\S+) (in|out)", line))
    )
    suffix = "-V6" if version == 6 and "RM-CONNECTED-V6" in texts else ""
    exports = _route_map(texts, maps["out"]) if "out" in maps else EVERYTHING
    return Ways(_route_map(texts, maps["in"]), exports, _route_map(texts, f"RM-CONNECTED{suffix}"))


def sends_graceful_shutdown(facts: Facts) -> bool:
    """Whether a line says so."""
    texts = (*facts.services.values(), facts.policies.get("bgp", ""))
    return any("graceful-shutdown" in text for text in texts)
