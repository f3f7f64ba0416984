"""What the reader must find in our own output: facts straight from the switch, without the text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.devices.model import HostGateway, Switch, SwitchPort
from fabric.platforms.alike import combined_names
from fabric.platforms.base import ClassFacts, Facts, InterfaceFacts
from fabric.platforms.session_facts import session_facts
from fabric.platforms.srlinux.buffers import Sizes, by_queue, headroom_bytes, sizes_of
from fabric.platforms.srlinux.check_qos import ACTION
from fabric.platforms.srlinux.groups import group_of
from fabric.platforms.srlinux.lower_qos import bound_names, names_of
from fabric.platforms.srlinux.names import IRB, LOOPBACK, MANAGEMENT, MANAGEMENT_INSTANCE
from fabric.platforms.srlinux.ports import description, is_bridged, is_routed, is_used
from fabric.platforms.srlinux.project_policies import policies
from fabric.platforms.srlinux.project_services import services
from fabric.qos.model import PortQueueing


def project(switch: Switch) -> Facts:
    """The facts of a switch. Names of groups and policies are the platform's, all values the switch's own."""
    queueing = switch.queueing
    kinds = queueing.profiles if queueing else ()
    classes = kinds[0].classes if kinds else ()
    timers = queueing.watchdog if queueing and any(kind.priorities for kind in kinds) else None
    sizes = sizes_of(switch)
    keys = _keys(switch, sizes)
    return Facts(
        hostname=switch.name,
        asn=switch.routing.asn,
        router_id=str(switch.routing.router_id),
        max_paths=switch.routing.max_paths,
        interfaces=dict(_interfaces(switch, keys)),
        neighbors=session_facts(
            switch.routing, {key: group.name for key, group in group_of(switch)[1].items()}
        ),
        dscp_to_traffic_class=dict(sorted((point, c.traffic_class) for c in classes for point in c.dscp)),
        traffic_class_to_queue=dict(sorted((c.traffic_class, c.queue) for c in classes)),
        profiles={keys[kind.name]: _profile(kind, sizes) for kind in kinds},
        watchdog=(ACTION, timers.detect_ms, timers.restore_ms, 0) if timers else None,
        policies=policies(switch),
        services=services(switch, sizes),
    )


def _keys(switch: Switch, sizes: Sizes | None) -> dict[str, str]:
    """One name for what ports of each kind are bound to."""
    if switch.queueing is None:
        return {}
    names = names_of(switch.queueing, sizes)
    bound = {kind.name: bound_names(kind, names[kind.name]) for kind in switch.queueing.profiles}
    combined = combined_names(bound.values())
    return {name: combined[binding] for name, binding in bound.items()}


def _interfaces(switch: Switch, keys: Mapping[str, str]) -> Iterator[tuple[str, InterfaceFacts]]:
    for port in switch.ports:
        yield port.name, _port(port, keys)
    for gateway in switch.gateways:
        yield f"{IRB}.{gateway.vlan}", _gateway(gateway)
    yield LOOPBACK, InterfaceFacts(addresses=tuple(str(address) for address in switch.loopbacks))
    management = tuple(str(address) for address in switch.management.addresses)
    yield MANAGEMENT, InterfaceFacts(description="oob", addresses=management, vrf=MANAGEMENT_INSTANCE)


def _port(port: SwitchPort, keys: Mapping[str, str]) -> InterfaceFacts:
    routed = is_routed(port)
    in_order = sorted(port.addresses, key=lambda address: address.version)
    return InterfaceFacts(
        enabled=port.enabled,
        description=description(port),
        speed_mbps=port.slot.speed_mbps,
        ip_mtu_bytes=port.ip_mtu_bytes if routed else None,
        addresses=tuple(str(address) for address in in_order) if routed else (),
        link_local=port.link_local and routed,
        vlan=port.vlan if is_bridged(port) else None,
        queueing=keys[port.queueing.name] if port.queueing and is_used(port) else None,
    )


def _gateway(gateway: HostGateway) -> InterfaceFacts:
    in_order = sorted(gateway.addresses, key=lambda address: address.version)
    return InterfaceFacts(
        ip_mtu_bytes=gateway.ip_mtu_bytes,
        addresses=tuple(str(address) for address in in_order),
        vlan=gateway.vlan,
    )


def _profile(kind: PortQueueing, sizes: Sizes | None) -> dict[int, ClassFacts]:
    found: dict[int, ClassFacts] = {}
    for number, shared in by_queue(kind).items():
        first = shared[0]
        share = sum(c.share_percent or 0 for c in shared)
        curve = first.ecn
        priority = next((c.priority for c in shared if c.priority is not None), None)
        paused = sizes if priority is not None else None
        found[number] = ClassFacts(
            priority=priority,
            strict=first.strict,
            max_rate_percent=first.max_rate_percent,
            share_percent=None if first.strict else share or None,
            ecn=(curve.kmin_bytes, curve.kmax_bytes, curve.pmax_percent) if curve else None,
            headroom_bytes=headroom_bytes(kind) if paused else None,
            pause_threshold_bytes=paused.pause_bytes if paused else None,
        )
    return found
