"""Named objects of Cumulus Linux."""

from __future__ import annotations

import yaml

from tests.platforms.names import Names, leaves

BUILT_IN = {"default-global"}
QOS = ("congestion-control", "egress-scheduler", "egress-shaper", "pfc")


def named(text: str) -> tuple[Names, Names]:
    """What it defines and refers to."""
    tree = next(part["set"] for part in yaml.load(text, yaml.CSafeLoader) if "set" in part)
    defined: Names = set()
    policy = tree.get("router", {}).get("policy", {})
    for kind in ("community-list", "prefix-list", "route-map"):
        defined |= {(kind, name) for name in policy.get(kind, {})}
    for kind in QOS:
        defined |= {(kind, name) for name in tree.get("qos", {}).get(kind, {}) if name not in BUILT_IN}
    defined |= {("peer-group", n) for v in tree["vrf"].values() for n in _groups(v)}
    referred: Names = set()
    for path, value in leaves(tree):
        if "route-map" in path[:-1] and path[0] == "vrf":
            referred |= {("route-map", path[path.index("route-map") + 1])}
        if path[-1] == "route-map" or ("policy" in path and path[-2:-1] in (("inbound",), ("outbound",))):
            referred.add(("route-map", value))
        if path[-1] in ("ip-prefix-list", "community-list") and "match" in path:
            referred.add((path[-1].removeprefix("ip-"), value))
        if path[-1] == "community-delete-list":
            referred.add(("community-list", value))
        if path[-1] == "profile" and path[-2] in QOS and value not in BUILT_IN:
            referred.add((path[-2], value))
        if path[-1] == "peer-group":
            referred.add(("peer-group", value))
    return defined, referred


def _groups(vrf):
    return vrf.get("router", {}).get("bgp", {}).get("peer-group", {})
