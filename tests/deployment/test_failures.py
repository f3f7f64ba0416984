"""What goes wrong is taken back, stops the run, and is told."""

from __future__ import annotations

import dataclasses
import gc
import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from fabric.deployment import Event, Journal, State, apply, holder, lost_journal, resume, rollback
from fabric.deployment.connection.device_session import Connection
from fabric.deployment.events import DeviceStepped, GateWaiting
from fabric.deployment.journal_store import journal_tables
from fabric.deployment.journal_store.journal_records import NewRun
from fabric.deployment.site_revision import Revision
from fabric.diagnostics import DeviceError, Refused
from tests.deployment import box
from tests.deployment.conftest import FAST, Network, apply_options
from tests.planning.toy import PLATFORM, canonical, digest, masked
from tests.waiting import PATIENCE_S, until


def runs(network: Network) -> dict[str, str]:
    """Digest of what each device runs."""
    return {name: digest(masked(canonical(device.running))) for name, device in network.boxes().items()}


def changed_ntp(network: Network) -> None:
    network.edit("ntp 192.0.2.9", "ntp 192.0.2.10")


@pytest.mark.parametrize("fault", ["load", "commit", "after commit"])
def test_a_device_that_fails_takes_its_wave_back(applied: Network, fault: str) -> None:
    before = runs(applied)
    changed_ntp(applied)
    saved = applied.plan()
    applied.box("spine-0-1").fail(fault)
    result = applied.apply(saved)

    assert result.outcome == "failed"
    assert [wave.state for wave in result.waves] == ["done", "reverted"]
    assert set(result.in_state(State.REVERTED)) == {*before} - {result.waves[0].devices[0].device}
    canary = result.waves[0].devices[0].device
    assert {n for n, d in runs(applied).items() if d != before[n]} == {canary}
    assert not any(device.is_pending for device in applied.boxes().values())


def test_a_canary_that_fails_keeps_the_rest_untouched(applied: Network) -> None:
    changed_ntp(applied)
    saved = applied.plan()
    (canary,) = saved[0].waves[0].devices
    applied.box(canary).fail("commit")
    result = applied.apply(saved)

    assert [wave.state for wave in result.waves] == ["reverted", "not begun"]
    assert len(result.in_state(State.PLANNED)) == 5


def test_a_session_that_stays_down_closes_the_gate(applied: Network) -> None:
    before = runs(applied)
    address = applied.site.switches["spine-0-0"].ports[0].addresses[0].ip
    applied.edit(f"neighbor {address} remote-as ", f"neighbor {address} remote-as 1", "leaf-0-0-0")
    saved = applied.plan()
    saved = (replace(saved[0], couplings=(), diagnostics=()), saved[1])
    result = applied.apply(saved, allow=frozenset({"isolating"}))

    assert result.outcome == "failed"
    assert f"leaf-0-0-0 BGP session with {address}: is down" in result.waves[0].reason
    assert runs(applied) == before


def test_what_is_taken_down_on_purpose_does_not_close_the_gate(applied: Network) -> None:
    head, mark, tail = applied.site.texts["leaf-0-0-0"].partition("interface p101\n")
    shut = applied.site.with_texts({"leaf-0-0-0": f"{head}{mark}   shutdown\n{tail}"})
    applied.site = shut
    result = applied.apply()

    assert result.outcome == "done"
    assert "   shutdown" in applied.box("leaf-0-0-0").running


