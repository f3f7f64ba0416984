"""What the reader of Cumulus Linux makes of its routing policies, as functions from a route to what becomes of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import ip_network

from fabric.devices.model import PrefixRange
from fabric.platforms.facts import Facts
from tests.platforms.read_policies import EVERYTHING, Clause, Policy, Texts, Ways, among, by_number, carrying


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


def by_policies(facts: Facts, group: str, version: int) -> Ways:
    """Of NVUE."""
    texts, lines = facts.policies, facts.policies[f"group {group}"].split("; ")
    assert f"ipv{version} activate" in lines
    maps = dict(line.split()[1:] for line in lines if line.startswith(f"ipv{version} ") and "bound" in line)
    exports = _rules(texts, maps["outbound"]) if "outbound" in maps else EVERYTHING
    return Ways(_rules(texts, maps["inbound"]), exports, _rules(texts, "RM-CONNECTED"))
