"""Soaking: the gate of a wave goes on watching, after the wave is confirmed and before the next one begins."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from fabric.deployment.gates.watch import Gate


class SoakPace(Protocol):
    """How long a wave soaks, as the pace of a run says it."""

    @property
    def soak_s(self) -> float: ...  # noqa: D102
    @property
    def gate_timeout_s(self) -> float: ...  # noqa: D102
    @property
    def gate_poll_s(self) -> float: ...  # noqa: D102


def soak(gates: Sequence[Gate], pace: SoakPace, waiting: Callable[[tuple[str, ...], float], None]) -> str:
    """Watch for so long as the pace says; empty, or what was wrong for longer than it may take to come back."""
    began = time.monotonic()
    wrong_since: float | None = None
    while pace.soak_s > 0:
        wrong = tuple(text for gate in gates for text in gate.look(waiting=waiting))
        now = time.monotonic()
        if wrong:
            wrong_since = now if wrong_since is None else wrong_since
            if now - wrong_since >= pace.gate_timeout_s:
                return wrong[0]
            waiting(wrong, now - began)
        else:
            wrong_since = None
            if now - began >= pace.soak_s:
                return ""
        time.sleep(pace.gate_poll_s)
    return ""
