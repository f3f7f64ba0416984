"""Soaking: the gate of a wave goes on watching, after the wave is confirmed and before the next one begins."""

from __future__ import annotations

import time
from collections import Counter
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
    """Watch for so long, at least once; empty, or what broke and did not come back in time, or broke again.

    A complaint may hide another one, of a switch beside or of a second route. So what is not seen any more has come
    back only once nothing is wrong.
    """
    began = time.monotonic()
    since: dict[str, float] = {}
    """When each place broke, since something is wrong."""
    breaks = Counter[str]()
    while gates:
        wrong = tuple(text for gate in gates for text in gate.look(waiting=waiting))
        broken, now = {_place(text): text for text in reversed(wrong)}, time.monotonic()
        breaks.update(broken.keys() - since.keys())
        since = dict.fromkeys(broken, now) | since if wrong else {}
        for place, text in reversed(broken.items()):
            if breaks[place] > BREAKS_FORGIVEN:
                return f"{text}, again after it had come back"
            if now - since[place] >= pace.gate_timeout_s:
                return text
        if wrong:
            waiting(wrong, now - began)
        elif now - began >= soak_s:
            return ""
        time.sleep(pace.gate_poll_s)
    return ""


def _place(text: str) -> str:
    """The device, port, session or route that a complaint begins with: another one that breaks is another chance."""
    return text.partition(": ")[0]
