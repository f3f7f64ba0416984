"""A run is killed before its gate, and a device restarts and keeps what waited: nobody has let that pass."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec
import pytest

from fabric.deployment import State, apply, resume, rollback
from fabric.deployment.events import Event, WaveStarted
from fabric.planning import Plan
from tests.deployment.conftest import AtOnce, Network, apply_options, killed
from tests.deployment.test_rollback_plan import planned as planned_back
from tests.deployment.test_told_as_it_is import restarts

EVERYTHING = frozenset({"isolating", "lockout:*"})
NAME, WRONG = "spine-0-1", "remote-as 4200000000"
Saved = tuple[Plan, Mapping[str, str]]


def without_findings(saved: Saved) -> Saved:
    """As of one who has allowed what is wrong with it."""
    return msgspec.structs.replace(saved[0], couplings=(), diagnostics=()), saved[1]


@pytest.fixture
def breaking(applied: Network) -> Saved:
    """A change of one spine that takes its sessions down."""
    asn = re.search(r"remote-as (\d+)", applied.box(NAME).running)
    assert asn is not None
    applied.edit(asn[0], WRONG, NAME)
    return without_findings(applied.plan(phased=False))


def test_the_gate_takes_it_back(applied: Network, breaking: Saved) -> None:
    """So much of the change itself."""
    options = apply_options(allow=EVERYTHING)
    result = apply(
        breaking, targets=applied.targets(), journal=applied.journal, options=options, executor=AtOnce()
    )

    assert result.outcome == "failed"
    assert WRONG not in applied.box(NAME).running


def test_resume_takes_it_back_and_does_it_again_with_its_gate(applied: Network, breaking: Saved) -> None:
    killed(applied, breaking, "committed", 1, allow=EVERYTHING)
    restarts(applied.box(NAME))
    place = {"targets": applied.targets(), "options": apply_options(allow=EVERYTHING), "executor": AtOnce()}
    result = resume("lab", journal=applied.journal, **place)

    assert result.outcome == "failed"
    assert "BGP session" in result.waves[0].reason
    assert WRONG not in applied.box(NAME).running
    assert [step.state for step in applied.journal.steps(2)] == [State.REVERTED]


def test_resume_goes_on_with_one_that_does_no_harm(applied: Network) -> None:
    applied.edit("ntp 192.0.2.9", "ntp 192.0.2.10")
    killed(applied, applied.plan(), "committed", 1)
    first = next(step.job.device for step in applied.journal.steps(2) if step.state is State.COMMITTED)
    restarts(applied.box(first))
    begun = list[Event]()
    place = {"targets": applied.targets(), "options": apply_options(), "executor": AtOnce()}
    result = resume("lab", journal=applied.journal, on_event=begun.append, **place)

    assert result.outcome == "done"
    assert all("ntp 192.0.2.10" in box.running for box in applied.boxes().values())
    waves = [event for event in begun if isinstance(event, WaveStarted)]
    assert any(first in wave.devices for wave in waves)


def test_a_rollback_takes_all_of_it_back_and_pushes_nothing(applied: Network) -> None:
    applied.edit("mtu 9000", "mtu 4000")
    killed(applied, without_findings(applied.plan(phased=False)), "committed", 2, allow=EVERYTHING)
    back = planned_back(applied)
    assert back.plan.changed == ()  # nothing was to stay
    for box in applied.boxes().values():
        restarts(box)
    begun = list[Event]()
    place = {"targets": applied.targets(), "options": apply_options(), "planned": back.plan}
    result = rollback("lab", back.run.id, journal=applied.journal, on_event=begun.append, **place)

    assert result.outcome == "nothing"
    assert not any(isinstance(event, WaveStarted) for event in begun)
    assert not any("mtu 4000" in box.running for box in applied.boxes().values())
    assert not any(box.is_pending for box in applied.boxes().values())