def test_a_device_that_runs_something_else_than_was_pushed_closes_the_gate(
    applied: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed_ntp(applied)
    saved = applied.plan()
    monkeypatch.setattr(box, "encoded", lambda text: text.replace("ntp 192.0.2.10", "ntp 192.0.2.99"))
    result = applied.apply(saved)

    (reason, *_), wave = [wave.reason for wave in result.waves], result.waves[0]
    assert "ntp is not what was pushed" in reason
    assert "`ntp 192.0.2.99` was not pushed, and may be lost when the change is taken back" in reason
    assert "`ntp 192.0.2.10` is missing" in reason
    assert wave.state == "reverted"


TYPED = {
    "one line": ["typed-by-hand 1"],
    "many lines": [f"typed-by-hand {number}" for number in range(40)],
    "what a terminal obeys": ["typed-by-hand \x1b[2J1\x07"],
    "a secret": ["typed-by-hand password HUNTER2"],
    "a very long one": [f"typed-by-hand {'1' * 5000}"],
}


@pytest.mark.parametrize("lines", TYPED.values(), ids=TYPED)
def test_lines_that_somebody_types_before_the_confirmation_are_named_with_their_device(
    applied: Network, monkeypatch: pytest.MonkeyPatch, lines: list[str]
) -> None:
    changed_ntp(applied)
    saved = applied.plan()
    typed = "".join(f"{line}\n" for line in lines)
    before = runs(applied)
    monkeypatch.setattr(box, "encoded", lambda text: text + typed if "ntp 192.0.2.10" in text else text)
    result = applied.apply(saved)

    (wave, *_) = result.waves
    assert wave.state == "reverted"
    assert any(wave.reason.startswith(f"{device.device}: ") for device in wave.devices)
    assert "`typed-by-hand " in wave.reason
    assert "may be lost when the change is taken back" in wave.reason
    assert wave.reason.isprintable()
    assert len(wave.reason) < 1000
    assert "HUNTER2" not in f"{result} {applied.events}"
    assert runs(applied) == before


def test_a_device_that_cannot_be_reverted_is_left_to_its_own_timer(applied: Network) -> None:
    before = runs(applied)
    changed_ntp(applied)
    saved = applied.plan()
    (canary,) = saved[0].waves[0].devices
    applied.box(canary).fail("after commit", "rollback")
    result = applied.apply(saved, pace=replace(FAST, revert_in_s=2))

    assert result.in_state(State.LEFT_TO_TIMER) == (canary,)
    assert result.waves[0].state == "failed"
    until(lambda: runs(applied) == before, PATIENCE_S, "the device's own timer")


def test_leaving_a_connection_never_aborts_a_commit_that_waits(applied: Network) -> None:
    with Connection(applied.targets()["leaf-0-0-0"], PLATFORM) as device:
        device.stage("way-in 192.0.2.1/24\n", "ours")
        device.commit(20, lambda _running: True)
    del device
    gc.collect()
    assert applied.box("leaf-0-0-0").is_pending

    with Connection(applied.targets()["leaf-0-0-0"], PLATFORM) as device:
        device.confirm("ours")
    assert applied.box("leaf-0-0-0").running.endswith("way-in 192.0.2.1/24\n")
    assert "aborted by close" not in applied.box("leaf-0-0-0").log


def test_a_candidate_is_dropped_when_the_connection_is_left(applied: Network) -> None:
    applied.plan()

    with applied.box("leaf-0-0-0").state() as state:
        assert state["sessions"] == {}


def test_a_device_that_does_not_answer_is_reported_by_observe(applied: Network) -> None:
    applied.box("spine-0-1").fail("open")
    seen = applied.observe()

    assert len(seen) == 5
    assert seen.unreachable["spine-0-1"].startswith("connecting: open refused")
    assert "LOGIN-PASSWORD" not in str(seen.unreachable)


def test_one_apply_at_a_time(applied: Network) -> None:
    changed_ntp(applied)
    saved = applied.plan()
    run = applied.journal.begin(NewRun(site="lab", kind="apply", owner="night shift"))
    by_whom = r"FAB720: lab is locked by night shift \(process \d+ on .*\) since 20.*, for run 2$"
    with pytest.raises(Refused, match=by_whom):
        applied.apply(saved)
    applied.journal.finish(run, "done")
    assert applied.apply(saved).outcome == "done"


def test_an_unfinished_run_is_not_forgotten(applied: Network) -> None:
    changed_ntp(applied)
    saved = applied.plan()
    run = applied.journal.begin(NewRun(site="lab", kind="apply", owner="night shift"))
    applied.journal.start(run)
    applied.journal.leave(run)

    with pytest.raises(Refused, match="FAB721: run 2 of night shift"):
        applied.apply(saved)


def test_a_rollback_restores_the_digest(applied: Network) -> None:
    before = runs(applied)
    changed_ntp(applied)
    assert applied.apply().outcome == "done"
    assert runs(applied) != before
    result = rollback("lab", targets=applied.targets(), journal=applied.journal, options=apply_options())

    assert (result.outcome, len(result.in_state(State.CONFIRMED))) == ("done", 6)
    assert runs(applied) == before
    applied.edit("ntp 192.0.2.10", "ntp 192.0.2.9")
    assert applied.plan()[0].changed == ()


def test_a_rollback_of_an_adoption_uses_what_only_the_device_knows(make: Callable[..., Network]) -> None:
    network = make(lambda _name, text: text.replace("<secret:env:NETOPS>", "old").replace("ntp", "banner"))
    before = runs(network)
    assert network.apply().outcome == "done"
    result = rollback("lab", targets=network.targets(), journal=network.journal, options=apply_options())

    assert result.outcome == "done"
    assert runs(network) == before


def test_a_rollback_into_a_drain_is_as_quiet_as_the_drain_was(applied: Network) -> None:
    """Seen: sessions that a drained switch does not have closed the gate of every rollback into the drain."""
    asn = applied.site.texts["leaf-0-0-0"].partition("bgp ")[2].split()[0]

    def apply_asn(old: str, new: str, *, drained: bool) -> None:
        applied.edit(f"bgp {old}", f"bgp {new}", "leaf-0-0-0")
        plan, texts = applied.plan()
        devices = tuple(msgspec.structs.replace(device, drained=drained) for device in plan.devices)
        quiet = msgspec.structs.replace(plan, devices=devices, couplings=(), diagnostics=())
        assert applied.apply((quiet, texts), allow=frozenset({"isolating"})).outcome == "done"

    apply_asn(asn, f"9{asn}", drained=True)
    before = runs(applied)
    apply_asn(f"9{asn}", asn, drained=False)
    result = rollback("lab", targets=applied.targets(), journal=applied.journal, options=apply_options())

    assert result.outcome == "done"
    assert runs(applied) == before


def test_a_rollback_does_not_overwrite_what_somebody_else_did_since(applied: Network) -> None:
    changed_ntp(applied)
    applied.apply()
    applied.box("leaf-0-0-0").change(lambda text: text + "ntp 192.0.2.66\n")

    with pytest.raises(Refused, match="FAB724: changed since run 2: leaf-0-0-0"):
        rollback("lab", targets=applied.targets(), journal=applied.journal, options=apply_options())
    assert "ntp 192.0.2.66" in applied.box("leaf-0-0-0").running


def test_the_journal_tells_every_step(applied: Network) -> None:
    (run,) = applied.journal.runs("lab")
    states = [entry["state"] for entry in applied.journal.entries(run.id) if entry["device"] == "leaf-0-1-1"]

    assert (run.kind, run.state) == ("apply", "done")
    assert states == ["pushing", "committed", "confirmed"]


def test_the_journal_tells_what_a_wave_is_at_when_its_run_is_killed(applied: Network) -> None:
    address = applied.site.switches["spine-0-0"].ports[0].addresses[0].ip
    applied.edit(f"neighbor {address} remote-as ", f"neighbor {address} remote-as 1", "leaf-0-0-0")
    changed_ntp(applied)
    plan, texts = applied.plan()
    seen: set[tuple[str, str]] = set()

    def look(event: Event) -> None:
        if isinstance(event, DeviceStepped | GateWaiting):
            at = event.state if isinstance(event, DeviceStepped) else "gate waits"
            seen.add((at, applied.journal.wave_state(event.run, event.wave)))

    saved = (replace(plan, couplings=(), diagnostics=()), texts)
    options = apply_options(allow=frozenset({"isolating"}))
    apply(saved, targets=applied.targets(), journal=applied.journal, options=options, on_event=look)

    assert {("committed", "pushing"), ("gate waits", "gate"), ("confirmed", "confirming")} <= seen
    assert {at for at, _ in seen} == {"committed", "gate waits", "confirmed", "reverted"}


def test_events_are_plain_data(applied: Network) -> None:
    changed_ntp(applied)
    applied.apply()
    told = [json.loads(msgspec.json.encode(event))["type"] for event in applied.events]

    assert told[0] == "run_started"
    assert told[-1] == "run_finished"
    assert told.count("wave_started") == told.count("wave_finished") == 2
    assert told.count("device_stepped") == 12


def test_a_journal_is_shared_by_its_place(applied: Network, tmp_path: Path) -> None:
    assert len(Journal(tmp_path / "journal.sqlite").applied("lab")) == 6


def test_an_interrupted_apply_takes_its_wave_back_and_can_be_gone_on_with(applied: Network) -> None:
    before = runs(applied)
    changed_ntp(applied)
    saved = applied.plan()

    def interrupt(event: object) -> None:
        if getattr(event, "state", "") == "committed":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        apply(
            saved,
            targets=applied.targets(),
            journal=applied.journal,
            options=apply_options(),
            on_event=interrupt,
        )
    assert runs(applied) == before
    assert holder(applied.journal, "lab") is None
    result = resume("lab", targets=applied.targets(), journal=applied.journal, options=apply_options())
    assert result.outcome == "done"
    assert applied.plan()[0].changed == ()


def test_a_closed_pipe_does_not_stop_an_apply(applied: Network) -> None:
    def closed(_event: object) -> None:
        raise BrokenPipeError

    changed_ntp(applied)
    result = apply(
        applied.plan(),
        targets=applied.targets(),
        journal=applied.journal,
        options=apply_options(),
        on_event=closed,
    )

    assert result.outcome == "done"


def test_a_platform_without_a_driver_is_told_so_before_anything_is_sent(tmp_path: Path) -> None:
    unreachable = dataclasses.replace(PLATFORM, driver="")

    with pytest.raises(DeviceError, match="cannot be reached yet: plan it with --offline"):
        Connection(box.target(tmp_path, "leaf-0-0-0"), unreachable)


def test_the_journal_says_what_changed_and_of_which_commit(applied: Network) -> None:
    changed_ntp(applied)
    applied.apply(revision=Revision("c0ffee", is_modified=True))
    run = applied.journal.run(site="lab")
    options = apply_options(revision=Revision("decade"))
    rollback("lab", targets=applied.targets(), journal=applied.journal, options=options)
    back = applied.journal.run(site="lab")

    assert (run.revision, run.is_modified, back.revision, back.is_modified) == ("c0ffee", 1, "decade", 0)
    assert back.takes_back == run.id
    assert {step.job.summary for each in (run, back) for step in applied.journal.steps(each.id)} == {"ntp"}


def test_a_plan_tells_of_devices_that_the_journal_has_lost(applied: Network) -> None:
    plan, _ = applied.plan()
    journal, tables = applied.journal, journal_tables.tables()
    assert lost_journal(plan, journal) == ()
    journal.write(
        lambda connection: connection.execute(
            tables.applied.delete().where(tables.applied.c.device == "leaf-0-0-1")
        )
    )
    (lost,) = lost_journal(plan, journal)

    assert (lost.code, lost.is_error, lost.subjects) == ("FAB726", False, ("leaf-0-0-1",))
    assert lost_journal(replace(plan, mode="offline"), journal) == ()


def test_a_rollback_that_failed_is_not_the_last_run(applied: Network) -> None:
    """The next one goes on with what it was to take back, and leaves alone what that has taken back already."""
    before = runs(applied)
    changed_ntp(applied)
    applied.apply()
    place = {"targets": applied.targets(), "journal": applied.journal, "options": apply_options()}
    applied.box("leaf-0-0-0").fail("commit")
    first = rollback("lab", **place)
    applied.box("leaf-0-0-0").fail()
    assert first.outcome == "failed"
    assert runs(applied) != before

    assert rollback("lab", **place).outcome == "done"
    assert runs(applied) == before
    assert [run.takes_back for run in applied.journal.runs("lab")][:2] == [2, 2]
    with pytest.raises(Refused, match="FAB725: run 2 was taken back by run "):
        rollback("lab", 2, **place)
