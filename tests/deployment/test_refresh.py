"""What somebody typed is written down when asked for: then it is known, and nothing else is different."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fabric.deployment import Drift, Observations, drift, refresh, resume, rollback
from fabric.diagnostics import Refused
from fabric.planning import Action
from tests.deployment.conftest import Network, apply_options

EDITS: dict[str, Callable[[str], str]] = {
    "a line of ours is another": lambda text: text.replace("ntp 192.0.2.9", "ntp 192.0.2.66"),
    "a line of ours is gone": lambda text: text.replace("ntp 192.0.2.9\n", ""),
    "a line of somebody else": lambda text: text + "foreign tap\n   keep me\n",
    "all of it": lambda text: text.replace("ntp 192.0.2.9", "ntp 192.0.2.66") + "foreign tap\n   keep me\n",
}


def drifted(network: Network) -> tuple[Drift, Observations]:
    seen = network.observe()
    found = drift(seen, network.journal.last_applied("lab"), lambda _name: "toy", network.site.switches)
    return found, seen


def record(network: Network, found: Drift, seen: Observations) -> int | None:
    return refresh(
        "lab",
        found,
        seen,
        dict.fromkeys(network.site.switches, "toy"),
        targets=network.targets(),
        journal=network.journal,
        options=apply_options(),
    )


def planned(network: Network) -> list[tuple[str, Action, str, int, tuple[str, ...]]]:
    """What a plan would do, and what it says of lines of others."""
    plan, _ = network.plan()
    told = {(finding.code, finding.rule) for finding in plan.diagnostics}
    return [
        (d.device, d.action, d.diff, d.kept_lines, tuple(change.what for change in d.changes))
        for d in plan.devices
    ] + [("", Action.NOTHING, str(sorted(told)), 0, ())]


@pytest.mark.parametrize("edit", EDITS)
def test_it_is_known_afterwards_and_the_next_plan_is_the_same(applied: Network, edit: str) -> None:
    applied.box("leaf-0-0-0").change(EDITS[edit])
    before, running = planned(applied), applied.box("leaf-0-0-0").running
    number = record(applied, *drifted(applied))
    after = drifted(applied)[0]
    (step,) = applied.journal.steps(number or 0)

    assert (after.drifted, after.never_applied) == ((), ())
    assert planned(applied) == before
    assert applied.box("leaf-0-0-0").running == running
    assert (step.job.device, bool(step.job.summary)) == ("leaf-0-0-0", True)
    assert applied.journal.text(step.job.before) != applied.journal.text(step.after)
    assert applied.journal.run("lab").kind == "refresh"


@pytest.mark.parametrize("edit", EDITS)
def test_an_apply_behind_it_ends_where_it_would_have_ended(applied: Network, edit: str) -> None:
    applied.box("leaf-0-0-0").change(EDITS[edit])
    record(applied, *drifted(applied))
    applied.apply(applied.plan())

    assert {Action.NOTHING} == {device.action for device in applied.plan()[0].devices}
    assert drifted(applied)[0].drifted == ()
    assert ("keep me" in applied.box("leaf-0-0-0").running) == ("keep me" in EDITS[edit](""))


def test_without_drift_there_is_no_run(applied: Network) -> None:
    assert record(applied, *drifted(applied)) is None
    assert len(applied.journal.runs("lab")) == 1


@pytest.mark.parametrize("fault", ["changed again", "silent"])
def test_nothing_is_written_if_a_device_is_not_as_it_was_shown(applied: Network, fault: str) -> None:
    box = applied.box("leaf-0-0-0")
    box.change(EDITS["all of it"])
    shown = drifted(applied)
    if fault == "silent":
        box.fail("open")
    else:
        box.change(lambda text: text.replace("192.0.2.66", "192.0.2.67"))
    known = applied.journal.applied("lab")
    with pytest.raises(Refused, match=r"FAB710.*leaf-0-0-0"):
        record(applied, *shown)

    assert applied.journal.applied("lab") == known


def test_it_is_nothing_that_could_be_taken_back_or_gone_on_with(applied: Network) -> None:
    applied.box("leaf-0-0-0").change(EDITS["all of it"])
    number = record(applied, *drifted(applied))
    place = {"targets": applied.targets(), "journal": applied.journal, "options": apply_options()}

    with pytest.raises(Refused, match="FAB725: run 2 recorded what devices run"):
        rollback("lab", number, **place)
    with pytest.raises(Refused, match="has finished"):
        resume("lab", **place)


@pytest.mark.parametrize(("ownership", "expected"), [("shared", [True]), ("full", [False])])
def test_what_a_plan_keeps_of_it_is_told_where_it_keeps_anything(
    applied: Network, ownership, expected
) -> None:
    applied.box("leaf-0-0-0").change(EDITS["a line of somebody else"])
    place = (applied.observe(), applied.journal.last_applied("lab"), lambda _name: "toy")

    assert expected == [bool(one.kept) for one in drift(*place, ownership=ownership).drifted]
