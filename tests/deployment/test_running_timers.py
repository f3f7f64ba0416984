"""Whoever comes after a run that was killed is told which commits wait on devices, whose they are, and until when."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from fabric.deployment import Journal, moments
from fabric.deployment.check_before_apply import check_unfinished
from fabric.deployment.journal_store.journal_records import Step
from fabric.diagnostics import Refused
from tests.deployment.conftest import FAST, Network, killed
from tests.deployment.test_failures import changed_ntp


def refused(journal: Journal) -> str:
    with pytest.raises(Refused, match="FAB721") as caught:
        check_unfinished(journal, "lab")
    return str(caught.value)


def left_by(network: Network, state: str, count: int) -> tuple[Step, ...]:
    """The steps of an apply that was killed when so many devices had reached a state."""
    changed_ntp(network)
    killed(network, network.plan(), state, count)
    run = network.journal.unfinished("lab")
    assert run
    return network.journal.steps(run.id)


@pytest.mark.parametrize(("state", "count"), [("committed", 1), ("committed", 3), ("confirmed", 1)])
def test_a_killed_run_is_told_with_its_commits_whose_they_are_and_when_they_go_back(
    applied: Network, state: str, count: int
) -> None:
    begun = moments.now()
    steps = left_by(applied, state, count)
    left = {step.job.device for step in steps if step.state.is_open}

    told = refused(applied.journal)

    assert left == {step.job.device for step in steps if step.job.device in told}
    if not left:
        return
    assert all(step.session in told for step in steps if step.state.is_open)
    assert ": it goes back by itself at about " in told
    shown = told.rpartition("at about ")[2].removesuffix(" UTC")
    fires = datetime.fromisoformat(f"{shown}+00:00")
    timer = timedelta(seconds=FAST.revert_in_s)
    assert begun + timer - timedelta(seconds=1) <= fires <= moments.now() + timer


def test_a_timer_that_has_fired_meanwhile_is_told_as_such(
    applied: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_by(applied, "committed", 1)
    later = moments.now() + timedelta(seconds=FAST.revert_in_s + 1)
    monkeypatch.setattr(moments, "now", lambda: later)

    assert ": by the clock of this machine its timer has fired, at about " in refused(applied.journal)


def test_another_apply_is_told_the_same(applied: Network) -> None:
    changed_ntp(applied)
    saved = applied.plan()
    killed(applied, saved, "committed", 1)

    with pytest.raises(Refused, match="FAB721") as caught:
        applied.apply(saved)
    assert str(caught.value) == refused(applied.journal)
