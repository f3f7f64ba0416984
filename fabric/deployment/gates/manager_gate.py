"""The gate of subnet managers: a wave of them holds when their subnet has one master that has swept it.

Managers may stall in a handover: both stand by, both are the master and neither sweeps, one discovers for ever. What
each has done by itself was right; the subnet has no working master all the same. A restart is what mends it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from typing import Protocol

import msgspec

from fabric.deployment import codes
from fabric.deployment.connection.device_session import Connection
from fabric.deployment.connection.parallel_devices import each
from fabric.deployment.connection.secrets import Secrets
from fabric.deployment.events import GateWaiting, ManagerRestarted, ManagersSettled, OnEvent
from fabric.deployment.gates.manager_roles import (
    States,
    complaints,
    is_managed,
    is_working,
    roles,
    stalled,
)
from fabric.deployment.gates.waiting import ToldWaiting
from fabric.deployment.jobs import Job
from fabric.diagnostics import DeviceError, Diagnostic, Origin
from fabric.platforms.base import Target
from fabric.platforms.manager_state import ManagerState
from fabric.platforms.registry import platform

SILENT = ManagerState(role="silent")


class Restarts(msgspec.Struct):
    """What the gate has restarted so far."""

    names: set[str] = msgspec.field(default_factory=set)
    together: bool = False
    """Whether all managers of the subnet were restarted at once."""


class ManagerAccess(msgspec.Struct, frozen=True):
    """How one manager is asked. Holds secrets: never printed, never stored."""

    target: Target
    product: str
    secrets: Secrets

    def __repr__(self) -> str:
        return f"ManagerAccess({self.target.name})"

    def connection(self) -> Connection:
        """A connection, not yet open."""
        return Connection(self.target, platform(self.product), self.secrets)


class ManagerPace(Protocol):
    """How long is waited; the fields of `Pace`."""

    @property
    def manager_timeout_s(self) -> float: ...  # noqa: D102  # as there
    @property
    def manager_stall_s(self) -> float: ...  # noqa: D102
    @property
    def gate_poll_s(self) -> float: ...  # noqa: D102


class EventContext(msgspec.Struct, frozen=True):
    """Run and wave, for the events."""

    run: int
    wave: int
    on_event: OnEvent


def manager_access(
    jobs: Iterable[Job], targets: Mapping[str, Target], secrets: Secrets
) -> dict[str, ManagerAccess]:
    """The managers of the subnet whose managers are changed: those and their peers, as far as they are reached."""
    products = {name: job.platform for job in jobs if job.turn for name in (job.device, *job.peers)}
    return {
        n: ManagerAccess(targets[n], product, secrets)
        for n, product in sorted(products.items())
        if n in targets
    }


def ask(access: ManagerAccess) -> ManagerState | None:
    """What a manager's host says of it; None where its product has no driver that asks."""
    with access.connection() as device:
        return device.subnet_manager()


def end(access: ManagerAccess) -> None:
    """End a manager on its host."""
    with access.connection() as device:
        device.stop_subnet_manager()


def begin(access: ManagerAccess) -> None:
    """Start a manager on its host, with the files that are there."""
    with access.connection() as device:
        device.start_subnet_manager()


