"""What NX-OS calls things, and what its text leaves out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from fabric.devices.model import Relation, Routing, Switch, SwitchPort
from fabric.devices.routing_model import PeerGroup
from fabric.devices.routing_policy import routing_policy
from fabric.platforms.facts import ClassFacts, Facts, InterfaceFacts
from fabric.platforms.nxos.lower_bgp import WORDS as MAPS
from fabric.platforms.nxos.lower_qos import alike
from fabric.platforms.nxos.names import MANAGEMENT_VRF, management_port
from fabric.platforms.routing.route_maps import BY_POLICY, route_maps
from tests.platforms.expected_facts import Words, with_idle_cages
from tests.platforms.nxos.devices import INTENTS
from tests.platforms.nxos.services import services
from tests.platforms.policy_facts import group_facts, in_families, policy_facts
from tests.platforms.sites import HASH256
from tests.platforms.strategies import switches


def _port(port: SwitchPort, facts: InterfaceFacts) -> InterfaceFacts:
    """The speed is that of the cage, unless it is split."""
    return facts if port.slot.sub_ports > 1 else replace(facts, speed_mbps=None)


def _complete(facts: Facts, _switch: Switch) -> Facts:
    """Queue 0 has what the strict ones leave."""
    profiles = {
        name: {0: ClassFacts(share_percent=100), **queues}
        if all(queue.strict for queue in queues.values())
        else queues
        for name, queues in facts.profiles.items()
    }
    return replace(facts, profiles=profiles)


def _policies(switch: Switch) -> dict[str, str]:
    made = routing_policy(switch, BY_POLICY)
    templates = group_facts(made.groups, partial(_own, switch.routing), "template", by_family=True)
    return policy_facts(route_maps(made, MAPS)) | templates | _access_lists(switch)


def _own(routing: Routing, group: PeerGroup) -> Iterator[str]:
    yield f"timers {routing.keepalive_ms // 1000} {routing.hold_ms // 1000}"
    yield from ["shutdown"] if group.shut else []
    yield from in_families(group, "send-community")
    yield from in_families(group, *([f"allowas-in {group.allow_own_asn}"] if group.allow_own_asn else []))
    yield from in_families(group, *([f"maximum-prefix {group.max_prefixes}"] if group.max_prefixes else []))
    asns = [one.remote_asn for one in group.members]
    below = group.relation is Relation.DOWN and routing.peers_reuse_asn
    if not group.is_external and (group.allow_own_asn or below or len(set(asns)) < len(asns)):
        yield from in_families(group, "disable-peer-as-check")


def _access_lists(switch: Switch) -> dict[str, str]:
    """Who may use SSH, by family; one without a source is denied."""
    allow, words = switch.services.ssh.allow, {4: ("SSH-ALLOW", "ip"), 6: ("SSH-ALLOW-V6", "ipv6")}
    sources = {version: [one for one in allow if one.version == version] for version in words}
    return {
        name: "; ".join(
            [f"permit tcp {one} any eq 22" for one in sources[version]] or [f"deny {word} any any"]
        )
        for version, (name, word) in words.items()
        if allow
    }


WORDS = Words(
    random=lambda: switches("nxos", HASH256),
    cases=INTENTS,
    loopback_name="loopback0",
    loopback=InterfaceFacts(description="router-id"),
    management_name=lambda switch: management_port(switch.hardware),
    management_vrf=lambda _switch: MANAGEMENT_VRF,
    gateway_name="Vlan{}",
    gateway_omits=("vlan",),
    ports=with_idle_cages,
    port=_port,
    group_names=lambda switch: routing_policy(switch, BY_POLICY).group_names,
    policies=_policies,
    services=lambda switch: services(alike(switch)),
    complete=_complete,
)
