"""The journal in a PostgreSQL whose primary dies in mid-run, while a standby that has every transaction takes over."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import event

from fabric.deployment import Event, Journal, Pace, apply, resume
from fabric.deployment.events import DeviceStepped
from fabric.deployment.jobs import State
from fabric.deployment.journal_store import journal_access, journal_tables
from fabric.deployment.journal_store.site_lock import holder
from fabric.diagnostics import JournalFailed
from tests.deployment.conftest import Network, apply_options
from tests.postgres import Pair, pair
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.live

PATIENT = Pace(revert_in_s=300, gate_timeout_s=0.4, gate_poll_s=0.05)
MOMENTS = ("run_started", "wave_started", "committed", "confirmed", "wave_finished")


@pytest.fixture
def servers() -> Iterator[Pair]:
    with pair() as both:
        yield both


@pytest.fixture
def changed(network: Network, servers: Pair) -> Network:
    """A pod with a journal on both servers, which waits for a change of all its devices."""
    network.journal = Journal(servers.url)
    assert network.apply().outcome == "done"
    network.edit("ntp 192.0.2.9", "ntp 192.0.2.10")
    return network


def at(moment: str, strike: Callable[[], None], told: list[tuple[str, str]]) -> Callable[[Event], None]:
    """Strike once, when the first event of that kind is told; `told` are the states up to then."""
    left = iter([True])

    def on_event(happened: Event) -> None:
        if isinstance(happened, DeviceStepped):
            told.append((happened.device, happened.state))
        kinds = (getattr(happened, "state", ""), type(happened).__struct_config__.tag)
        if moment in kinds and next(left, False):
            strike()

    return on_event


def written(journal: Journal, run: int) -> set[tuple[str, str]]:
    return {(entry["device"], entry["state"]) for entry in journal.entries(run) if entry["device"]}


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_run_goes_on_when_the_standby_takes_over(changed: Network, servers: Pair, moment: str) -> None:
    saved, lost = changed.plan(), threading.Event()
    event.listen(changed.journal.engine, "handle_error", lambda _context: lost.set())

    def promote() -> None:
        assert lost.wait(PATIENCE_S)  # the run has noticed, and finds nobody who takes writes
        servers.standby.promote()

    promotion = threading.Thread(target=promote)

    def strike() -> None:
        servers.primary.stop()
        promotion.start()

    told: list[tuple[str, str]] = []
    place = {"targets": changed.targets(), "journal": changed.journal, "options": apply_options(pace=PATIENT)}
    result = apply(saved, **place, on_event=at(moment, strike, told))
    promotion.join(PATIENCE_S)

    after = Journal(servers.standby.url)
    run = after.runs("lab")[0]
    assert (result.outcome, run.state) == ("done", "done")
    assert {step.state for step in after.steps(run.id)} == {State.CONFIRMED}
    assert set(told) <= written(after, run.id)
    assert holder(after, "lab") is None
    assert changed.plan()[0].changed == ()


@pytest.mark.parametrize("moment", ["wave_started", "committed"])
def test_a_run_whose_standby_takes_over_too_late_is_taken_back_and_told(
    changed: Network, servers: Pair, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    old = {name: box.running for name, box in changed.boxes().items()}
    saved, told = changed.plan(), list[tuple[str, str]]()
    monkeypatch.setattr(journal_access, "PATIENCE_S", 0.5)
    place = {"targets": changed.targets(), "journal": changed.journal, "options": apply_options(pace=PATIENT)}

    with pytest.raises(
        JournalFailed, match=r"FAB727: the journal postgresql\+psycopg://127\.0\.0\.1:\d+,127"
    ) as caught:
        apply(saved, **place, on_event=at(moment, servers.primary.stop, told))

    assert "wave 1 of run" in caught.value.reason
    assert {name: box.running for name, box in changed.boxes().items()} == old
    monkeypatch.undo()
    servers.standby.promote()
    after = Journal(servers.standby.url)
    run = after.unfinished("lab")
    assert run is not None
    with after.engine.begin() as connection:  # its process is this one, and lives
        connection.execute(journal_tables.tables().locks.delete())
    assert resume("lab", **{**place, "journal": after}).outcome == "done"
    assert {step.state for step in after.steps(run.id)} == {State.CONFIRMED}


@pytest.mark.parametrize("moment", ["committed", "confirmed"])
def test_what_was_told_as_written_is_on_the_standby(changed: Network, servers: Pair, moment: str) -> None:
    told: list[tuple[str, str]] = []
    found: list[tuple[set[tuple[str, str]], set[tuple[str, str]]]] = []
    run = changed.journal.runs("lab")[0].id + 1

    def strike() -> None:
        servers.fail_over()
        found.append(
            ({*told}, written(Journal(servers.standby.url), run))
        )  # before anything is written again

    place = {"targets": changed.targets(), "journal": changed.journal, "options": apply_options(pace=PATIENT)}
    result = apply(changed.plan(), **place, on_event=at(moment, strike, told))
    ((known, there),) = found

    assert result.outcome == "done"
    assert known
    assert known <= there
