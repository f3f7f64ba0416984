"""What FRR and ifupdown call things, and what their files leave out."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import strategies as st
from msgspec.structs import replace

from fabric.devices.model import LinkRole, Switch, SwitchPort
from fabric.devices.routing_model import PeerGroup
from fabric.devices.routing_policy import routing_policy
from fabric.platforms.facts import InterfaceFacts
from fabric.platforms.frr.lower_bgp import BARE_ALLOW_OWN, MOST_PATHS
from fabric.platforms.frr.lower_system import HASH_BITS
from fabric.platforms.frr.names import MANAGEMENT
from fabric.platforms.routing.route_maps import BY_DAEMON, route_maps
from fabric.platforms.routing.route_maps import Words as MapWords
from tests.platforms.expected_facts import Interfaces, Words
from tests.platforms.frr.devices import INTENTS
from tests.platforms.frr.services import services
from tests.platforms.policy_facts import group_facts, in_families, policy_facts
from tests.platforms.sites import network
from tests.platforms.strategies import switches


def _port(port: SwitchPort, facts: InterfaceFacts) -> InterfaceFacts:
    """Every port in use has its MTU."""
    return replace(facts, ip_mtu_bytes=None if port.role is LinkRole.UNUSED else port.ip_mtu_bytes)


def _devices(switch: Switch) -> Interfaces:
    """The device of the management VRF, and the bridge of all VLANs."""
    if switch.management.vrf != "default":
        yield switch.management.vrf, InterfaceFacts()
    if switch.gateways or any(port.vlan for port in switch.ports):
        yield "bridge", InterfaceFacts()


def _max_paths(switch: Switch) -> int | None:
    """Without what FRR has by itself."""
    routing = switch.routing
    return routing.max_paths if routing.neighbors and routing.max_paths != MOST_PATHS else None


def _policies(switch: Switch) -> dict[str, str]:
    made = routing_policy(switch, BY_DAEMON)
    return policy_facts(route_maps(made, MapWords())) | group_facts(made.groups, _own)


def _own(group: PeerGroup) -> Iterator[str]:
    yield from in_families(group, "activate")
    yield from ["shutdown"] if group.shut else []
    yield from ["capability extended-nexthop"] if group.unnumbered else []
    times = "" if group.allow_own_asn == BARE_ALLOW_OWN else f" {group.allow_own_asn}"
    yield from in_families(group, *([f"allowas-in{times}"] if group.allow_own_asn else []))


FIELDS = st.sets(st.sampled_from(sorted(HASH_BITS)), min_size=1).map(sorted)
HASHED = FIELDS.map(lambda fields: network(f"routing: {{hashing: {{fields: [{', '.join(fields)}]}}}}"))
WORDS = Words(
    random=lambda: switches("frr", more=HASHED),
    cases=INTENTS,
    loopback_name="lo",
    management_name=lambda _switch: MANAGEMENT,
    gateway_name="vlan{}",
    gateway_omits=("description",),
    port=_port,
    interfaces=_devices,
    max_paths=_max_paths,
    group_names=lambda switch: routing_policy(switch, BY_DAEMON).group_names,
    policies=_policies,
    services=services,
)
