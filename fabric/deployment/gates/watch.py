"""Looking again and again, until a wave has been sound for as long as what it broke might look sound."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from pathlib import Path
from typing import Protocol

import msgspec

from fabric.deployment import device_steps
from fabric.deployment.connection.parallel_devices import each
from fabric.deployment.device_steps import Ready, Work
from fabric.deployment.events import FecUnknown, NotJudged, TrafficUnknown, WaveEvent
from fabric.deployment.gates.bystanders import Beside
from fabric.deployment.gates.judge import PortNames, missing, nobody_knows, not_counted, tells_no_fec, worse
from fabric.deployment.gates.purpose import Purpose
from fabric.deployment.gates.running_sessions import without_session
from fabric.deployment.gates.site_commands import LONGEST_S, CommandsAsked, Hide, complaints
from fabric.deployment.gates.snapshot import Snapshot
from fabric.deployment.gates.surroundings import Surroundings
from fabric.deployment.gates.thresholds import Thresholds
from fabric.deployment.gates.traffic import Drain, busy, traffic
from fabric.deployment.gates.waiting import ToldWaiting
from fabric.deployment.refusal_message import named
from fabric.diagnostics import DeviceError

LOOKS = 4
"""While nothing is wrong: so many looks in the time that the gate watches."""


class GatePace(Protocol):
    """How long a gate may take, as the pace of a run says it."""

    @property
    def gate_timeout_s(self) -> float: ...  # noqa: D102
    @property
    def gate_poll_s(self) -> float: ...  # noqa: D102
    @property
    def counters_s(self) -> float: ...  # noqa: D102


class Gate(msgspec.Struct):
    """The gate of some devices of a wave."""

    work: Mapping[str, Work]
    ready: Mapping[str, Ready]
    thresholds: Thresholds
    pace: GatePace
    executor: Executor
    about: dict[str, str]
    """What the site's programs are told: `run`, `wave`, `devices`, `site`."""
    folder: Path
    hide: Hide
    """What the site's programs print may hold a secret that is in use."""
    port_names: PortNames = nobody_knows
    first: dict[str, Snapshot] = msgspec.field(default_factory=dict)
    """What each device said of its ports when nothing was wrong for the first time since the change."""
    returning: Mapping[str, Surroundings] = {}
    """Devices that go back into service, and their sessions with switches in service by the intent."""
    beside: Mapping[str, Beside] = {}
    """Switches that the wave may leave without a way."""
    later: dict[str, Purpose] = msgspec.field(default_factory=dict)
    """What steps of the wave that followed take down on purpose, while this one is still watched."""
    drains: dict[str, Drain] = msgspec.field(default_factory=dict)
    """Of the devices that traffic has to leave: how far it has."""
    objections: tuple[str, ...] = ()
    """What the site's programs objected to when they were asked last."""

    @property
    def purposes(self) -> dict[str, Purpose]:
        """What its devices take down on purpose."""
        return {name: ready.purpose for name, ready in self.ready.items()}

    @property
    def watch_s(self) -> float:
        """So long it watches."""
        watched = (r.purpose.watch_s(r.up, self.thresholds) for r in self.ready.values())
        return max(watched, default=0)

    @property
    def _patience_s(self) -> float:
        """So long it waits for what is wrong: at least until a rate is known where one is asked for."""
        is_drain = any(work.job.drains for work in self.work.values())
        return max(self.pace.gate_timeout_s, 2 * self.pace.counters_s if is_drain else 0)

    def wait(self, deadline: float, waiting: ToldWaiting) -> str:
        """Until it opens: empty, or why it stays closed. `waiting` is told what is wrong, and since when it is.

        What was up may take `gate_timeout_s` to come back; then everything has to stay sound for `watch_s`. It ends
        at the deadline at the latest (monotonic, seconds).
        """
        began, watch_s = time.monotonic(), self.watch_s
        until, sound_since = min(began + self._patience_s, deadline), None
        while True:
            is_last = watch_s <= (0 if sound_since is None else time.monotonic() - sound_since)
            wrong = self.look(goes_on=not is_last, until=deadline, waiting=waiting)
            now = time.monotonic()
            if not wrong and now < deadline:
                if is_last:
                    return ""
                sound_since = now if sound_since is None else sound_since
                left_s = max(0, sound_since + watch_s - now)
                time.sleep(min(left_s, max(self.pace.gate_poll_s, watch_s / LOOKS), deadline - now))
                continue
            sound_since = None
            if now >= until:
                return wrong[0] + _more(wrong) if wrong else "the devices' timers were about to run out"
            waiting(wrong, now - began)
            time.sleep(min(self.pace.gate_poll_s, max(0.0, deadline - now)))

    def look(
        self, *, waiting: ToldWaiting, goes_on: bool = False, until: float | None = None
    ) -> tuple[str, ...]:
        """What is wrong now, device by device; what the site's programs say where no device has a complaint.

        With `goes_on` over the connections of the look before: of a first look and a last one each is new. No program
        runs longer than `until` (monotonic, seconds), and `waiting` hears of those that take long.
        """
        purposes = self.later | self.purposes
        jobs = ((name, (self.work[name], goes_on)) for name in sorted(self.work))
        wrong: dict[str, tuple[str, ...]] = {}
        for name, answer in each(self.executor, device_steps.inspect, jobs):
            if isinstance(answer, DeviceError):
                wrong[name] = (str(answer),)
            else:
                wrong[name] = self._judged(name, answer, purposes)
        lost = tuple(text for name in sorted(wrong) for text in wrong[name]) or self._beside(purposes)
        return lost or self._commands(until, waiting)

    def _commands(self, until: float | None, waiting: ToldWaiting) -> tuple[str, ...]:
        """What the site's programs object to; without time to ask them, what they have objected to last."""
        limit_s = LONGEST_S if until is None else until - time.monotonic()
        if limit_s <= 0 and self.objections:
            return self.objections
        asked = CommandsAsked(
            commands=self.thresholds.commands,
            folder=self.folder,
            about=self.about,
            hidden=self.thresholds.hidden,
            limit_s=limit_s,
            told_every_s=self.pace.gate_poll_s,
            hide=self.hide,
        )
        self.objections = complaints(asked, lambda command, elapsed_s: waiting((f"`{command}`",), elapsed_s))
        return self.objections

    def _beside(self, purposes: Mapping[str, Purpose]) -> tuple[str, ...]:
        """What switches beside the wave have lost that nobody gives up on purpose."""
        jobs = ((name, (one.work,)) for name, one in sorted(self.beside.items()))
        wrong: dict[str, tuple[str, ...]] = {}
        for name, now in each(self.executor, device_steps.look, jobs):
            if isinstance(now, DeviceError):
                wrong[name] = (str(now),)
                continue
            before = self.beside[name].before
            wrong[name] = missing(name, before, now, purposes, self.thresholds, self.port_names)
        return tuple(text for name in sorted(wrong) for text in wrong[name])

    def unknown(self, run: int, wave: int) -> Iterator[WaveEvent]:
        """What could not be judged, for no device tells it."""
        silent: dict[tuple[str, ...], list[str]] = {}
        for name, seen in sorted(self.first.items()):
            if counters := not_counted(seen, self.thresholds):
                silent.setdefault(counters, []).append(name)
        for counters, names in silent.items():
            yield NotJudged(run=run, wave=wave, devices=tuple(names), counters=counters)
        if names := [name for name, seen in sorted(self.first.items()) if self._tells_no_fec(name, seen)]:
            yield FecUnknown(run=run, wave=wave, devices=tuple(names))
        for name, drain in self.drains.items():
            if drain.unread:
                yield TrafficUnknown(run=run, wave=wave, device=name, ports=drain.unread)

    def _tells_no_fec(self, name: str, seen: Snapshot) -> bool:
        return tells_no_fec(self.ready[name].up, seen)

    def _judged(self, name: str, look: device_steps.Look, purposes: Mapping[str, Purpose]) -> tuple[str, ...]:
        if look.wrong:
            return look.wrong
        now = msgspec.structs.replace(look.now, read_s=time.monotonic())
        if gone := missing(name, self.ready[name].up, now, purposes, self.thresholds, self.port_names):
            return gone
        if name in self.returning and self._is_without_session(name, now):
            peers = named(sorted({session.peer for session in self.returning[name].sessions}))
            return (f"{name}: goes back into service, and no session with {peers} is up",)
        if still_there := self._not_drained(name, now):
            return still_there
        first = self.first.get(name)
        if first is None:
            first = self.first[name] = Snapshot(ports=now.ports)
        return worse(name, first, now, self.thresholds)

    def _is_without_session(self, name: str, now: Snapshot) -> bool:
        """Whether a device that goes back into service has no session with any switch that is."""
        return bool(without_session(self.returning, {name: now}, self.work, self.executor))

    def _not_drained(self, name: str, now: Snapshot) -> tuple[str, ...]:
        """Why a device that its change drains carries traffic still; empty of any other."""
        job, limit_mbps = self.work[name].job, self.thresholds.drained_below_mbps
        if not job.drains or limit_mbps is None:
            return ()
        drain = self.drains.setdefault(
            name, Drain(name, job.fabric_ports, limit_mbps, self.pace.counters_s, self.ready[name].up)
        )
        return drain.read(now)


def not_idle(
    work: Mapping[str, Work],
    ready: Mapping[str, Ready],
    thresholds: Thresholds,
    pace: GatePace,
    executor: Executor,
) -> tuple[str, ...]:
    """Which drained devices carry traffic though a change is to interrupt them: asked before the push."""
    limit_mbps = thresholds.drained_below_mbps
    names = [name for name in sorted(work) if work[name].job.must_be_idle]
    if limit_mbps is None or not names:
        return ()
    read_s = max(ready[name].up.read_s for name in names)
    time.sleep(max(0, read_s + pace.counters_s - time.monotonic()))
    wrong: list[str] = []
    for name, answer in each(executor, device_steps.look, ((name, (work[name],)) for name in names)):
        if isinstance(answer, DeviceError):
            wrong.append(str(answer))
            continue
        now = msgspec.structs.replace(answer, read_s=time.monotonic())
        carried = traffic(ready[name].up, now, work[name].job.fabric_ports)
        wrong += busy(name, carried, limit_mbps) if carried else [f"{name}: its counters were set back"]
    return tuple(sorted(wrong))


def _more(texts: tuple[str, ...]) -> str:
    return f" (and {len(texts) - 1} more)" if len(texts) > 1 else ""
