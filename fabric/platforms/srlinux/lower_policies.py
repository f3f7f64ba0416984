"""Routing policies in SR Linux's words.

Valley-free: routes received from upstream or across are marked, and marked ones are not advertised upstream or across.

Source: nokia/srlinux-yang-models v25.3.1 (`srl_nokia-routing-policy`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fabric.devices.model import PrefixRange, Relation, Routing, Switch
from fabric.platforms.srlinux.groups import IN_ABOVE, IN_BELOW, OUT_ABOVE, OUT_BELOW, Group, group_of
from fabric.platforms.srlinux.model import Tree
from fabric.topology.attachments.address_blocks import is_inside

FROM_ABOVE = "from-above"
DRAINED = "graceful-shutdown"
"""The community set of RFC 8326, and the statement of routes that carry it."""
ACCEPT, REJECT = {"policy-result": "accept"}, {"policy-result": "reject"}


def lower_policies(switch: Switch) -> Tree:
    """`routing-policy`: the community of routes from above, prefix sets, policies."""
    routing = switch.routing
    groups, _ = group_of(switch)
    sets = {"loopbacks": routing.loopbacks, "hosts": _hosts(routing), "accepted": routing.accepted}
    sending = _marking(DRAINED) if switch.drained else ACCEPT
    told = _origins(sets, routing, sending)
    policies = [
        _policy(IN_BELOW, _imported("accepted", ACCEPT) if routing.accepted else []),
        _policy(IN_ABOVE, _imported("accepted", _marking(FROM_ABOVE)) if routing.accepted else []),
        _policy(OUT_ABOVE, [_marked(), *told]),
        _policy(OUT_BELOW, told),
    ]
    for group in groups:
        if group.relation is Relation.EXTERNAL:
            _external(group, sets, policies, sending)
    used = {name for group in groups for name in (group.import_policy, group.export_policy)}
    policies = [policy for policy in policies if policy["name"] in used]
    statements = [one for policy in policies for one in policy.get("statement", ())]
    named = {one["match"].get("prefix", {}).get("prefix-set") for one in statements}
    communities = {FROM_ABOVE: routing.from_above, DRAINED: routing.graceful_shutdown}
    marks = {name for one in statements for name in _marks(one)}
    tree: Tree = {
        "community-set": [
            {"name": name, "member": [":".join(map(str, value))]}
            for name, value in communities.items()
            if name in marks
        ],
        "prefix-set": [_prefix_set(name, ranges) for name, ranges in sets.items() if name in named],
        "policy": policies,
    }
    return {name: rows for name, rows in tree.items() if rows}


def _marks(statement: Tree) -> Iterator[str]:
    """The community sets that a statement matches or adds."""
    matched = statement["match"].get("bgp", {}).get("community-set")
    changed = statement["action"].get("bgp", {}).get("communities", {})
    yield from (name for name in (matched, changed.get("add"), changed.get("remove")) if name)


def _imported(name: str, action: Tree) -> list[Tree]:
    """What is taken; what a drained neighbour sends is used only if there is nothing else."""
    avoiding = {**action, "bgp": {**action.get("bgp", {}), "local-preference": {"set": 0}}}
    drained = _prefixes(name, avoiding)
    drained["name"] = f"{name}-{DRAINED}"
    drained["match"]["bgp"] = {"community-set": DRAINED}
    return [drained, _prefixes(name, action)]


def _origins(sets: dict[str, tuple[PrefixRange, ...]], routing: Routing, action: Tree) -> list[Tree]:
    """What we tell: our own connected prefixes or what they are summarised by, and what BGP brought."""
    found = [_prefixes(name, action, "local") for name in ("loopbacks", "hosts") if sets[name]]
    if routing.aggregates:
        found.append({"name": "aggregates", "match": {"protocol": _protocol("aggregate")}, "action": action})
    found.append({"name": "learned", "match": {"protocol": _protocol("bgp")}, "action": action})
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


def _unmarking(action: Tree) -> Tree:
    """The same without our own mark: nobody outside sets it, and nobody outside hears of it."""
    communities = {**action.get("bgp", {}).get("communities", {}), "remove": FROM_ABOVE}
    return {**action, "bgp": {**action.get("bgp", {}), "communities": communities}}


def _marking(name: str) -> Tree:
    return {**ACCEPT, "bgp": {"communities": {"add": name}}}


def _marked() -> Tree:
    return {"name": FROM_ABOVE, "match": {"bgp": {"community-set": FROM_ABOVE}}, "action": REJECT}


def _policy(name: str, statements: list[Tree]) -> Tree:
    return {"name": name, "default-action": REJECT, **({"statement": statements} if statements else {})}


def _external(
    group: Group, sets: dict[str, tuple[PrefixRange, ...]], policies: list[Tree], sending: Tree
) -> None:
    sample = group.sample
    taken = tuple(PrefixRange(p, p.prefixlen, p.prefixlen) for p in sample.accept)
    told = tuple(PrefixRange(p, p.prefixlen, p.max_prefixlen) for p in sample.advertise)
    inward, outward = group.import_policy, group.export_policy
    sets[inward], sets[outward] = taken, told
    policies.append(_policy(inward, _imported(inward, _unmarking(ACCEPT)) if taken else []))
    policies.append(_policy(outward, [_prefixes(outward, _unmarking(sending))] if told else []))


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
