"""What a run has left to a device's own timer: whoever asks the devices next finds out what became of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from fabric import api
from fabric.deployment import State, device_steps, endings_found, rollback, settle_left, unsettled
from fabric.deployment.journal_store.journal_records import NewRun
from fabric.deployment.left_to_timers import Ending
from fabric.deployment.taking_back.restored_texts import run_to_take_back
from fabric.deployment.waves import settle_devices
from fabric.diagnostics import Refused
from tests.deployment.conftest import FAST, Network, apply_options
from tests.deployment.played_site import PACE, PLAYED, PlayedSite, played_site
from tests.deployment.test_rollback_plan import planned
from tests.platforms.sites import services
from tests.waiting import PATIENCE_S, until

CHANGE = services("ntp: {servers: [192.0.2.20, 192.0.2.3, 192.0.2.9]}")
RESTARTS = {"reboot_in_commit": True, "reboot_s": 30.0}
TIMERS_S = 600
"""By then every timer of a run has fired."""


@pytest.fixture(params=PLAYED)
def restarted(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[PlayedSite, str]]:
    """A site of one product whose last switch has restarted in its commit, long after; and that switch."""
    with played_site(tmp_path, request.param) as site:
        assert site.apply().outcome in ("nothing", "done")
        _, plan = site.planned(CHANGE)
        device = plan.waves[-1].devices[-1]
        site.sandbox.set_faults(device, **RESTARTS)
        result = site.carry_out(site.compiled(CHANGE), pace=replace(PACE, gate_timeout_s=1))
        assert result.in_state(State.LEFT_TO_TIMER) == (device,)
        site.sandbox.clear_faults(device)
        site.sandbox.advance(TIMERS_S)
        yield site, device


def state(site: PlayedSite, device: str) -> State:
    """Where the journal has a device in the last run."""
    journal = site.place.journal()
    steps = journal.steps(journal.run("test").id)
    return next(step.state for step in steps if step.job.device == device)


@pytest.mark.covering(most=1, apart=True)
def test_a_device_that_restarted_in_its_commit_is_known_by_what_it_runs_and_is_taken_back(
    restarted: tuple[PlayedSite, str],
) -> None:
    """Its law: whatever the product does with a commit that waits, journal, plan and rollback agree with the device."""
    site, device = restarted
    intended = site.compiled(CHANGE)
    is_new = "192.0.2.9" in site.running(device)
    plan, _ = api.plan(intended, site.place)

    assert state(site, device) is (State.CONFIRMED if is_new else State.REVERTED)
    assert (device in {d.device for d in plan.changed}) is not is_new
    assert [d.subjects for d in plan.diagnostics if d.code == "FAB731"] == [(device,)] * is_new
    assert "FAB731" not in {d.code for d in api.plan(intended, site.place)[0].diagnostics}  # it is told once

    back = api.rollback(intended, site.place, allow=("isolating", "lockout:*"), pace=PACE)

    assert back.outcome == "done"
    assert (device in back.in_state(State.CONFIRMED)) is is_new
    assert not any("192.0.2.9" in site.running(name) for name in intended.devices)


@pytest.fixture
def left(applied: Network) -> tuple[Network, str]:
    """A pod whose first wave could not be taken back, and its device."""
    applied.edit("ntp 192.0.2.9", "ntp 192.0.2.10")
    saved = applied.plan()
    (canary,) = saved[0].waves[0].devices
    applied.box(canary).fail("after commit", "rollback")
    result = applied.apply(saved, pace=replace(FAST, revert_in_s=3))
    assert result.in_state(State.LEFT_TO_TIMER) == (canary,)
    applied.box(canary).fail()
    return applied, canary


def settled(network: Network) -> Ending:
    (ending,) = settle_left("lab", targets=network.targets(), journal=network.journal)
    return ending


def no_timer(network: Network, device: str) -> None:
    """Nothing waits on a device any more: it keeps what it runs."""
    with network.box(device).state() as box:
        box["pending"] = None


def test_while_its_commit_waits_nobody_knows(left: tuple[Network, str]) -> None:
    network, device = left
    ending = settled(network)

    assert (ending.device, ending.state) == (device, State.LEFT_TO_TIMER)
    assert "a commit waits there" in endings_found([ending])[0].rule
    assert run_to_take_back(network.journal, "lab").id == ending.run
    with pytest.raises(Refused, match=f"FAB732: {device}"):
        planned(network)


def test_a_device_that_does_not_answer_stays_left_to_its_timer_and_is_named(
    left: tuple[Network, str],
) -> None:
    network, device = left
    network.box(device).fail("open")
    ending = settled(network)
    (found,) = endings_found([ending])

    assert ending.state is State.LEFT_TO_TIMER
    assert (found.code, found.subjects) == ("FAB732", (device,))
    assert [*unsettled(network.journal, "lab")] == [device]


def test_a_timer_that_has_fired_is_written_down_and_leaves_nothing_to_take_back(
    left: tuple[Network, str],
) -> None:
    network, device = left
    until(lambda: not network.box(device).is_pending, PATIENCE_S, "the device's own timer")

    assert settled(network).state is State.REVERTED
    assert unsettled(network.journal, "lab") == {}
    with pytest.raises(Refused, match="FAB725"):
        run_to_take_back(network.journal, "lab")


def test_a_change_that_somebody_else_has_confirmed_counts_as_applied_and_is_taken_back(
    left: tuple[Network, str],
) -> None:
    network, device = left
    no_timer(network, device)
    ending = settled(network)
    (found,) = endings_found([ending])

    assert ending.state is State.CONFIRMED
    assert (found.code, found.subjects, found.hint) == (
        "FAB731",
        (device,),
        "`fabric rollback 2` takes it back",
    )
    assert network.plan()[0].changed
    assert device not in {changed.device for changed in network.plan()[0].changed}

    back = rollback("lab", targets=network.targets(), journal=network.journal, options=apply_options())

    assert back.in_state(State.CONFIRMED) == (device,)
    assert "ntp 192.0.2.9\n" in network.box(device).running


def test_a_device_that_runs_neither_is_asked_again_until_it_runs_one_of_them(
    left: tuple[Network, str],
) -> None:
    network, device = left
    no_timer(network, device)
    network.box(device).change(lambda text: text.replace("ntp 192.0.2.10", "ntp 192.0.2.77"))

    assert settled(network).state is State.FAILED
    assert settled(network).state is State.FAILED
    network.box(device).change(lambda text: text.replace("ntp 192.0.2.77", "ntp 192.0.2.10"))
    assert settled(network).state is State.CONFIRMED


def test_what_a_later_run_has_changed_is_known_by_that(left: tuple[Network, str]) -> None:
    network, device = left
    until(lambda: not network.box(device).is_pending, PATIENCE_S, "the device's own timer")

    assert network.apply(network.plan()).outcome == "done"
    assert unsettled(network.journal, "lab") == {}


def test_while_another_run_is_under_way_nothing_is_settled_behind_it(left: tuple[Network, str]) -> None:
    network, _ = left
    run = network.journal.begin(NewRun(site="lab", kind="apply", owner="night shift"))
    network.journal.start(run)

    assert unsettled(network.journal, "lab") == {}


def test_a_late_answer_does_not_undo_what_another_operator_has_applied_since(
    left: tuple[Network, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    network, device = left
    no_timer(network, device)
    asked, journal = settle_devices.left_there, network.journal
    since = list[object]()

    def slow(work: device_steps.Work) -> settle_devices.Settled:
        answer = asked(work)
        if not since:
            since.append("asks too")
            assert settled(network).state is State.CONFIRMED
            network.edit("ntp 192.0.2.10", "ntp 192.0.2.11")
            assert network.apply(network.plan()).outcome == "done"
            since.append(journal.applied("lab")[device])
        return answer

    monkeypatch.setattr(settle_devices, "left_there", slow)

    assert settle_left("lab", targets=network.targets(), journal=journal) == ()
    assert journal.applied("lab")[device] == since[1]
