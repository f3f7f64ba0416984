"""The policies, sets and BGP groups of a switch as the reader notes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fabric.devices.model import Switch
from fabric.devices.routing_model import PeerGroup
from fabric.devices.routing_policy import routing_policy
from fabric.platforms.srlinux.lower_bgp import ADVERTISE_S, IPV4, RETRY_S
from fabric.platforms.srlinux.lower_policies import STYLE, lower_policies, policy_name
from fabric.platforms.srlinux.model import Tree
from fabric.platforms.srlinux.names import bare


def policies(switch: Switch) -> dict[str, str]:
    """By name."""
    made = routing_policy(switch, STYLE)
    tree = lower_policies(switch, made)
    found = {
        f"community-set {one['name']}": [f"member {' '.join(one['member'])}"]
        for one in tree.get("community-set", ())
    }
    found |= {f"prefix-set {one['name']}": list(_prefixes(one)) for one in tree.get("prefix-set", ())}
    found |= {f"policy {one['name']}": list(_policy(one)) for one in tree.get("policy", ())}
    found |= {f"group {group.name}": sorted(_group(group, switch)) for group in made.groups}
    return {name: "; ".join(lines) for name, lines in found.items()}


def _prefixes(one: Tree) -> Iterator[str]:
    for prefix in one["prefix"]:
        yield f"prefix {prefix['ip-prefix']} {prefix['mask-length-range']}"


def _policy(one: Tree) -> Iterator[str]:
    yield f"default-action policy-result {one['default-action']['policy-result']}"
    for statement in one.get("statement", ()):
        name = f"statement {statement['name']}"
        yield name
        yield from (f"{name} {leaf}" for key in ("match", "action") for leaf in _leaves(key, statement[key]))


def _leaves(path: str, value: Any) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{path} {bare(str(value))}"
        return
    for key, inner in value.items():
        yield from _leaves(f"{path} {key}", inner)


def _group(group: PeerGroup, switch: Switch) -> Iterator[str]:
    routing = switch.routing
    yield f"import-policy {policy_name(group.import_policy)}"
    yield f"export-policy {policy_name(group.export_policy)}"
    yield f"timers connect-retry {RETRY_S}"
    yield f"timers hold-time {routing.hold_ms // 1000}"
    yield f"timers keepalive-interval {routing.keepalive_ms // 1000}"
    yield f"timers minimum-advertisement-interval {ADVERTISE_S}"
    for version in {*group.families, IPV4}:
        family, state = f"afi-safi ipv{version}-unicast", "enable" if version in group.families else "disable"
        yield from (family, f"{family} admin-state {state}")
    if IPV4 in group.families and group.unnumbered:
        family = "afi-safi ipv4-unicast ipv4-unicast"
        yield from (f"{family} {way}-ipv6-next-hops true" for way in ("advertise", "receive"))
    if group.allow_own_asn:
        yield f"as-path-options allow-own-as {group.allow_own_asn}"
