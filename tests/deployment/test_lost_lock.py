"""A run whose lock was taken away touches no host any more: they are another operator's to drain and to bring back."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fabric.compiler import Compiled
from fabric.deployment.events import Event, WaveSoaks, WaveStarted
from fabric.deployment.interruptions import Interrupted
from fabric.deployment.journal_store.cordoned_hosts import Cordoned
from fabric.deployment.journal_store.journal_records import NewRun
from fabric.deployment.journal_store.site_lock import break_lock, holder
from fabric.deployment.waves import bring_back, cordoned
from fabric.deployment.waves.hosts_without_path import with_rails_before
from fabric.deployment.waves.run import Run
from fabric.diagnostics import JournalFailed, Refused
from tests.deployment.played_site import PACE, PLAYED, PlayedSite, ended
from tests.deployment.test_hosts_left_cut_off import OTHER_SERVER, calls
from tests.deployment.test_known_of_leaves import settled
from tests.deployment.test_leaves_that_die_meanwhile import IMPATIENT, OTHER_TIMERS, WHOLE, hosts_of
from tests.platforms.sites import LEAF

SECOND = "leaf-1-0"
ALLOW = ("isolating:leaf-*", "lockout:*")


@pytest.fixture(params=PLAYED)
def made(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[PlayedSite]:
    with settled(tmp_path, request.param, *WHOLE) as running:
        yield running


def taken_away(made: PlayedSite, compiled: Compiled, run: int) -> None:
    """As `fabric unlock RUN` does, typed twice on another machine: the lock is gone, and the run is given up."""
    journal, site = made.place.journal(), compiled.intent.site.site
    known = holder(journal, site)
    assert known is not None
    assert break_lock(journal, site, known)
    journal.take_over(site, run, "another operator")
    journal.finish(run, "interrupted")


def told(when: type[Event], then: Callable[[int], None]) -> Callable[[Event], None]:
    """Do something at the first event of a kind."""
    seen: list[Event] = []

    def on_event(event: Event) -> None:
        if isinstance(event, when) and not seen:
            seen.append(event)
            then(event.run)

    return on_event


@pytest.mark.covering(most=1, apart=True)
def test_no_host_is_taken_out_of_service_for_its_next_wave(made: PlayedSite) -> None:
    compiled, _ = made.planned(*WHOLE, OTHER_TIMERS, only=[LEAF, SECOND])
    on_event = told(WaveSoaks, lambda run: (calls(made), taken_away(made, compiled, run)))
    pace = msgspec.structs.replace(PACE, soak_s=1)

    with pytest.raises(Refused, match="the lock of run 2 was taken away"):
        made.carry_out(compiled, pace=pace, allow=ALLOW, on_event=on_event)

    assert calls(made) == []


@pytest.mark.covering(most=1, apart=True)
def test_no_host_is_taken_out_of_service_if_it_goes_while_leaves_are_asked(
    made: PlayedSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled, _ = made.planned(*WHOLE, OTHER_TIMERS, only=[LEAF])

    def meanwhile(run: Run, wave: Cordoned) -> Cordoned:
        taken_away(made, compiled, run.id)
        return with_rails_before(run, wave)

    with monkeypatch.context() as patched:
        patched.setattr(cordoned, "with_rails_before", meanwhile)
        with pytest.raises(Refused, match="was taken away"):
            made.carry_out(compiled, pace=IMPATIENT, allow=ALLOW)
    assert calls(made) == []
    assert not made.place.journal().cordoned_by_run(compiled.intent.site.site)


@pytest.mark.covering(most=1, apart=True)
def test_the_hosts_of_its_wave_are_left_to_the_next_run(made: PlayedSite) -> None:
    """Whoever took the lock may have drained them too."""
    hosts = hosts_of(made, LEAF)
    compiled, _ = made.planned(*WHOLE, OTHER_TIMERS, only=[LEAF])
    on_event = told(WaveStarted, lambda run: taken_away(made, compiled, run))

    with pytest.raises(Refused, match="the lock of run 2 was taken away"):
        made.carry_out(compiled, pace=IMPATIENT, allow=ALLOW, on_event=on_event)

    assert calls(made) == [("before", hosts, ())]
    assert ended(made.apply(*WHOLE, OTHER_SERVER)) == "done"
    assert calls(made) == [("after", hosts, ())]


@pytest.mark.parametrize("error", [Interrupted(signal.SIGTERM), JournalFailed("the disk is full")], ids=str)
@pytest.mark.covering(most=2, apart=True)
def test_what_ended_it_first_is_told(made: PlayedSite, error: BaseException) -> None:
    compiled, _ = made.planned(*WHOLE, OTHER_TIMERS, only=[LEAF])

    def ends(run: int) -> None:
        taken_away(made, compiled, run)
        raise error

    with pytest.raises(type(error)):
        made.carry_out(compiled, pace=IMPATIENT, allow=ALLOW, on_event=told(WaveStarted, ends))
    assert [what for what, *_ in calls(made)] == ["before"]


@pytest.mark.covering(most=1, apart=True)
def test_hosts_that_another_one_takes_out_while_they_are_brought_back_are_his(
    made: PlayedSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    hosts, journal = hosts_of(made, LEAF), made.place.journal()
    compiled, _ = made.planned(*WHOLE, OTHER_TIMERS, only=[LEAF])
    kept, theirs = bring_back._run_after, list[int]()

    def meanwhile(run: Run, *of: Any) -> object:
        answer = kept(run, *of)
        taken_away(made, compiled, run.id)
        theirs.append(journal.begin(NewRun(site=run.site, kind="apply", owner="another operator", jobs=())))
        journal.cordon(theirs[0], 1, Cordoned(theirs[0], (LEAF,), hosts))
        return answer

    with monkeypatch.context() as patched:
        patched.setattr(bring_back, "_run_after", meanwhile)
        with pytest.raises(Refused, match="was taken away"):
            made.carry_out(compiled, pace=IMPATIENT, allow=ALLOW)
    assert journal.cordoned(theirs[0])[1].hosts == hosts


@pytest.mark.covering(most=1, apart=True)
def test_an_apply_without_changes_whose_lock_was_taken_away_brings_nobody_back(
    made: PlayedSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    hosts = hosts_of(made, LEAF)
    compiled, _ = made.planned(*WHOLE, OTHER_TIMERS, only=[LEAF])
    on_event = told(WaveStarted, lambda run: taken_away(made, compiled, run))
    with pytest.raises(Refused):
        made.carry_out(compiled, pace=IMPATIENT, allow=ALLOW, on_event=on_event)
    calls(made)
    compiled, _ = made.planned(*WHOLE, only=[LEAF])
    journal, site = made.place.journal(), compiled.intent.site.site
    kept = type(journal).cordoned_by_run

    def broken(of: object, name: str) -> object:
        known = holder(journal, site)
        if known is not None:
            break_lock(journal, site, known)
        return kept(of, name)

    with monkeypatch.context() as patched:
        patched.setattr(type(journal), "cordoned_by_run", broken)
        with pytest.raises(Refused, match="the lock of run 2 was taken away"):
            made.carry_out(compiled, pace=IMPATIENT)
    assert calls(made) == []
    made.carry_out(compiled, pace=IMPATIENT)
    assert calls(made) == [("after", hosts, ())]
