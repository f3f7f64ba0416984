"""The count of work: the same in every run, twice for twice as much, four times for a square."""

from __future__ import annotations

import sys

import pytest

from tests.work import LINEAR, TooMuchWork, growth, work


def linear(size):
    total = 0
    for i in range(size):
        total += i
    return total


def square(size):
    return sum(linear(size) for _ in range(size))


def by_calls(size):
    return [len(str(i)) for i in range(size)]


def test_work_is_the_same_in_every_run():
    assert work(lambda: square(30)) == work(lambda: square(30)) > 900


@pytest.mark.parametrize("run", [linear, by_calls])
def test_what_is_linear_takes_twice_the_work(run):
    assert 1.9 < growth(run, 500) <= LINEAR


def test_what_is_square_takes_four_times_the_work():
    assert growth(square, 60) > 3.5 > LINEAR


def test_work_without_end_is_ended():
    with pytest.raises(TooMuchWork):
        work(lambda: linear(10**12), at_most=1000)

    assert work(lambda: linear(10), at_most=1000) < 1000


def test_the_tracer_of_others_is_put_back():
    before = sys.gettrace(), sys.getprofile()
    with pytest.raises(ZeroDivisionError):
        work(lambda: 1 // 0)

    assert before == (sys.gettrace(), sys.getprofile())
