"""Queueing in EOS's words: `qos profile`, `qos map`, `priority-flow-control`.

Sources: Arista AVD 6.4 (`qos_profiles`, `qos`, `priority_flow_control`) for the lines; EOS manual, quality of
service, for what they mean. Of `shape rate` AVD says "rate in kbps, pps or percent" and gives `20 percent`. Thresholds
are in bytes: EOS's kbytes are not defined as 1000 or 1024.
"""

from __future__ import annotations

from fabric.devices.model import Switch
from fabric.platforms.alike import folded
from fabric.platforms.eos.model import QosProfile, Watchdog
from fabric.qos.model import PortQueueing, Queueing

CONTROL = 7
"""Traffic class and queue 7 carry the switch's own control traffic and cannot be mapped elsewhere (EOS manual)."""

ACTIONS = {"drop": "drop", "notify": "notify-only"}
"""Our watchdog actions to EOS's; EOS has no `forward`, and we have no use for its `errdisable`."""


def alike(switch: Switch) -> Switch:
    """One `qos profile` for kinds of ports with the same classes: EOS is told neither speed nor cable."""
    return folded(switch, lambda kind: kind.classes)


def lower_profiles(queueing: Queueing | None) -> tuple[QosProfile, ...]:
    """A `qos profile` for each kind of port."""
    kinds = queueing.profiles if queueing else ()
    return tuple(
        QosProfile(kind.name, kind.priorities, tuple(sorted(kind.classes, key=lambda c: c.queue)))
        for kind in kinds
    )


def lower_watchdog(queueing: Queueing | None) -> Watchdog | None:
    """The global PFC watchdog, if there is something to watch."""
    timers = queueing.watchdog if queueing and any(kind.priorities for kind in queueing.profiles) else None
    if timers is None:
        return None
    action = ACTIONS.get(timers.action, timers.action)
    return Watchdog(_seconds(timers.detect_ms), _seconds(timers.restore_ms), _seconds(timers.poll_ms), action)


def counted_queues(kind: PortQueueing) -> tuple[int, ...]:
    """Queues whose ECN marks are counted on each port: `random-detect ecn count`."""
    return tuple(sorted({c.queue for c in kind.classes if c.ecn}))


def _seconds(time_ms: int) -> str:
    """`0.20`: two digits where they are exact, three where not."""
    return f"{time_ms / 1000:.2f}" if time_ms % 10 == 0 else f"{time_ms / 1000:.3f}"
