"""NVUE replaces the communities of a route: GRACEFUL_SHUTDOWN must be kept by rules of its own (RFC 8326)."""

from __future__ import annotations

import yaml

from tests.platforms.everywhere import devices, texts


def test_cumulus_linux_keeps_graceful_shutdown_where_it_replaces_communities():
    """NVUE knows no `additive`: before each rule that marks there is one for what carries GRACEFUL_SHUTDOWN."""
    for _, text in texts(devices("cumulus", "two tiers")):
        policies = next(
            block["set"] for block in yaml.load(text, yaml.CSafeLoader) if "router" in block.get("set", {})
        )
        policies = policies["router"]["policy"]
        for rules in (one["rule"] for one in policies["route-map"].values()):
            ordered = [rules[number] for number in sorted(rules, key=int)]
            for before, rule in zip([{}, *ordered], ordered, strict=False):
                told = set(rule.get("set", {}).get("community", ()))
                if told and "65535:0" not in told:
                    kept = before["match"].pop("community-list")
                    assert {"65535:0": {}} == policies["community-list"][kept]["rule"]["10"]["community"]
                    assert rule["match"] == before["match"]
                    assert {"65535:0", *told} == set(before["set"]["community"])
                    assert before["set"]["local-preference"] == 0
