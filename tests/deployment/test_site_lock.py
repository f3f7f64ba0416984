"""One run changes a site at a time: who holds the lock, and who may take it over."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Barrier

import pytest
from msgspec.structs import replace
from sqlalchemy import text
from sqlalchemy.event import listen

from fabric.deployment import Journal, break_lock, holder
from fabric.deployment.journal_store import process_identity, site_lock
from fabric.deployment.journal_store.journal_records import NewRun
from fabric.deployment.journal_store.journal_tables import tables
from fabric.deployment.journal_store.process_identity import identity
from fabric.deployment.journal_store.site_lock import Holder
from fabric.diagnostics import Refused
from tests.programs import start
from tests.waiting import PATIENCE_S, until

RIVALS = 6
NOBODY = 65534


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.live)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """Where the journal is: a file, or a real PostgreSQL."""
    if request.param == "sqlite":
        return tmp_path / "journal.sqlite"
    url = str(request.getfixturevalue("postgres"))
    empty(Journal(url))
    return url


def empty(journal: Journal) -> None:
    """Of a database that tests share: nothing is left of the one before."""
    with journal.engine.begin() as connection:
        for table in tables().metadata.sorted_tables:
            connection.execute(table.delete())


@contextmanager
def locked(journal: Journal, owner: str) -> Iterator[int]:
    """Hold the lock of the site, for a run that asks its devices."""
    run = journal.begin(NewRun(site="lab", kind="apply", owner=owner))
    with journal.holding(run):
        yield run


def dead_process() -> int:
    dead = start(sys.executable, "-c", "")
    dead.wait()
    return dead.pid


def leave_a_dead_lock(journal: Journal) -> int:
    """What a killed apply leaves: its run, its lock, and no process of its number."""
    run = journal.begin(NewRun(site="lab", kind="apply", owner="killed"))
    journal.start(run)
    gone = str(identity()._replace(started="0"))
    with journal.engine.begin() as connection:
        connection.execute(tables().locks.update().values(process=dead_process(), identity=gone))
    return run


@pytest.mark.parametrize("left_behind", [True, False], ids=["a dead lock", "no lock"])
def test_of_rivals_that_see_the_same_lock_one_takes_it(
    place: Path | str, monkeypatch: pytest.MonkeyPatch, *, left_behind: bool
) -> None:
    """All of them look before any of them takes: whoever decides by what it saw alone would come second."""
    journal = Journal(place)
    killed = leave_a_dead_lock(journal) if left_behind else None
    all_have_looked, all_have_tried, seen = Barrier(RIVALS), Barrier(RIVALS), site_lock.holder

    def looked(journal: Journal, site: str) -> Holder | None:
        found = seen(journal, site)
        all_have_looked.wait(PATIENCE_S)
        return found

    def rival(number: int) -> str:
        mine = Journal(place)
        try:
            if killed is None:
                run = mine.begin(NewRun(site="lab", kind="apply", owner=f"rival {number}"))
            else:
                mine.take_over("lab", run := killed, f"rival {number}")
        except Refused as refused:
            all_have_tried.wait(PATIENCE_S)
            return str(refused)
        all_have_tried.wait(PATIENCE_S)
        mine.finish(run, "done")
        return "held"

    monkeypatch.setattr(site_lock, "holder", looked)
    with ThreadPoolExecutor(RIVALS) as pool:
        outcomes = list(pool.map(rival, range(RIVALS)))
    monkeypatch.undo()

    assert outcomes.count("held") == 1
    winner = outcomes.index("held")
    assert sum(f"lab is locked by rival {winner} (process" in outcome for outcome in outcomes) == RIVALS - 1
    assert holder(journal, "lab") is None
    assert len(journal.runs("lab")) == 1


RIVAL = """
import sys
from fabric.deployment import Journal
from fabric.diagnostics import Refused
from pathlib import Path
where = sys.argv[1] if "://" in sys.argv[1] else Path(sys.argv[1])
journal = Journal(where)
print("ready", flush=True)
sys.stdin.readline()
try:
    journal.take_over("lab", int(sys.argv[2]), "rival")
except Refused:
    print("refused", flush=True)
else:
    print("held", flush=True)
    sys.stdin.readline()
    journal.finish(int(sys.argv[2]), "done")
