"""What FRR and ifupdown call things, and what their files leave out."""

from __future__ import annotations

from hypothesis import strategies as st
from msgspec.structs import replace

from fabric.devices.model import LinkRole, Switch, SwitchPort
from fabric.devices.routing_policy import routing_policy
from fabric.platforms.facts import InterfaceFacts
from fabric.platforms.frr.lower_bgp import MOST_PATHS, lower_bgp
from fabric.platforms.frr.lower_system import HASH_BITS
from fabric.platforms.frr.model import Bgp
from fabric.platforms.frr.names import MANAGEMENT
from fabric.platforms.route_maps import BY_DAEMON
from tests.platforms.expected_facts import Interfaces, Words
from tests.platforms.frr.devices import INTENTS
from tests.platforms.frr.services import services
from tests.platforms.policy_facts import policy_facts
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


def _all_policies(switch: Switch) -> dict[str, str]:
    bgp, policies = lower_bgp(switch)
    return policy_facts(policies) | _groups(bgp)


def _groups(bgp: Bgp) -> dict[str, str]:
    settings: dict[str, list[str]] = {}
    for one in bgp.groups:
        lines = settings.setdefault(one.name, [])
        if one.shut:
            lines.append("shutdown")
        if one.unnumbered:
            lines.append("capability extended-nexthop")
    for family in bgp.families:
        for group in family.groups:
            lines = settings[group.name]
            lines += [f"{family.name} activate", f"{family.name} route-map RM-{group.import_policy.name} in"]
            if not group.export_policy.is_open:
                lines.append(f"{family.name} route-map RM-{group.export_policy.name} out")
            if group.allow_own_asn:
                lines.append(f"{family.name} allowas-in{bgp.allow_own}")
    return {f"group {name}": "; ".join(sorted(lines)) for name, lines in settings.items()}


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
    policies=_all_policies,
    services=services,
)
