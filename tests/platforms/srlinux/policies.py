"""The policies, sets and BGP groups of a switch as the reader notes them, from its routing policy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fabric.devices.model import Switch
from fabric.devices.routing_model import Clause, PeerGroup, PrefixSet, RoutePolicy, RoutingPolicy, prefix_sets
from fabric.devices.routing_policy import routing_policy, uncovered_hosts
from fabric.platforms.srlinux.lower_bgp import ADVERTISE_S, IPV4, RETRY_S
from fabric.platforms.srlinux.lower_policies import STYLE, policy_name


def policies(switch: Switch) -> dict[str, str]:
    """By name; sets only that a policy names."""
    made, own = routing_policy(switch, STYLE), _own_prefixes(switch)
    used = [one for one in made.policies if one is not made.connected]
    found = {f"policy {policy_name(one)}": "; ".join(_policy(one, own, switch)) for one in used}
    named = {word for text in found.values() for word in text.replace(";", "").split()}
    found |= {key: text for name, key, text in _sets(made, (*own, *prefix_sets(used))) if name in named}
    return found | {f"group {one.name}": "; ".join(sorted(_group(one, switch))) for one in made.groups}


def _own_prefixes(switch: Switch) -> tuple[PrefixSet, ...]:
    routing = switch.routing
    sets = PrefixSet("LOOPBACKS", routing.loopbacks), PrefixSet("HOSTS", uncovered_hosts(routing))
    return tuple(one for one in sets if one.ranges)


def _sets(made: RoutingPolicy, prefixes: Iterable[PrefixSet]) -> Iterator[tuple[str, str, str]]:
    """The name of a set, what it is noted by, and its members."""
    for community in (made.from_above, made.graceful_shutdown):
        name = community.name.lower()
        yield name, f"community-set {name}", f"member {community.value}"
    for one in prefixes:
        ranges = (f"prefix {each.prefix} {each.shortest}..{each.longest}" for each in one.ranges)
        yield one.name.lower(), f"prefix-set {one.name.lower()}", "; ".join(ranges)


def _policy(policy: RoutePolicy, own: Iterable[PrefixSet], switch: Switch) -> Iterator[str]:
    yield "default-action policy-result reject"
    for clause in policy.clauses:
        if clause.prefixes or clause.community:
            yield from _statement(_name(clause), _matched(clause), clause)
            continue
        # A clause for every prefix: what is ours by where it comes from, and what came over BGP.
        for one in own:
            match = [f"prefix prefix-set {one.name.lower()}", "protocol local"]
            yield from _statement(one.name.lower(), match, Clause(add=clause.add))
        if switch.routing.aggregates:
            yield from _statement("aggregates", ["protocol aggregate"], clause)
        yield from _statement("learned", ["protocol bgp"], clause)


def _name(clause: Clause) -> str:
    return "-".join(one.name.lower() for one in (clause.prefixes, clause.community) if one)


def _matched(clause: Clause) -> list[str]:
    prefixes = [f"prefix prefix-set {clause.prefixes.name.lower()}"] if clause.prefixes else []
    communities = [f"bgp community-set {clause.community.name.lower()}"] if clause.community else []
    return prefixes + communities


def _statement(name: str, matched: Iterable[str], clause: Clause) -> Iterator[str]:
    start = f"statement {name}"
    yield start
    yield from (f"{start} match {text}" for text in matched)
    yield f"{start} action policy-result {'accept' if clause.permit else 'reject'}"
    for word, community in (("add", clause.add), ("remove", clause.delete)):
        if community:
            yield f"{start} action bgp communities {word} {community.name.lower()}"
    if clause.local_preference is not None:
        yield f"{start} action bgp local-preference set {clause.local_preference}"


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
