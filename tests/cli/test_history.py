"""`fabric history` says who changed what, when, of which commit, and how it ended."""

from __future__ import annotations

import json

import jsonschema
import pytest
from msgspec.structs import replace

from fabric.cli.output_schemas import printed_schema
from fabric.deployment import Journal, State, break_lock, holder
from fabric.deployment.jobs import Job
from fabric.deployment.journal_store.cordoned_hosts import Cordoned
from fabric.deployment.journal_store.journal import NOT_BEGUN
from fabric.deployment.journal_store.journal_records import NewRun
from fabric.deployment.refusal_message import named
from fabric.deployment.site_revision import Revision, site_revision
from fabric.planning import Impact
from fabric.resources import scratch
from tests.programs import run

AUTHOR = ("-c", "user.name=ana", "-c", "user.email=ana@example.net")


def commit(site):
    run("git", "-C", site, "add", "site.yaml", "inventory.yaml", ".gitignore")
    run("git", "-C", site, *AUTHOR, "commit", "-qm", "the site")
    return run("git", "-C", site, "rev-parse", "HEAD").stdout.strip()


def job(name: str, wave: int) -> Job:
    impact = Impact.HITLESS
    return Job(device=name, platform="eos", wave=wave, impact=impact, text="t", before="b", summary="ntp")


def holds(name, document):
    """Whether a document is what its schema says, with no other key."""
    schema = printed_schema(name)
    jsonschema.validate(document, schema)
    assert document.keys() == schema["properties"].keys()


@pytest.fixture
def lived(site):
    """An apply, and a rollback of it that has failed in its second wave."""
    journal = Journal(scratch(site) / "journal.sqlite")
    jobs = (job("leaf-0-0", 1), job("spine-0", 2))
    known = {"site": "lab", "jobs": jobs, "revision": "c0ffee" * 6, "is_modified": True}
    first = journal.begin(NewRun(kind="apply", owner="ana", **known))
    for each in jobs:
        journal.confirmed(first, "lab", each, "after\n")
    journal.finish(first, "done")
    second = journal.begin(NewRun(site="lab", kind="rollback", owner="bob", jobs=jobs, takes_back=first))
    journal.confirmed(second, "lab", jobs[0], "before\n")
    journal.remark(second, "begun though no maintenance window is open", "a fan burns")
    journal.mark(second, {"spine-0": State.REVERTED}, reason="spine-0: a session is down")
    journal.finish(second, "failed")
    return journal


def test_runs_are_told_to_people_and_machines(fabric, lived):
    record = json.loads(fabric("history", "--format", "json").out)
    text = fabric("history")

    holds("history", record)
    keys = ("run", "owner", "kind", "commit", "confirmed", "changed", "state")
    assert [tuple(row[key] for key in keys) for row in record["runs"]] == [
        (2, "bob", "rollback of 1", None, "1 of 2", "ntp", "failed"),
        (1, "ana", "apply", "c0ffeec0ff+", "2 of 2", "ntp", "done"),
    ]
    assert all(row["started"].startswith("20") for row in record["runs"])
    assert "2 runs" in text.err
    assert "c0ffeec0ff+" in text.out


@pytest.mark.parametrize("kinds", [1, 2])
@pytest.mark.parametrize("lines", [1, 2, 5, 6, 135])
def test_what_a_run_changed_takes_a_line_for_people_and_is_whole_for_machines(fabric, site, lines, kinds):
    journal = Journal(scratch(site) / "journal.sqlite")
    names = [f"config_db.json PORT Ethernet{number}" for number in range(lines)]
    jobs = [replace(job(f"leaf-0-{n}", 1), summary=named(names)) for n in range(3)]
    jobs += [replace(job("spine-0", 2), summary="bgp")] * (kinds - 1)
    journal.finish(journal.begin(NewRun(site="lab", kind="apply", owner="ana", jobs=tuple(jobs))), "done")
    (record,) = json.loads(fabric("history", "--format", "json").out)["runs"]
    text = fabric("history").out

    more, others = f" and {lines - 1} more" * (lines > 1), " (and 1 other change)" * (kinds - 1)
    assert record["changed"] == named(names) + others
    assert f"  {names[0]}{more}{others}  " in text


def test_a_device_and_a_run_are_told_alone(fabric, lived):
    of_device = json.loads(fabric("history", "--device", "spine-0", "--format", "json").out)
    of_run = json.loads(fabric("history", 2, "--format", "json").out)

    holds("history-device", of_device)
    holds("history-run", of_run)
    assert of_device == json.loads(fabric("history", "spine-0", "--format", "json").out)
    assert [(row["run"], row["kind"], row["state"]) for row in of_device["changes"]] == [
        (2, "rollback of 1", "reverted"),
        (1, "apply", "confirmed"),
    ]
    assert [row["commit"] for row in of_device["changes"]] == [None, "c0ffeec0ff+"]
    assert (of_run["run"], of_run["takes_back"], of_run["state"]) == (2, 1, "failed")
    keys = ("device", "wave", "impact", "changed", "state", "reason")
    assert [tuple(row[key] for key in keys) for row in of_run["devices"]] == [
        ("leaf-0-0", 1, "hitless", "ntp", "confirmed", ""),
        ("spine-0", 2, "hitless", "ntp", "reverted", "spine-0: a session is down"),
    ]
    assert "run 2, kind rollback, owner bob" in fabric("history", 2).out
    (remark,) = of_run["remarks"]
    assert remark["reason"] == "a fan burns"
    assert ": begun though no maintenance window is open: a fan burns\n" in fabric("history", 2).out


