"""What Junos calls things, and what its text leaves out."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from fabric.devices.model import Relation, Routing, Switch, SwitchPort
from fabric.devices.routing_model import PeerGroup, RoutingPolicy
from fabric.devices.routing_policy import routing_policy
from fabric.platforms.facts import Facts, InterfaceFacts
from fabric.platforms.junos.lower_bgp import STYLE, lower_policies, max_paths
from fabric.platforms.junos.names import INSTANCE, management_port
from fabric.platforms.junos.state import in_terms
from tests.platforms.expected_facts import Words, with_idle_cages
from tests.platforms.junos.devices import INTENTS
from tests.platforms.junos.services import services
from tests.platforms.strategies import switches


def _port(port: SwitchPort, facts: InterfaceFacts) -> InterfaceFacts:
    """The MTU stands at a family, and a port with addresses has link-local ones without a line."""
    mtu = facts.ip_mtu_bytes if port.addresses or port.link_local else None
    return replace(facts, ip_mtu_bytes=mtu, link_local=port.link_local and not port.addresses)


def _complete(facts: Facts, switch: Switch) -> Facts:
    """A port without a line is not there."""
    name = management_port(switch.hardware)
    there = {key: one for key, one in facts.interfaces.items() if key != name or one.addresses}
    return replace(facts, interfaces=there)


def _policies(switch: Switch, made: RoutingPolicy) -> dict[str, str]:
    found = {"FROM-ABOVE": f"members {made.from_above.value}"} if made.is_marking else {}
    for name, terms in lower_policies(switch, made):
        lines = [
            f"term {term.name} {word} {text}"
            for term in terms
            for word, texts in (("from", term.conditions), ("then", term.actions))
            for text in texts
        ]
        found[name] = in_terms(lines)
    return found


def _group(peers: PeerGroup, routing: Routing) -> Iterator[str]:
    outside, families = peers.is_external, (4, 6) if peers.unnumbered else peers.families
    inward, outward = (
        (peers.name, peers.name) if outside else (peers.import_policy.name, peers.export_policy.name)
    )
    yield from ("type external", "multipath multiple-as", f"hold-time {routing.hold_ms // 1000}")
    yield from (f"import IN-{inward}", f"export OUT-{outward}")
    if peers.shut:
        yield "shutdown"
    if not outside and _reuses_asn(routing):
        yield "advertise-peer-as"
    limit = " prefix-limit teardown" if peers.max_prefixes else ""
    for version in families:
        word, extended = {4: "inet", 6: "inet6"}[version], version == 4 and peers.unnumbered
        if extended:
            yield "family inet unicast extended-nexthop"
        if limit or not extended:
            yield f"family {word} unicast{limit}"
    if peers.bfd:
        yield f"bfd-liveness-detection minimum-interval {routing.bfd_interval_ms}"
        yield f"bfd-liveness-detection multiplier {routing.bfd_multiplier}"


def _reuses_asn(routing: Routing) -> bool:
    """Whether an AS number stands for several switches: Junos would not tell one of them of another."""
    below = {one.peer: one.remote_asn for one in routing.neighbors if one.relation is Relation.DOWN}
    shared = len(set(below.values())) < len(below)
    return shared or routing.peers_reuse_asn or routing.allow_own_asn > 0


def _all_policies(switch: Switch) -> dict[str, str]:
    made = routing_policy(switch, STYLE)
    said = {f"group {one.name}": "; ".join(sorted(_group(one, switch.routing))) for one in made.groups}
    return _policies(switch, made) | said


WORDS = Words(
    random=lambda: switches("junos"),
    cases=INTENTS,
    loopback_name="lo0",
    management_name=lambda switch: management_port(switch.hardware),
    management_vrf=lambda switch: "default" if switch.management.vrf == "default" else INSTANCE,
    gateway_name="irb unit {}",
    gateway_omits=("description", "vlan"),
    ports=with_idle_cages,
    port=_port,
    max_paths=lambda switch: max_paths(switch.routing),
    group_names=lambda switch: routing_policy(switch, STYLE).group_names,
    policies=_all_policies,
    services=services,
    complete=_complete,
)
