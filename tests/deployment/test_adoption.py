"""A device that runs what is intended, and that nobody has written down, is recorded as ours; none is changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from fabric.deployment import Journal, State, adopt, lost_journal, rollback
from fabric.deployment.journal_store.journal_records import NewRun
from fabric.deployment.site_revision import Revision
from fabric.diagnostics import Refused
from fabric.planning import Action, Plan
from tests.deployment.conftest import Network, apply_options

Saved = tuple[Plan, Mapping[str, str]]


@pytest.fixture
def lost(applied: Network) -> Network:
    """The pod after its first apply, whose journal is gone."""
    applied.journal = Journal(applied.folder.parent / "new.sqlite")
    return applied


def adopted(network: Network, saved: Saved | None = None, **changed: Any) -> tuple[str, ...]:
    plan, _ = saved or network.plan(adopt=True)
    return adopt(
        plan,
        network.site.artifacts(),
        targets=network.targets(),
        journal=network.journal,
        options=apply_options(**changed),
    )


def runs(network: Network) -> dict[str, str]:
    return {name: box.running for name, box in network.boxes().items()}


def commits(network: Network) -> int:
    return sum(line.startswith("commit") for box in network.boxes().values() for line in box.log)


def test_matching_devices_are_recorded_in_a_run_of_their_own_and_left_alone(lost: Network) -> None:
    before, count = runs(lost), commits(lost)
    names = adopted(lost, revision=Revision("c0ffee"))
    run = lost.journal.run("lab")

    assert set(names) == set(lost.site.switches)
    assert (run.kind, run.state, run.revision) == ("adopt", "done", "c0ffee")
    assert {(step.state, step.job.summary) for step in lost.journal.steps(run.id)} == {
        (State.CONFIRMED, "adopted as it is")
    }
    assert (runs(lost), commits(lost)) == (before, count)


def test_afterwards_the_journal_knows_what_an_apply_would_have_told_it(applied: Network) -> None:
    first = applied.journal.last_applied("lab")
    known = {name: (first[name], first.after(name)) for name in first}
    applied.journal = Journal(applied.folder.parent / "new.sqlite")
    adopted(applied)
    again = applied.journal.last_applied("lab")

    assert {name: (again[name], again.after(name)) for name in again} == known
    assert adopted(applied) == ()
    assert lost_journal(applied.plan(adopt=True)[0], applied.journal) == ()


def test_a_later_plan_removes_what_was_ours_and_can_be_taken_back(lost: Network) -> None:
    """Without the record the old line would count as somebody else's, and stay."""
    adopted(lost)
    before = runs(lost)
    lost.edit("ntp 192.0.2.9\n", "")
    assert lost.apply().outcome == "done"
    assert not any("ntp 192.0.2.9" in text for text in runs(lost).values())

    place = {"targets": lost.targets(), "journal": lost.journal, "options": apply_options()}
    assert rollback("lab", **place).outcome == "done"
    assert runs(lost) == before


def test_lines_of_others_stay_theirs(applied: Network) -> None:
    applied.box("leaf-0-0-0").change(lambda text: text + "foreign tap\n   keep me\n")
    applied.journal = Journal(applied.folder.parent / "new.sqlite")
    plan, _ = applied.plan(adopt=True)
    before = runs(applied)
    assert "leaf-0-0-0" in adopted(applied, (plan, {}))
    applied.edit("ntp 192.0.2.9", "ntp 192.0.2.10")
    applied.apply()
    assert "keep me" in applied.box("leaf-0-0-0").running

    place = {"targets": applied.targets(), "journal": applied.journal, "options": apply_options()}
    assert rollback("lab", **place).outcome == "done"
    assert runs(applied) == before


def test_lines_of_others_go_when_everything_becomes_ours(applied: Network) -> None:
    applied.box("leaf-0-0-0").change(lambda text: text + "foreign tap\n   keep me\n")
    applied.edit("ntp 192.0.2.9", "ntp 192.0.2.10")
    assert applied.apply().outcome == "done"
    plan, _ = applied.plan(ownership="full")

    assert [device.device for device in plan.changed] == ["leaf-0-0-0"]


def test_without_adopt_nothing_is_recorded_and_the_plan_warns(lost: Network) -> None:
    plan, texts = lost.plan()
    (told,) = lost_journal(plan, lost.journal)

    assert told.code == "FAB726"
    assert adopted(lost, (plan, texts)) == ()
    assert lost.journal.runs("lab") == ()


def test_with_adopt_the_plan_says_which_devices_it_records(lost: Network) -> None:
    plan, _ = lost.plan(adopt=True)
    (told,) = lost_journal(plan, lost.journal)

    assert {Action.NOTHING} == {device.action for device in plan.devices}
    assert (told.code, told.is_error) == ("FAB730", False)
    assert set(told.subjects) == set(lost.site.switches)


@pytest.mark.parametrize("fault", ["changed", "silent"])
def test_nothing_is_recorded_if_one_is_not_as_it_was_planned(lost: Network, fault: str) -> None:
    saved = lost.plan(adopt=True)
    box = lost.box("leaf-0-0-0")
    if fault == "changed":
        box.change(lambda text: text.replace("ntp 192.0.2.9", "ntp 192.0.2.66"))
    else:
        box.fail("open")
    with pytest.raises(Refused, match=r"FAB710.*leaf-0-0-0"):
        adopted(lost, saved)

    assert lost.journal.applied("lab") == {}
    assert [run.state for run in lost.journal.runs("lab")] == ["refused"]


def test_it_waits_for_the_lock_of_its_site(lost: Network) -> None:
    saved = lost.plan(adopt=True)
    Journal(lost.folder.parent / "new.sqlite").begin(NewRun(site="lab", kind="apply", owner="ana"))

    with pytest.raises(Refused, match="FAB720"):
        adopted(lost, saved)


def test_a_stale_plan_records_nothing(lost: Network) -> None:
    with pytest.raises(Refused, match=r"FAB710: .*intent has changed"):
        adopted(lost, intent="j" * 64)
    assert lost.journal.runs("lab") == ()


def test_a_run_that_changed_nothing_is_not_taken_back(lost: Network) -> None:
    adopted(lost)
    place = {"targets": lost.targets(), "journal": lost.journal, "options": apply_options()}
    for number in (None, 1):
        with pytest.raises(Refused, match="FAB725: run 1 recorded what devices run, and changed none"):
            rollback("lab", number, **place)
    lost.edit("ntp 192.0.2.9", "ntp 192.0.2.10")
    lost.apply()
    lost.journal.finish(lost.journal.begin(NewRun(site="lab", kind="adopt", owner="ana")), "done")

    assert rollback("lab", **place).outcome == "done"
    assert lost.journal.run("lab").takes_back == 2
