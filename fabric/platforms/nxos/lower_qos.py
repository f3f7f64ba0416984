"""Queueing in NX-OS's words: three layers tied by one number.

qos-group = queue (`c-out-8q-qN`) = class that is paused (`c-8q-nqN`, `pause pfc-cos N`). Which queue a class has is
NX-OS's own matter: a paused class takes the one of its priority, the strict one takes queue 7, as in every published
template and as the guide says ("configure the priority on the higher numbered QoS groups").

Sources: `roce_enable.py` v0.30 (Paresh Gupta, Cisco); https://github.com/microsoft/Azure_Local_Physical_Network_Config_Tool
@ 423a74214941; Cisco Nexus 9000 QoS guide 10.5, "Queuing and Scheduling": a queuing policy
"can be attached to the system or to individual interfaces for input or output traffic"; a shaper imposes "a minimum
and maximum data rate on a class", and public configurations have it beside `priority level 1`
(`shape min 10 gbps max 10 gbps`) and in units of `mbps`.
Unverified: lists of code points with commas (`match dscp 24,26`) are from the command's reference, not seen on a
device; whether a kbyte is 1000 or 1024 bytes (the difference is below 3 %).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

from fabric.devices.model import Switch
from fabric.platforms.alike import folded
from fabric.platforms.number_lists import joined
from fabric.platforms.nxos.model import Curve, NetworkClass, Qos, QosClass, QueueClass, QueuingPolicy
from fabric.platforms.nxos.names import INGRESS, WHOLE, class_map, policy_map
from fabric.qos.model import ClassQueueing, PortQueueing, Queueing

QUEUES = range(7, -1, -1)
"""In the order of the templates: highest first."""
STRICT_QUEUE = 7
KBYTES = 1000
LONGEST_CABLE_M = 100
WHOLE_PERCENT = 100
LEAST_SHAPE_MBPS = 200
"""Granularity of the egress shaper (Cisco Nexus 9000 QoS guide 10.5, Queuing and Scheduling)."""


def alike(switch: Switch) -> Switch:
    """One queuing policy for kinds of ports with the same classes; a shaper has the speed in it."""

    def body(kind: PortQueueing) -> Hashable:
        return kind.classes, kind.speed_mbps if any(c.max_rate_percent for c in kind.classes) else 0

    return folded(switch, body)


def lower_qos(queueing: Queueing | None) -> Qos | None:
    """Classes, policies and what is paused. None without a policy."""
    if queueing is None or not queueing.profiles:
        return None
    kinds = queueing.profiles
    paused = {priority for kind in kinds for priority in kind.priorities}
    groups = sorted({group(c) for c in kinds[0].classes} - {0})
    return Qos(
        policy_map(queueing.policy, INGRESS),
        policy_map(queueing.policy, WHOLE),
        tuple(_classes(kinds[0].classes)),
        tuple(QueuingPolicy(kind.name, tuple(_queues(kind))) for kind in kinds),
        tuple(NetworkClass(number, number in paused) for number in groups),
        queueing.watchdog is not None and bool(paused),
    )


def group(service_class: ClassQueueing) -> int:
    """The number of a class: qos-group, queue and, if it is paused, PFC priority."""
    if service_class.priority is not None:
        return service_class.priority
    return STRICT_QUEUE if service_class.strict else service_class.queue


def queue_name(number: int) -> str:
    """`c-out-8q-q3`; queue 0 is the default one."""
    return f"c-out-8q-q{number or '-default'}"


def _classes(classes: Iterable[ClassQueueing]) -> Iterator[QosClass]:
    rest: QosClass | None = None
    for service_class in sorted(classes, key=lambda c: -group(c)):
        if service_class.is_rest:
            rest = QosClass("class-default", "", group(service_class))
        elif service_class.dscp:
            yield QosClass(class_map(service_class.name), joined(service_class.dscp), group(service_class))
    yield rest or QosClass("class-default", "", 0)


def shape_mbps(service_class: ClassQueueing, kind: PortQueueing) -> int | None:
    """What a strict class may take at most: at least what the shaper can be set to."""
    rate = service_class.max_rate_mbps(kind.speed_mbps)
    return None if rate is None else max(rate, LEAST_SHAPE_MBPS)


def _queues(kind: PortQueueing) -> Iterator[QueueClass]:
    """All eight: those that no class uses get nothing of the remaining bandwidth."""
    by_queue = {group(c): c for c in kind.classes}
    weighted = any(not c.strict for c in by_queue.values())
    for number in QUEUES:
        spare = WHOLE_PERCENT if number == 0 and not weighted else 0
        service_class = by_queue.get(number)
        if service_class is None:
            yield QueueClass(queue_name(number), spare, None, None)
            continue
        share = None if service_class.strict else service_class.share_percent or spare
        curve = (
            Curve(*service_class.ecn.in_units(KBYTES), service_class.ecn.pmax_percent)
            if service_class.ecn
            else None
        )
        yield QueueClass(queue_name(number), share, shape_mbps(service_class, kind), curve)
