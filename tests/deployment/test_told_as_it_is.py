"""Whatever meets one device of a wave before its gate, or while a killed run is ended: what is told of it is true.

`confirmed`: it runs the change, and no commit waits. `reverted`: it runs what it ran before, and none waits. The others
of its wave go back with it. And once what was in the way is gone, the next try leads on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from fabric.deployment import State, resume, rollback, settle_left
from fabric.deployment.waves.batch import Batch
from fabric.diagnostics import Refused
from fabric.platforms import registry
from fabric.platforms.registry import platform
from tests.deployment.box import Box
from tests.deployment.conftest import AtOnce, Network, apply_at_once, apply_options, killed
from tests.deployment.test_confirmation import changed
from tests.deployment.test_transcripts import ROWS
from tests.deployment.two_operators import TYPED
from tests.planning.toy import canonical

NEW = "ntp 192.0.2.10\n"
OTHERS = "fabric-9.9-6923c5e0-4711-a3f1-alice.bastion"
NAME = "spine-0-1"


def restarts(box: Box) -> None:
    """It has kept its commit over a restart, and confirmed it by that."""
    with box.state() as state:
        state["pending"], state["startup"] = None, state["running"]


def timer_fires(box: Box) -> None:
    with box.state() as state:
        if state["pending"]:
            state["running"], state["pending"] = state["pending"]["before"], None


def another_commits(box: Box) -> None:
    """In the place of what waits there, where commits wait."""
    if not platform("toy").reverts:
        return
    with box.state() as state:
        waits = {"session": OTHERS, "user": "alice", "before": state["running"], "until": time.time() + 600}
        state["pending"] = waits


def somebody_types(box: Box) -> None:
    """On one that has kept its commit: else the line goes with it."""
    restarts(box)
    box.change(lambda text: f"{TYPED}{text}")


def refuses(*calls: str) -> Callable[[Box], None]:
    return lambda box: box.fail(*calls)


def both(*accidents: Callable[[Box], None]) -> Callable[[Box], None]:
    def all_of_them(box: Box) -> None:
        for accident in accidents:
            accident(box)

    return all_of_them


ACCIDENTS = {
    "none": refuses(),
    "rollback": refuses("rollback"),
    "silent": refuses("open"),
    "pending": refuses("pending"),
    "load before": refuses("load before"),
    "commit": refuses("commit"),
    "restart": restarts,
    "restart, load before": both(restarts, refuses("load before")),
    "restart, commit": both(restarts, refuses("commit")),
    "restart, pending": both(restarts, refuses("pending")),
    "timer": timer_fires,
    "timer, rollback": both(timer_fires, refuses("rollback")),
    "another": another_commits,
    "timer, another": both(timer_fires, another_commits),
    "typed": somebody_types,
}


@pytest.fixture(params=["toy", "STATELESS"])
def network(
    applied: Network, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Network]:
    """Of a product with commits that wait, and of one without."""
    monkeypatch.setitem(registry.ROWS, "toy", ROWS[request.param])
    registry.platform.cache_clear()
    yield applied
    registry.platform.cache_clear()


def check(network: Network, told: dict[str, State], before: dict[str, str]) -> None:
    """What is told of each device is what it runs."""
    for name, state in told.items():
        box, is_ours = network.box(name), network.journal.applied("lab")[name].run == 2
        assert is_ours == (state is State.CONFIRMED), name
        if state is State.CONFIRMED:
            assert NEW in box.running, name
        if state is State.REVERTED:
            assert canonical(box.running) == before[name], name
        assert not (state in (State.CONFIRMED, State.REVERTED) and box.is_pending), name


def heal(network: Network) -> None:
    """Whoever else was there has ended, and every call is answered."""
    box = network.box(NAME)
    box.fail()
    with box.state() as state:
        if state["pending"] and state["pending"]["session"] == OTHERS:
            state["running"], state["pending"] = state["pending"]["before"], None


@pytest.mark.parametrize("accident", ACCIDENTS)
def test_a_wave_whose_gate_does_not_open(
    network: Network, monkeypatch: pytest.MonkeyPatch, accident: str
) -> None:
    saved = changed(network)
    before = {name: canonical(box.running) for name, box in network.boxes().items()}

    def gate(batch: Batch) -> str:
        if NAME not in batch.members.work:
            return ""
        ACCIDENTS[accident](network.box(NAME))
        return "the gate does not open"

    monkeypatch.setattr(Batch, "_gate", gate)
    result = apply_at_once(network, saved)
    monkeypatch.undo()

    told = {device.device: device.state for wave in result.waves for device in wave.devices}
    check(network, {name: state for name, state in told.items() if state is not State.PLANNED}, before)
    others = {told[name] for name in saved[0].waves[1].devices} - {told[NAME]}
    assert others <= {State.REVERTED}
    assert accident != "none" or told[NAME] is State.REVERTED
    assert accident != "typed" or TYPED in network.box(NAME).running


@pytest.mark.parametrize("accident", ACCIDENTS)
@pytest.mark.parametrize("ends", ["resumed", "resumed, allowed", "taken back"])
@pytest.mark.covering(2)
def test_a_run_that_was_killed(network: Network, accident: str, ends: str) -> None:
    """`allowed`: the gate had let its wave pass."""
    saved = changed(network)
    before = {name: canonical(box.running) for name, box in network.boxes().items()}
    killed(network, saved, "committed", 6)
    if ends == "resumed, allowed":
        network.journal.mark_wave(2, 2, "confirming")
    ACCIDENTS[accident](network.box(NAME))
    for _ in range(2):
        told = _ended(network, ends)
        check(network, told, before)
        if network.journal.unfinished("lab") is None:
            break
        heal(network)
    if accident == "typed":  # for a person to look at
        assert TYPED in network.box(NAME).running
        assert network.journal.unfinished("lab") is not None
        return
    assert network.journal.unfinished("lab") is None
    assert not any(box.is_pending for box in network.boxes().values())
    if ends != "taken back":  # the wave of a device that refuses to be changed went back
        heal(network)
        network.apply(network.plan())
    new = [name for name, box in network.boxes().items() if NEW in box.running]
    assert new == ([] if ends == "taken back" else list(network.boxes()))


def _ended(network: Network, ends: str) -> dict[str, State]:
    """Where each device is that the journal knows to be at rest."""
    place = {"targets": network.targets(), "journal": network.journal, "executor": AtOnce()}
    refused = ""
    try:
        if ends == "taken back":
            rollback("lab", 2, options=apply_options(), **place)
        else:
            resume("lab", options=apply_options(), **place)
    except Refused as error:
        refused = str(error)
    assert NAME in (refused or NAME)
    settle_left("lab", **place)
    run = network.journal.runs("lab")[0].id
    return (
        {step.job.device: step.state for step in network.journal.steps(run) if not step.state.is_open}
        if run == 2
        else {}
    )
