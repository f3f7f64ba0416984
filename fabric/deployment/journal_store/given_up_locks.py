"""Locks of runs that have ended while the journal could not be written: their process may live, and holds nothing.

A command ends then, and a lock whose process is dead is taken over. A program that goes on (it uses `fabric` from
Python) tries to give the lock back, as long as it lives: until it has, others are told that the process runs.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from fabric.diagnostics import JournalFailed

AGAIN_S = 2.0
"""Between two attempts to give a lock back."""
_TOKENS: set[str] = set()


def is_given_up(token: str) -> bool:
    """Whether a run of this process has ended that could not give this lock back yet."""
    return token in _TOKENS


def give_back_later(token: str, release: Callable[[], None]) -> None:
    """Try to give a lock back until the journal takes it, beside whatever this process does next."""
    _TOKENS.add(token)

    def persist() -> None:
        while True:
            time.sleep(AGAIN_S)
            try:
                release()
            except JournalFailed:
                continue
            _TOKENS.discard(token)
            return

    threading.Thread(target=persist, name="fabric-give-lock-back", daemon=True).start()
