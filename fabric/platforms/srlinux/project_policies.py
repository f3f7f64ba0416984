"""The policies, sets and BGP groups of a switch as the reader notes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fabric.devices.model import Relation, Switch
from fabric.platforms.srlinux.groups import IPV4, Group, group_of
from fabric.platforms.srlinux.lower_bgp import ADVERTISE_S, RETRY_S
from fabric.platforms.srlinux.lower_policies import lower_policies
from fabric.platforms.srlinux.model import Tree
from fabric.platforms.srlinux.names import bare

WORDS = {
    ("match", "prefix", "prefix-set"): "match prefix-set",
    ("match", "bgp", "community-set"): "match community-set",
    ("match", "protocol"): "match protocol",
    ("action", "policy-result"): "",
    ("action", "bgp", "communities", "add"): "add community-set",
    ("action", "bgp", "communities", "remove"): "remove community-set",
    ("action", "bgp", "local-preference", "set"): "set local-preference",
}
"""What the leaves of a statement say."""


def policies(switch: Switch) -> dict[str, str]:
    """By name."""
    tree = lower_policies(switch)
    groups, _ = group_of(switch)
    sets = {f"community-set {one['name']}": one["member"] for one in tree.get("community-set", ())}
    prefixes = {f"prefix-set {one['name']}": list(_prefixes(one)) for one in tree.get("prefix-set", ())}
    found = {f"policy {one['name']}": list(_policy(one)) for one in tree.get("policy", ())}
    settings = {f"group {group.name}": sorted(_group(group, switch)) for group in groups}
    return {name: "; ".join(lines) for name, lines in (sets | prefixes | found | settings).items()}


def _prefixes(one: Tree) -> Iterator[str]:
    for prefix in one["prefix"]:
        yield f"{prefix['ip-prefix']} {prefix['mask-length-range']}"


def _policy(one: Tree) -> Iterator[str]:
    yield f"default {one['default-action']['policy-result']}"
    for statement in one.get("statement", ()):
        for key in ("match", "action"):
            for path, value in _leaves(statement[key], (key,)):
                yield " ".join(filter(None, (statement["name"], WORDS[path], bare(str(value)))))


def _leaves(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    if not isinstance(value, dict):
        yield path, value
        return
    for key, inner in value.items():
        yield from _leaves(inner, (*path, key))


def _group(group: Group, switch: Switch) -> Iterator[str]:
    routing = switch.routing
    yield f"import {group.import_policy}"
    yield f"export {group.export_policy}"
    yield f"retry {RETRY_S} s"
    yield f"hold {routing.hold_ms // 1000} s"
    yield f"keepalive {routing.keepalive_ms // 1000} s"
    yield f"advertise every {ADVERTISE_S} s"
    for version in group.families:
        yield f"ipv{version}-unicast enable"
    if IPV4 not in group.families:
        yield "ipv4-unicast disable"
    elif group.sample.address is None:
        yield "ipv4-unicast advertise-ipv6-next-hops true"
        yield "ipv4-unicast receive-ipv6-next-hops true"
    if group.relation is not Relation.EXTERNAL and routing.allow_own_asn:
        yield f"allow-own-as {routing.allow_own_asn}"
