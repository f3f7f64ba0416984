"""Queueing in NVUE's words: `qos mapping`, `pfc`, `congestion-control`, `egress-scheduler`, `egress-shaper`.

Sources, below CumulusNetworks/docs `content/`: `nvue-reference/Set-and-Unset-Commands/QoS.md`, `cumulus-linux-514`
and `-516/Layer-1-and-Switch-Ports/Quality-of-Service/`. A code point maps to a switch priority, which is what PFC
pauses, and that to an egress queue (`traffic-class`). Headroom and pause thresholds come from switchd, by the cable
length of the PFC profile.

`qos roce`, the product's preset, is never written, not even for a policy that equals it: its numbers differ by ASIC
and release, it marks queue 0 as well, has one cable length for all ports, and a file that only names it cannot be
compared with the policy. The reader knows it.

Two defaults of the product would be no policy of ours. It marks queue 0 on every port: switched off. Switch
priorities of no class (frames without IP have 0) go to the queue of their number, which has no share: all eight are
mapped, those of no class to the queue of the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

from fabric.devices.model import Switch
from fabric.platforms.alike import shared_names
from fabric.platforms.cumulus.model import Curve, Names, Pauses, Qos, Share
from fabric.qos.model import ClassQueueing, PortQueueing, Queueing, WatchdogTimers

PRIORITIES = 8
KBPS_OF_MBPS = 1000


def lower_qos(switch: Switch) -> Qos | None:
    """Everything about queues; None without a policy."""
    queueing = switch.queueing
    if queueing is None or not queueing.profiles:
        return None
    classes, timers, names = queueing.profiles[0].classes, watched(switch), names_of(queueing)
    named: dict[str, dict[str, Any]] = {sort: {} for sort in SORTS}
    for kind in queueing.profiles:
        for sort, name in names[kind.name]._asdict().items():
            if name:
                named[sort][name] = SORTS[sort](kind)
    return Qos(
        dscp=tuple(sorted((point, queue.traffic_class) for queue in classes for point in queue.dscp)),
        queues=tuple(sorted(queue_of_priority(classes).items())),
        schedulers=tuple(named["scheduler"].items()),
        curves=tuple(named["curves"].items()),
        shapers=tuple(named["shaper"].items()),
        pauses=tuple(named["pauses"].items()),
        watchdog=timers,
        robustness=timers.detect_ms // timers.poll_ms if timers else 0,
    )


def queue_of_priority(classes: tuple[ClassQueueing, ...]) -> dict[int, int]:
    """The queue of each switch priority: that of its class, or of the class that takes the rest."""
    rest = next((queue.queue for queue in classes if queue.is_rest), None)
    queues = {} if rest is None else dict.fromkeys(range(PRIORITIES), rest)
    return queues | {queue.traffic_class: queue.queue for queue in classes}


def watched(switch: Switch) -> WatchdogTimers | None:
    """The watchdog, if there is something to watch."""
    queueing = switch.queueing
    if queueing is None or not any(kind.priorities for kind in queueing.profiles):
        return None
    return queueing.watchdog


def by_queue(kind: PortQueueing) -> list[ClassQueueing]:
    """The classes by the number of their queue. Each has its own (FAB303)."""
    return sorted(kind.classes, key=lambda queue: queue.queue)


def names_of(queueing: Queueing | None) -> dict[str, Names]:
    """The profiles that each kind of port names. Equal ones of several kinds are one."""
    kinds = queueing.profiles if queueing else ()
    names = [
        shared_names({kind.name: body for kind in kinds if (body := profile(kind))})
        for profile in SORTS.values()
    ]
    return {kind.name: Names(*(shared.get(kind.name, "") for shared in names)) for kind in kinds}


def _shares(kind: PortQueueing) -> tuple[Share, ...]:
    return tuple(Share(queue.queue, queue.strict, queue.share_percent or 0) for queue in by_queue(kind))


def _curves(kind: PortQueueing) -> tuple[Curve, ...]:
    curves = ((queue.queue, queue.ecn) for queue in by_queue(kind))
    return tuple(Curve(n, ecn.kmin_bytes, ecn.kmax_bytes, ecn.pmax_percent) for n, ecn in curves if ecn)


def _max_rates(kind: PortQueueing) -> tuple[tuple[int, int], ...]:
    rates = ((queue.queue, queue.max_rate_mbps(kind.speed_mbps)) for queue in by_queue(kind) if queue.strict)
    return tuple((number, mbps * KBPS_OF_MBPS) for number, mbps in rates if mbps)


def _pauses(kind: PortQueueing) -> Pauses | None:
    return Pauses(kind.priorities, max(1, kind.cable_m)) if kind.priorities else None


SORTS: Mapping[str, Callable[[PortQueueing], Hashable]] = {
    "scheduler": _shares,
    "curves": _curves,
    "shaper": _max_rates,
    "pauses": _pauses,
}
"""Field of `Names` to what a profile of that sort says; what is empty needs none."""
