"""A journal whose file was written into by something else: every command says so, and how to go on."""

from __future__ import annotations

import random

import pytest

from fabric.deployment import Journal
from fabric.deployment.jobs import Job
from fabric.deployment.journal_store.journal_records import NewRun
from fabric.planning import Impact
from fabric.resources import scratch

COMMANDS = (
    ("plan",),
    ("plan", "--refresh-only"),
    ("apply", "--resume"),
    ("rollback",),
    ("rollback", "--dry-run"),
    ("drift",),
    ("history",),
    ("history", 1),
    ("history", "leaf-0-0"),
    ("unlock", 1),
)


def job(device):
    return Job(
        device=device, platform="eos", wave=1, impact=Impact.FLAP, text="t", before="b", summary="x" * 500
    )


@pytest.fixture(params=["closed", "with what was written last in the log beside it"])
def file(request, site):
    """A journal with a run that was killed, of which forty pages are something else since."""
    known = scratch(site) / "journal.sqlite"
    journal = Journal(known)
    jobs = tuple(job(f"leaf-0-{number}") for number in range(400))
    run = journal.begin(NewRun(site="lab", kind="apply", owner="ana", jobs=jobs))
    with journal.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    journal.start(run)
    if request.param == "closed":
        journal.engine.dispose()
    with known.open("r+b") as damaged:
        damaged.write(random.Random(1).randbytes(40 * 4096))  # noqa: S311  # the same bytes each time
    yield known
    journal.engine.dispose()


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(map(str, words)))
@pytest.mark.usefixtures("file")
def test_every_command_says_that_the_journal_is_damaged_and_how_to_go_on(fabric, words):
    ran = fabric(*words)
    told = " ".join(ran.err.split())

    assert ran.code == 1
    assert "error: FAB733: the journal .fabric/journal.sqlite is damaged" in told
    assert "`mv .fabric/journal.sqlite .fabric/journal.sqlite.damaged`" in told
    assert "FAB721" not in told
