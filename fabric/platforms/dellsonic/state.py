"""What is read of Dell Enterprise SONiC beside what is read of every product."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from fabric.platforms.alike import combined_names
from fabric.platforms.base import ClassFacts, Facts
from fabric.platforms.dellsonic.lower_qos import ACTIONS, binding
from fabric.platforms.dellsonic.model import Kind
from fabric.platforms.dellsonic.names import MANAGEMENT, MANAGEMENT_VRF
from fabric.platforms.reading import Port, Queue
from fabric.platforms.routing.vtysh_lines import RoutingState

NEUTRAL = {word: action for action, word in ACTIONS.items()}


class DellsonicPort(Port):
    """An interface, with what it is bound to."""

    scheduler: str = ""
    curves: dict[int, str] = msgspec.field(default_factory=dict)
    priorities: list[int] = msgspec.field(default_factory=list)
    timers: dict[str, str] = msgspec.field(default_factory=dict)
    """Of the watchdog."""

    @property
    def kind(self) -> Kind | None:
        """What it is bound to; None: nothing."""
        curves = tuple(sorted(self.curves.items()))
        return (
            Kind(self.scheduler, curves, tuple(sorted(self.priorities)), "", "") if self.scheduler else None
        )


class DellsonicState(RoutingState):
    """A configuration, as far as it was read."""

    has_vrf: bool = False
    """The management port has one of its own."""
    schedulers: dict[str, dict[int, Queue]] = msgspec.field(default_factory=dict)
    curves: dict[str, Queue] = msgspec.field(default_factory=dict)
    paused: dict[int, int] = msgspec.field(default_factory=dict)
    """Priority to queue."""
    poll_ms: int = 0

    def port(self, name: str) -> Port:
        """The interface of that name, made when first met."""
        return self.ports.setdefault(name, DellsonicPort())

    def facts(self) -> Facts:
        """In neutral words: what ports are bound to under one name, and what they do by it."""
        ports = {name: port for name, port in self.ports.items() if isinstance(port, DellsonicPort)}
        bound = {name: kind for name, port in ports.items() if (kind := port.kind)}
        names = combined_names(binding(kind) for kind in bound.values())
        for name, kind in bound.items():
            self.ports[name].queueing = names[binding(kind)]
        if self.has_vrf and MANAGEMENT in self.ports:
            self.ports[MANAGEMENT].vrf = MANAGEMENT_VRF
        self.services |= self._noted()
        return msgspec.structs.replace(
            super().facts(),
            profiles={names[binding(kind)]: self._kind(kind) for kind in bound.values()},
            watchdog=self._timers(ports.values()),
        )

    def _kind(self, kind: Kind) -> dict[int, ClassFacts]:
        curves = dict(kind.curves)
        priorities = {self.paused.get(priority, priority): priority for priority in kind.priorities}
        return {
            number: ClassFacts(
                priority=priorities.get(number),
                strict=queue.strict,
                max_rate_mbps=queue.max_rate_mbps,
                share_percent=queue.share_percent,
                ecn=self.curves.get(curves.get(number, ""), Queue()).ecn,
            )
            for number, queue in sorted(self.schedulers.get(kind.scheduler, {}).items())
        }

    def _timers(self, ports: Iterable[DellsonicPort]) -> tuple[str, int, int, int] | None:
        """Those of all ports; where ports differ, what differs comes back as an action that no product has."""
        timer_sets = {tuple(sorted(port.timers.items())) for port in ports if port.timers}
        if not timer_sets:
            return None
        timers = dict(min(timer_sets))
        action = NEUTRAL.get(timers.get("action", ""), "") if len(timer_sets) == 1 else ""
        return action, int(timers.get("detect", 0)), int(timers.get("restore", 0)), self.poll_ms

    def _noted(self) -> dict[str, list[str]]:
        lines = [f"{name}: {line}" for name, port in self.ports.items() for line in port.notes]
        return {"interfaces": lines} if lines else {}
