"""A commit that waits on a device is neither kept nor taken back, whatever the device runs meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from fabric.deployment import State, resume
from fabric.diagnostics import Refused
from tests.deployment.box import BoxDriver
from tests.deployment.conftest import Network, apply_at_once, apply_options, killed, killed_doing
from tests.deployment.test_confirmation import changed, confirmed
from tests.deployment.two_operators import TYPED

OTHERS = "fabric-2.2-6923c5e0-4711-a3f1-alice.bastion"


def resumed(network: Network) -> None:
    resume("lab", targets=network.targets(), journal=network.journal, options=apply_options())


def states(network: Network) -> dict[str, State]:
    return {step.job.device: step.state for step in network.journal.steps(2)}


def waiting(network: Network) -> list[str]:
    return [name for name, box in network.boxes().items() if box.is_pending]


def left_by_a_kill(network: Network) -> str:
    """The device of wave 2 that has committed when its run is killed: before its gate."""
    killed(network, changed(network), "committed", 2)
    (name,) = (name for name, state in states(network).items() if state is State.COMMITTED)
    assert name in waiting(network)
    return name


def test_it_cannot_be_taken_back(applied: Network) -> None:
    name = left_by_a_kill(applied)
    applied.box(name).fail("rollback")
    with pytest.raises(Refused, match=f"{name}: rollback: "):
        resumed(applied)

    assert states(applied)[name] is State.COMMITTED
    applied.box(name).fail()
    resumed(applied)
    assert waiting(applied) == []
    assert set(states(applied).values()) == {State.CONFIRMED}


def test_it_is_that_of_somebody_else(applied: Network) -> None:
    name = left_by_a_kill(applied)
    with applied.box(name).state() as state:
        state["pending"]["session"] = OTHERS
    with pytest.raises(Refused, match=f"{name}: a commit that is not ours waits .*{OTHERS}"):
        resumed(applied)

    assert states(applied)[name] is State.COMMITTED
    assert waiting(applied) == [name]


@pytest.mark.parametrize("place", [0, -1])
def test_it_can_neither_be_confirmed_nor_taken_back(
    make: Callable[..., Network], monkeypatch: pytest.MonkeyPatch, place: int
) -> None:
    network = make()
    network.apply()
    saved = changed(network)
    name = saved[0].waves[1].devices[place]
    result = confirmed(network, saved, {name: "cannot go back"}, monkeypatch)

    found = {device.device: device.state for device in result.waves[1].devices}
    assert found[name] is State.LEFT_TO_TIMER
    assert waiting(network) == [name]
    assert f"{name} goes back by now unless the confirmation has arrived there" in result.waves[1].reason


def test_behind_a_commit_that_is_confirmed_it_is_not_ours(
    applied: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cumulus begins with somebody's revision when the one before it was confirmed: ours is kept, whatever waits."""
    killed(applied, changed(applied), "committed", 6)
    applied.journal.mark_wave(2, 2, "confirming")
    name = next(name for name, state in states(applied).items() if state is State.COMMITTED)
    confirm = BoxDriver.confirm_commit

    def behind(driver: BoxDriver) -> None:
        confirm(driver)
        if driver.box.name == name:
            with driver.box.state() as state:
                waits = {"session": OTHERS, "user": "alice", "before": state["running"]}
                state["pending"] = {**waits, "until": time.time() + 600}
                state["running"] = f"{TYPED}{state['running']}"

    monkeypatch.setattr(BoxDriver, "confirm_commit", behind)
    resumed(applied)

    assert waiting(applied) == [name]
    assert set(states(applied).values()) == {State.CONFIRMED}


def test_where_nothing_was_committed_it_need_not_be_asked_for(applied: Network) -> None:
    saved = changed(applied)
    name = saved[0].waves[0].devices[0]
    applied.box(name).fail("load", "pending")
    (told,) = apply_at_once(applied, saved).waves[0].devices
    assert told.state is State.REVERTED


def test_a_resume_knows_what_another_one_has_left_while_it_asked_for_secrets(
    applied: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other `--resume` takes the commit back, pushes again under a name of its own, and is killed."""
    name, take_over = left_by_a_kill(applied), applied.journal.take_over

    def late(*given: object) -> None:
        applied.journal.engine.dispose()

        def verb(**where: object) -> None:
            resume("lab", targets=applied.targets(), options=apply_options(), **where)

        killed_doing(applied, verb, "committed", 2)
        take_over(*given)

    monkeypatch.setattr(applied.journal, "take_over", late)
    resumed(applied)

    assert waiting(applied) == []
    assert states(applied)[name] is State.CONFIRMED
    assert applied.journal.wave_state(2, 2) == "done"
