"""What each port of a switch will do to packets: facts from the switch alone, after the product's own rounding.

No text and nothing that a platform lowers goes in. The two ends of a link are compared by them before anything is
printed, and what is read back from a printed text is held against them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from fabric.devices.model import LinkRole, Switch, SwitchPort
from fabric.platforms.facts import ClassFacts, Facts, InterfaceFacts
from fabric.qos.model import ClassQueueing, PortQueueing, Queueing, WatchdogTimers

Profiles = Mapping[str, Mapping[int, ClassFacts]]
"""Queueing profile name to queue number to what happens there."""
Rounding = Callable[[ClassFacts, ClassQueueing, PortQueueing], ClassFacts]
"""(what is asked of a queue, its first class, the kind of port) to what the product makes of it."""
Watchdog = tuple[str, int, int, int]
"""action, detect, restore, poll in milliseconds; 0 where the product has its own."""


def _own_names(_switch: Switch, profiles: Profiles) -> Mapping[str, str]:
    return {name: name for name in profiles}


def _queues(classes: Sequence[ClassQueueing]) -> Mapping[int, int]:
    return {c.traffic_class: c.queue for c in classes}


def _exact(_switch: Switch) -> Rounding:
    return lambda asked, _class, _kind: asked


def _timers(timers: WatchdogTimers) -> Watchdog:
    return (timers.action, timers.detect_ms, timers.restore_ms, timers.poll_ms)


@dataclass(frozen=True, kw_only=True)
class FactsHooks:
    """Where a product differs from the intent: names and rounding. Defaults: exactly what the intent says."""

    alike: Callable[[Switch], Switch] = lambda switch: switch
    """The switch with one kind of port for all that are printed alike."""
    profile_names: Callable[[Switch, Profiles], Mapping[str, str]] = _own_names
    """Kind of port to the name of what such ports are bound to."""
    class_number: Callable[[ClassQueueing], int] = lambda c: c.traffic_class
    """What code points are mapped to."""
    queue_number: Callable[[ClassQueueing], int] = lambda c: c.queue
    class_queues: Callable[[Sequence[ClassQueueing]], Mapping[int, int]] = _queues
    """The map of traffic classes to queues, as far as it is written."""
    rounding: Callable[[Switch], Rounding] = _exact
    """What becomes of rates, shares, marking curves and thresholds on this switch."""
    watchdog: Callable[[WatchdogTimers], Watchdog] = _timers


def expected_facts(hooks: FactsHooks, switch: Switch) -> Facts:
    """The ports of a switch with IP MTU, speed and queueing; all else of the facts is left out."""
    switch = hooks.alike(switch)
    kinds = switch.queueing.profiles if switch.queueing else ()
    classes = kinds[0].classes if kinds else ()
    rounded = hooks.rounding(switch) if kinds else _exact(switch)
    profiles = {kind.name: _profile(kind, hooks, rounded) for kind in kinds}
    names = hooks.profile_names(switch, profiles) if kinds else {}
    points = {point: hooks.class_number(c) for c in classes for point in c.dscp}
    timers = _watched(switch.queueing)
    return Facts(
        interfaces={port.name: _port(port, names) for port in switch.ports},
        dscp_to_traffic_class=dict(sorted(points.items())),
        traffic_class_to_queue=dict(sorted(hooks.class_queues(classes).items())),
        profiles={names[name]: queues for name, queues in profiles.items()},
        watchdog=hooks.watchdog(timers) if timers else None,
    )


def _port(port: SwitchPort, names: Mapping[str, str]) -> InterfaceFacts:
    is_routed = not port.vlan and port.role is not LinkRole.UNUSED
    return InterfaceFacts(
        speed_mbps=port.slot.speed_mbps,
        ip_mtu_bytes=port.ip_mtu_bytes if is_routed else None,
        queueing=names[port.queueing.name] if port.queueing else None,
    )


def _profile(kind: PortQueueing, hooks: FactsHooks, rounded: Rounding) -> dict[int, ClassFacts]:
    """By queue; classes that share one are scheduled and marked as its first is."""
    queues: dict[int, list[ClassQueueing]] = {}
    for service_class in kind.classes:
        queues.setdefault(hooks.queue_number(service_class), []).append(service_class)
    return {number: rounded(_queue(queues[number]), queues[number][0], kind) for number in sorted(queues)}


def _queue(classes: Sequence[ClassQueueing]) -> ClassFacts:
    first, share_percent = classes[0], sum(c.share_percent or 0 for c in classes)
    curve = first.ecn
    return ClassFacts(
        priority=next((c.priority for c in classes if c.priority is not None), None),
        strict=first.strict,
        max_rate_percent=first.max_rate_percent,
        share_percent=None if first.strict else share_percent or None,
        ecn=(curve.kmin_bytes, curve.kmax_bytes, curve.pmax_percent) if curve else None,
    )


def _watched(queueing: Queueing | None) -> WatchdogTimers | None:
    """The watchdog, if there is something to watch."""
    lossless = queueing is not None and any(kind.priorities for kind in queueing.profiles)
    return queueing.watchdog if queueing is not None and lossless else None


def rate_in_mbps(asked: ClassFacts, service_class: ClassQueueing, kind: PortQueueing) -> ClassFacts:
    """The rounding of products that limit a queue in Mb/s: percent of the port's speed, rounded down."""
    return replace(asked, max_rate_percent=None, max_rate_mbps=service_class.max_rate_mbps(kind.speed_mbps))
