"""Queueing in the product's words: maps, schedulers and curves by name, lossless buffers of its own.

`buffer init lossless` makes pools and profiles; each port says by `cable-length` which headroom it takes, and the pool
of headroom is as large as all ports need at once. A class that is paused has the priority group and queue of its
priority, 3 or 4; all other traffic is in group 7, as in the product's own RoCE maps.

Sources: Ansible dellemc.enterprise_sonic 4.1 (`sonic_qos_buffer`, `sonic_qos_interfaces`, `sonic_qos_wred`: ECN is
`all` or `none` there, thresholds print in units of 1000 bytes); sonic-net/sonic-mgmt, spytest/apis/qos/qos_shaper.py:
`pir` is in kb/s; SONiC design "RDMA over Converged Ethernet (ROCEv2) support", rev 0.5.
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import Switch
from fabric.platforms.alike import shared_names
from fabric.platforms.dellsonic.model import Curve, Kind, Qos, QueueSchedule, Scheduler
from fabric.platforms.dellsonic.names import OBJECTS
from fabric.platforms.number_lists import joined
from fabric.platforms.object_names import object_name
from fabric.qos.model import ClassQueueing, PortQueueing, Queueing

KBYTES = 1000
CABLES_M = (5, 40, 300)
"""Values of `cable-length`."""
LOSSLESS = (3, 4)
"""Priorities, priority groups and queues that have lossless buffers."""
LOSSY_GROUP = 7
TRAFFIC_CLASSES = range(8)
ACTIONS = {"drop": "drop", "forward": "forward", "notify": "alert"}


def lower_qos(queueing: Queueing | None) -> Qos | None:
    """Maps, schedulers and curves. None without a policy."""
    if queueing is None or not queueing.profiles:
        return None
    kinds, classes = queueing.profiles, queueing.profiles[0].classes
    priorities = tuple(sorted({priority for kind in kinds for priority in kind.priorities}))
    paused = {c.traffic_class: c.priority for c in classes if c.priority is not None}
    return Qos(
        object_name(queueing.policy, OBJECTS),
        classes,
        tuple((joined(c.dscp), c.traffic_class) for c in classes if c.dscp),
        tuple((number, paused.get(number, LOSSY_GROUP)) for number in TRAFFIC_CLASSES),
        priorities,
        queueing.budget.headroom_bytes if queueing.budget and priorities else 0,
        tuple(_curves(queueing)),
        tuple(_schedulers(queueing)),
        queueing.watchdog if priorities else None,
    )


def lower_kinds(queueing: Queueing | None) -> dict[str, Kind]:
    """What ports are bound to, by the name of their kind."""
    if queueing is None:
        return {}
    schedulers, curves = scheduler_names(queueing), curve_names(queueing)
    action = ACTIONS.get(queueing.watchdog.action, "") if queueing.watchdog else ""
    return {
        kind.name: Kind(
            schedulers[kind.name],
            tuple((number, curves[_curve_key(number, kind)]) for number, first in _marked(kind)),
            kind.priorities,
            cable_length(kind) if kind.priorities else "",
            action if kind.priorities else "",
        )
        for kind in queueing.profiles
    }


def binding(kind: Kind) -> tuple[str, ...]:
    """The names that tell what ports of a kind do to packets."""
    paused = (f"pfc-{'-'.join(map(str, kind.priorities))}",) if kind.priorities else ()
    return (kind.scheduler, *(name for _, name in kind.curves), *paused)


def schedule(kind: PortQueueing) -> tuple[QueueSchedule, ...]:
    """Its queues. Classes that share one are scheduled as its first is."""
    return tuple(
        QueueSchedule(
            number,
            0 if classes[0].strict else weight(sum(c.share_percent or 0 for c in classes)),
            (classes[0].max_rate_mbps(kind.speed_mbps) or 0) * 1000,
        )
        for number, classes in _queues(kind)
    )


def weight(share_percent: int) -> int:
    """Of DWRR: 1 at least."""
    return max(1, share_percent)


def cable_length(kind: PortQueueing) -> str:
    """The shortest value that holds for the cable."""
    return f"{next((length for length in CABLES_M if length >= kind.cable_m), CABLES_M[-1])}m"


def scheduler_names(queueing: Queueing) -> dict[str, str]:
    """Of each kind of port; one for all that schedule alike."""
    names = shared_names({kind.name: schedule(kind) for kind in queueing.profiles})
    return {kind: object_name(name, OBJECTS) for kind, name in names.items()}


def curve_names(queueing: Queueing) -> dict[str, str]:
    """Of each marking class and kind of port; one for all that mark alike."""
    marked = {
        _curve_key(number, kind): _marks(first)
        for kind in queueing.profiles
        for number, first in _marked(kind)
    }
    return {key: object_name(name, OBJECTS) for key, name in shared_names(marked).items()}


def derived(switch: Switch) -> dict[str, str]:
    """Lossless quantities that the product sets itself."""
    kinds = switch.queueing.profiles if switch.queueing else ()
    return {
        f"{kind.name} headroom": f"the product's own for {cable_length(kind)} of cable at {kind.speed_mbps // 1000}G, "
        f"of a pool that all ports share; {kind.headroom.headroom_bytes} bytes a priority by our arithmetic"
        for kind in kinds
        if kind.headroom is not None
    }


def _queues(kind: PortQueueing) -> list[tuple[int, list[ClassQueueing]]]:
    queues: dict[int, list[ClassQueueing]] = {}
    for service_class in kind.classes:
        queues.setdefault(service_class.queue, []).append(service_class)
    return sorted(queues.items())


def _marked(kind: PortQueueing) -> Iterator[tuple[int, ClassQueueing]]:
    """Queues that mark, with the class that says how."""
    return ((number, classes[0]) for number, classes in _queues(kind) if classes[0].ecn)


def _marks(service_class: ClassQueueing) -> tuple[int, int, int]:
    return (
        (*service_class.ecn.in_units(KBYTES), service_class.ecn.pmax_percent)
        if service_class.ecn
        else (0, 0, 0)
    )


def _curve_key(number: int, kind: PortQueueing) -> str:
    return f"{kind.name}-q{number}"


def _curves(queueing: Queueing) -> Iterator[Curve]:
    names = curve_names(queueing)
    curves = {
        names[_curve_key(number, kind)]: _marks(first)
        for kind in queueing.profiles
        for number, first in _marked(kind)
    }
    return (Curve(name, *curves[name]) for name in sorted(curves))


def _schedulers(queueing: Queueing) -> Iterator[Scheduler]:
    names = scheduler_names(queueing)
    schedules = {names[kind.name]: schedule(kind) for kind in queueing.profiles}
    return (Scheduler(name, schedules[name]) for name in sorted(schedules))
