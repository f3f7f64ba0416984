"""A signal at any moment ends a run in order: each wave is wholly old or wholly new, and nothing waits anywhere."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable

import msgspec
import pytest
import sqlalchemy.event

from fabric.deployment import Event, Result, State, apply, holder, resume, rollback
from fabric.deployment.interruptions import Interrupted, interruptible, shielded
from fabric.diagnostics import Refused
from tests.deployment.conftest import AtOnce, Network, apply_options
from tests.deployment.test_failures import changed_ntp, runs
from tests.programs import start
from tests.waiting import PATIENCE_S

MANY = 1000


pytestmark = pytest.mark.usefixtures("signals_as_usual")


def signalled(
    network: Network, verb: Callable[[Callable[[Event], None]], Result], sent: dict[int, signal.Signals]
) -> tuple[int | None, list[str]]:
    """Do it, and send signals to this process at its nth events: which one ended it, and what was told."""
    told: list[str] = []
    count = iter(range(MANY))

    def on_event(_event: Event) -> None:
        if (number := sent.get(next(count))) is not None:
            os.kill(os.getpid(), number)

    try:
        with interruptible(told.append):
            verb(on_event)
    except Interrupted as interrupted:
        return interrupted.number, told
    return None, told


def applies(network: Network) -> Callable[[Callable[[Event], None]], Result]:
    saved = network.plan()
    place = {"targets": network.targets(), "journal": network.journal, "executor": AtOnce()}
    return lambda on_event: apply(saved, **place, options=apply_options(), on_event=on_event)


def rolls_back(network: Network) -> Callable[[Callable[[Event], None]], Result]:
    place = {"targets": network.targets(), "journal": network.journal, "executor": AtOnce()}
    return lambda on_event: rollback("lab", **place, options=apply_options(), on_event=on_event)


def in_order(network: Network, old: dict[str, str], new: dict[str, str]) -> None:
    """Every device runs what the journal says, wholly, and nothing waits."""
    now = runs(network)
    assert holder(network.journal, "lab") is None
    assert not any(box.is_pending for box in network.boxes().values())
    run = network.journal.runs("lab")[0]
    waves: dict[int, set[str]] = {}
    for step in network.journal.steps(run.id):
        name = step.job.device
        assert now[name] == (new if step.state is State.CONFIRMED else old)[name]
        assert not step.state.is_open
        waves.setdefault(step.job.wave, set()).add("new" if step.state is State.CONFIRMED else "old")
    assert all(len(states) == 1 for states in waves.values())


@pytest.mark.covering(most=1)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_at_any_event_of_an_apply(applied: Network, number: signal.Signals) -> None:
    at_any_event(applied, {0: number})


def test_more_signals_change_nothing_and_tell_what_is_done(applied: Network) -> None:
    told = at_any_event(applied, {0: signal.SIGTERM, 1: signal.SIGTERM, 2: signal.SIGINT})

    assert any("SIGTERM: taking back wave 2 on " in text for text in told)
    assert any("SIGTERM: confirming wave 2 on " in text for text in told)
    assert all("please wait" in text for text in told)


def at_any_event(network: Network, sent: dict[int, signal.Signals]) -> list[str]:
    """Apply, interrupted at one event after the other, then go on with it and take it back."""
    place = {"targets": network.targets(), "journal": network.journal, "options": apply_options()}
    old = runs(network)
    changed_ntp(network)
    told: list[str] = []
    network.apply()
    new = runs(network)
    rollback("lab", **place)
    assert runs(network) == old
    for at in range(MANY):
        ended_by, texts = signalled(network, applies(network), {at + n: s for n, s in sent.items()})
        told += texts
        if ended_by is None:
            break
        assert ended_by == sent[0]
        in_order(network, old, new)
        if network.journal.unfinished("lab"):
            assert resume("lab", **place).outcome == "done"
        if runs(network) != old:
            rollback("lab", **place)
        assert runs(network) == old
    assert at > 12
    assert runs(network) == new
    return told


def test_a_signal_at_any_event_of_a_rollback(applied: Network) -> None:
    place = {"targets": applied.targets(), "journal": applied.journal, "options": apply_options()}
    old = runs(applied)
    changed_ntp(applied)
    applied.apply()
    new = runs(applied)
    for at in range(MANY):
        ended_by, _ = signalled(applied, rolls_back(applied), {at: signal.SIGTERM})
        if ended_by is None:
            break
        in_order(applied, new, old)
        if applied.journal.unfinished("lab"):
            assert resume("lab", **place).outcome == "done"
        if runs(applied) == old:
            assert applied.apply().outcome == "done"
        assert runs(applied) == new
    assert at > 12
    assert runs(applied) == old


def test_a_run_is_gone_on_with_only_as_long_as_the_intent_says_so(applied: Network) -> None:
    """Else as whoever types it has been told, or back."""
    place = {"targets": applied.targets(), "journal": applied.journal}
    old = runs(applied)
    changed_ntp(applied)
    ended_by, _ = signalled(applied, applies(applied), {8: signal.SIGTERM})
    later = msgspec.structs.replace(apply_options(), intent="another one")
    left = applied.journal.unfinished("lab")
    half = runs(applied)

    with pytest.raises(Refused, match=rf"the intent has changed since run {left.id} was planned"):
        resume("lab", **place, options=later)
    assert (ended_by, runs(applied), holder(applied.journal, "lab")) == (signal.SIGTERM, half, None)
    assert resume("lab", **place, options=later, as_planned=True).outcome == "done"
    assert "the intent has changed since" in [note.reason for note in applied.journal.remarks(left.id)]
    assert rollback("lab", **place, options=later).outcome == "done"
    assert runs(applied) == old


def test_what_is_shielded_is_done_before_a_signal_counts() -> None:
    done: list[str] = []

    def work() -> None:
        with interruptible(done.append):
            with shielded("writing"):
                os.kill(os.getpid(), signal.SIGTERM)
                done.append("written")
            done.append("never")

    with pytest.raises(Interrupted, match="SIGTERM"):
        work()
    assert done == ["SIGTERM: writing; please wait", "written"]


def test_signals_are_as_before_afterwards_and_what_is_ignored_stays_so() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with interruptible():
            os.kill(os.getpid(), signal.SIGHUP)
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
            assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_fork_dies_of_the_signal_as_any_other_program() -> None:
    with interruptible():
        child = os.fork()
        if child == 0:
            try:
                os.kill(os.getpid(), signal.SIGTERM)
            finally:
                os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGTERM


IGNORED = """
import sys, time, weakref
from fabric.deployment import Event
from fabric.deployment.events import RunStarted, guarded, ignore
from fabric.deployment.interruptions import Interrupted, interruptible, notice_signals, shielded

