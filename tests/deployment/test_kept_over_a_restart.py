"""A run is killed before its gate, and a device restarts and keeps what waited: nobody has let that pass."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import pytest

from fabric.deployment import Journal, State, apply, resume, rollback, settle_left
from fabric.deployment.events import Event, WaveStarted
from fabric.deployment.unlock import give_up, left_behind
from fabric.diagnostics import JournalFailed, Refused
from fabric.planning import Plan
from tests.deployment import box as boxes
from tests.deployment.conftest import AtOnce, Network, apply_options, killed
from tests.deployment.test_confirmation import SPINES, in_turn
from tests.deployment.test_rollback_plan import planned as planned_back
from tests.deployment.test_told_as_it_is import restarts

EVERYTHING = frozenset({"isolating", "lockout:*"})
NAME, WRONG = "spine-0-1", "remote-as 4200000000"
Saved = tuple[Plan, Mapping[str, str]]


def without_findings(saved: Saved) -> Saved:
    """As of one who has allowed what is wrong with it."""
    return msgspec.structs.replace(saved[0], couplings=(), diagnostics=()), saved[1]


@pytest.fixture
def breaking(applied: Network) -> Saved:
    """A change of one spine that takes its sessions down."""
    asn = re.search(r"remote-as (\d+)", applied.box(NAME).running)
    assert asn is not None
    applied.edit(asn[0], WRONG, NAME)
    return without_findings(applied.plan(phased=False))


def test_the_gate_takes_it_back(applied: Network, breaking: Saved) -> None:
    """So much of the change itself."""
    options = apply_options(allow=EVERYTHING)
    result = apply(
        breaking, targets=applied.targets(), journal=applied.journal, options=options, executor=AtOnce()
    )

    assert result.outcome == "failed"
    assert WRONG not in applied.box(NAME).running


def test_resume_takes_it_back_and_does_it_again_with_its_gate(applied: Network, breaking: Saved) -> None:
    killed(applied, breaking, "committed", 1, allow=EVERYTHING)
    restarts(applied.box(NAME))
    place = {"targets": applied.targets(), "options": apply_options(allow=EVERYTHING), "executor": AtOnce()}
    result = resume("lab", journal=applied.journal, **place)

    assert result.outcome == "failed"
    assert "BGP session" in result.waves[0].reason
    assert WRONG not in applied.box(NAME).running
    assert [step.state for step in applied.journal.steps(2)] == [State.REVERTED]


def test_resume_goes_on_with_one_that_does_no_harm(applied: Network) -> None:
    applied.edit("ntp 192.0.2.9", "ntp 192.0.2.10")
    killed(applied, applied.plan(), "committed", 1)
    first = next(step.job.device for step in applied.journal.steps(2) if step.state is State.COMMITTED)
    restarts(applied.box(first))
    begun = list[Event]()
    place = {"targets": applied.targets(), "options": apply_options(), "executor": AtOnce()}
    result = resume("lab", journal=applied.journal, on_event=begun.append, **place)

    assert result.outcome == "done"
    assert all("ntp 192.0.2.10" in box.running for box in applied.boxes().values())
    waves = [event for event in begun if isinstance(event, WaveStarted)]
    assert any(first in wave.devices for wave in waves)


def test_a_rollback_takes_all_of_it_back_and_pushes_nothing(applied: Network) -> None:
    applied.edit("mtu 9000", "mtu 4000")
    killed(applied, without_findings(applied.plan(phased=False)), "committed", 2, allow=EVERYTHING)
    back = planned_back(applied)
    assert back.plan.changed == ()  # nothing was to stay
    for box in applied.boxes().values():
        restarts(box)
    begun = list[Event]()
    place = {"targets": applied.targets(), "options": apply_options(), "planned": back.plan}
    result = rollback("lab", back.run.id, journal=applied.journal, on_event=begun.append, **place)

    assert result.outcome == "nothing"
    assert not any(isinstance(event, WaveStarted) for event in begun)
    assert not any("mtu 4000" in box.running for box in applied.boxes().values())
    assert not any(box.is_pending for box in applied.boxes().values())


def resumed(network: Network, journal: Journal | None = None) -> None:
    options = apply_options(allow=EVERYTHING)
    resume(
        "lab",
        targets=network.targets(),
        options=options,
        journal=journal or network.journal,
        executor=AtOnce(),
    )


def rolled_back(network: Network, journal: Journal | None = None, planned: Plan | None = None) -> None:
    place: dict[str, Any] = {"targets": network.targets(), "journal": journal or network.journal}
    rollback(
        "lab",
        2,
        options=apply_options(allow=EVERYTHING),
        planned=planned,
        executor=AtOnce(),
        **place,
    )


both_ways = pytest.mark.parametrize("verb", [resumed, rolled_back])


@pytest.fixture
def kept(applied: Network, breaking: Saved) -> Network:
    """The spine keeps the change, and its sessions are down."""
    killed(applied, breaking, "committed", 1, allow=EVERYTHING)
    restarts(applied.box(NAME))
    return applied


@both_ways
@pytest.mark.parametrize("place", range(4))
def test_a_journal_that_cannot_be_read_for_a_moment_confirms_nothing(
    kept: Network, monkeypatch: pytest.MonkeyPatch, verb: Callable[[Network], None], place: int
) -> None:
    is_lost, asked = Journal.is_lost, list[int]()

    def away(journal: Journal, run: int) -> bool:
        asked.append(run)
        if len(asked) == place + 1:
            raise JournalFailed("database is locked")
        return is_lost(journal, run)

    monkeypatch.setattr(Journal, "is_lost", away)
    try:
        verb(kept)
    except (JournalFailed, Refused):
        asked += [0] * 9
        verb(kept)

    assert WRONG not in kept.box(NAME).running
    assert not any(step.state is State.CONFIRMED for step in kept.journal.steps(2))


@both_ways
def test_it_is_killed_again_while_it_goes_back(kept: Network, verb: Callable[..., None]) -> None:
    """What it had loaded on the device for that is not in the way of the next one."""
    child = os.fork()
    if child == 0:
        try:
            boxes.BoxDriver.commit_config = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[method-assign]
            verb(kept, Journal(kept.folder.parent / "journal.sqlite"))
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    verb(kept)

    assert WRONG not in kept.box(NAME).running


@both_ways
@pytest.mark.parametrize("line", ["snmp theirs\n", "ntp 192.0.2.11\n"], ids=["his own", "one of ours"])
def test_what_somebody_has_taken_away_since_stays_away(
    applied: Network, verb: Callable[[Network], None], line: str
) -> None:
    """Of a device with lines that are not ours: who has taken one of them away, or mended a thing by hand, is told."""
    for box in applied.boxes().values():
        box.change(lambda text: f"snmp theirs\n{text}")
    applied.edit("ntp 192.0.2.9", "ntp 192.0.2.10\nntp 192.0.2.11")
    killed(applied, applied.plan(), "committed", 1)
    (first,) = (step.job.device for step in applied.journal.steps(2) if step.state is State.COMMITTED)
    restarts(applied.box(first))
    applied.box(first).change(lambda text: text.replace(line, ""))
    now = applied.box(first).running

    with pytest.raises(Refused, match=f"FAB724: {first}: .*`{line.strip()}` is missing"):
        verb(applied)
    assert applied.box(first).running == now


@both_ways
@pytest.mark.parametrize("is_for_a_moment", [True, False])
def test_one_that_cannot_go_back_by_itself_is_named(
    kept: Network, verb: Callable[..., None], *, is_for_a_moment: bool
) -> None:
    """Nothing of it is confirmed by that. Whoever gives the run up takes it back, with the text of the journal."""
    with kept.box(NAME).state() as state:
        if is_for_a_moment:
            state["sessions"]["alice"] = state["running"]
        else:
            state["before"] = {}
    for _ in range(2):
        with pytest.raises(Refused, match=f"FAB724: {NAME}: load: "):
            verb(kept)
    assert not any(step.state is State.CONFIRMED for step in kept.journal.steps(2))
    assert WRONG in kept.box(NAME).running

    if is_for_a_moment:
        with kept.box(NAME).state() as state:
            state["sessions"] = {}
    else:
        give_up(kept.journal, left_behind(kept.journal, "lab", 2))
        settle_left("lab", targets=kept.targets(), journal=kept.journal)
    rolled_back(kept)
    assert WRONG not in kept.box(NAME).running


@pytest.mark.parametrize("is_kept", [True, False])
def test_managers_of_a_subnet_go_back_one_after_the_other(
    applied: Network, monkeypatch: pytest.MonkeyPatch, *, is_kept: bool
) -> None:
    """Those that restart at the same moment may wait for each other for ever."""
    killed(applied, in_turn(applied), "committed", 2)
    for name in SPINES if is_kept else ():
        restarts(applied.box(name))
    busy, at_once = threading.Lock(), list[bool]()

    def alone(inner: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            at_once.append(not busy.acquire(blocking=False))
            time.sleep(0.3)
            if not at_once[-1]:
                busy.release()
            return inner(*given, **named)

        return call

    for what in ("commit_config", "rollback"):
        monkeypatch.setattr(boxes.BoxDriver, what, alone(getattr(boxes.BoxDriver, what)))
    rollback("lab", 2, journal=applied.journal, targets=applied.targets(), options=apply_options())

    assert at_once == [False, False]