def test_of_a_wave_that_was_held_back_it_is_told_why(fabric, site):
    journal = Journal(scratch(site) / "journal.sqlite")
    jobs = (job("leaf-0-0", 1), job("leaf-0-1", 2), job("spine-0", 3))
    number = journal.begin(NewRun(site="lab", kind="apply", owner="ana", jobs=jobs))
    journal.confirmed(number, "lab", jobs[0], "after\n")
    journal.mark_wave(number, 1, "done")
    journal.mark_wave(number, 2, NOT_BEGUN, "`drain-jobs`: exit code 1: no such partition")
    journal.finish(number, "failed")

    devices = json.loads(fabric("history", number, "--format", "json").out)["devices"]

    assert [(row["device"], row["state"], row["reason"]) for row in devices] == [
        ("leaf-0-0", "confirmed", ""),
        ("leaf-0-1", "planned", "`drain-jobs`: exit code 1: no such partition"),
        ("spine-0", "planned", ""),
    ]


def test_a_device_that_there_is_not_is_refused_by_name(fabric, lived):
    ran = fabric("history", "leaf-9-9")

    assert 1 == ran.code
    assert "FAB902" in ran.err


def test_a_run_that_there_is_not_is_refused_and_nothing_is_no_error(fabric):
    assert "FAB722" in fabric("history", 3).err
    assert "0 runs" in fabric("history").err
    assert "error: FAB901: name a run or a device" in fabric("history", 3, "--device", "leaf-0-0").err


@pytest.mark.parametrize(("option", "is_told"), [((), False), (("--sandbox",), True), (("--lab",), True)])
def test_that_a_named_journal_is_not_that_of_a_sandbox_or_lab_is_said(
    fabric, tmp_path, monkeypatch, option, is_told
):
    monkeypatch.setenv("FABRIC_JOURNAL", f"sqlite:///{tmp_path / 'shared.sqlite'}")

    assert is_told == ("FABRIC_JOURNAL is not used" in fabric("history", *option).err)


def test_the_revision_is_that_of_the_sites_folder(site, tmp_path):
    assert site_revision(tmp_path / "not-there") == Revision()
    run("git", "init", "-q", site)
    assert site_revision(site) == Revision()
    (site / ".gitignore").write_text("")
    known = commit(site)

    assert site_revision(site) == Revision(known, is_modified=False)
    (site.parent / "outside").write_text("")
    assert site_revision(site) == Revision(known, is_modified=False)
    (site / "new.yaml").write_text("")
    assert site_revision(site) == Revision(known, is_modified=True)


def test_hosts_that_a_run_has_left_without_a_path_are_told(fabric, site, lived):
    (site / "backups").mkdir()
    lived.cordon(2, 1, Cordoned(2, ("leaf-0-0",), ("gpu-0-0", "gpu-0-1")))
    lived.uncordoned(2, 1, left=Cordoned(2, ("leaf-0-0",), ("gpu-0-0", "gpu-0-1"), is_over=True), by=2)
    told = "gpu-0-0, gpu-0-1: no path since run 2"

    assert told in fabric("history").err
    assert "behind" not in fabric("history").err
    assert told in fabric("history", 2).err
    assert told not in fabric("history", 1).err
    assert told in fabric("plan", "--offline", "backups").err
    lived.uncordoned(2, 1, "`./hook`: exit code 3", by=2)
    assert told not in fabric("history").err
    assert ", wave 1: cordon: `./hook`: exit code 3" in fabric("history", 2).out
    lived.cordon(2, 1, Cordoned(2, ("leaf-0-0",)))  # and the run was given up
    assert "hosts behind leaf-0-0: still out of service since run 2" in fabric("history").err


def test_a_run_whose_process_is_gone_does_not_run(fabric, site):
    """Its lock tells: who was killed has left it, and so has who lost it."""
    journal = Journal(scratch(site) / "journal.sqlite")
    number = journal.begin(NewRun(site="lab", kind="apply", owner="ana", jobs=(job("leaf-0-0", 1),)))
    journal.start(number)

    def told() -> set[str]:
        (record,) = json.loads(fabric("history", "--format", "json").out)["runs"]
        return {record["state"], json.loads(fabric("history", number, "--format", "json").out)["state"]}

    assert told() == {"running"}
    known = holder(journal, "lab")
    assert known is not None
    assert break_lock(journal, "lab", known)
    assert told() == {"did not finish"}


@pytest.mark.parametrize("command", ["rollback", "rollback 1"])
def test_nothing_is_taken_back_while_a_run_is_under_way(fabric, site, lived, command):
    """Not even looked at: a rollback tries on the devices what they ran before."""
    lived.begin(NewRun(site="lab", kind="apply", owner="ana", jobs=(job("leaf-0-0", 1),)))
    ran = fabric(*command.split())

    assert ran.code == 1
    assert "FAB720" in ran.err
    assert "for run 3" in ran.err
