"""Whatever becomes of the journal in mid-wave: a clear stop, each wave wholly old or new, and a way to go on."""

from __future__ import annotations

import os
import random
import re
import shlex
import sqlite3
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from fabric.deployment import Event, Journal, State, apply, holder, resume, rollback
from fabric.deployment.journal_store import given_up_locks, journal_access, journal_tables
from fabric.diagnostics import JournalFailed, Refused
from tests.deployment.conftest import AtOnce, Network, apply_options
from tests.deployment.test_failures import changed_ntp, runs
from tests.postgres import Cluster, cluster
from tests.programs import run
from tests.waiting import PATIENCE_S, until

MANY = 1000
Heal = Callable[[], object]


def locked(network: Network, file: Path) -> Heal:
    """Another process holds it longer than anybody waits."""
    other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    return other.close


def _pragma(network: Network, name: str, value: str) -> Heal:
    """Of each connection that is used from now on, by whichever thread, until it heals."""
    engine = network.journal.engine

    def limited(connection: Any, *_: object) -> None:
        connection.execute(f"PRAGMA {name}={value}")

    def heal() -> None:
        event.remove(engine, "checkout", limited)
        engine.dispose()  # those that are limited

    event.listen(engine, "checkout", limited)
    return heal


def full(network: Network, file: Path) -> Heal:
    """No page more can be written."""
    return _pragma(network, "max_page_count", "1")  # SQLite takes as many as there are


def read_only(network: Network, file: Path) -> Heal:
    return _pragma(network, "query_only", "1")


def gone(network: Network, file: Path) -> Heal:
    """Somebody moves it away, and back."""
    away = file.with_suffix(".away")
    file.rename(away)
    return lambda: away.rename(file)


FAULTS = {
    locked: "another process has held it for long",
    full: "the disk is full",
    read_only: "it may not be written",
    gone: "the file was removed or replaced",
}


def failure(verb: Callable[[], object]) -> JournalFailed | None:
    """What a run was stopped with, if it was."""
    try:
        verb()
    except JournalFailed as failed:
        return failed
    return None


def whole_waves(network: Network, old: dict[str, str], new: dict[str, str], run: int) -> None:
    """Devices alone, since the journal could not be written: nothing waits, and no wave is half done."""
    now, waves = runs(network), {}
    assert not any(box.is_pending for box in network.boxes().values())
    for step in network.journal.steps(run):
        state = {old[step.job.device]: "old", new[step.job.device]: "new"}[now[step.job.device]]
        waves.setdefault(step.job.wave, set()).add(state)
    assert all(len(states) == 1 for states in waves.values())


@pytest.mark.covering(most=2)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_journal_that_fails_at_any_event(
    make: Callable[..., Network], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Callable[..., Heal]
) -> None:
    applied = make(units=1)
    assert applied.apply().outcome == "done"
    monkeypatch.setattr(journal_tables, "BUSY_S", 0.05)
    applied.journal = Journal(tmp_path / "journal.sqlite")
    place = {"targets": applied.targets(), "journal": applied.journal, "options": apply_options()}
    old = runs(applied)
    changed_ntp(applied)
    applied.apply()
    new = runs(applied)
    rollback("lab", **place)
    for at in range(MANY):
        count, heal = iter(range(MANY)), []

        def on_event(
            _event: Event, at: int = at, count: Iterator[int] = count, heal: list[Heal] = heal
        ) -> None:
            if next(count) == at:
                heal.append(fault(applied, tmp_path / "journal.sqlite"))

        problem = failure(lambda: apply(applied.plan(), **place, executor=AtOnce(), on_event=on_event))
        known = f"FAB727: the journal {tmp_path}/journal.sqlite has failed: {FAULTS[fault]}"
        assert problem is None or str(problem).startswith(known)
        for mend in heal:
            mend()
        if not heal:
            break
        run = applied.journal.runs("lab")[0]
        whole_waves(applied, old, new, run.id)
        lock = holder(applied.journal, "lab")
        assert lock is None or lock.run == run.id
        if run.finished is None:
            assert resume("lab", **place).outcome == "done"
        assert runs(applied) == new
        rollback("lab", **place)
        assert runs(applied) == old
    assert at > 12


