"""Who waits leaves the machine to what is waited for, and never waits without end."""

from __future__ import annotations

import pytest

from tests import waiting
from tests.waiting import SELDOM_S, until


class Clock:
    """A time that passes only where somebody sleeps or works."""

    def __init__(self) -> None:
        self.now = self.slept = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.slept = max(self.slept, seconds)


@pytest.fixture
def clock(monkeypatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(waiting, "time", clock)
    return clock


@pytest.mark.parametrize("takes_s", [0.001, 0.05, 0.2])
def test_the_longer_a_question_takes_the_less_often_it_is_asked(takes_s, clock):
    asked = []

    def costly() -> bool:
        clock.now += takes_s
        asked.append(clock.now)
        return clock.now > 10

    until(costly, 20, "ten seconds")

    assert (len(asked) - 1) * takes_s <= 10 / 2.9
    assert clock.slept <= SELDOM_S


def test_what_never_comes_is_told_after_its_time(clock):
    with pytest.raises(TimeoutError, match="a miracle: not within 5 s"):
        until(lambda: False, 5, "a miracle")

    assert 5 < clock.now < 5 + 2 * SELDOM_S
