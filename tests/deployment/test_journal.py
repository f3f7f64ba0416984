"""What is written down is read back, and what is written about one run says nothing of another."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fabric.deployment import Journal, State
from fabric.deployment.jobs import Job
from fabric.deployment.journal_store.journal_records import NewRun
from fabric.deployment.journal_store.last_applied import READ_AT_ONCE
from fabric.deployment.taking_back.restored_texts import may_be_new
from fabric.diagnostics import Refused
from fabric.planning import Impact, LastApplied
from fabric.planning.texts import digest

TEXTS = ("new\n", "ours\n", "old\n")
SITES = ("lab", "plant")
DEVICES = ("leaf-0", "leaf-1")


def job(device: str, wave: int = 1) -> Job:
    return Job(
        device=device,
        platform="toy",
        wave=wave,
        impact=Impact.FLAP,
        text=digest("new\n"),
        before=digest("old\n"),
        artifact="a" * 64,
        owned=digest("ours\n"),
    )


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    """Two runs of each of two sites, all of the same devices, all confirmed."""
    made = Journal(tmp_path / "below" / "journal.sqlite")
    for number in (1, 2):
        for site in SITES:
            made.keep(TEXTS)
            jobs = tuple(job(name) for name in DEVICES)
            run = made.begin(NewRun(site=site, kind="apply", plan=f"plan {number}", owner="ana", jobs=jobs))
            made.start(run)
            made.mark_wave(run, 1, "done")
            for name in DEVICES:
                made.confirmed(run, site, job(name), "after\n")
            made.finish(run, "done")
    return made


def everything(journal: Journal) -> dict[tuple[str, Any], Any]:
    """What the journal says, by site and run."""
    found: dict[tuple[str, Any], Any] = {}
    for site in SITES:
        found[site, "applied"] = journal.applied(site)
        for run in journal.runs(site):
            found[site, run.id] = (
                run,
                journal.steps(run.id),
                journal.entries(run.id),
                journal.wave_state(run.id, 1),
            )
    return found


WRITES: dict[str, tuple[Callable[[Journal], Any], set[tuple[str, Any]]]] = {
    "mark": (lambda j: j.mark(3, {"leaf-0": State.FAILED}, session="s", reason="why"), {("lab", 3)}),
    "mark_wave": (lambda j: j.mark_wave(3, 1, "gate"), {("lab", 3)}),
    "confirmed": (
        lambda j: j.confirmed(3, "lab", job("leaf-0"), "other\n"),
        {("lab", 3), ("lab", "applied")},
    ),
    "finish": (lambda j: j.finish(3, "failed"), {("lab", 3)}),
    "the first apply taken back": (
        lambda j: j.confirmed(3, "lab", msgspec.structs.replace(job("leaf-0"), owned=""), "after\n"),
        {("lab", 3), ("lab", "applied")},
    ),
    "begin": (
        lambda j: j.begin(NewRun(site="lab", kind="rollback", owner="bob", jobs=(job("leaf-0"),))),
        {("lab", 5)},
    ),
    "start": (lambda j: j.start(3), {("lab", 3)}),
    "keep": (lambda j: j.keep(["kept\n"]), set()),
}


@pytest.mark.parametrize("write", WRITES)
def test_what_is_written_of_one_run_changes_what_is_said_of_no_other(journal: Journal, write: str) -> None:
    do, about = WRITES[write]
    before = everything(journal)
    do(journal)
    after = everything(journal)

    assert {key for key in after if after[key] != before.get(key)} == about


def test_of_one_run_the_other_devices_and_waves_stay_as_they_are(journal: Journal) -> None:
    first, second = journal.steps(3)
    journal.mark(3, {"leaf-0": State.FAILED}, reason="why")
    journal.mark_wave(3, 2, "gate")

    assert journal.steps(3)[1] == second
    assert journal.steps(3)[0] == msgspec.structs.replace(first, state=State.FAILED, after="", reason="why")
    assert (journal.wave_state(3, 1), journal.wave_state(3, 2), journal.wave_state(3, 3)) == (
        "done",
        "gate",
        "",
    )


def test_a_device_whose_first_apply_was_taken_back_counts_as_never_applied(journal: Journal) -> None:
    journal.confirmed(3, "lab", msgspec.structs.replace(job("leaf-0"), owned=digest("")), "after\n")

    assert [*journal.applied("lab")] == ["leaf-1"]


def test_a_step_is_read_back_as_it_was_written(journal: Journal) -> None:
    jobs = (job("leaf-1", 2), job("leaf-0", 2), job("spine", 1))
    run = journal.begin(NewRun(site="lab", kind="apply", plan="p", owner="ana", jobs=jobs))

    assert [(step.job, step.state, step.session, step.after, step.reason) for step in journal.steps(run)] == [
        (made, State.PLANNED, "", "", "") for made in (job("spine", 1), job("leaf-0", 2), job("leaf-1", 2))
    ]
    journal.mark(run, {"spine": State.PUSHING}, session="s-1")
    journal.mark(run, {"spine": State.FAILED}, reason="why")
    (spine, *_) = journal.steps(run)
    assert (spine.state, spine.session, spine.reason) == (State.FAILED, "s-1", "why")
    journal.confirmed(run, "lab", spine.job, "after\n")
    (spine, *_) = journal.steps(run)
    assert (spine.state, spine.after, spine.reason) == (State.CONFIRMED, digest("after\n"), "")


def test_what_was_applied_last_is_that_of_the_last_run(journal: Journal) -> None:
    journal.keep(["mine\n"])
    mine = msgspec.structs.replace(job("leaf-0"), owned=digest("mine\n"))
    journal.confirmed(3, "lab", mine, "later\n")
    known, found = journal.last_applied("lab"), journal.applied("lab")["leaf-0"]

    assert known["leaf-0"] == LastApplied("a" * 64, "mine\n", digest("later\n"), has_foreign=True)
    assert (known.after("leaf-0"), known.digest("leaf-0")) == ("later\n", digest("later\n"))
    assert (found.device, found.run, found.candidate) == ("leaf-0", 3, digest("new\n"))
    assert ([*known], len(known)) == ([*DEVICES], 2)


def test_what_is_ours_on_many_devices_is_read_by_the_dozen(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    devices = [f"leaf-{number}" for number in range(2 * READ_AT_ONCE)]
    journal.keep(f"{name}\n" for name in devices)
    for name in devices:
        journal.confirmed(3, "lab", msgspec.structs.replace(job(name), owned=digest(f"{name}\n")), "later\n")
    queries: list[object] = []
    monkeypatch.setattr(journal, "rows", lambda query: queries.append(query) or Journal.rows(journal, query))
    known = journal.last_applied("lab")

    assert [f"{name}\n" for name in reversed(devices)] == [known[name].text for name in reversed(devices)]
    assert 1 + len(devices) / READ_AT_ONCE <= len(queries) <= 3 + len(devices) / READ_AT_ONCE


def test_runs_are_told_the_last_one_first_with_who_when_and_what(journal: Journal) -> None:
    last, first = journal.runs("lab")

    assert (last.id, first.id, journal.run(SITES[0]), journal.run(SITES[0], 1)) == (3, 1, last, first)
    assert (last.site, last.kind, last.plan, last.owner, last.state) == (
        "lab",
        "apply",
        "plan 2",
        "ana",
        "done",
    )
    for moment in (last.started, last.finished or "", journal.applied("lab")["leaf-0"].at):
        assert len(moment) == len("2026-01-02T03:04:05.678+00:00")
        assert timedelta(0) <= datetime.now(UTC) - datetime.fromisoformat(moment) < timedelta(minutes=10)
    open_ = journal.begin(NewRun(site="lab", kind="rollback", owner="bob", takes_back=3))
    begun = journal.run(SITES[0])
    assert (begun.id, begun.finished, begun.state, begun.takes_back) == (open_, None, "checking", 3)
    assert journal.unfinished("lab") == begun
    journal.start(open_)
    assert journal.run(SITES[0]) == msgspec.structs.replace(begun, state="running")


def test_entries_come_in_order_with_their_moment(journal: Journal) -> None:
    journal.mark(3, {"leaf-0": State.FAILED}, reason="why")
    journal.mark_wave(3, 1, "reverted", "because")
    told = [
        (entry["wave"], entry["device"], entry["state"], entry["reason"]) for entry in journal.entries(3)[-3:]
    ]

    assert told == [
        (None, "leaf-1", "confirmed", None),
        (None, "leaf-0", "failed", "why"),
        (1, None, "reverted", "because"),
    ]
    assert all(entry["at"].startswith("20") for entry in journal.entries(3))


def test_a_text_is_kept_by_its_digest_and_a_strange_digest_is_a_key_error(journal: Journal) -> None:
    journal.keep(["kept äö\n", "kept äö\n"])

    assert journal.text(digest("kept äö\n")) == "kept äö\n"
    assert {journal.text(digest(text)) for text in TEXTS} == set(TEXTS)
    with pytest.raises(KeyError, match="0000"):
        journal.text("0" * 64)


def test_a_run_that_there_is_not_is_refused_with_those_there_are(journal: Journal) -> None:
    with pytest.raises(Refused, match=r"FAB722: lab has no run 9$") as refused:
        journal.run(SITES[0], 9)
    assert refused.value.hint == "name one that there is, the last first: 3, 1"
    with pytest.raises(Refused, match=r"FAB722: nothing was applied to nowhere yet$") as refused:
        journal.run(site="nowhere")
    assert str(refused.value.hint).startswith(
        "`fabric plan --adopt` makes the plan of the first run; if it was"
    )
    assert "set `FABRIC_JOURNAL` to that one's URL" in str(refused.value.hint)


def test_a_journal_shows_its_place(tmp_path: Path) -> None:
    assert repr(Journal(tmp_path / "j")) == f"Journal(sqlite:///{tmp_path}/j)"


def test_a_long_chain_of_rollbacks_is_walked(journal: Journal) -> None:
    """`fabric rollback` typed again and again takes back what the last one brought: each of them counts."""
    one = job("leaf-0")
    runs = [journal.begin(NewRun(site="lab", kind="apply", owner="bob", jobs=(one,)))]
    for _ in range(600):
        journal.confirmed(runs[-1], "lab", one, "text\n")
        journal.finish(runs[-1], "done")
        back = NewRun(site="lab", kind="rollback", owner="bob", takes_back=runs[-1], jobs=(one,))
        runs.append(journal.begin(back))
    journal.confirmed(runs[-1], "lab", one, "text\n")
    journal.finish(runs[-1], "done")

    known = {run.id: run for run in journal.runs("lab")}
    assert may_be_new(journal, known[runs[-1]])
    assert not may_be_new(journal, known[runs[-2]])
    assert may_be_new(journal, known[runs[0]])
