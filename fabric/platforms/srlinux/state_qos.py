"""What the table of queueing gathers: objects by their names, which become profiles of what ports are bound to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from fabric.platforms.alike import combined_names
from fabric.platforms.base import ClassFacts
from fabric.platforms.srlinux.check_qos import ACTION

DEFAULT_MS = 750
"""srl_nokia-qos: both timers of the deadlock mechanism."""
WHOLE_PERCENT = 100
"""Of the port's bandwidth: the default `peak-rate-percent`, and no limit."""


class Numbered(msgspec.Struct):
    """A queue of the whole switch."""

    index: int | None = None


class ForwardingClass(msgspec.Struct):
    """`forwarding-class`."""

    index: int = 0
    queue: str = ""


class Point(msgspec.Struct):
    """A code point of a classifier."""

    dscp: int
    of_class: str = ""


class PausedQueue(msgspec.Struct):
    """A queue that listens to pause frames."""

    priority: int | None = None
    enabled: bool = False


class Mapping(msgspec.Struct):
    """`pfc-mapping-profile`."""

    queues: dict[str, PausedQueue] = msgspec.field(default_factory=dict)
    enabled: bool = False
    detect_ms: int = DEFAULT_MS
    restore_ms: int = DEFAULT_MS


class Size(msgspec.Struct):
    """Depth of a queue, and its headroom."""

    depth_bytes: int | None = None
    headroom_bytes: int | None = None


class Allocation(msgspec.Struct):
    """`buffer-allocation-profile`."""

    queues: dict[str, Size] = msgspec.field(default_factory=dict)
    paused: dict[str, Size] = msgspec.field(default_factory=dict)


class Slope(msgspec.Struct):
    """`wred-slope`."""

    enabled: bool = False
    kmin_bytes: int | None = None
    kmax_bytes: int | None = None
    kmin_percent: int = 0
    kmax_percent: int = 0
    pmax_percent: int = 0

    def curve(self, depth_bytes: int) -> tuple[int, int, int]:
        """In bytes as written, or in percent of the depth."""
        kmin, kmax = (
            percent * depth_bytes // 100 if written is None else written
            for written, percent in (
                (self.kmin_bytes, self.kmin_percent),
                (self.kmax_bytes, self.kmax_percent),
            )
        )
        return kmin, kmax, self.pmax_percent


class Input(msgspec.Struct):
    """A queue of a scheduler policy."""

    queue: str = ""
    weight: int | None = None
    rate_percent: int | None = None


class Term(msgspec.Struct):
    """A `scheduler` of a policy."""

    strict: bool = False
    inputs: dict[str, Input] = msgspec.field(default_factory=dict)


class Scheduler(msgspec.Struct):
    """`scheduler-policy`."""

    terms: dict[str, Term] = msgspec.field(default_factory=dict)


class BoundSlope(msgspec.Struct):
    """The slope of a queue of a port."""

    profile: str = ""


class Binding(msgspec.Struct):
    """What a port is bound to."""

    scheduler: str = ""
    mapping: str = ""
    egress: str = ""
    paused: str = ""
    slopes: dict[str, BoundSlope] = msgspec.field(default_factory=dict)

    def names(self) -> tuple[str, ...]:
        """All of it."""
        slopes = sorted(f"{queue}:{slope.profile}" for queue, slope in self.slopes.items())
        return (self.scheduler, self.mapping, self.egress, self.paused, ",".join(slopes))


class Bound(NamedTuple):
    """What a profile is made of."""

    priorities: dict[str, int]
    egress: Allocation
    paused: dict[int, Size]
    slopes: dict[str, BoundSlope]


