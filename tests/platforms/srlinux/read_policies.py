"""What the reader of SR Linux makes of its routing policies, as functions from a route to what becomes of it."""

from __future__ import annotations

from ipaddress import ip_network

from fabric.devices.model import PrefixRange
from fabric.platforms.facts import Facts
from tests.platforms.read_policies import Clause, Policy, Test, Texts, Ways, among, carrying, of_protocol


def _policy(texts: Texts, name: str) -> Policy:
    found: dict[str, Clause] = {}
    for line in texts[f"policy {name}"].split("; "):
        match line.removeprefix("statement ").split():
            case ["default-action", "policy-result", result]:
                last = Clause(permit=result == "accept")
            case [statement]:
                found[statement] = Clause()
            case [statement, "match", *said]:
                found[statement].tests.append(_test(texts, said))
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


def _test(texts: Texts, said: list[str]) -> Test:
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
    exports = _policy(facts.policies, named["export-policy"])
    return Ways(_policy(facts.policies, named["import-policy"]), exports, exports)