"""


def test_of_processes_that_take_over_at_once_one_holds_the_lock(place: Path | str) -> None:
    run = leave_a_dead_lock(Journal(place))
    command = [sys.executable, "-c", RIVAL, str(place), str(run)]
    rivals = [start(*command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    try:
        assert [_line(rival) for rival in rivals] == ["ready"] * 4
        for rival in rivals:
            _go_on(rival)
        outcomes = [_line(rival) for rival in rivals]
    finally:
        for rival in rivals:
            rival.communicate("\n", timeout=PATIENCE_S)

    assert sorted(outcomes) == ["held", "refused", "refused", "refused"]


def _line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def _go_on(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def test_a_dead_lock_is_taken_only_for_the_run_that_it_names(place: Path | str) -> None:
    journal = Journal(place)
    run = leave_a_dead_lock(journal)
    before = journal.runs("lab")

    with pytest.raises(Refused, match=f"FAB721: run {run} of killed"):
        journal.begin(NewRun(site="lab", kind="apply", owner="apply"))
    with pytest.raises(Refused, match="FAB722"):
        journal.take_over("lab", run + 1, "resume")
    assert (journal.runs("lab"), holder(journal, "lab").owner) == (before, "killed")
    journal.take_over("lab", run, "resume")
    known = holder(journal, "lab")
    assert known is not None
    assert (known.owner, known.run, known.life) == ("resume", run, "alive")


def test_a_live_lock_is_taken_by_nobody(place: Path | str) -> None:
    journal = Journal(place)
    with locked(journal, "night shift") as run:
        with pytest.raises(Refused, match="lab is locked by night shift"):
            Journal(place).begin(NewRun(site="lab", kind="apply", owner="another"))
        with pytest.raises(Refused, match="lab is locked by night shift"):
            Journal(place).take_over("lab", run, "another")
        known = holder(journal, "lab")

    assert known is not None
    assert (known.owner, known.run) == ("night shift", run)
    assert holder(journal, "lab") is None


def test_a_lock_that_was_taken_meanwhile_is_not_broken(place: Path | str) -> None:
    """Whoever breaks a lock means the one that was seen, not the one of whoever came since."""
    journal = Journal(place)
    run = leave_a_dead_lock(journal)
    seen = holder(journal, "lab")
    assert seen is not None
    journal.take_over("lab", run, "came since")

    assert not break_lock(journal, "lab", seen)
    known = holder(journal, "lab")
    assert known is not None
    assert known.owner == "came since"
    assert break_lock(journal, "lab", known)
    assert holder(journal, "lab") is None


@pytest.mark.parametrize("write", ["mark_wave", "finish", "begin"])
def test_who_has_lost_the_lock_goes_no_further(place: Path | str, write: str) -> None:
    """Unlocked from elsewhere, and taken over: two that confirm and take back each other's changes are one too many."""
    journal, other = Journal(place), Journal(place)
    run = journal.begin(NewRun(site="lab", kind="apply", owner="first"))
    journal.start(run)
    known = holder(other, "lab")
    assert known is not None
    break_lock(other, "lab", known)
    other.take_over("lab", run, "second")
    writes = {
        "mark_wave": lambda: journal.mark_wave(run, 1, "confirming"),
        "finish": lambda: journal.finish(run, "done"),
        "begin": lambda: journal.begin(NewRun(site="lab", kind="rollback", owner="first"), closes=run),
    }

    with pytest.raises(Refused, match=f"FAB720: the lock of run {run} was taken away"):
        writes[write]()
    journal.leave(run)
    still = holder(other, "lab")
    assert still is not None
    assert (still.owner, other.wave_state(run, 1)) == ("second", "")
    assert [(r.id, r.finished) for r in other.runs("lab")] == [(run, None)]
    other.finish(run, "done")


@pytest.mark.parametrize("write", ["mark", "mark_wave"])
def test_a_lock_is_not_taken_away_between_the_question_who_holds_it_and_what_is_written(
    place: Path | str, write: str
) -> None:
    journal, other = Journal(place), Journal(place)
    run = journal.begin(NewRun(site="lab", kind="apply", owner="first"))
    journal.start(run)
    known = holder(other, "lab")
    assert known is not None
    order = list[str]()

    def taken_away() -> None:
        assert break_lock(other, "lab", known)
        order.append("taken away")

    with ThreadPoolExecutor(1) as beside:

        def asked(_connection: object, _cursor: object, statement: str, *_: object) -> None:
            if statement.startswith("SELECT") and "locks" in statement and not order:
                order.append("asked")
                beside.submit(taken_away)
                time.sleep(0.2)

        def committed(_connection: object) -> None:
            order.append("written")

        listen(journal.engine, "after_cursor_execute", asked)
        listen(journal.engine, "commit", committed)
        writes = {
            "mark": lambda: journal.mark(run, {}),
            "mark_wave": lambda: journal.mark_wave(run, 1, "confirming"),
        }
        writes[write]()
    assert order == ["asked", "written", "taken away"]


