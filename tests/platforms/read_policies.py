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


# EOS, NX-OS, FRR, SONiC


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


# Cumulus Linux


def _rules(texts: Texts, name: str) -> Policy:
    policy = []
    for lines in by_number(texts[name].split("; ")).values():
        said: dict[str, list[str]] = {}
        for line in lines:
            said.setdefault(line.split()[0], []).append(line.split()[-1])
        tests = [among(_ruled(texts[one])) for one in said.get("ip-prefix-list", ())]
        tests += [carrying(_community(texts[one])) for one in said.get("community-list", ())]
        preference = said.get("local-preference")
        policy.append(
            Clause(
                "permit" in said,
                tests,
                delete={_community(texts[one]) for one in said.get("delete", ())},
                add=set(said.get("set", ())),
                replaces="set" in said,
                local_preference=int(preference[0]) if preference else None,
            )
        )
    return policy


def _community(text: str) -> str:
    return next(word for word in re.split(r"[ ;]+", text) if ":" in word)


def _ruled(text: str) -> Iterator[PrefixRange]:
    for lines in by_number(text.split("; ")).values():
        words = [line.split() for line in lines if "/" in line]
        network = ip_network(words[0][0])
        bounds = {one[1]: int(one[2]) for one in words if len(one) > 1}
        yield PrefixRange(network, bounds.get("min", network.prefixlen), bounds.get("max", network.prefixlen))


def by_rules(facts: Facts, group: str, version: int) -> Ways:
    """Of NVUE."""
    texts, lines = facts.policies, facts.policies[f"group {group}"].split("; ")
    assert f"ipv{version} activate" in lines
    maps = dict(line.split()[1:] for line in lines if line.startswith(f"ipv{version} ") and "bound" in line)
    exports = _rules(texts, maps["outbound"]) if "outbound" in maps else EVERYTHING
    return Ways(_rules(texts, maps["inbound"]), exports, _rules(texts, "RM-CONNECTED"))


# Junos


def _statement(texts: Texts, name: str) -> Policy:
    terms: dict[str, Clause] = {}
    filters: dict[str, list[PrefixRange]] = {}
    for line in texts[name].split("; "):
        term, said = re.fullmatch(r"term (\S+) (.*)", line).groups()  # type: ignore[union-attr]
        clause = terms.setdefault(term, Clause())
        match said.split():
            case ["from", "protocol", protocol]:
                clause.tests.append(of_protocol(protocol))
            case ["from", "community", community]:
                clause.tests.append(carrying(texts[community].split()[-1]))
            case ["from", "policy", policy]:
                inner = _statement(texts, policy)
                clause.tests.append(lambda route, inner=inner: passed(inner, route) is not None)
            case ["from", "route-filter", prefix, *bounds]:
                filters.setdefault(term, []).append(_filtered(prefix, bounds))
            case ["then", "accept" | "reject" as action]:
                clause.permit = action == "accept"
            case ["then", "community", "add" | "delete" as way, community]:
                getattr(clause, way).add(texts[community].split()[-1])
            case _:
                raise AssertionError(line)
    for term, ranges in filters.items():
        terms[term].tests.append(among(ranges))
    return list(terms.values())


def _filtered(prefix: str, bounds: list[str]) -> PrefixRange:
    network = ip_network(prefix)
    if bounds == ["exact"]:
        return PrefixRange(network, network.prefixlen, network.prefixlen)
    low, high = (int(one.removeprefix("/")) for one in bounds[1].split("-"))
    return PrefixRange(network, low, high)


def by_statements(facts: Facts, group: str, version: int) -> Ways:
    """Of Junos: an export policy chooses among connected routes too."""
    lines = facts.policies[f"group {group}"].split("; ")
    assert any(line.startswith(f"family {'inet6' if version == 6 else 'inet'} ") for line in lines)
    named = dict(line.split() for line in lines if line.startswith(("import ", "export ")))
    exports = _statement(facts.policies, named["export"])
    return Ways(_statement(facts.policies, named["import"]), exports, exports)


# SR Linux


def _srl_policy(texts: Texts, name: str) -> Policy:
    found: dict[str, Clause] = {}
    for line in texts[f"policy {name}"].split("; "):
        match line.removeprefix("statement ").split():
            case ["default-action", "policy-result", result]:
                last = Clause(permit=result == "accept")
            case [statement]:
                found[statement] = Clause()
            case [statement, "match", *said]:
                found[statement].tests.append(_srl_test(texts, said))
            case [statement, "action", "policy-result", result]:
                found[statement].permit = result == "accept"
            case [statement, "action", "bgp", "communities", "add" | "remove" as way, name_]:
                value = texts[f"community-set {name_}"].split()[-1]
                (found[statement].add if way == "add" else found[statement].delete).add(value)
            case [statement, "action", "bgp", "local-preference", "set", value]:
                found[statement].local_preference = int(value)
            case _:
                raise AssertionError(line)
    return [*found.values(), last]


def _srl_test(texts: Texts, said: list[str]) -> Test:
    match said:
        case ["prefix", "prefix-set", name]:
            entries = (line.split()[1:] for line in texts[f"prefix-set {name}"].split("; "))
            return among(PrefixRange(ip_network(p), *map(int, lengths.split(".."))) for p, lengths in entries)
        case ["protocol", name]:
            return of_protocol({"local": "direct"}.get(name, name))
        case ["bgp", "community-set", name]:
            return carrying(texts[f"community-set {name}"].split()[-1])
    raise AssertionError(said)


def by_policies(facts: Facts, group: str, version: int) -> Ways:
    """Of SR Linux: an export policy chooses among connected routes too."""
    lines = facts.policies[f"group {group}"].split("; ")
    assert f"afi-safi ipv{version}-unicast admin-state enable" in lines
    named = dict(line.split() for line in lines if "-policy " in line)
    exports = _srl_policy(facts.policies, named["export-policy"])
    return Ways(_srl_policy(facts.policies, named["import-policy"]), exports, exports)


OTHERS = {"cumulus": by_rules, "junos": by_statements, "srlinux": by_policies}


def ways(product: str, facts: Facts, group: str, version: int) -> Ways:
    """What the reader of a product makes of a group; most products have route-maps."""
    return OTHERS.get(product, by_route_maps)(facts, group, version)


BY_ITSELF = frozenset({"cumulus", "frr", "junos", "sonic"})
"""Products that obey GRACEFUL_SHUTDOWN without a policy, and send it at one line (RFC 8326)."""


def sends_graceful_shutdown(facts: Facts) -> bool:
    """Whether a line says so."""
    texts = (*facts.services.values(), facts.policies.get("bgp", ""))
    return any("graceful-shutdown" in text for text in texts)
