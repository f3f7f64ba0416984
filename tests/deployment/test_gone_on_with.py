"""A run whose lock another operator has taken: it writes nothing over what he did, and undoes nothing of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import event as sa_event

from fabric.deployment import Event, Journal, State, device_steps, plan_rollback, resume, rollback
from fabric.deployment.events import DeviceStepped, WaveFinished
from fabric.deployment.waves.batch import Batch
from fabric.diagnostics import JournalFailed, Refused
from fabric.platforms import registry
from tests.deployment.conftest import Network, apply_at_once, apply_options, killed, killed_doing
from tests.deployment.test_confirmation import changed
from tests.deployment.test_taken_over import Divided
from tests.deployment.two_operators import LOST, apply_since, go_on, once
from tests.planning.toy import options

NEW, OTHERS = "ntp 192.0.2.10\n", "ntp 192.0.2.77"


def states(journal: Journal) -> set[State]:
    return {step.state for step in journal.steps(2)}


def run_new(network: Network) -> list[str]:
    return [name for name, box in network.boxes().items() if NEW in box.running]


def test_between_two_waves(applied: Network, other: Network) -> None:
    """The first operator's machine sleeps there; a rollback of the second one takes back what both have done."""
    saved, done = changed(applied), list[str]()

    def on_event(event: Event) -> None:
        if isinstance(event, WaveFinished) and event.wave == 1 and not done:
            done.append(go_on(other).outcome)

    with pytest.raises(Refused, match=LOST):
        apply_at_once(applied, saved, on_event)

    assert done == ["done"]
    assert states(other.journal) == {State.CONFIRMED}
    rollback("lab", 2, targets=other.targets(), journal=other.journal, options=apply_options())
    assert run_new(other) == []


def test_while_others_of_the_wave_are_taken_back(applied: Network, other: Network) -> None:
    """One device gives no answer; it is asked once more, and keeps by then what the second operator has confirmed."""
    saved = changed(applied)
    first, *_, last = saved[0].waves[1].devices
    silent = once(
        lambda event: (event.state, event.device) == (State.COMMITTED, last),
        lambda: applied.box(first).fail("open"),
    )

    def gone_on() -> None:
        applied.box(first).fail()
        assert go_on(other).outcome == "done"

    resumed = once(lambda event: (event.state, event.device) == (State.REVERTED, last), gone_on)

    def on_event(event: Event) -> None:
        silent(event)
        resumed(event)

    with pytest.raises(Refused, match=LOST):
        apply_at_once(applied, saved, on_event)

    assert len(run_new(applied)) == len(applied.boxes())
    assert states(other.journal) == {State.CONFIRMED}


