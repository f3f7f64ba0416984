"""Routing policies in SR Linux's words.

Valley-free: what comes from above or across is marked, and what is marked is not told upward or across.

Source: nokia/srlinux-yang-models v25.3.1 (`srl_nokia-routing-policy`).
"""

from __future__ import annotations

from collections.abc import Iterable

from fabric.devices.model import PrefixRange, Relation, Routing, Switch
from fabric.platforms.srlinux.groups import IN_ABOVE, IN_BELOW, OUT_ABOVE, OUT_BELOW, Group, group_of
from fabric.platforms.srlinux.model import Tree
from fabric.topology.attachment_addresses import is_inside

FROM_ABOVE = "from-above"
ACCEPT, REJECT = {"policy-result": "accept"}, {"policy-result": "reject"}


def lower_policies(switch: Switch) -> Tree:
    """`routing-policy`: the community of routes from above, prefix sets, policies."""
    routing = switch.routing
    groups, _ = group_of(switch)
    sets = {"loopbacks": routing.loopbacks, "hosts": _hosts(routing), "accepted": routing.accepted}
    told = _origins(sets, routing)
    policies = [
        _policy(IN_BELOW, [_prefixes("accepted", ACCEPT)] if routing.accepted else []),
        _policy(IN_ABOVE, [_prefixes("accepted", _marking())] if routing.accepted else []),
        _policy(OUT_ABOVE, [_marked(), *told]),
        _policy(OUT_BELOW, told),
    ]
    for group in groups:
        if group.relation is Relation.EXTERNAL:
            _external(group, sets, policies)
    used = {name for group in groups for name in (group.import_policy, group.export_policy)}
    policies = [policy for policy in policies if policy["name"] in used]
    statements = [one for policy in policies for one in policy.get("statement", ())]
    named = {one["match"].get("prefix", {}).get("prefix-set") for one in statements}
    marked = any("bgp" in part for one in statements for part in (one["match"], one["action"]))
    tree: Tree = {
        "community-set": [{"name": FROM_ABOVE, "member": [_community(routing)]}] if marked else [],
        "prefix-set": [_prefix_set(name, ranges) for name, ranges in sets.items() if name in named],
        "policy": policies,
    }
    return {name: rows for name, rows in tree.items() if rows}


def _origins(sets: dict[str, tuple[PrefixRange, ...]], routing: Routing) -> list[Tree]:
    """What we tell: our own connected prefixes or what they are summarised by, and what BGP brought."""
    found = [_prefixes(name, ACCEPT, "local") for name in ("loopbacks", "hosts") if sets[name]]
    if routing.aggregates:
        found.append({"name": "aggregates", "match": {"protocol": _protocol("aggregate")}, "action": ACCEPT})
    found.append({"name": "learned", "match": {"protocol": _protocol("bgp")}, "action": ACCEPT})
    return found


def _hosts(routing: Routing) -> tuple[PrefixRange, ...]:
    """Connected prefixes of hosts and attachments that no aggregate stands for."""
    return tuple(
        one for one in routing.host_prefixes if not any(is_inside(one.prefix, a) for a in routing.aggregates)
    )


def _prefixes(name: str, action: Tree, protocol: str = "") -> Tree:
    match: Tree = {"prefix": {"prefix-set": name}}
    if protocol:
        match["protocol"] = _protocol(protocol)
    return {"name": name, "match": match, "action": action}


def _marking() -> Tree:
    return {**ACCEPT, "bgp": {"communities": {"add": FROM_ABOVE}}}


def _marked() -> Tree:
    return {"name": FROM_ABOVE, "match": {"bgp": {"community-set": FROM_ABOVE}}, "action": REJECT}


def _policy(name: str, statements: list[Tree]) -> Tree:
    return {"name": name, "default-action": REJECT, **({"statement": statements} if statements else {})}


def _external(group: Group, sets: dict[str, tuple[PrefixRange, ...]], policies: list[Tree]) -> None:
    sample = group.sample
    taken = tuple(PrefixRange(p, p.prefixlen, p.prefixlen) for p in sample.accept)
    told = tuple(PrefixRange(p, p.prefixlen, p.max_prefixlen) for p in sample.advertise)
    for name, ranges in ((group.import_policy, taken), (group.export_policy, told)):
        sets[name] = ranges
        policies.append(_policy(name, [_prefixes(name, ACCEPT)] if ranges else []))


def _prefix_set(name: str, ranges: Iterable[PrefixRange]) -> Tree:
    return {
        "name": name,
        "prefix": [
            {"ip-prefix": str(one.prefix), "mask-length-range": f"{one.shortest}..{one.longest}"}
            for one in ranges
        ],
    }


def _protocol(name: str) -> str:
    return f"srl_nokia-common:{name}"


def _community(routing: Routing) -> str:
    return f"{routing.from_above[0]}:{routing.from_above[1]}"
