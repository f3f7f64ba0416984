"""Routing in SR Linux's words: network instances, BGP groups, routing policies, BFD.

Source: nokia/srlinux-yang-models v25.3.1 (`srl_nokia-bgp`, `srl_nokia-routing-policy`, `srl_nokia-aggregate-routes`,
`srl_nokia-bfd`); unnumbered sessions: srl-labs/learn-srlinux.

Valley-free: what comes from above or across is marked, and what is marked is not told upward or across.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from fabric.devices.model import Neighbor, PrefixRange, Relation, Routing, Switch
from fabric.diagnostics import Origin, Report
from fabric.platforms.srlinux import codes
from fabric.platforms.srlinux.lower_interfaces import ENABLE, STATES, is_routed
from fabric.platforms.srlinux.model import Tree
from fabric.platforms.srlinux.names import LOOPBACK, MANAGEMENT, MANAGEMENT_INSTANCE, secret

IPV4 = 4
FROM_ABOVE = "from-above"
IN_ABOVE, IN_BELOW, OUT_ABOVE, OUT_BELOW = "from-above", "from-below", "to-above", "to-below"
POLICIES = {
    Relation.UP: (IN_ABOVE, OUT_ABOVE),
    Relation.ACROSS: (IN_ABOVE, OUT_ABOVE),
    Relation.DOWN: (IN_BELOW, OUT_BELOW),
}
"""Import and export policy of each relation within the fabric."""
ACCEPT, REJECT = {"policy-result": "accept"}, {"policy-result": "reject"}
DEFAULT_ROUTE = {4: "0.0.0.0/0", 6: "::/0"}
GATEWAY_GROUP = "gateway"
RANGES = (
    ("max_paths", 1, 256, "typedef ip-ecmp"),
    ("allow_own_asn", 0, 255, "allow-own-as"),
    ("bfd_interval_ms", 10, 100_000, "BFD interval in ms"),
    ("bfd_multiplier", 3, 20, "detection-multiplier"),
)
"""Field of the routing, least, most, and what the models call it."""


class Group(msgspec.Struct, gc=False):
    """Sessions that are treated alike."""

    name: str
    relation: Relation
    sample: Neighbor
    families: set[int]
    import_policy: str
    export_policy: str


def group_of(switch: Switch) -> tuple[list[Group], dict[str, Group]]:
    """The groups in the order of their first session, and the group of each session by its key."""
    groups: dict[object, Group] = {}
    found: dict[str, Group] = {}
    for one in switch.routing.neighbors:
        word = "-unnumbered" if one.address is None else "" if one.address.version == IPV4 else "-v6"
        key: object = (one.relation, word, one.password)
        if one.relation is Relation.EXTERNAL:
            key = (one.peer, word, one.accept, one.advertise, one.password)
        group = groups.get(key)
        if group is None:
            group = groups[key] = _new_group(one, word, switch.routing, len(groups))
        group.families |= {one.family} if one.address is not None else {one.family, IPV4}
        found[session_key(one)] = group
    return list(groups.values()), found


def session_key(one: Neighbor) -> str:
    """Address, or port where unnumbered."""
    return one.port if one.address is None else str(one.address)


def lower_instances(switch: Switch, report: Report) -> list[Tree]:
    """The default network instance with all routed ports and BGP, and the one of management."""
    _check(switch, report)
    ports = [{"name": f"{port.name}.0"} for port in switch.ports if is_routed(port)]
    default: Tree = {"name": "default", "type": "srl_nokia-network-instance:default", "admin-state": ENABLE}
    if any(one.address is None for one in switch.routing.neighbors):
        default["ip-forwarding"] = {"receive-ipv4-check": False}
    default["interface"] = [*ports, {"name": f"{LOOPBACK}.0"}]
    if switch.routing.aggregates:
        routes = [{"prefix": str(p), "summary-only": True} for p in switch.routing.aggregates]
        default["srl_nokia-aggregate-routes:aggregate-routes"] = {"route": routes}
    default["protocols"] = {"srl_nokia-bgp:bgp": _bgp(switch)}
    return [default, _management(switch)]


def lower_policies(switch: Switch) -> Tree:
    """`routing-policy`: the community of routes from above, prefix sets, policies."""
    routing = switch.routing
    groups, _ = group_of(switch)
    sets = {"loopbacks": routing.loopbacks, "hosts": routing.host_prefixes, "accepted": routing.accepted}
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
    return {
        "community-set": [{"name": FROM_ABOVE, "member": [_community(routing)]}],
        "prefix-set": [_prefix_set(name, ranges) for name, ranges in sets.items() if ranges],
        "policy": policies,
    }


def lower_bfd(switch: Switch) -> Tree | None:
    """`bfd subinterface`: on every port with a session inside the fabric."""
    interval = switch.routing.bfd_interval_ms
    ports = dict.fromkeys(
        one.port for one in switch.routing.neighbors if one.relation is not Relation.EXTERNAL
    )
    if interval is None or not ports:
        return None
    timers = {
        "admin-state": ENABLE,
        "desired-minimum-transmit-interval": interval * 1000,
        "required-minimum-receive": interval * 1000,
        "detection-multiplier": switch.routing.bfd_multiplier,
    }
    return {"subinterface": [{"id": f"{port}.0", **timers} for port in ports]}


def _new_group(one: Neighbor, word: str, routing: Routing, number: int) -> Group:
    name = one.relation.value + word
    if one.relation is Relation.EXTERNAL or one.password not in (None, routing.password):
        name = f"{name}-{one.peer}-{number}"
    return Group(name, one.relation, one, set(), *POLICIES.get(one.relation, (f"{name}-in", f"{name}-out")))


def _bgp(switch: Switch) -> Tree:
    routing = switch.routing
    groups, by_session = group_of(switch)
    families = (
        routing.families if all(n.address is not None for n in routing.neighbors) else (4, *routing.families)
    )
    bgp: Tree = {
        "admin-state": STATES[not switch.drained],
        "autonomous-system": routing.asn,
        "router-id": str(routing.router_id),
        "afi-safi": [
            {
                "afi-safi-name": _family(version),
                "admin-state": ENABLE,
                "multipath": {"allow-multiple-as": True, "ebgp": {"maximum-paths": routing.max_paths}},
            }
            for version in sorted({*families, *(v for group in groups for v in group.families)})
        ],
        "group": [_group(group, switch) for group in groups],
    }
    numbered = [_neighbor(one, by_session) for one in routing.neighbors if one.address is not None]
    dynamic = {one.port: _dynamic(one, by_session) for one in routing.neighbors if one.address is None}
    if numbered:
        bgp["neighbor"] = numbered
    if dynamic:
        bgp["dynamic-neighbors"] = {"interface": list(dynamic.values())}
    return bgp


def _group(group: Group, switch: Switch) -> Tree:
    routing, inside = switch.routing, group.relation is not Relation.EXTERNAL
    families: list[Tree] = []
    for version in sorted(group.families):
        family: Tree = {"afi-safi-name": _family(version), "admin-state": ENABLE}
        if version == IPV4 and group.sample.address is None:
            family["ipv4-unicast"] = {"advertise-ipv6-next-hops": True, "receive-ipv6-next-hops": True}
        families.append(family)
    if IPV4 not in group.families:
        families.insert(0, {"afi-safi-name": _family(IPV4), "admin-state": "disable"})
    entry: Tree = {
        "group-name": group.name,
        "import-policy": [group.import_policy],
        "export-policy": [group.export_policy],
        "failure-detection": {"enable-bfd": inside and routing.bfd_interval_ms is not None},
        "timers": {"hold-time": routing.hold_ms // 1000, "keepalive-interval": routing.keepalive_ms // 1000},
        "afi-safi": families,
    }
    if inside and routing.allow_own_asn:
        entry["as-path-options"] = {"allow-own-as": routing.allow_own_asn}
    password = group.sample.password or (routing.password if inside else None)
    if password:
        entry["authentication"] = {"password": secret(password)}
    return entry


def _neighbor(one: Neighbor, groups: dict[str, Group]) -> Tree:
    key = session_key(one)
    return {
        "peer-address": key,
        "description": f"{one.peer} over {one.port}",
        "peer-as": one.remote_asn,
        "peer-group": groups[key].name,
    }


def _dynamic(one: Neighbor, groups: dict[str, Group]) -> Tree:
    return {
        "interface-name": f"{one.port}.0",
        "peer-group": groups[one.port].name,
        "allowed-peer-as": [str(one.remote_asn)],
    }


def _management(switch: Switch) -> Tree:
    entry: Tree = {
        "name": MANAGEMENT_INSTANCE,
        "type": "srl_nokia-network-instance:ip-vrf",
        "admin-state": ENABLE,
        "interface": [{"name": f"{MANAGEMENT}.0"}],
    }
    gateway = switch.management.gateway
    if gateway is not None:
        hop = {"index": 1, "ip-address": str(gateway)}
        route = {"prefix": DEFAULT_ROUTE[gateway.version], "next-hop-group": GATEWAY_GROUP}
        entry["srl_nokia-static-routes:static-routes"] = {"route": [route]}
        entry["srl_nokia-next-hop-groups:next-hop-groups"] = {
            "group": [{"name": GATEWAY_GROUP, "nexthop": [hop]}]
        }
    return entry


def _origins(sets: dict[str, tuple[PrefixRange, ...]], routing: Routing) -> list[Tree]:
    """What we tell: our own connected prefixes or what they are summarised by, and what BGP brought."""
    own = ["loopbacks"] if routing.aggregates else ["loopbacks", "hosts"]
    found = [_prefixes(name, ACCEPT, "local") for name in own if sets[name]]
    if routing.aggregates:
        found.append({"name": "aggregates", "match": {"protocol": _protocol("aggregate")}, "action": ACCEPT})
    found.append({"name": "learned", "match": {"protocol": _protocol("bgp")}, "action": ACCEPT})
    return found


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


def _family(version: int) -> str:
    return f"srl_nokia-common:ipv{version}-unicast"


def _protocol(name: str) -> str:
    return f"srl_nokia-common:{name}"


def _community(routing: Routing) -> str:
    return f"{routing.from_above[0]}:{routing.from_above[1]}"


def _check(switch: Switch, report: Report) -> None:
    place = Origin(("networks", switch.network, "routing"))
    routing = switch.routing
    for key, least, most, word in RANGES:
        value = getattr(routing, key)
        if value is not None and not least <= value <= most:
            report.add(
                codes.RANGE.at(
                    place.child(key),
                    f"Nokia SR Linux takes {least} to {most} ({word}), not {value}",
                    value=value,
                    hint=f"write a value from {least} to {most}",
                )
            )
    for key, time_ms in (("keepalive", routing.keepalive_ms), ("hold", routing.hold_ms)):
        if time_ms % 1000:
            report.add(
                codes.GRANULARITY.at(
                    place.child("bgp", key),
                    f"Nokia SR Linux counts BGP timers in seconds, not {time_ms} ms",
                    value=time_ms,
                    hint=f"write {time_ms // 1000 + 1}s; fast detection is what BFD is for",
                )
            )
