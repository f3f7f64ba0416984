"""One run changes a site at a time: who holds the lock, and who may take it over."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event

import pytest

from fabric.deployment import Journal, break_lock, holder
from fabric.deployment.journal_store import site_lock
from fabric.deployment.journal_store.journal_tables import tables
from fabric.deployment.journal_store.site_lock import Holder, locked
from fabric.diagnostics import Refused
from tests.programs import start
from tests.waiting import PATIENCE_S

RIVALS = 6
NOBODY = 65534


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.live)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """Where the journal is: a file, or a real PostgreSQL."""
    if request.param == "sqlite":
        return tmp_path / "journal.sqlite"
    url = str(request.getfixturevalue("postgres"))
    with Journal(url).engine.begin() as connection:
        connection.execute(tables().locks.delete())
    return url


def dead_process() -> int:
    dead = start(sys.executable, "-c", "")
    dead.wait()
    return dead.pid


def leave_a_dead_lock(journal: Journal) -> None:
    """What a killed apply leaves: its row, and no process of its number."""
    row = {"site": "lab", "owner": "killed", "machine": socket.gethostname(), "process": dead_process()}
    with journal.engine.begin() as connection:
        connection.execute(tables().locks.insert().values(**row, since="2026-01-02", token="left"))


@pytest.mark.parametrize("left_behind", [True, False], ids=["a dead lock", "no lock"])
def test_of_rivals_that_see_the_same_lock_one_takes_it(
    place: Path | str, monkeypatch: pytest.MonkeyPatch, *, left_behind: bool
) -> None:
    """All of them look before any of them takes: whoever decides by what it saw alone would come second."""
    journal = Journal(place)
    if left_behind:
        leave_a_dead_lock(journal)
    all_have_looked, all_have_tried, seen = Barrier(RIVALS), Barrier(RIVALS), site_lock.holder

    def looked(journal: Journal, site: str) -> Holder | None:
        found = seen(journal, site)
        all_have_looked.wait(PATIENCE_S)
        return found

    def rival(number: int) -> str:
        try:
            with locked(Journal(place), "lab", f"rival {number}", take_over=True):
                all_have_tried.wait(PATIENCE_S)
                return "held"
        except Refused as refused:
            all_have_tried.wait(PATIENCE_S)
            return str(refused)

    monkeypatch.setattr(site_lock, "holder", looked)
    with ThreadPoolExecutor(RIVALS) as pool:
        outcomes = list(pool.map(rival, range(RIVALS)))
    monkeypatch.undo()

    assert outcomes.count("held") == 1
    winner = outcomes.index("held")
    assert sum(f"lab is locked by rival {winner} (process" in outcome for outcome in outcomes) == RIVALS - 1
    assert holder(journal, "lab") is None


RIVAL = """
import sys
from fabric.deployment import Journal
from fabric.deployment.journal_store.site_lock import locked
from fabric.diagnostics import Refused
from tests.programs import start
from pathlib import Path
where = sys.argv[1] if "://" in sys.argv[1] else Path(sys.argv[1])
journal = Journal(where)
print("ready", flush=True)
sys.stdin.readline()
try:
    with locked(journal, "lab", "rival", take_over=True):
        print("held", flush=True)
        sys.stdin.readline()
except Refused:
    print("refused", flush=True)
"""


def test_of_processes_that_take_over_at_once_one_holds_the_lock(place: Path | str) -> None:
    leave_a_dead_lock(Journal(place))
    command = [sys.executable, "-c", RIVAL, str(place)]
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


def test_a_dead_lock_is_taken_only_by_who_takes_over(place: Path | str) -> None:
    journal = Journal(place)
    leave_a_dead_lock(journal)

    with pytest.raises(Refused, match="which is not running any more"), locked(journal, "lab", "apply"):
        pass
    with locked(journal, "lab", "resume", take_over=True):
        found = holder(journal, "lab")
    assert found is not None
    assert found.owner == "resume"


@pytest.mark.parametrize("take_over", [True, False])
def test_a_live_lock_is_taken_by_nobody(place: Path | str, *, take_over: bool) -> None:
    journal = Journal(place)
    with locked(journal, "lab", "night shift"):
        with (
            pytest.raises(Refused, match="lab is locked by night shift"),
            locked(Journal(place), "lab", "another", take_over=take_over),
        ):
            pass
        found = holder(journal, "lab")

    assert found is not None
    assert found.owner == "night shift"


def test_a_lock_that_was_taken_meanwhile_is_not_broken(
    place: Path | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever breaks a lock means the one that was seen, not the one of whoever came since."""
    journal = Journal(place)
    leave_a_dead_lock(journal)
    looked, taken, seen = Event(), Event(), site_lock.holder

    def slow(journal: Journal, site: str) -> Holder | None:
        found = seen(journal, site)
        looked.set()
        taken.wait(PATIENCE_S)
        return found

    with ThreadPoolExecutor(1) as pool:
        monkeypatch.setattr(site_lock, "holder", slow)
        broken = pool.submit(break_lock, journal, "lab")
        assert looked.wait(PATIENCE_S)
        monkeypatch.undo()
        with locked(journal, "lab", "came since", take_over=True):
            taken.set()
            broken.result(PATIENCE_S)
            found = holder(journal, "lab")

    assert found is not None
    assert found.owner == "came since"


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


def test_a_lock_of_another_machine_is_never_dead() -> None:
    """Its process numbers say nothing here."""
    assert not Holder("root", "elsewhere", dead_process(), "2026-01-02").is_dead
