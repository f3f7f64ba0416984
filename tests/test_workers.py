"""Work shared among processes: the same results in the same order, whatever happens to a process."""

from __future__ import annotations

import os
import pickle
import signal
import threading

import pytest

from fabric.diagnostics import DeviceError, FabricError, Invalid, Refused
from fabric.spool import Spool
from fabric.workers import FIRST, LEAST, each

MANY = range(3 * LEAST + 1)


@pytest.fixture(autouse=True)
def alone(monkeypatch):
    """As if pytest's own threads were not there: they hold no lock that the work needs."""
    with monkeypatch.context() as patch:
        patch.setattr(threading, "active_count", lambda: 1)
        yield patch


def no_process_is_left() -> bool:
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return True
    return False


def done(work, items=MANY, *, jobs=3):
    with each(work, items, jobs=jobs) as results:
        return list(results)


@pytest.mark.parametrize("jobs", [1, 2, 3, 500])
def test_results_come_in_the_order_of_the_items(jobs):
    assert [str(item) for item in MANY] == done(str, jobs=jobs)
    assert no_process_is_left()


def test_many_items_are_done_by_as_many_processes_as_asked_for():
    processes = done(lambda _item: os.getpid())

    assert 4 == len(set(processes))
    assert {os.getpid()} == set(processes[:FIRST])


def test_few_items_are_done_here():
    assert {os.getpid()} == set(done(lambda _item: os.getpid(), range(LEAST - 1)))


def test_nothing_is_forked_beside_another_thread(alone):
    alone.undo()
    end = threading.Event()
    beside = threading.Thread(target=end.wait)
    beside.start()
    try:
        assert {os.getpid()} == set(done(lambda _item: os.getpid()))
    finally:
        end.set()
        beside.join()


def fails(error, at):
    def work(item):
        if item == at:
            raise error
        return item

    return work


@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize("error", [KeyError("x"), Refused("no", "wait"), Invalid([])], ids=repr)
def test_an_error_is_raised_behind_the_results_before_it(error, jobs):
    seen = []
    with each(fails(error, LEAST), MANY, jobs=jobs) as results, pytest.raises(type(error)) as raised:
        seen.extend(results)

    assert list(range(LEAST)) == seen
    assert error.args == raised.value.args
    assert no_process_is_left()


def test_a_killed_process_is_refused():
    def work(item):
        if item == LEAST:
            os.kill(os.getpid(), signal.SIGKILL)
        return item

    with pytest.raises(Refused, match="was killed"):
        done(work)
    assert no_process_is_left()


def test_an_interrupt_leaves_no_process():
    def interrupted():
        with each(str, MANY, jobs=3) as results:
            next(results)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert no_process_is_left()


@pytest.mark.parametrize(
    "error", [FabricError("why"), Refused("no", "wait"), DeviceError("leaf-0-0", "no"), Invalid([])], ids=repr
)
def test_an_error_is_the_same_behind_a_pipe(error):
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301  # ours

    assert (type(error), str(error), vars(error)) == (type(copy), str(copy), vars(copy))


def test_a_spool_gives_back_what_it_was_given_in_forked_processes_too():
    spool, here = Spool[str](), os.getpid()
    for item in MANY:
        spool[str(item)] = "x" * item

    def work(item):
        if os.getpid() != here:
            spool[str(item)] = "of another process"
        return spool[str(item)]

    assert ["x" * item for item in MANY] == done(work)
    assert "never" not in spool
