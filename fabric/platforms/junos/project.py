"""What the reader must find in our own output: facts straight from the switch, without the text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fabric.devices.model import LinkRole, Switch, SwitchPort
from fabric.diagnostics import Report
from fabric.platforms.base import ClassFacts, Facts, InterfaceFacts
from fabric.platforms.idle import idle_ports
from fabric.platforms.junos.buffers import Buffers, divide
from fabric.platforms.junos.lower_bgp import (
    POLICIES,
    group_name,
    is_marking,
    lower_groups,
    lower_policies,
    max_paths,
)
from fabric.platforms.junos.lower_interfaces import description
from fabric.platforms.junos.lower_qos import applied_marking, by_queue, map_names, percents
from fabric.platforms.junos.names import INSTANCE, management_port, port_name
from fabric.platforms.junos.project_services import services
from fabric.platforms.junos.state import in_terms
from fabric.platforms.peer_groups import by_bfd
from fabric.platforms.session_facts import session_facts
from fabric.qos.model import PortQueueing


def project(switch: Switch) -> Facts:
    """The facts of a switch. Junos has queues and no traffic classes: both have the queue's number."""
    routing, queueing = switch.routing, switch.queueing
    classes = queueing.profiles[0].classes if queueing and queueing.profiles else ()
    lossless = any(kind.priorities for kind in queueing.profiles) if queueing else False
    timers = queueing.watchdog if queueing and lossless else None
    queues = sorted({one.queue for one in classes})
    return Facts(
        hostname=switch.name,
        asn=routing.asn,
        router_id=str(routing.router_id),
        max_paths=max_paths(routing),
        interfaces=dict(_interfaces(switch)),
        neighbors=session_facts(
            switch.routing,
            {one.key: group_name(one, switch.routing) for one in switch.routing.neighbors},
        ),
        dscp_to_traffic_class=dict(sorted((point, one.queue) for one in classes for point in one.dscp)),
        traffic_class_to_queue={queue: queue for queue in queues},
        profiles=_profiles(switch),
        watchdog=(timers.action, timers.detect_ms, timers.restore_ms, timers.poll_ms) if timers else None,
        policies=_policies(switch) | _groups(switch),
        services=services(switch),
    )


def _interfaces(switch: Switch) -> Iterable[tuple[str, InterfaceFacts]]:
    maps = map_names(switch.queueing)
    for port in (*switch.ports, *idle_ports(switch, port_name)):
        yield port.name, _port(port, maps)
    yield "lo0", InterfaceFacts(addresses=_sorted(switch.loopbacks))
    vrf = "default" if switch.management.vrf == "default" else INSTANCE
    addresses = _sorted(switch.management.addresses)
    if addresses:
        yield management_port(switch.hardware), InterfaceFacts(addresses=addresses, vrf=vrf)
    for one in switch.gateways:
        yield (
            f"irb unit {one.vlan}",
            InterfaceFacts(ip_mtu_bytes=one.ip_mtu_bytes, addresses=_sorted(one.addresses)),
        )


def _port(port: SwitchPort, maps: Mapping[str, str]) -> InterfaceFacts:
    routed = not port.vlan and port.role is not LinkRole.UNUSED and bool(port.addresses or port.link_local)
    return InterfaceFacts(
        enabled=port.enabled,
        description=description(port),
        speed_mbps=port.slot.speed_mbps or None,
        ip_mtu_bytes=port.ip_mtu_bytes if routed else None,
        addresses=_sorted(port.addresses),
        link_local=port.link_local and not port.addresses,
        vlan=port.vlan or None,
        tagged=port.tagged,
        queueing=maps[port.queueing.name] if port.queueing else None,
    )


def _sorted(addresses: Iterable[object]) -> tuple[str, ...]:
    """IPv4 before IPv6, as printed."""
    return tuple(sorted((str(address) for address in addresses), key=lambda text: ":" in text))


def _profiles(switch: Switch) -> dict[str, dict[int, ClassFacts]]:
    if switch.queueing is None:
        return {}
    buffers, maps = divide(switch), map_names(switch.queueing)
    return {maps[kind.name]: _profile(kind, buffers) for kind in switch.queueing.profiles}


def _profile(kind: PortQueueing, buffers: Buffers) -> dict[int, ClassFacts]:
    found = {}
    for one in by_queue(kind):
        depth = buffers.depth_bytes(lossless=one.priority is not None)
        found[one.queue] = ClassFacts(
            priority=one.priority,
            strict=one.strict,
            max_rate_percent=one.max_rate_percent,
            share_percent=None if one.strict else percents(kind)[one.queue] or None,
            ecn=applied_marking(one.ecn, depth) if one.ecn else None,
        )
    return found


def _policies(switch: Switch) -> dict[str, str]:
    community, policies = switch.routing.from_above, lower_policies(switch)
    found: dict[str, str] = {}
    if is_marking(policies):
        found["FROM-ABOVE"] = f"members {community[0]}:{community[1]}"
    for policy in policies:
        lines = [
            f"term {term.name} {word} {text}"
            for term in policy.terms
            for word, texts in (("from", term.conditions), ("then", term.actions))
            for text in texts
        ]
        found[policy.name] = in_terms(lines)
    return found


def _groups(switch: Switch) -> dict[str, str]:
    routing, found = switch.routing, {}
    for group in lower_groups(switch, Report()):
        first = next(one for one in routing.neighbors if group_name(one, routing) == group.name)
        policies = POLICIES.get(first.relation, (f"IN-{group.name}", f"OUT-{group.name}"))
        lines = ["type external", "multipath multiple-as", f"hold-time {routing.hold_ms // 1000}"]
        lines += [f"import {policies[0]}", f"export {policies[1]}"]
        if switch.shuts_sessions:
            lines.append("shutdown")
        if group.advertise_peer_as:
            lines.append("advertise-peer-as")
        limit = " prefix-limit teardown" if first.max_prefixes else ""
        if first.address is None:
            lines += ["family inet unicast extended-nexthop", f"family inet6 unicast{limit}"]
            lines += [f"family inet unicast{limit}"] if limit else []
        else:
            lines.append(f"family {'inet6' if first.family == 6 else 'inet'} unicast{limit}")
        if by_bfd(first, routing):
            lines.append(f"bfd-liveness-detection minimum-interval {routing.bfd_interval_ms}")
            lines.append(f"bfd-liveness-detection multiplier {routing.bfd_multiplier}")
        found[f"group {group.name}"] = "; ".join(sorted(lines))
    return found
