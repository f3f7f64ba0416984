"""Waiting for a state, never for a time: bounded, so that a hang ends."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_S = 300
"""For what takes a second on an idle machine: others may be at work on this one."""


def until(true: Callable[[], object], seconds: float, what: str) -> None:
    """Ask until the answer is yes. `TimeoutError` with what was waited for."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {seconds} s")
        time.sleep(0.02)
