"""What FRR and ifupdown call things, and what their files leave out."""

from __future__ import annotations

from hypothesis import strategies as st
from msgspec.structs import replace

from fabric.devices.model import DISCARD_DISTANCE, LinkRole, Switch, SwitchPort
from fabric.devices.routing_policy import routing_policy
from fabric.platforms.facts import InterfaceFacts
from fabric.platforms.frr.lower_bgp import lower_bfd, lower_bgp
from fabric.platforms.frr.lower_interfaces import lower_offers
from fabric.platforms.frr.lower_system import HASH_BITS, lower_sysctls
from fabric.platforms.frr.model import Bgp
from fabric.platforms.frr.names import MANAGEMENT
from fabric.platforms.route_maps import BY_DAEMON
from tests.platforms.expected_facts import Interfaces, Words
from tests.platforms.frr.devices import INTENTS
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


def _services(switch: Switch, bgp: Bgp) -> dict[str, str]:
    lines: list[str] = ["graceful-shutdown"] if bgp.drained else []
    for family in bgp.families:
        lines += [f"{family.name} {prefix} summary-only" for prefix in family.aggregates]
        lines.append(f"{family.name} connected route-map RM-CONNECTED")
    if bgp.timers:
        keepalive, hold = bgp.timers.split()
        lines.append(f"keepalive {keepalive} hold {hold}")
    found = {"bgp": "\n".join(sorted(lines))} if lines else {}
    found["sysctl"] = "\n".join(sorted(f"{key} = {value}" for key, value in lower_sysctls(switch)))
    offers = lower_offers(switch)
    if offers:
        found["nd"] = "\n".join(sorted(f"{name} {prefix}" for name, prefix in offers))
    routes = (f"{'ip' if p.version == 4 else 'ipv6'} route {p}" for p in switch.routing.discards)
    if dropped := sorted(f"{route} blackhole {DISCARD_DISTANCE}" for route in routes):
        found["static routes"] = "\n".join(dropped)
    bfd = lower_bfd(switch)
    if bfd is not None:
        texts = ["profile FABRIC"]
        texts += [f"detect-multiplier {bfd.multiplier}"] if bfd.multiplier else []
        if bfd.interval_ms:
            texts += [f"transmit-interval {bfd.interval_ms}", f"receive-interval {bfd.interval_ms}"]
        found["bfd profile FABRIC"] = "\n".join(sorted(texts))
    return found


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
    max_paths=lambda switch: lower_bgp(switch)[0].max_paths if switch.routing.neighbors else None,
    group_names=lambda switch: routing_policy(switch, BY_DAEMON).group_names,
    policies=_all_policies,
    services=lambda switch: _services(switch, lower_bgp(switch)[0]),
)
