"""What the reader must find in our own output: facts straight from the switch, without the text."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import Relation, Switch, SwitchPort
from fabric.diagnostics import Report
from fabric.platforms.base import ClassFacts, Facts, InterfaceFacts, NeighborFacts
from fabric.platforms.srlinux.lower import BFD, INSTANCES, POLICY, QOS, SYSTEM
from fabric.platforms.srlinux.lower_bgp import (
    group_of,
    lower_bfd,
    lower_instances,
    lower_policies,
    session_key,
)
from fabric.platforms.srlinux.lower_interfaces import description, is_routed
from fabric.platforms.srlinux.lower_qos import (
    ACTION,
    QUEUE_DEPTH_BYTES,
    by_queue,
    percent,
    reservation_percent,
)
from fabric.platforms.srlinux.lower_services import lower_system
from fabric.platforms.srlinux.model import Tree
from fabric.platforms.srlinux.names import LOOPBACK, MANAGEMENT, MANAGEMENT_INSTANCE
from fabric.platforms.srlinux.read import policies, services
from fabric.platforms.srlinux.trees import plain
from fabric.qos.model import EcnMarking, PortQueueing


def project(switch: Switch) -> Facts:
    """The facts of a switch. Names of groups and policies are the platform's, all values the switch's own."""
    queueing = switch.queueing
    kinds = queueing.profiles if queueing else ()
    classes = kinds[0].classes if kinds else ()
    timers = queueing.watchdog if queueing and any(kind.priorities for kind in kinds) else None
    texts = plain(_texts(switch))
    return Facts(
        hostname=switch.name,
        asn=switch.routing.asn,
        router_id=str(switch.routing.router_id),
        max_paths=switch.routing.max_paths,
        interfaces=dict(_interfaces(switch)),
        neighbors=dict(_neighbors(switch)),
        dscp_to_traffic_class=dict(sorted((point, c.traffic_class) for c in classes for point in c.dscp)),
        traffic_class_to_queue=dict(sorted((c.traffic_class, c.queue) for c in classes)),
        profiles={kind.name: _profile(kind) for kind in kinds},
        watchdog=(ACTION, timers.detect_ms, timers.restore_ms, 0) if timers else None,
        policies=policies(texts),
        services=services(texts),
    )


def _texts(switch: Switch) -> Tree:
    """What becomes facts as text: policies and services."""
    report = Report()
    tree: Tree = {
        SYSTEM: lower_system(switch, report),
        POLICY: lower_policies(switch),
        INSTANCES: lower_instances(switch, report),
    }
    bfd = lower_bfd(switch)
    if bfd is not None:
        tree[BFD] = bfd
    if switch.queueing and any(kind.priorities for kind in switch.queueing.profiles):
        reserved = {"pfc-buffer-reservation": reservation_percent(switch)}
        tree[QOS] = {"linecard": [{"slot": 1, "forwarding-complex": [{"name": "0", "input": reserved}]}]}
    return tree


def _interfaces(switch: Switch) -> Iterator[tuple[str, InterfaceFacts]]:
    for port in switch.ports:
        yield port.name, _port(port)
    yield LOOPBACK, InterfaceFacts(addresses=tuple(str(address) for address in switch.loopbacks))
    management = tuple(str(address) for address in switch.management.addresses)
    yield MANAGEMENT, InterfaceFacts(description="oob", addresses=management, vrf=MANAGEMENT_INSTANCE)


def _port(port: SwitchPort) -> InterfaceFacts:
    routed = is_routed(port)
    in_order = sorted(port.addresses, key=lambda address: address.version)
    return InterfaceFacts(
        enabled=port.enabled,
        description=description(port),
        speed_mbps=port.slot.speed_mbps,
        ip_mtu_bytes=port.ip_mtu_bytes if routed else None,
        addresses=tuple(str(address) for address in in_order) if routed else (),
        link_local=port.link_local and routed,
        queueing=port.queueing.name if port.queueing and routed else None,
    )


def _neighbors(switch: Switch) -> Iterator[tuple[str, NeighborFacts]]:
    routing = switch.routing
    _, groups = group_of(switch)
    for one in routing.neighbors:
        inside = one.relation is not Relation.EXTERNAL
        key = session_key(one)
        yield (
            key,
            NeighborFacts(
                remote_asn=one.remote_asn,
                bfd=inside and routing.bfd_interval_ms is not None,
                has_password=bool(one.password or (inside and routing.password)),
                policy=groups[key].name,
            ),
        )


def _profile(kind: PortQueueing) -> dict[int, ClassFacts]:
    found: dict[int, ClassFacts] = {}
    for number, shared in by_queue(kind).items():
        first = shared[0]
        share = sum(c.share_percent or 0 for c in shared)
        found[number] = ClassFacts(
            priority=next((c.priority for c in shared if c.priority is not None), None),
            strict=first.strict,
            share_percent=None if first.strict else share or None,
            ecn=_rounded(first.ecn) if first.ecn else None,
        )
    return found


def _rounded(curve: EcnMarking) -> tuple[int, int, int]:
    low, high = percent(curve.kmin_bytes), percent(curve.kmax_bytes)
    return low * QUEUE_DEPTH_BYTES // 100, high * QUEUE_DEPTH_BYTES // 100, curve.pmax_percent