def test_nothing_is_confirmed_that_could_not_be_written_down(applied: Network, tmp_path: Path) -> None:
    """The journal goes before the gate opens: no device keeps its change, and each says so."""
    old = runs(applied)
    changed_ntp(applied)

    def on_event(happened: Event) -> None:
        if getattr(happened, "state", "") == State.COMMITTED:
            read_only(applied, tmp_path)

    place = {"targets": applied.targets(), "journal": applied.journal, "options": apply_options()}
    with pytest.raises(JournalFailed, match="in wave 1 of run 2 reverted: ") as failed:
        apply(applied.plan(), **place, executor=AtOnce(), on_event=on_event)
    assert "unconfirmed" not in str(failed.value)
    assert runs(applied) == old


def test_a_lock_that_could_not_be_given_back_holds_nobody_up(
    applied: Network, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process lives on, its run does not: it goes on itself at once, and others when the journal can be written."""
    monkeypatch.setattr(given_up_locks, "AGAIN_S", 0.01)
    changed_ntp(applied)
    heal: list[Heal] = []

    def on_event(happened: Event) -> None:
        if getattr(happened, "state", "") == State.COMMITTED and not heal:
            heal.append(read_only(applied, tmp_path))

    place = {"targets": applied.targets(), "journal": applied.journal, "options": apply_options()}
    with pytest.raises(JournalFailed):
        apply(applied.plan(), **place, executor=AtOnce(), on_event=on_event)
    left = holder(applied.journal, "lab")

    assert left is not None
    assert left.is_dead
    heal[0]()
    until(lambda: holder(applied.journal, "lab") is None, PATIENCE_S, "the lock is given back")
    assert resume("lab", **place).outcome == "done"


def test_devices_that_cannot_be_taken_back_either_are_named_with_the_time(
    applied: Network, tmp_path: Path
) -> None:
    changed_ntp(applied)
    saved = applied.plan()
    (canary,) = saved[0].waves[0].devices

    def on_event(happened: Event) -> None:
        if getattr(happened, "state", "") == State.COMMITTED:
            read_only(applied, tmp_path)
            applied.box(canary).fail("rollback")

    place = {"targets": applied.targets(), "journal": applied.journal, "options": apply_options()}
    with pytest.raises(JournalFailed, match=rf"left to its timer \(back at \d\d:\d\d:\d\d UTC\): {canary}"):
        apply(saved, **place, executor=AtOnce(), on_event=on_event)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"this is no journal" * 100, "FAB733: the journal {file} is damaged"),
        (None, "FAB727: the journal {file} cannot be opened: is a directory"),
    ],
)
def test_a_journal_that_cannot_be_opened_is_no_bug(tmp_path: Path, content: bytes | None, why: str) -> None:
    file = tmp_path / "journal.sqlite"
    if content is None:
        file.mkdir()
    else:
        file.write_bytes(content)

    with pytest.raises((Refused, JournalFailed), match=why.format(file=file)):
        Journal(file)


PAGE_BYTES = 4096


def test_a_journal_of_which_any_page_was_overwritten_is_refused_and_moved_away_by_the_command_that_is_named(
    applied: Network, tmp_path: Path
) -> None:
    """Its law: no part of a damaged journal is believed, and the hint leads out, typed as it stands there."""
    file, drawn = tmp_path / "journal.sqlite", random.Random(733)  # noqa: S311  # the same bytes each time
    applied.journal.engine.dispose()
    with closing(sqlite3.connect(file)) as known:
        known.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = file.read_bytes()
    assert len(whole) > 10 * PAGE_BYTES
    for page in range(0, len(whole), PAGE_BYTES):
        file.write_bytes(whole[:page] + drawn.randbytes(PAGE_BYTES) + whole[page + PAGE_BYTES :])
        with pytest.raises(JournalFailed, match=f"^FAB733: the journal {file} is damaged$") as failed:
            everything(Journal(file))
        command = re.search("`(mv [^`]*)`", str(failed.value.hint))[1]
        run(*shlex.split(command))

        assert Path(f"{file}.damaged").stat().st_size == len(whole)
        begun_anew = Journal(file)
        assert begun_anew.runs("lab") == ()
        begun_anew.engine.dispose()
        for left in tmp_path.glob("journal.sqlite*"):
            left.unlink()


def everything(journal: Journal) -> None:
    """Read all that a journal holds."""
    for record in journal.runs("lab"):
        for step in journal.steps(record.id):
            for key in filter(None, (step.job.text, step.job.before, step.after)):
                journal.text(key)


def test_a_text_that_is_not_what_was_written_is_never_used(applied: Network) -> None:
    (known, *_) = (step.job.text for step in applied.journal.steps(1))
    table = journal_tables.tables().texts
    for body in (zlib.compress(b"other"), b"no text"):
        with applied.journal.engine.begin() as connection:
            connection.execute(table.update().where(table.c.digest == known).values(body=body))
        with pytest.raises(JournalFailed, match="FAB733"):
            applied.journal.text(known)


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_the_journal_is_its_owners_alone_whatever_the_umask(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        journal = Journal(tmp_path / "journal.sqlite")
        journal.keep(["text"])
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    finally:
        os.umask(before)

    assert set(modes) >= {"journal.sqlite", "journal.sqlite-wal"}
    assert set(modes.values()) == {0o600}


def test_a_journal_that_everybody_could_read_is_closed_to_others(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as known:
        known.execute("CREATE TABLE other (x)")
    (tmp_path / "journal.sqlite").chmod(0o644)
    Journal(tmp_path / "journal.sqlite")

    assert (tmp_path / "journal.sqlite").stat().st_mode & 0o777 == 0o600


@pytest.fixture(scope="module")
def server() -> Iterator[Cluster]:
    with cluster() as running:
        yield running


@pytest.mark.live
@pytest.mark.parametrize("moment", ["wave_started", "committed", "confirmed", "wave_finished"])
def test_a_database_that_goes_and_comes_back_in_mid_run_is_waited_for(
    network: Network, server: Cluster, moment: str
) -> None:
    network.journal = Journal(server.url)
    assert network.apply().outcome == "done"
    network.edit("ntp 192.0.2.9", "ntp 192.0.2.10")
    saved, lost, stops = network.plan(), threading.Event(), iter([True])
    event.listen(network.journal.engine, "handle_error", lambda _context: lost.set())

    def back() -> None:
        assert lost.wait(PATIENCE_S)
        server.start()

    restart = threading.Thread(target=back)

    def on_event(happened: Event) -> None:
        if moment in (getattr(happened, "state", ""), type(happened).__struct_config__.tag) and next(
            stops, False
        ):
            server.stop()
            restart.start()

    place = {"targets": network.targets(), "journal": network.journal, "options": apply_options()}
    result = apply(saved, **place, on_event=on_event)
    restart.join(PATIENCE_S)
    again, site = Journal(server.url), "lab"
    applied = again.run(site)

    assert result.outcome == "done"
    assert applied.state == "done"
    assert holder(again, site) is None
    assert {step.state for step in again.steps(applied.id)} == {State.CONFIRMED}
    with again.engine.begin() as connection:
        for table in journal_tables.tables().metadata.sorted_tables:
            connection.execute(table.delete())


@pytest.mark.live
def test_a_database_that_stays_away_stops_the_run_in_order(
    network: Network, server: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_access, "PATIENCE_S", 0.5)
    network.journal = Journal(server.url)
    assert network.apply().outcome == "done"
    old, stops = runs(network), iter([True])
    network.edit("ntp 192.0.2.9", "ntp 192.0.2.10")

    def on_event(happened: Event) -> None:
        if getattr(happened, "state", "") == State.COMMITTED and next(stops, False):
            server.stop()

    place = {"targets": network.targets(), "journal": network.journal, "options": apply_options()}
    with pytest.raises(JournalFailed, match=r"FAB727: .*//127.*in wave 1 of run \d+ reverted"):
        apply(network.plan(), **place, on_event=on_event)
    assert runs(network) == old
    server.start()
    run = network.journal.unfinished("lab")
    assert run is not None
    with network.journal.engine.begin() as connection:  # its process is this one, and lives
        connection.execute(journal_tables.tables().locks.delete())
    assert resume("lab", **place).outcome == "done"


def test_a_journal_that_is_opened_again_keeps_its_locks(tmp_path: Path) -> None:
    """Seen: a closed descriptor drops the locks of its process (fcntl), another process took the log away."""
    file = tmp_path / "journal.sqlite"
    first = Journal(file)
    first.applied("lab")

    def locks() -> list[str]:
        """Of this process on the file, without their numbers."""
        ends = f":{file.stat().st_ino} "
        return sorted(
            line.partition(": ")[2] for line in Path("/proc/locks").read_text().splitlines() if ends in line
        )

    before = locks()
    Journal(file)

    assert before
    assert before == [line for line in locks() if line in before]
    first.engine.dispose()
