"""What the reader of Junos Evolved makes of its routing policies, as functions from a route to what becomes of it."""

from __future__ import annotations

import re
from ipaddress import ip_network

from fabric.devices.model import PrefixRange
from fabric.platforms.facts import Facts
from tests.platforms.read_policies import Clause, Policy, Texts, Ways, among, carrying, of_protocol, passed


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


def by_policies(facts: Facts, group: str, version: int) -> Ways:
    """Of Junos: an export policy chooses among connected routes too."""
    lines = facts.policies[f"group {group}"].split("; ")
    assert any(line.startswith(f"family {'inet6' if version == 6 else 'inet'} ") for line in lines)
    named = dict(line.split() for line in lines if line.startswith(("import ", "export ")))
    exports = _statement(facts.policies, named["export"])
    return Ways(_statement(facts.policies, named["import"]), exports, exports)