class Qos(msgspec.Struct):
    """The `qos` tree of XGS."""

    queues: dict[str, Numbered] = msgspec.field(default_factory=dict)
    paused_queues: dict[str, Numbered] = msgspec.field(default_factory=dict)
    classes: dict[str, ForwardingClass] = msgspec.field(default_factory=dict)
    points: list[Point] = msgspec.field(default_factory=list)
    mappings: dict[str, Mapping] = msgspec.field(default_factory=dict)
    allocations: dict[str, Allocation] = msgspec.field(default_factory=dict)
    slopes: dict[str, list[Slope]] = msgspec.field(default_factory=dict)
    schedulers: dict[str, Scheduler] = msgspec.field(default_factory=dict)
    bindings: dict[str, Binding] = msgspec.field(default_factory=dict)

    def dscp_to_class(self) -> dict[int, int]:
        """Code points to the numbers of their classes."""
        known = (point for point in self.points if point.of_class in self.classes)
        return dict(sorted((point.dscp, self.classes[point.of_class].index) for point in known))

    def class_to_queue(self) -> dict[int, int]:
        """Numbers of classes to those of their queues."""
        indices = _indices(self.queues)
        return dict(
            sorted(
                (entry.index, indices[entry.queue])
                for entry in self.classes.values()
                if entry.queue in indices
            )
        )

    def bound(self) -> dict[str, str]:
        """What each port is bound to, by one name."""
        names = self._names()
        return {port: names[binding.names()] for port, binding in self.bindings.items() if binding.scheduler}

    def _names(self) -> dict[tuple[str, ...], str]:
        return combined_names(binding.names() for binding in self.bindings.values() if binding.scheduler)

    def profiles(self) -> dict[str, dict[int, ClassFacts]]:
        """What each scheduler policy, and what is bound together with it, does to its queues."""
        names, profiles = self._names(), {}
        bindings = {binding.names(): binding for binding in self.bindings.values()}
        for name in self.schedulers:
            mine = [binding for binding in names if binding[0] == name]
            for binding in mine:
                profiles[names[binding]] = self._profile(name, bindings[binding])
            if name and not mine:
                profiles[name] = self._profile(name, Binding())
        return profiles

    def _profile(self, name: str, binding: Binding) -> dict[int, ClassFacts]:
        classes = {}
        bound = Bound(
            dict(self._priorities(binding.mapping or name)),
            self.allocations.get(binding.egress or f"{name}-egress", Allocation()),
            self._paused(binding.paused or f"{name}-pfc"),
            binding.slopes,
        )
        indices = _indices(self.queues)
        for term in self.schedulers[name].terms.values():
            for queue_input in term.inputs.values():
                index = indices.get(queue_input.queue, -1)
                slope = bound.slopes.get(queue_input.queue, BoundSlope()).profile or f"{name}-{index}"
                classes[index] = self._class(queue_input, bound, slope, strict=term.strict)
        return dict(sorted(classes.items()))

    def _class(self, queue_input: Input, bound: Bound, slope: str, *, strict: bool) -> ClassFacts:
        priority = bound.priorities.get(queue_input.queue)
        size = Size() if priority is None else bound.paused.get(priority, Size())
        depth = bound.egress.queues.get(queue_input.queue, Size()).depth_bytes or 0
        curve = next((slope for slope in self.slopes.get(slope, ()) if slope.enabled), None)
        return ClassFacts(
            priority=priority,
            strict=strict,
            max_rate_percent=None if queue_input.rate_percent == WHOLE_PERCENT else queue_input.rate_percent,
            share_percent=queue_input.weight,
            ecn=curve.curve(depth) if curve else None,
            headroom_bytes=size.headroom_bytes,
            pause_threshold_bytes=size.depth_bytes,
        )

    def _priorities(self, name: str) -> Iterator[tuple[str, int]]:
        """The priority that pauses each queue."""
        for queue, pause in self.mappings.get(name, Mapping()).queues.items():
            if pause.enabled and pause.priority is not None:
                yield queue, pause.priority

    def _paused(self, name: str) -> dict[int, Size]:
        """The PFC queue of each priority: they have the same number."""
        sizes, indices = self.allocations.get(name, Allocation()).paused, _indices(self.paused_queues)
        return {indices[queue]: size for queue, size in sizes.items() if queue in indices}

    def watchdog(self) -> tuple[str, int, int, int] | None:
        """The deadlock timers; SR Linux has no polling of its own to set."""
        on = next((mapping for mapping in self.mappings.values() if mapping.enabled), None)
        return (ACTION, on.detect_ms, on.restore_ms, 0) if on else None


def _indices(queues: dict[str, Numbered]) -> dict[str, int]:
    return {name: numbered.index for name, numbered in queues.items() if numbered.index is not None}
