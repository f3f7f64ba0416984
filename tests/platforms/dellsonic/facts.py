"""What Dell Enterprise SONiC calls things, and what its text leaves out."""

from __future__ import annotations

from fabric.devices.model import Switch
from fabric.devices.routing_policy import routing_policy
from fabric.platforms.dellsonic.names import MANAGEMENT, OBJECTS
from fabric.platforms.object_names import object_name
from fabric.platforms.routing.route_maps import BY_POLICY, route_maps
from fabric.platforms.routing.route_maps import Words as PolicyWords
from tests.platforms.dellsonic.devices import INTENTS
from tests.platforms.expected_facts import Words, with_idle_cages
from tests.platforms.expected_services import Notes, collected, discards, dns, each, logging, ntp, users
from tests.platforms.policy_facts import policy_facts
from tests.platforms.sites import HASH
from tests.platforms.strategies import switches

CABLES = {5: "5m", 40: "40m", 300: "300m"}
LOSSLESS_MAPS = ("dscp-tc", "tc-queue", "tc-pg", "pfc-priority-queue")


def _vrf(switch: Switch) -> str:
    return "default" if switch.management.vrf == "default" else "mgmt"


def _groups(switch: Switch) -> dict[str, str]:
    found = {}
    for group in routing_policy(switch, BY_POLICY).groups:
        lines = [
            word
            for word, is_set in (("shutdown", group.shut), ("capability extended-nexthop", group.unnumbered))
            if is_set
        ]
        for version in group.families:
            said = ["activate", f"route-map RM-{group.import_policy.name} in", "send-community both"]
            said += [] if group.export_policy.is_open else [f"route-map RM-{group.export_policy.name} out"]
            said += [f"allowas-in {group.allow_own_asn}"] if group.allow_own_asn else []
            lines += [f"ipv{version} {one}" for one in said]
        found[f"group {group.name}"] = "; ".join(sorted(lines))
    return found


def _policies(switch: Switch) -> dict[str, str]:
    return policy_facts(route_maps(routing_policy(switch, BY_POLICY), PolicyWords())) | _groups(switch)


def _services(switch: Switch) -> dict[str, str]:
    vrf = _vrf(switch)
    return collected(
        each("ports", "interface-naming standard"),
        users(switch, {"admin": "admin", "operator": "operator"}),
        dns(switch, vrf),
        ntp(switch, source=f"source {MANAGEMENT}", prefer=" prefer true"),
        logging(switch, vrf),
        discards(switch, "blackhole"),
        *(part(switch) for part in (_sources, _gateway, _routing, _ports, _queues)),
    )


def _sources(switch: Switch) -> Notes:
    """By which interface and VRF servers are asked."""
    if switch.services.management.dns:
        yield "dns", f"source {MANAGEMENT}"
    if switch.services.ntp.servers and _vrf(switch) != "default":
        yield "ntp", f"vrf {_vrf(switch)}"


def _gateway(switch: Switch) -> Notes:
    port = switch.management
    if port.gateway and any(one.version == port.gateway.version for one in port.addresses):
        yield "interfaces", f"Management 0: gwaddr {port.gateway}"


def _routing(switch: Switch) -> Notes:
    routing = switch.routing
    yield "bgp", f"timers {routing.keepalive_ms // 1000} {routing.hold_ms // 1000}"
    for version in routing.families:
        yield "bgp", f"ipv{version} redistribute connected route-map RM-CONNECTED"
    for prefix in routing.aggregates:
        if prefix.version in routing.families:
            yield "bgp", f"ipv{prefix.version} aggregate-address {prefix} summary-only"
    if routing.bfd_interval_ms is not None:
        yield "bfd", "profile FABRIC"
        yield "bfd", f"detect-multiplier {routing.bfd_multiplier}"
        yield "bfd", f"receive-interval {int(routing.bfd_interval_ms)}"
        yield "bfd", f"transmit-interval {int(routing.bfd_interval_ms)}"
    if routing.hash_seed is not None:
        yield "balancing", f"ip load-share hash seed {routing.hash_seed}"


def _ports(switch: Switch) -> Notes:
    fastest = max(group.max_mbps for group in switch.hardware.cages)
    for slot in {(one.slot.cage, one.slot.sub_ports, one.slot.speed_mbps) for one in switch.ports}:
        cage, parts, mbps = slot
        if parts > 1 or mbps < fastest:
            yield "ports", f"interface breakout port 1/{cage} mode {parts}x{mbps // 1000}G"
    for port in switch.ports:
        if (kind := port.queueing) is None or switch.queueing is None:
            continue
        name = object_name(switch.queueing.policy, OBJECTS)
        for word in LOSSLESS_MAPS if kind.priorities else LOSSLESS_MAPS[:3]:
            yield "interfaces", f"{port.name}: qos-map {word} {name}"
        if kind.priorities:
            cable = next(word for most, word in CABLES.items() if kind.cable_m <= most)
            yield "interfaces", f"{port.name}: cable-length {cable}"


def _queues(switch: Switch) -> Notes:
    queueing = switch.queueing
    if queueing is None or not queueing.profiles:
        return
    paused = {
        one.traffic_class: one.priority for one in queueing.profiles[0].classes if one.priority is not None
    }
    for number in range(8):
        yield "priority groups", f"traffic-class {number} priority-group {paused.get(number, 7)}"
    if paused:
        yield "buffers", "buffer init lossless"
        if queueing.budget:
            size = queueing.budget.headroom_bytes
            yield "buffers", f"buffer pool ingress_lossless_pool shared-headroom-size {size}"


WORDS = Words(
    random=lambda: switches("dellsonic", HASH),
    cases=INTENTS,
    loopback_name="Loopback 0",
    management_name=lambda _switch: "Management 0",
    management_vrf=_vrf,
    gateway_name="Vlan {}",
    ports=with_idle_cages,
    group_names=lambda switch: routing_policy(switch, BY_POLICY).group_names,
    policies=_policies,
    services=_services,
)