def test_while_a_divided_wave_is_asked_whether_it_can_go_back(
    applied: Network, other: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    rehearse, done = device_steps.rehearse, list[str]()
    run = Divided(applied, monkeypatch, lambda _kept: None)

    def slowly(work: Any) -> None:
        rehearse(work)
        if not done:
            done.append("begins")
            applied.box(run.stuck).fail()
            done.append(go_on(other).outcome)

    monkeypatch.setattr(device_steps, "rehearse", slowly)
    with pytest.raises(Refused, match=LOST):
        run.carried_out()

    assert done == ["begins", "done"]
    assert len(run_new(applied)) == len(applied.boxes())


def test_while_nothing_can_be_written_down(applied: Network, other: Network) -> None:
    """What waits to be written when the journal comes back is not written over what was applied since."""
    saved = changed(applied)
    names = saved[0].waves[1].devices
    confirmed, heal = list[str](), list[Callable[[], None]]()

    def on_event(event: Event) -> None:
        if not isinstance(event, DeviceStepped) or event.state is not State.CONFIRMED or event.wave != 2:
            return
        confirmed.append(event.device)
        if len(confirmed) == 1:
            heal.append(read_only(applied.journal))
        if len(confirmed) == len(names):
            assert apply_since(other, applied, NEW.strip(), OTHERS).outcome == "done"
            heal.pop()()

    with pytest.raises(Refused, match=LOST):
        apply_at_once(applied, saved, on_event)

    assert {name: other.journal.applied("lab")[name].run for name in names} == dict.fromkeys(names, 3)
    apply_since(other, applied, OTHERS, "ntp 192.0.2.88")
    assert [name for name in names if OTHERS in other.box(name).running] == []


def read_only(journal: Journal) -> Callable[[], None]:
    """One operator cannot write, the other one can; returns how that ends."""
    engine = journal.engine

    def limited(connection: Any, *_: object) -> None:
        connection.execute("PRAGMA query_only=1")

    def heal() -> None:
        sa_event.remove(engine, "checkout", limited)
        engine.dispose()

    sa_event.listen(engine, "checkout", limited)
    return heal


def test_while_the_journal_cannot_be_read(
    applied: Network, other: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows who holds the lock: what waits under our name goes back, what was confirmed since does not."""
    saved = changed(applied)
    last = saved[0].waves[1].devices[-1]

    def gone_on() -> None:
        assert go_on(other).outcome == "done"
        cut_off(applied.journal, monkeypatch)

    on_event = once(lambda event: (event.state, event.device) == (State.COMMITTED, last), gone_on)
    with pytest.raises(JournalFailed):
        apply_at_once(applied, saved, on_event)

    assert len(run_new(applied)) == len(applied.boxes())


def test_of_one_that_keeps_the_change_it_is_not_said_that_it_runs_anything_else(
    applied: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has kept the commit over a restart, while nobody knows who holds the lock."""
    saved = changed(applied)
    name = saved[0].waves[1].devices[0]

    def restarts(batch: Batch) -> str:
        if batch.number != 2:
            return ""
        with applied.box(name).state() as state:
            state["pending"], state["startup"] = None, state["running"]

        def away(_run: int) -> bool:
            raise JournalFailed("no route to host")

        monkeypatch.setattr(applied.journal, "is_lost", away)
        return "the gate does not open"

    monkeypatch.setattr(Batch, "_gate", restarts)
    result = apply_at_once(applied, saved)

    told = {device.device: device for device in result.waves[1].devices}[name]
    assert NEW in applied.box(name).running
    assert told.state is State.LEFT_TO_TIMER
    assert told.reason == f"{name}: keeps the change, and nobody knows who has confirmed it"


def test_of_a_lock_that_is_held_what_waits_goes_back_though_the_journal_cannot_be_read(
    applied: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = changed(applied)
    names = saved[0].waves[1].devices
    on_event = once(
        lambda event: (event.state, event.device) == (State.COMMITTED, names[-1]),
        lambda: cut_off(applied.journal, monkeypatch),
    )
    with pytest.raises(JournalFailed):
        apply_at_once(applied, saved, on_event)

    assert not set(names) & set(run_new(applied))
    assert not any(box.is_pending for box in applied.boxes().values())


def cut_off(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no way to the journal any more."""

    def persistently(_attempt: object) -> None:
        raise journal._failed("no route to host")  # as it is told after 45 s

    monkeypatch.setattr(journal, "_persistently", persistently)


def test_of_a_product_without_commits_that_wait(
    applied: Network, other: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It confirms whatever it runs: what the second operator has applied is not written down as ours."""
    monkeypatch.setitem(registry.ROWS, "toy", "tests.deployment.test_transcripts:STATELESS")
    registry.platform.cache_clear()
    saved, confirm, done = changed(applied), device_steps.confirm, list[str]()

    def late(work: Any) -> Any:
        if not done:
            done.append("begins")
            done.append(apply_since(other, applied, NEW.strip(), OTHERS).outcome)
        return confirm(work)

    monkeypatch.setattr(device_steps, "confirm", late)
    with pytest.raises(Refused, match=LOST):
        apply_at_once(applied, saved)
    registry.platform.cache_clear()

    assert done == ["begins", "done"]
    assert {known.run for known in other.journal.applied("lab").values()} == {3}
    assert all(OTHERS in box.running for box in applied.boxes().values())


@pytest.mark.parametrize("when", ["before the answer", "while secrets are asked for"])
def test_what_a_rollback_has_not_shown_it_does_not_take_back(
    applied: Network, other: Network, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    """The run was killed with one device confirmed; the other operator's `--resume` confirms three more, and dies."""
    killed(applied, changed(applied), "confirmed", 1)
    shown = plan_rollback(
        "lab",
        journal=applied.journal,
        artifacts=applied.site.artifacts(),
        switches=applied.site.switches,
        options=options(ownership="full"),
    )
    take_over = applied.journal.take_over

    def gone_on(**where: Any) -> None:
        resume("lab", targets=other.targets(), options=apply_options(), **where)

    def late(*given: Any) -> None:
        applied.journal.engine.dispose()
        killed_doing(other, gone_on, "confirmed", 4)
        take_over(*given)

    if when == "before the answer":
        killed_doing(other, gone_on, "confirmed", 4)
    else:
        monkeypatch.setattr(applied.journal, "take_over", late)
    new = run_new(other) if when == "before the answer" else None
    with pytest.raises(Refused, match=r"FAB710.*run 2 has changed more than was shown") as refused:
        rollback(
            "lab",
            shown.run.id,
            targets=applied.targets(),
            journal=applied.journal,
            options=apply_options(),
            planned=shown.plan,
        )

    assert len(run_new(applied)) > len(shown.plan.changed)
    assert new in (None, run_new(applied))
    assert refused.value.hint == "`fabric rollback 2` shows it as it is now"
