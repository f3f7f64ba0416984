"""`fabric unlock` shows what a dead run has left, asks, and never takes the lock of a live one."""

from __future__ import annotations

import json
import os
import socket

import pytest

from fabric.deployment import Journal, State, holder, unsettled
from fabric.deployment.jobs import Job
from fabric.deployment.journal_store.cordoned_hosts import Cordoned
from fabric.deployment.journal_store.journal_records import NewRun
from fabric.deployment.journal_store.journal_tables import tables
from fabric.planning import Impact
from fabric.resources import scratch

JOB = Job(device="leaf-0-0", platform="eos", wave=2, impact=Impact.FLAP, text="t", before="b")


@pytest.fixture
def journal(site):
    return Journal(scratch(site) / "journal.sqlite")


def locked(journal, **changed):
    """A run that was killed after its push, as the journal shows it to others."""
    run = journal.begin(NewRun(site="lab", kind="apply", owner="ana@runner", jobs=(JOB,)))
    journal.start(run)
    journal.mark(run, {"leaf-0-0": State.COMMITTED}, session="fabric-1-2-ab12")
    if changed:
        with journal.engine.begin() as connection:
            connection.execute(tables().locks.update().values(**changed))
    return run


def test_what_is_left_is_shown_and_nothing_is_done_without_a_yes(fabric, journal):
    run = locked(journal, machine="elsewhere", since="2026-01-02T03:04:05+00:00")

    ran = fabric("unlock", run)

    shown = dict(line.split(maxsplit=1) for line in ran.out.splitlines())
    assert ran.code == 1
    assert "error: FAB904" in ran.err
    assert (shown["owner"], shown["host"]) == ("ana@runner", "elsewhere")
    assert shown["process"] == f"{os.getpid()}, runs, or ran, where this machine cannot look"
    assert shown["locked"].startswith("2026-01-02T03:04:05+00:00 (")
    assert "step leaf-0-0: committed" in shown["last"]
    assert shown["open"] == "leaf-0-0: committed in wave 2, as fabric-1-2-ab12"
    assert holder(journal, "lab").run == run


@pytest.mark.parametrize(("machine", "identity"), [("elsewhere", None), (None, "- - - -"), (None, "a b c 1")])
def test_a_lock_whose_owner_is_not_known_to_live_is_taken_away(fabric, journal, machine, identity):
    changed = {"machine": machine} if machine else {"identity": identity, "process": 2**22 + 1}
    run = locked(journal, **changed)

    ran = fabric("unlock", run, "--yes")

    assert ran.code == 0
    assert f"Run `fabric apply --resume` to go on with run {run}, or `fabric rollback {run}`" in ran.err
    assert holder(journal, "lab") is None
    assert journal.unfinished("lab").id == run


def test_the_lock_of_a_live_process_stays(fabric, journal):
    run = locked(journal)

    ran = fabric("unlock", run, "--yes")

    assert ran.code == 1
    assert (
        f"error: FAB720: lab is locked by ana@runner (process {os.getpid()} on {socket.gethostname()})"
        in ran.err
    )
    assert f"`kill {os.getpid()}` has it take back its wave and end in order" in ran.err
    assert holder(journal, "lab").run == run


def test_only_the_lock_that_was_meant_is_taken(fabric, journal):
    assert "error: FAB722: lab is not locked" in fabric("unlock", 1, "--yes").err
    before = journal.begin(NewRun(site="lab", kind="apply", owner="ana"))
    journal.finish(before, "done")
    run = locked(journal, machine="elsewhere")

    ran = fabric("unlock", before, "--yes")

    assert ran.code == 1
    assert f"error: FAB722: lab is not locked by run {before}" in ran.err
    assert f"hint: name run {run}" in ran.err
    assert holder(journal, "lab").run == run


def test_machines_read_the_same(fabric, journal):
    run = locked(journal, machine="elsewhere")

    record = json.loads(fabric("unlock", run, "--yes", "--format", "json").out)

    assert (record["lock"]["owner"], record["lock"]["life"], record["run"]["id"]) == (
        "ana@runner",
        "unknown",
        run,
    )
    assert record["open"] == ["leaf-0-0: committed in wave 2, as fabric-1-2-ab12"]
    assert record["cordoned"] == []


def test_a_run_that_nobody_goes_on_with_is_given_up_and_the_next_plan_asks_its_devices(fabric, journal):
    run = locked(journal, machine="elsewhere")
    fabric("unlock", run, "--yes")
    asked = fabric("unlock", run)

    assert asked.code == 1
    assert "no: the run did not finish" in asked.out
    assert "leaf-0-0: committed in wave 2" in asked.out
    assert journal.unfinished("lab").id == run

    ran = fabric("unlock", run, "--yes")

    assert ran.code == 0
    assert f"run {run} is given up" in ran.err
    assert "`fabric plan`" in ran.err
    assert journal.unfinished("lab") is None
    assert journal.run(site="lab", number=run).state == "interrupted"
    assert {"leaf-0-0"} == set(unsettled(journal, "lab"))
    assert "given up" in fabric("history", run).out
    again = fabric("unlock", run, "--yes")
    assert again.code == 1
    assert "FAB722" in again.err


def test_hosts_that_are_still_out_of_service_are_named(fabric, journal):
    run = locked(journal, machine="elsewhere")
    journal.cordon(run, 2, Cordoned(2, ("leaf-0-0",)))
    fabric("unlock", run, "--yes")

    assert "the hosts behind leaf-0-0: they are still out of service" in fabric("unlock", run, "--yes").out