class ManagerGate:
    """The managers of one subnet, before and after a change of some of them."""

    def __init__(
        self,
        jobs: Iterable[Job],
        managers: dict[str, ManagerAccess],
        pace: ManagerPace,
        executor: Executor,
        context: EventContext,
        before: States | None = None,
    ) -> None:
        self._changed = frozenset(job.device for job in jobs if job.turn)
        self._access, self._pace, self._executor, self._context = managers, pace, executor, context
        self.before: States = before or {}
        """Who managed before the change."""

    def remember(self) -> None:
        """Look who manages before the change."""
        self.before = self._states()

    @property
    def was_managed(self) -> bool:
        """Whether one of the managers was the master before the change."""
        return any(state.role == "master" for state in self.before.values())

    def look(self, *, waiting: ToldWaiting) -> tuple[str, ...]:  # noqa: ARG002  # as of every gate: it runs no program
        """What is wrong now; nobody is restarted for it."""
        states = self._states()
        return complaints(states, self._changed, self.before) if states else ()

    def wait(self, deadline: float, may_restart: Callable[[], bool]) -> Diagnostic | None:
        """Until the subnet is managed, at most until `deadline` (monotonic, seconds). None: it is.

        What has not moved for long is restarted: each manager once alone, and once together with the others, if
        `may_restart` says so at that moment.
        """
        began = since = time.monotonic()
        until = min(began + self._pace.manager_timeout_s, deadline)
        restarts = Restarts()
        last: States = {}
        while states := self._states():
            wrong = complaints(states, self._changed, self.before)
            now = time.monotonic()
            if not wrong:
                self._settled(states, now - began)
                return None
            if now >= until:
                return self._finding(states, wrong, restarts)
            if states != last:
                last, since = states, now
            elif self._is_to_restart(states, now - since, may_restart) and self._restart(
                states, restarts, until
            ):
                since = time.monotonic()
                continue
            self._waiting(wrong, now - began)
            time.sleep(self._pace.gate_poll_s)
        return None

    def _states(self) -> States:
        """Each manager's state; without those whose product nobody can ask."""
        states: dict[str, ManagerState] = {}
        for name, state in each(self._executor, ask, ((n, (access,)) for n, access in self._access.items())):
            if isinstance(state, DeviceError):
                states[name] = SILENT
            elif state is not None:
                states[name] = state
        return {name: states[name] for name in sorted(states)}

    def _is_to_restart(self, states: States, for_s: float, may_restart: Callable[[], bool]) -> bool:
        return for_s >= self._stall_s(states) and may_restart()

    def _stall_s(self, states: States) -> float:
        return max(self._pace.manager_stall_s, *(state.quiet_s for state in states.values()))

    def _restart(self, states: States, restarts: Restarts, until: float) -> bool:
        """End all that have stalled, then start one after the other. False: each was restarted before.

        One that was restarted alone, beside a master that works, may be once more together with all of them.
        """
        names = [
            manager
            for manager in stalled(states, self._changed, self.before)
            if manager not in restarts.names
        ]
        if not is_managed(states) and not restarts.together:
            names = list(stalled(states, self._changed, self.before))
            restarts.together = True
        restarts.names.update(names)
        problems = {name: self._do(end, name) for name in reversed(names)}
        for name in names:
            problem = self._do(begin, name) or problems[name]
            self._report_restart(name, states, problem)
            self._await_role(name, min(until, time.monotonic() + self._stall_s(states)))
        return bool(names)

    def _do(self, step: Callable[[ManagerAccess], None], name: str) -> str:
        """Do something on a host; returns what went wrong."""
        answers = list(each(self._executor, step, [(name, (self._access[name],))]))
        return next((str(answer) for _, answer in answers if isinstance(answer, DeviceError)), "")

    def _await_role(self, name: str, until: float) -> None:
        """Until a manager works or stands by, so that the next one finds somebody to talk to."""
        while time.monotonic() < until:
            state = self._states().get(name)
            if is_working(state) or (state is not None and state.role == "standby"):
                return
            time.sleep(self._pace.gate_poll_s)

    def _report_restart(self, name: str, states: States, problem: str) -> None:
        context, saw = self._context, "; ".join(roles(states))
        context.on_event(
            ManagerRestarted(run=context.run, wave=context.wave, device=name, reason=saw, problem=problem)
        )

    def _waiting(self, wrong: tuple[str, ...], elapsed_s: float) -> None:
        context = self._context
        context.on_event(
            GateWaiting(run=context.run, wave=context.wave, missing=wrong, elapsed_s=round(elapsed_s, 1))
        )

    def _settled(self, states: States, elapsed_s: float) -> None:
        context = self._context
        context.on_event(
            ManagersSettled(
                run=context.run, wave=context.wave, managers=roles(states), elapsed_s=round(elapsed_s, 1)
            )
        )

    def _finding(self, states: States, wrong: tuple[str, ...], restarts: Restarts) -> Diagnostic:
        names = ", ".join(sorted(restarts.names))
        tried = f"; restarted: {names}" if names else ""
        seen = "" if wrong[0].endswith(", ".join(roles(states))) else f" ({', '.join(roles(states))})"
        culprits = stalled(states, tuple(states), self.before) or tuple(states)
        # Where the intent names it is known further up: deployment has plans, not intents.
        return codes.UNMANAGED.at(
            Origin(),
            f"{'; '.join(wrong)}{seen}{tried}",
            hint=f"on the host of {culprits[0]}, read the end of the manager's log and restart it; then `fabric plan` "
            "and `fabric apply` again",
            subjects=culprits,
        )
