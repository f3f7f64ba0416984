"""What one operator does while the run of another is under way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from fabric.deployment import Event, Journal, Result, resume
from fabric.deployment.events import DeviceStepped
from fabric.deployment.jobs import State
from fabric.deployment.journal_store.site_lock import break_lock, holder
from fabric.deployment.unlock import give_up, left_behind
from tests.deployment.conftest import Network, apply_options

LOST = "the lock of run 2 was taken away"
TYPED = "ntp 192.0.2.99\n"
"""A line that somebody types on a device."""


def unlock(journal: Journal, run: int, *, gives_up: bool = False) -> None:
    """As `fabric unlock RUN` does, typed once or twice."""
    known = holder(journal, "lab")
    assert known is not None
    assert break_lock(journal, "lab", known)
    if gives_up:
        give_up(journal, left_behind(journal, "lab", run))


def go_on(network: Network, **place: Any) -> Result:
    """As an operator does who has taken the lock away."""
    unlock(network.journal, 2)
    options = apply_options()
    return resume("lab", targets=network.targets(), journal=network.journal, options=options, **place)


def apply_since(network: Network, of: Network, old: str, new: str, *names: str) -> Result:
    """As an operator does who gives run 2 up, if it is open, and applies something else."""
    if holder(network.journal, "lab") is not None:
        unlock(network.journal, 2, gives_up=True)
    network.site = of.site
    network.edit(old, new, *names)
    made, texts = network.plan()
    return network.apply((msgspec.structs.replace(made, diagnostics=()), texts))


def types(network: Network, *names: str) -> None:
    """Somebody types a line."""
    for name in names:
        network.box(name).change(lambda text: f"{TYPED}{text}")


def when_one_is_left(then: Callable[[], None]) -> Callable[[Event], None]:
    """Do something at the first device that cannot be confirmed."""
    return once(lambda event: event.state is State.LEFT_TO_TIMER, then)


def once(when: Callable[[DeviceStepped], bool], then: Callable[[], None]) -> Callable[[Event], None]:
    """Do something at the first step of a device that is meant."""
    seen = list[Event]()

    def on_event(event: Event) -> None:
        if isinstance(event, DeviceStepped) and not seen and when(event):
            seen.append(event)
            then()

    return on_event
