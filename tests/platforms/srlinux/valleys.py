"""What SR Linux's policies do with a route: read from the text, as the manual says that they are evaluated."""

from __future__ import annotations

import json
from collections.abc import Iterator
from ipaddress import ip_network
from typing import Any

Route = tuple[str, frozenset[str]]
"""A prefix, and the communities on it."""


class Speaker:
    """The BGP of one configuration."""

    def __init__(self, text: str) -> None:
        tree = json.loads(text)
        policy = tree["srl_nokia-routing-policy:routing-policy"]
        self._policies = {one["name"]: one for one in policy["policy"]}
        self._prefixes = {one["name"]: one["prefix"] for one in policy.get("prefix-set", ())}
        self._communities = {one["name"]: frozenset(one["member"]) for one in policy.get("community-set", ())}
        bgp = tree["srl_nokia-network-instance:network-instance"][0]["protocols"]["srl_nokia-bgp:bgp"]
        self.groups = {one["group-name"]: one for one in bgp["group"]}

    def through(self, came: str, goes: str, prefix: str) -> bool:
        """Whether a route that came from one group is told to another."""
        taken = self._passed(self.groups[came]["import-policy"][0], (prefix, frozenset()))
        return taken is not None and self._passed(self.groups[goes]["export-policy"][0], taken) is not None

    def _passed(self, name: str, route: Route) -> Route | None:
        """The first statement that matches decides; else the default action."""
        policy = self._policies[name]
        for statement in policy.get("statement", ()):
            if all(self._matches(statement.get("match", {}), route)):
                action = statement["action"]
                added = action.get("bgp", {}).get("communities", {}).get("add")
                more = self._communities[added] if added else frozenset()
                return (route[0], route[1] | more) if action["policy-result"] == "accept" else None
        return route if policy["default-action"]["policy-result"] == "accept" else None

    def _matches(self, match: dict[str, Any], route: Route) -> Iterator[bool]:
        if "protocol" in match:
            yield match["protocol"] == "srl_nokia-common:bgp"
        if "prefix" in match:
            yield any(_within(route[0], one) for one in self._prefixes[match["prefix"]["prefix-set"]])
        if "bgp" in match:
            yield bool(route[1] & self._communities[match["bgp"]["community-set"]])


def _within(prefix: str, entry: dict[str, str]) -> bool:
    least, _, most = entry["mask-length-range"].partition("..")
    inner, outer = ip_network(prefix), ip_network(entry["ip-prefix"])
    return (
        inner.version == outer.version
        and inner.subnet_of(outer)  # type: ignore[arg-type]  # of one version
        and int(least) <= inner.prefixlen <= int(most)
    )
