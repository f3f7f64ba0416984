"""Routing policies in SR Linux's words.

Valley-free: routes received from upstream or across are marked, and marked ones are not advertised upstream or across.

Source: nokia/srlinux-yang-models v25.3.1 (`srl_nokia-routing-policy`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from fabric.devices.model import Neighbor, Relation, Routing, Switch
from fabric.devices.routing_model import (
    Clause,
    PolicyStyle,
    PrefixSet,
    RoutePolicy,
    RoutingPolicy,
    prefix_sets,
)
from fabric.devices.routing_policy import uncovered_hosts
from fabric.platforms.object_names import object_name
from fabric.platforms.routing.route_maps import GROUP_NAMES
from fabric.platforms.srlinux.model import Tree

ORDER = ("FROM-BELOW", "FROM-ABOVE", "TO-ABOVE", "TO-BELOW")
REJECT = {"policy-result": "reject"}


def group_name(first: Neighbor, taken: Collection[str]) -> str:
    """`up`, `down-v6`; of a neighbour outside with how many groups there are before it, as of a name that is taken."""
    kind = "-unnumbered" if first.address is None else "-v6" if first.address.version == 6 else ""
    name = first.relation.value + kind
    if first.relation is Relation.EXTERNAL:
        return object_name(f"{name}-{first.peer}-{len(taken)}", GROUP_NAMES)
    return f"{name}-{len(taken)}" if name in taken else name


STYLE = PolicyStyle(group_name)


def policy_name(policy: RoutePolicy) -> str:
    """`from-above`, `external-core-2-in`: all names of SR Linux are in small letters."""
    return policy.name.lower()


def lower_policies(switch: Switch, routing_policy: RoutingPolicy) -> Tree:
    """`routing-policy`: the community of routes from above, prefix sets, policies."""
    routing = switch.routing
    origins = (PrefixSet("LOOPBACKS", routing.loopbacks), PrefixSet("HOSTS", uncovered_hosts(routing)))
    names = [*ORDER, *(policy.name for policy in routing_policy.policies)]
    used = [policy for policy in routing_policy.policies if policy is not routing_policy.connected]
    policies = [
        _policy(policy, origins, routing)
        for policy in sorted(used, key=lambda policy: names.index(policy.name))
    ]
    statements = [statement for policy in policies for statement in policy.get("statement", ())]
    named = {statement["match"].get("prefix", {}).get("prefix-set") for statement in statements}
    marks = {name for statement in statements for name in _marks(statement)}
    tree: Tree = {
        "community-set": [
            {"name": community.name.lower(), "member": [community.value]}
            for community in (routing_policy.from_above, routing_policy.graceful_shutdown)
            if community.name.lower() in marks
        ],
        "prefix-set": [
            _prefix_set(prefix_set)
            for prefix_set in (*origins, *prefix_sets(used))
            if prefix_set.name.lower() in named
        ],
        "policy": policies,
    }
    return {name: rows for name, rows in tree.items() if rows}


def _marks(statement: Tree) -> Iterator[str]:
    """The community sets that a statement matches or adds."""
    matched = statement["match"].get("bgp", {}).get("community-set")
    changed = statement["action"].get("bgp", {}).get("communities", {})
    yield from (name for name in (matched, changed.get("add"), changed.get("remove")) if name)


def _policy(policy: RoutePolicy, origins: Collection[PrefixSet], routing: Routing) -> Tree:
    statements = [
        statement for clause in policy.clauses for statement in _statements(clause, origins, routing)
    ]
    tree: Tree = {"name": policy_name(policy), "default-action": REJECT}
    return {**tree, "statement": statements} if statements else tree


def _statements(clause: Clause, origins: Collection[PrefixSet], routing: Routing) -> Iterator[Tree]:
    """An export policy chooses among all routes: what passes a clause for every prefix is ours, or came over BGP."""
    if clause.prefixes or clause.community:
        yield _statement(clause)
        return
    for origin in origins:
        if origin.ranges:
            statement = _statement(Clause(prefixes=origin, add=clause.add))
            statement["match"]["protocol"] = _protocol("local")
            yield statement
    action = _action(clause)
    if routing.aggregates:
        yield {"name": "aggregates", "match": {"protocol": _protocol("aggregate")}, "action": action}
    yield {"name": "learned", "match": {"protocol": _protocol("bgp")}, "action": action}


def _statement(clause: Clause) -> Tree:
    prefixes, community = clause.prefixes, clause.community
    names = ([prefixes.name.lower()] if prefixes else []) + ([community.name.lower()] if community else [])
    match: Tree = {"prefix": {"prefix-set": prefixes.name.lower()}} if prefixes else {}
    if community:
        match["bgp"] = {"community-set": community.name.lower()}
    return {"name": "-".join(names), "match": match, "action": _action(clause)}


def _action(clause: Clause) -> Tree:
    changed = (("add", clause.add), ("remove", clause.delete))
    communities = {word: community.name.lower() for word, community in changed if community}
    bgp: Tree = {"communities": communities} if communities else {}
    if clause.local_preference is not None:
        bgp["local-preference"] = {"set": clause.local_preference}
    action: Tree = {"policy-result": "accept" if clause.permit else "reject"}
    return {**action, "bgp": bgp} if bgp else action


def _prefix_set(prefix_set: PrefixSet) -> Tree:
    return {
        "name": prefix_set.name.lower(),
        "prefix": [
            {"ip-prefix": str(entry.prefix), "mask-length-range": f"{entry.shortest}..{entry.longest}"}
            for entry in prefix_set.ranges
        ],
    }


def _protocol(name: str) -> str:
    return f"srl_nokia-common:{name}"