where, then = sys.argv[1], sys.argv[2]

def wait_for_the_signal(*_):
    print("waiting", flush=True)
    time.sleep(60)

class Thing:
    def __del__(self):
        if where == "destructor":
            wait_for_the_signal()

class Loop:
    def __init__(self):
        self.self, self.thing = self, Thing()

def work():
    thing = Loop() if where == "loop" else Thing()
    callback = weakref.ref(thing, wait_for_the_signal) if where != "destructor" else None
    del thing
    if where == "loop":
        import gc
        gc.collect()
    if then == "sleep":
        time.sleep(60)
    elif then == "shield":
        with shielded("working"):
            time.sleep(0.2)
            print("done", flush=True)
        print("too late", flush=True)
    deliver = guarded(ignore)
    while then == "events":
        deliver(RunStarted(run=1, kind="apply", devices=1, waves=1))
    while then == "compute":
        pass

try:
    with interruptible():
        work()
except Interrupted as interrupted:
    print("ended by", interrupted, flush=True)
"""


@pytest.mark.parametrize("then", ["sleep", "events", "compute", "shield", "nothing"])
@pytest.mark.parametrize("where", ["destructor", "weak reference", "loop"])
def test_a_signal_that_falls_into_a_callback_is_not_lost(where: str, then: str) -> None:
    """Python ignores what a destructor raises, or a callback of a weak reference; the run ends all the same."""
    with start(sys.executable, "-c", IGNORED, where, then, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "waiting\n"
        program.send_signal(signal.SIGTERM)
        told = program.communicate(timeout=PATIENCE_S)[0]

    assert "too late" not in told
    assert told.endswith("ended by SIGTERM\n")
    assert program.returncode == 0


def test_a_signal_that_falls_into_the_pool_of_connections_is_raised_and_not_logged(
    applied: Network, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody has set up logging: it would be a traceback on the terminal. A real error is logged."""
    errors: list[BaseException] = [Interrupted(signal.SIGTERM), RuntimeError("of the pool")]

    def reset(*_: object) -> None:
        if errors:
            raise errors.pop(0)

    sqlalchemy.event.listen(applied.journal.engine, "reset", reset)
    with pytest.raises(Interrupted):
        applied.journal.runs("lab")
    assert caplog.records == []
    applied.journal.runs("lab")
    assert [record.name for record in caplog.records] == ["sqlalchemy.pool.impl.QueuePool"]
    assert applied.journal.runs("lab")[0].state == "done"
