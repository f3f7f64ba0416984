"""Soaking: the gate of a wave goes on watching, after the wave is confirmed and before the next one begins."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Protocol

from fabric.deployment.gates.waiting import ToldWaiting

BREAKS_FORGIVEN = 1
"""So often something may break and come back: once may be chance, what goes down again and again is broken."""


class SoakPace(Protocol):
    """How often a wave is looked at while it soaks, as the pace of a run says it."""

    @property
    def gate_timeout_s(self) -> float: ...  # noqa: D102
    @property
    def gate_poll_s(self) -> float: ...  # noqa: D102


class Watched(Protocol):
    """A gate of devices, or of the managers of a subnet."""

    def look(self, *, waiting: ToldWaiting) -> tuple[str, ...]:
        """What is wrong now; `waiting` hears of what takes long."""


def soak(gates: Sequence[Watched], soak_s: float, pace: SoakPace, waiting: ToldWaiting) -> str:
    """Watch for so long, at least once; empty, or what broke and did not come back in time, or broke again."""
    began = time.monotonic()
    wrong_since: float | None = None
    breaks = 0
    while gates:
        wrong = tuple(text for gate in gates for text in gate.look(waiting=waiting))
        now = time.monotonic()
        if wrong and wrong_since is None:
            wrong_since, breaks = now, breaks + 1
        if wrong and breaks > BREAKS_FORGIVEN:
            return f"{wrong[0]}, again after it had come back"
        if wrong and wrong_since is not None:
            if now - wrong_since >= pace.gate_timeout_s:
                return wrong[0]
            waiting(wrong, now - began)
        else:
            wrong_since = None
            if now - began >= soak_s:
                return ""
        time.sleep(pace.gate_poll_s)
    return ""
