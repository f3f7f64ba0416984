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

from collections.abc import Callable, Iterable
from typing import TypeVar

import msgspec

from fabric.devices.model import Switch
from fabric.diagnostics import Origin, Report
from fabric.platforms.alike import shared_names
from fabric.platforms.cumulus import codes
from fabric.platforms.cumulus.model import Curve, Names, Pauses, Qos, Share
from fabric.qos.model import ClassQueueing, PortQueueing, Queueing, WatchdogTimers

FASTEST_POLL_MS, SLOWEST_POLL_MS = 100, 5000
MOST_INTERVALS = 1000
PRIORITIES = 8
Body = TypeVar("Body")
KBPS_OF_MBPS = 1000


def lower_qos(switch: Switch, report: Report) -> Qos | None:
    """Everything about queues; None without a policy."""
    queueing = switch.queueing
    if queueing is None or not queueing.profiles:
        return None
    place = Origin((), f"policy:{queueing.policy}")
    classes = queueing.profiles[0].classes
    timers, names = watched(switch), names_of(queueing)
    if timers is not None:
        _check_watchdog(place.child("watchdog"), timers, report)
    kinds, named = queueing.profiles, [names[kind.name] for kind in queueing.profiles]
    return Qos(
        dscp=tuple(sorted((point, c.traffic_class) for c in classes for point in c.dscp)),
        queues=tuple(sorted(queue_of_priority(classes).items())),
        schedulers=_named(kinds, (one.scheduler for one in named), _scheduled),
        curves=_named(kinds, (one.curves for one in named), _curves),
        shapers=_named(kinds, (one.shaper for one in named), _shapers),
        pauses=tuple((name, body) for name, (body,) in _named(kinds, (one.pauses for one in named), _paused)),
        lossless=any(kind.priorities for kind in queueing.profiles),
        marking=any(c.ecn for kind in queueing.profiles for c in kind.classes),
        poll=timers.poll_ms if timers else 0,
        robustness=timers.detect_ms // timers.poll_ms if timers else 0,
    )


def queue_of_priority(classes: tuple[ClassQueueing, ...]) -> dict[int, int]:
    """The queue of each switch priority: that of its class, or of the class that takes the rest."""
    rest = next((one.queue for one in classes if one.is_rest), None)
    found = {} if rest is None else dict.fromkeys(range(PRIORITIES), rest)
    return found | {one.traffic_class: one.queue for one in classes}


def watched(switch: Switch) -> WatchdogTimers | None:
    """The watchdog, if there is something to watch."""
    queueing = switch.queueing
    if queueing is None or not any(kind.priorities for kind in queueing.profiles):
        return None
    return queueing.watchdog


def by_queue(kind: PortQueueing) -> list[ClassQueueing]:
    """The classes by the number of their queue. Each has its own (FAB303)."""
    return sorted(kind.classes, key=lambda one: one.queue)


def names_of(queueing: Queueing | None) -> dict[str, Names]:
    """The profiles that each kind of port names. Equal ones of several kinds are one."""
    kinds = queueing.profiles if queueing else ()
    scheduler, curves, shaper, pauses = (
        shared_names({kind.name: body for kind in kinds if (body := tuple(told(kind)))})
        for told in (_scheduled, _curves, _shapers, _paused)
    )
    return {
        name: Names(scheduler[name], curves.get(name, ""), shaper.get(name, ""), pauses.get(name, ""))
        for name in scheduler
    }


def _named(
    kinds: Iterable[PortQueueing], names: Iterable[str], told: Callable[[PortQueueing], Iterable[Body]]
) -> tuple[tuple[str, tuple[Body, ...]], ...]:
    """Each profile of one sort once, in the order of the kinds of ports."""
    found = {name: tuple(told(kind)) for kind, name in zip(kinds, names, strict=True) if name}
    return tuple(found.items())


def _scheduled(kind: PortQueueing) -> Iterable[Share]:
    return (msgspec.structs.replace(share, max_kbps=0) for share in _shares(kind))


def _shapers(kind: PortQueueing) -> Iterable[Share]:
    return (share for share in _shares(kind) if share.max_kbps)


def _paused(kind: PortQueueing) -> Iterable[Pauses]:
    if kind.priorities:
        yield _pauses(kind)


def _pauses(kind: PortQueueing) -> Pauses:
    return Pauses(kind.priorities, max(1, kind.cable_m))


def _curves(kind: PortQueueing) -> Iterable[Curve]:
    for one in by_queue(kind):
        if one.ecn is not None:
            yield Curve(one.queue, one.ecn.kmin_bytes, one.ecn.kmax_bytes, one.ecn.pmax_percent)


def _shares(kind: PortQueueing) -> Iterable[Share]:
    for one in by_queue(kind):
        if one.strict:
            rate_mbps = one.max_rate_mbps(kind.speed_mbps)
            yield Share(one.queue, "strict", 0, (rate_mbps or 0) * KBPS_OF_MBPS)
        else:
            yield Share(one.queue, "dwrr", one.share_percent or 0)


def _check_watchdog(place: Origin, timers: WatchdogTimers, report: Report) -> None:
    if not FASTEST_POLL_MS <= timers.poll_ms <= SLOWEST_POLL_MS:
        report.add(
            codes.WATCHDOG.at(
                place.child("poll"),
                f"Cumulus Linux polls every {FASTEST_POLL_MS} to {SLOWEST_POLL_MS} ms, not {timers.poll_ms} ms",
                value=timers.poll_ms,
                hint=f"write `poll: {FASTEST_POLL_MS}ms` or more",
            )
        )
    elif timers.detect_ms % timers.poll_ms or timers.detect_ms // timers.poll_ms > MOST_INTERVALS:
        report.add(
            codes.WATCHDOG.at(
                place.child("detect"),
                f"Cumulus Linux detects after 1 to {MOST_INTERVALS} polls of {timers.poll_ms} ms, "
                f"not after {timers.detect_ms} ms",
                value=timers.detect_ms,
                hint="write a multiple of `poll`",
            )
        )
    report.add(
        codes.RESTORE.at(
            place.child("restore"), codes.RESTORE.title, value=timers.restore_ms, hint=codes.RESTORE.fix
        )
    )
