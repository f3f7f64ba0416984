"""Waiting for a state, never for a time: bounded, so that a hang ends."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_S = 300
"""For what takes a second on an idle machine: others may be at work on this one."""
OFTEN_S, SELDOM_S = 0.02, 0.5
"""Between two questions."""


def until(true: Callable[[], object], seconds: float, what: str) -> None:
    """Ask until the answer is yes. `TimeoutError` with what was waited for.

    A question that takes long, as one to a program does, is asked less often: the machine is for what it waits for.
    """
    end = time.monotonic() + seconds
    asked = time.monotonic()
    while not true():
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {seconds} s")
        time.sleep(min(max(OFTEN_S, 2 * (time.monotonic() - asked)), SELDOM_S))
        asked = time.monotonic()
