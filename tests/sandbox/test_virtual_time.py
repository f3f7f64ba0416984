"""The sandbox's clock: timers fire in their order, however fast time passes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.sandbox.virtual_time import Clock

DELAYS = st.lists(st.integers(0, 100), max_size=12)


class Waker:
    """Waiting that never ends, beside a clock that stands: only `advance` lets time pass. Counts who waits."""

    def __init__(self) -> None:
        self.waits = 0

    def __call__(self, _delay_s: float, _call: Callable[[], None]) -> Callable[[], None]:
        self.waits += 1
        return self.stop

    def stop(self) -> None:
        self.waits -= 1


@given(delays=DELAYS, steps=DELAYS)
def test_what_falls_due_happens_in_order_at_its_own_time_and_nothing_else(delays, steps):
    clock, happened = Clock(Waker(), lambda: 1e9), []
    start = clock.now()
    for delay in delays:
        clock.later(delay, lambda delay=delay: happened.append((delay, round(clock.now() - start))))
    for step in (*steps, 0):
        clock.advance(step)

    passed = sum(steps)
    assert [(delay, delay) for delay in sorted(delays) if delay <= passed] == happened
    assert passed == round(clock.now() - start)


@given(delays=DELAYS, doomed=st.sets(st.integers(0, 11)))
def test_a_cancelled_timer_never_fires_and_leaves_nobody_waiting(delays, doomed):
    waker = Waker()
    clock, happened = Clock(waker, lambda: 1e9), []
    cancels = [clock.later(delay, lambda i=i: happened.append(i)) for i, delay in enumerate(delays)]
    for i in doomed & set(range(len(delays))):
        cancels[i]()
        cancels[i]()
    clock.advance(1000)

    assert set(range(len(delays))) - doomed == set(happened)


def test_what_a_timer_sets_fires_on_the_same_way():
    clock, happened = Clock(Waker(), lambda: 1e9), []
    clock.later(10, lambda: clock.later(10, lambda: happened.append(round(clock.now() - start))))
    start = clock.now()
    clock.advance(15)
    assert [] == happened
    clock.advance(5)
    assert [20] == happened


def test_a_timer_that_waits_on_is_wound_anew():
    waker = Waker()
    clock = Clock(waker, lambda: 1e9)
    clock.later(100, lambda: None)
    clock.advance(10)

    assert 1 == waker.waits


@pytest.mark.parametrize("seconds", [-1, float("inf"), float("nan")])
def test_time_runs_forward_only(seconds):
    with pytest.raises(ValueError, match="only runs forward"):
        Clock(Waker(), lambda: 1e9).advance(seconds)


def test_a_sandbox_lets_time_pass_on_all_its_devices(toys):
    happened: list[str] = []
    for name, device in toys.network.items():
        toys.run(lambda d=device, n=name: d.around.later(3600, lambda: happened.append(n)))
    before = toys.network.now()
    toys.advance(3600)

    assert ["toy-0", "toy-1"] == happened
    assert 3600 <= toys.network.now() - before < 3660
