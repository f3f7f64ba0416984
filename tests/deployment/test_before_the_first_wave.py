"""Whatever is wrong with one device at the start: apply, resume and rollback refuse, and change nothing anywhere.

Several waves are needed to see it: a run that finds out at the fourth has changed three.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fabric.deployment import Result, State, holder, resume, rollback
from fabric.diagnostics import Refused
from tests.deployment.conftest import Network, apply_options, killed, killed_doing

EVERY_SWITCH = ("leaf-0-0-0", "leaf-0-0-1", "leaf-0-1-0", "leaf-0-1-1", "spine-0-0", "spine-0-1")
FAULTS: dict[str, Callable[[Network, str], None]] = {
    "drifted": lambda network, name: network.box(name).change(lambda text: text + "ntp 192.0.2.66\n"),
    "silent": lambda network, name: network.box(name).fail("open"),
    "tells no sessions": lambda network, name: network.box(name).fail("bgp"),
}
"""What is wrong with a device, and what the refusal says."""
SAID = {
    "drifted": r"changed since .*: {name}( \(by run \d\))?$",
    "silent": "{name}: connecting",
    "tells no sessions": "{name}: BGP",
}


def commits(network: Network) -> dict[str, tuple[object, ...]]:
    """All that a change would leave on any device: what it runs, what waits, what was loaded."""
    found = {}
    for name, box in network.boxes().items():
        with box.state() as state:
            log = tuple(line for line in state["log"] if line not in {"open", "bgp", "ports", "pending"})
            found[name] = (state["running"], str(state["pending"]), str(state["sessions"]), log)
    return found


def told_of(network: Network) -> list[tuple[object, ...]]:
    """What the journal says of all runs but those that were refused while devices were asked."""
    runs = (run for run in network.journal.runs("lab") if run.state != "refused")
    return [(run, network.journal.steps(run.id)) for run in runs]


def in_many_waves(network: Network) -> None:
    """A change that no two devices of one rail or plane make at once."""
    network.edit("description spine", "description up")
    network.edit("description leaf", "description down")


def refused(network: Network, verb: Callable[[], Result], fault: str, name: str) -> None:
    """The verb refuses, names the device, and leaves everything as it was; then the fault is mended."""
    path = network.box(name).path
    whole = path.read_text()
    FAULTS[fault](network, name)
    before, runs = commits(network), told_of(network)

    with pytest.raises(Refused, match=SAID[fault].format(name=name)):
        verb()
    assert commits(network) == before
    assert told_of(network) == runs
    assert (
        network.journal.runs("lab")[0].finished is None or network.journal.runs("lab")[0].state == "refused"
    )
    assert holder(network.journal, "lab") is None
    path.write_text(whole)


EACH = [(fault, name) for fault in FAULTS for name in EVERY_SWITCH]


def test_apply_changes_nothing(applied: Network) -> None:
    in_many_waves(applied)
    saved = applied.plan()
    assert len(saved[0].waves) > 3

    def verb() -> Result:
        return applied.apply(saved, allow=frozenset({"isolating"}))

    for fault, name in EACH:
        refused(applied, verb, fault, name)
    assert verb().outcome == "done"


def test_rollback_changes_nothing(applied: Network) -> None:
    in_many_waves(applied)
    assert applied.apply(allow=frozenset({"isolating"})).outcome == "done"
    for fault, name in EACH:
        refused(applied, lambda: take_back(applied), fault, name)
    assert take_back(applied).outcome == "done"


def test_resume_changes_nothing(applied: Network) -> None:
    """Killed between two waves: some devices are done, some wait for a confirmation, some were never touched."""
    in_the_middle(applied)
    for fault, name in EACH:
        refused(applied, lambda: go_on(applied), fault, name)
    assert go_on(applied).outcome == "done"


def test_rollback_of_a_killed_run_changes_nothing(applied: Network) -> None:
    """What the run never touched is not rolled back, so that nothing there can stand in the way."""
    states = in_the_middle(applied)
    untouched = [name for name, state in states.items() if state is State.PLANNED]
    for fault, name in EACH:
        if name not in untouched:
            refused(applied, lambda: take_back(applied), fault, name)
    FAULTS["drifted"](applied, untouched[0])
    assert take_back(applied).outcome == "done"


@pytest.mark.parametrize(("state", "count"), [("committed", 1), ("confirmed", 1), ("confirmed", 0)])
def test_a_rollback_that_was_killed_goes_on_and_is_not_taken_back_unasked(
    applied: Network, state: str, count: int
) -> None:
    """Seen: typed twice, it brought back what the first one had taken, and left half of the killed run there.

    Killed after so many devices have reached a state, or after all of them (0).
    """
    before = {name: box.running for name, box in applied.boxes().items()}
    states = in_the_middle(applied)
    done = sum(state is State.CONFIRMED for state in states.values())
    place: dict[str, Any] = {"targets": applied.targets(), "options": apply_options()}
    killed_doing(applied, lambda **where: rollback("lab", **place, **where), state, count or done)

    with pytest.raises(Refused, match=r"FAB721: run 3 .* it was taking back run 2$") as caught:
        take_back(applied)
    hint = str(caught.value.hint)
    assert "`fabric apply --resume` goes on with taking back run 2" in hint
    assert "`fabric rollback 3` brings back what run 3 has taken" in hint
    assert go_on(applied).outcome == "done"
    assert before == {name: box.running for name, box in applied.boxes().items()}


def in_the_middle(network: Network) -> dict[str, State]:
    in_many_waves(network)
    killed(network, network.plan(adopt=True), "committed", 3, allow=frozenset({"isolating"}))
    states = {step.job.device: step.state for step in network.journal.steps(2)}
    assert {State.CONFIRMED, State.COMMITTED, State.PLANNED} <= set(states.values())
    for box in network.boxes().values():
        with box.state() as state:  # on a busy machine the timers would fire while we look
            if state["pending"]:
                state["pending"]["until"] += 3600
    return states


def go_on(network: Network) -> Result:
    return resume("lab", targets=network.targets(), journal=network.journal, options=apply_options())


def take_back(network: Network) -> Result:
    return rollback("lab", targets=network.targets(), journal=network.journal, options=apply_options())


@pytest.mark.parametrize("verb", [go_on, take_back])
def test_a_device_that_the_site_has_lost_is_named(
    applied: Network, verb: Callable[[Network], Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    states = in_the_middle(applied)
    gone = next(name for name, state in states.items() if state is State.CONFIRMED)
    left = {name: target for name, target in applied.targets().items() if name != gone}
    monkeypatch.setattr(Network, "targets", lambda _network: left)
    before = commits(applied)

    with pytest.raises(Refused, match=f"FAB714: no management access to {gone}"):
        verb(applied)
    assert commits(applied) == before


def test_what_nobody_can_restore_is_said_before_anything_is_taken_back(make: Callable[..., Network]) -> None:
    """Adopted devices know what they ran themselves, as long as they keep it: they are asked before any is touched."""
    network = make(lambda _name, text: text.replace("<secret:env:NETOPS>", "old").replace("ntp", "banner"))
    assert network.apply().outcome == "done"
    network.edit("ntp 192.0.2.9", "ntp 192.0.2.10", "spine-0-1")
    assert network.apply().outcome == "done"
    assert (
        take_back(network).outcome == "done"
    )  # the devices are as the first run left them, but for their memory
    with network.box("spine-0-1").state() as state:
        kept, state["before"] = state["before"], {}
    before = {name: box.running for name, box in network.boxes().items()}

    with pytest.raises(Refused, match="FAB723: spine-0-1: load: what ran before fabric-1"):
        rollback("lab", 1, targets=network.targets(), journal=network.journal, options=apply_options())
    assert {name: box.running for name, box in network.boxes().items()} == before
    assert holder(network.journal, "lab") is None

    with network.box("spine-0-1").state() as state:
        state["before"] = kept
    taken = rollback("lab", 1, targets=network.targets(), journal=network.journal, options=apply_options())
    assert taken.outcome == "done"
    assert network.journal.applied("lab") == {}


def test_a_run_that_was_taken_back_is_not_taken_back_again(make: Callable[..., Network]) -> None:
    network = make(lambda _name, text: text.replace("<secret:env:NETOPS>", "old").replace("ntp", "banner"))
    assert network.apply().outcome == "done"
    assert take_back(network).outcome == "done"
    before = commits(network)

    with pytest.raises(Refused, match=r"FAB725: run 1 was taken back by run 2"):
        rollback("lab", 1, targets=network.targets(), journal=network.journal, options=apply_options())
    assert commits(network) == before