def test_a_journal_of_the_version_before_is_gone_on_with(place: Path | str) -> None:
    """It has no column for what came since, and may hold a lock that names no run."""
    journal = Journal(place)
    with journal.engine.begin() as connection:
        for table, column in (("locks", "run"), ("locks", "identity"), ("runs", "takes_back")):
            connection.execute(text(f"ALTER TABLE {table} DROP COLUMN {column}"))
        fields = {"owner": "before", "machine": "elsewhere", "process": 1, "since": "2026-01-02"}
        connection.execute(tables().locks.insert().values(site="lab", token="token", **fields))
    again = Journal(place)
    known = holder(again, "lab")

    assert known is not None
    assert (known.owner, known.run, known.identity, known.life) == ("before", None, None, "unknown")
    assert break_lock(again, "lab", known)
    again.finish(again.begin(NewRun(site="lab", kind="apply", owner="now")), "done")
    assert [run.takes_back for run in again.runs("lab")] == [None]


def test_a_number_that_another_process_has_now_is_not_alive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = tmp_path / "machine-id"  # a bare system has none
    written.write_text("4f1e0d3c\n", encoding="utf-8")
    monkeypatch.setattr(process_identity, "MACHINE_ID", written)
    here, mine = socket.gethostname(), identity()
    known = Holder("root", here, os.getpid(), "2026-01-02", identity=str(mine))
    cases = {
        "alive": mine,
        "dead": mine._replace(started="1"),  # the number was given to somebody else
        "dead ": mine._replace(boot="another", started="1"),  # rebooted since
        "unknown": mine._replace(boot="another", installation="other"),  # another machine of that name
        "unknown ": mine._replace(namespace="pid:[1]"),  # a container
        "unknown  ": mine._replace(boot="another", installation=""),
    }

    assert known.life == "alive"
    assert {label: replace(known, identity=str(other)).life for label, other in cases.items()} == {
        label: label.strip() for label in cases
    }


def test_a_process_that_nobody_has_collected_is_dead() -> None:
    child = os.fork()
    if child == 0:
        signal.pause()
    known = Holder("root", socket.gethostname(), child, "2026-01-02", identity=str(identity(child)))
    assert known.life == "alive"
    os.kill(child, signal.SIGKILL)
    until(lambda: known.is_dead, PATIENCE_S, "the kill")
    os.waitpid(child, 0)

    assert known.is_dead


def live_process_of_another_user() -> int:
    """Seen from a child without rights this process is one; without rights ourselves, the machine's first one."""
    return os.getpid() if os.geteuid() == 0 else 1


def seen_as_dead(known: Holder) -> bool:
    """What `is_dead` says to somebody who may not send that process a signal."""
    if os.geteuid() != 0:
        return known.is_dead
    child = os.fork()
    if child == 0:
        os.setuid(NOBODY)
        os._exit(int(known.is_dead))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1


def test_the_live_lock_of_another_user_is_alive() -> None:
    known = Holder("root", socket.gethostname(), live_process_of_another_user(), "2026-01-02")

    assert not seen_as_dead(known)
    assert seen_as_dead(Holder("root", socket.gethostname(), dead_process(), "2026-01-02"))


def test_a_process_that_the_system_does_not_show_to_us_is_not_dead(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where /proc is mounted with `hidepid`, that of another user has no entry there."""
    alive = live_process_of_another_user()
    known = Holder("root", socket.gethostname(), alive, "2026-01-02", identity=str(identity(alive)))
    gone = Holder("root", socket.gethostname(), dead_process(), "2026-01-02", identity=str(identity(alive)))
    with TemporaryDirectory() as folder:  # those of pytest cannot be entered by others
        proc = Path(folder)
        proc.chmod(0o755)
        (proc / "self" / "ns").mkdir(parents=True)
        (proc / "self" / "ns" / "pid").symlink_to(Path("/proc/self/ns/pid").readlink())
        monkeypatch.setattr(process_identity, "PROC", proc)

        assert not seen_as_dead(known)
        assert seen_as_dead(gone)


def test_a_lock_of_another_machine_is_never_dead() -> None:
    """Its process numbers say nothing here."""
    assert not Holder("root", "elsewhere", dead_process(), "2026-01-02").is_dead
