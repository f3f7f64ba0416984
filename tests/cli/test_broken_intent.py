"""Whatever is wrong with the intent keeps nobody from unlocking a site, or from reading what was done to it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fabric.deployment import Journal, State, holder
from fabric.deployment.jobs import Job
from fabric.deployment.journal_store.journal_records import NewRun
from fabric.deployment.journal_store.journal_tables import tables
from fabric.planning import Impact
from fabric.resources import scratch
from tests.cli.conftest import INVENTORY, SITE

JOB = Job(device="leaf-0-0", platform="eos", wave=2, impact=Impact.FLAP, text="t", before="b")
LOGIN = 'credentials: {ops: {username: u, password: "env:NEVER_SET"}}\ndefault_credentials: ops\n'
WRONG: dict[str, dict[str, str | None]] = {
    "nothing": {},
    "a missing password": {"inventory.yaml": LOGIN + INVENTORY},
    "an inventory that is no YAML": {"inventory.yaml": "devices: [}"},
    "an unknown key": {"site.yaml": SITE + "nonsense: 1\n"},
    "a site that cannot be expanded": {"site.yaml": SITE.replace("count: 4, speed", "count: 400, speed")},
    "no YAML behind the name": {"site.yaml": "site: lab  # the name\n  x: [\n"},
    "a quoted name": {"site.yaml": 'hosts: {\nsite: "lab"\n'},
    "conflict marks": {"site.yaml": SITE.replace("networks:", "<<<<<<< ours\nnetworks:\n=======")},
    "another encoding": {"site.yaml": "\udcff site: lab"},
    "no name": {"site.yaml": SITE.replace("site: lab", "")},
    "no file": {"site.yaml": None},
    "a lock of another version": {"fabric.lock": "format: 999\n"},
}


@pytest.fixture(params=WRONG)
def journal(request: pytest.FixtureRequest, site: Path) -> Journal:
    """Of a site that has gone wrong since: a run that was killed elsewhere."""
    known = Journal(scratch(site) / "journal.sqlite")
    run = known.begin(NewRun(site="lab", kind="apply", owner="ana@runner", jobs=(JOB,)))
    known.start(run)
    known.mark(run, {"leaf-0-0": State.COMMITTED}, session="fabric-1-2-ab12")
    with known.engine.begin() as connection:
        connection.execute(tables().locks.update().values(machine="elsewhere"))
    for file, text in WRONG[request.param].items():
        if text is None:
            (site / file).unlink()
        else:
            (site / file).write_text(text, encoding="utf-8", errors="surrogateescape")
    return known


def test_the_history_is_read(fabric, journal):
    runs = json.loads(fabric("history", "--format", "json").out)["runs"]
    steps = json.loads(fabric("history", "1", "--format", "json").out)["devices"]
    changes = json.loads(fabric("history", "leaf-0-0", "--format", "json").out)["changes"]

    assert [(1, "ana@runner")] == [(row["run"], row["owner"]) for row in runs]
    assert ["committed"] == [row["state"] for row in steps] == [row["state"] for row in changes]


def test_the_history_of_a_device_that_never_was_is_empty_or_a_wrong_name(fabric, journal):
    ran = fabric("history", "leaf-9-9")

    assert (ran.code, "0 changes" in ran.err) == (0, True) or "FAB902" in ran.err


def test_the_lock_is_taken_away(fabric, journal):
    ran = fabric("unlock", "1", "--yes")

    assert (ran.code, "lab is unlocked" in ran.err) == (0, True)
    assert holder(journal, "lab") is None


def test_a_folder_without_site_and_journal_is_told_and_left_alone(fabric, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    for command in (("history",), ("unlock", "1")):
        ran = fabric(*command, "-C", empty)

        assert (ran.code, "site.yaml" in ran.err) == (1, True)
        assert list(empty.iterdir()) == []


def test_of_several_sites_in_a_shared_journal_the_name_decides(fabric, site, tmp_path, monkeypatch):
    url = f"sqlite:///{tmp_path / 'shared.sqlite'}"
    monkeypatch.setenv("FABRIC_JOURNAL", url)
    shared = Journal(url)
    for name in ("lab", "other"):
        shared.finish(shared.begin(NewRun(site=name, kind="apply", owner=name)), "done")
    (site / "site.yaml").write_text("site: other\nnonsense: [")

    assert ["other"] == [
        row["owner"] for row in json.loads(fabric("history", "--format", "json").out)["runs"]
    ]

    (site / "site.yaml").write_text("nonsense: [")
    ran = fabric("history")
    assert (ran.code, "site.yaml" in ran.err) == (1, True)
