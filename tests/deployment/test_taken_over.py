"""Two operators, one of whom has taken the other's lock away: the first one undoes nothing of what the second did."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fabric.deployment import Cordon, Journal, Result, apply, check_before_apply, resume, rollback
from fabric.deployment.check_before_apply import check_unfinished
from fabric.deployment.device_steps import Work
from fabric.deployment.events import DeviceStepped, Event
from fabric.deployment.jobs import State
from fabric.deployment.journal_store.cordoned_hosts import Cordoned
from fabric.deployment.waves import bring_back, settle_devices
from fabric.diagnostics import DeviceError, Refused
from tests.deployment.conftest import Clock, Network, apply_at_once, apply_options
from tests.deployment.test_confirmation import FAULTS, SPINES, changed, in_turn
from tests.deployment.two_operators import LOST, go_on, unlock, when_one_is_left

LEAF = "leaf-0-0-0"
ISOLATING = frozenset({"isolating"})


class Hook:
    """The site's programs around a wave: they write down that they were called."""

    def __init__(self, folder: Path, waits: str = "") -> None:
        self._calls = folder / "calls"
        self.reached, self.go_on = folder / "reached", folder / "go-on"
        waiting = f"touch {self.reached}; while [ ! -e {self.go_on} ]; do sleep 0.02; done"
        program = folder / "hook"
        program.write_text(
            "#!/bin/sh\ncat > /dev/null\n"
            f'if [ "$1" = "{waits}" ] && [ ! -e {self.reached} ]; then {waiting}; fi\n'
            f'echo "$1" >> {self._calls}\n'
        )
        program.chmod(0o700)
        self.cordon = Cordon(
            before=f"{program} before",
            after=f"{program} after",
            hosts=lambda names: tuple(f"gpu-{name}" for name in names),
        )

    def calls(self) -> list[str]:
        return self._calls.read_text().split() if self._calls.exists() else []


def isolating(network: Network) -> tuple[Any, Any]:
    """A plan that cuts the hosts of a leaf off."""
    network.edit("mtu 9000", "mtu 4000", LEAF)
    made, texts = network.plan()
    return msgspec.structs.replace(made, couplings=(), diagnostics=()), texts


def states(journal: Journal) -> dict[int, str]:
    return {run.id: run.state for run in journal.runs("lab")}


def test_a_run_that_was_ended_while_it_asked_its_devices_is_not_open_again(
    applied: Network, other: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved, asks, done = changed(applied), check_before_apply.check_devices, list[str]()

    def slowly(*given: Any, **named: Any) -> None:
        asks(*given, **named)
        if not done:
            done.append("by the other one")
            unlock(other.journal, 2)
            other.edit("ntp 192.0.2.9", "ntp 192.0.2.55")
            assert other.apply(owner="other").outcome == "done"

    monkeypatch.setattr(check_before_apply, "check_devices", slowly)
    with pytest.raises(Refused, match=LOST):
        applied.apply(saved)

    assert states(other.journal) == {1: "done", 2: "interrupted", 3: "done"}
    check_unfinished(other.journal, "lab")


class Divided:
    """An apply of which one device cannot be confirmed, until its timer has fired."""

    def __init__(
        self, network: Network, monkeypatch: pytest.MonkeyPatch, then: Callable[[str], None]
    ) -> None:
        self._network, self._saved = network, changed(network)
        self.stuck, self.kept, *_ = self._saved[0].waves[1].devices
        clock = Clock()
        clock.drive_waves(monkeypatch)
        mark_wave, sleep = network.journal.mark_wave, clock.sleep
        began, done = list[float](), list[str]()

        def marked(run: int, number: int, state: str, reason: str = "") -> None:
            mark_wave(run, number, state, reason)
            if (number, state) == (2, "confirming"):
                began.append(clock.now)
                network.box(self.stuck).fail(*FAULTS["cannot confirm"])

        def passes(seconds: float) -> None:
            sleep(seconds)
            if began and not done and clock.now > began[0] + 1:
                done.append(self.kept)
                then(self.kept)

        monkeypatch.setattr(network.journal, "mark_wave", marked)
        monkeypatch.setattr(clock, "sleep", passes)

    def carried_out(self) -> Result:
        return apply_at_once(self._network, self._saved)


def test_what_another_one_has_applied_since_a_confirmation_is_not_taken_back(
    applied: Network, other: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    def applies(kept: str) -> None:
        unlock(other.journal, 2, gives_up=True)
        other.site = applied.site
        other.edit("ntp 192.0.2.10", "ntp 192.0.2.77", kept)
        made, texts = other.plan()
        assert other.apply((msgspec.structs.replace(made, diagnostics=()), texts)).outcome == "done"

    run = Divided(applied, monkeypatch, applies)
    with pytest.raises(Refused, match=LOST):
        run.carried_out()

    assert "192.0.2.77" in applied.box(run.kept).running
    assert other.journal.applied("lab")[run.kept].run == 3


def test_what_somebody_has_typed_since_a_confirmation_is_not_taken_back(
    applied: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    def types(kept: str) -> None:
        applied.box(kept).change(lambda text: text.replace("ntp ", "ntp 192.0.2.99\nntp ", 1))

    run = Divided(applied, monkeypatch, types)
    result = run.carried_out()

    assert "192.0.2.99" in applied.box(run.kept).running
    found = {device.device: device for device in result.waves[1].devices}
    assert found[run.kept].state is State.CONFIRMED
    assert f"{run.kept}: was changed by somebody since it was confirmed" in result.waves[1].reason


def test_hosts_that_were_taken_out_again_for_the_same_run_are_owed(
    applied: Network, other: Network, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The first operator's `after` runs, the second resumes the run and drains the hosts, and that `after` ends."""
    hook, runs_after = Hook(tmp_path), bring_back._run_after

    def meanwhile(run: Any, *of: Any) -> Any:
        answer = runs_after(run, *of)
        monkeypatch.setattr(bring_back, "_run_after", runs_after)
        unlock(other.journal, 2)
        other.journal.take_over("lab", 2, "other")
        other.journal.cordon(2, 1, Cordoned(2, (LEAF,), (f"gpu-{LEAF}",)))
        return answer

    plan = isolating(applied)
    applied.box(LEAF).fail("commit")
    monkeypatch.setattr(bring_back, "_run_after", meanwhile)
    with pytest.raises(Refused, match=LOST):
        applied.apply(plan, allow=ISOLATING, cordon=hook.cordon)

    assert hook.calls() == ["before", "after"]
    assert other.journal.cordoned(2)[1].hosts == (f"gpu-{LEAF}",)
    other.journal.leave(2)
    applied.box(LEAF).fail()
    resumed = resume(
        "lab",
        targets=other.targets(),
        journal=other.journal,
        options=apply_options(allow=ISOLATING, cordon=hook.cordon),
    )
    assert resumed.outcome == "done"
    assert hook.calls() == ["before", "after", "before", "after"]


def test_hosts_that_go_out_of_service_after_the_run_was_taken_back_are_owed(
    applied: Network, other: Network, tmp_path: Path
) -> None:
    """The first operator's `before` waits for jobs; the second takes the run back; that `before` drains the hosts."""
    hook, plan = Hook(tmp_path, waits="before"), isolating(applied)
    options = apply_options(allow=ISOLATING, cordon=hook.cordon)

    def on_event(_event: Event) -> None:
        if hook.reached.exists() and not hook.go_on.exists():
            unlock(other.journal, 2)
            back = rollback("lab", 2, targets=other.targets(), journal=other.journal, options=options)
            assert back.outcome == "nothing"
            assert hook.calls() == ["after"]
            hook.go_on.touch()

    with pytest.raises(Refused, match=LOST):
        apply(plan, targets=applied.targets(), journal=applied.journal, options=options, on_event=on_event)

    assert hook.calls() == ["after", "before"]
    assert other.journal.cordoned(2)[1].hosts == (f"gpu-{LEAF}",)


def test_paths_are_looked_at_again_once_a_program_has_run(applied: Network, tmp_path: Path) -> None:
    """It may take an hour to bring the hosts of one wave back: those of the next may have lost a path by then."""
    dead, told = tmp_path / "dead", tmp_path / "told"
    program = tmp_path / "after"
    program.write_text(f"#!/bin/sh\ncat >> {told}\ntouch {dead}\n")
    program.chmod(0o700)

    def without(*_: object) -> dict[str, frozenset[str]]:
        return {"h1": frozenset(), "h2": frozenset({"compute/0"}) if dead.exists() else frozenset()}

    applied.journal.cordon(1, 1, Cordoned(1, (LEAF,), ("h1",), is_over=True))
    applied.journal.cordon(1, 2, Cordoned(1, ("leaf-0-1-0",), ("h2",), is_over=True))
    applied.apply(applied.plan(), cordon=Cordon(before="true", after=str(program), without_path=without))

    assert '"h1"' in told.read_text()
    assert '"hosts": ["h2"]' not in told.read_text()
    assert applied.journal.cordoned(1).keys() == {2}


def test_managers_are_not_divided_by_a_line_that_somebody_has_typed(applied: Network) -> None:
    """What is confirmed stays, and is told; the other one goes back by itself: nothing is undone half."""
    saved, (first, second) = in_turn(applied), SPINES
    applied.box(second).fail("confirm")
    typed = "ntp 192.0.2.99\n"
    result = apply_at_once(
        applied, saved, when_one_is_left(lambda: applied.box(first).change(lambda text: f"{typed}{text}"))
    )

    assert typed in applied.box(first).running
    states = {device.device: device.state for device in result.waves[0].devices}
    assert states == {first: State.CONFIRMED, second: State.LEFT_TO_TIMER}
    assert applied.journal.applied("lab")[first].run == 2
    assert f"{first} keeps the change, {second} goes back within" in result.waves[0].reason
    assert "was changed by somebody" in result.waves[0].reason
    assert "`fabric rollback 2` takes the others back" in result.waves[0].reason


def test_nothing_is_taken_back_where_none_was_confirmed_for_us(
    applied: Network, other: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them are left, and then out of our reach for a moment; another operator goes on and confirms them."""
    saved = in_turn(applied)
    for name in SPINES:
        applied.box(name).fail("confirm")

    def resumed() -> None:
        for name in SPINES:
            applied.box(name).fail()
        assert go_on(other).outcome == "done"
        monkeypatch.setattr(settle_devices, "settle", out_of_reach)

    def out_of_reach(work: Work, *_: object) -> settle_devices.Settled:
        raise DeviceError(work.job.device, "no route to host")

    left = list[str]()

    def on_event(event: Event) -> None:
        if isinstance(event, DeviceStepped) and event.state is State.LEFT_TO_TIMER:
            left.append(event.device)
            if len(left) == len(SPINES):
                resumed()

    with pytest.raises(Refused, match=LOST):
        apply_at_once(applied, saved, on_event)

    assert all("192.0.2.10" in applied.box(name).running for name in SPINES)


def test_managers_that_another_one_has_confirmed_are_not_taken_back(applied: Network, other: Network) -> None:
    saved, (_, second) = in_turn(applied), SPINES
    applied.box(second).fail("confirm")

    def resumed() -> None:
        applied.box(second).fail()
        assert go_on(other).outcome == "done"
        applied.box(second).fail("confirm", "open")

    on_event = when_one_is_left(resumed)
    with pytest.raises(Refused, match=LOST):
        apply_at_once(applied, saved, on_event)

    assert all("192.0.2.10" in applied.box(name).running for name in SPINES)
    assert {other.journal.applied("lab")[name].run for name in SPINES} == {2}


@pytest.mark.parametrize("moment", ["gate", "confirming"])
def test_a_wave_that_another_one_has_confirmed_is_not_taken_back(
    applied: Network, other: Network, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    saved, mark_wave = changed(applied), applied.journal.mark_wave
    done = list[str]()

    def marked(run: int, number: int, state: str, reason: str = "") -> None:
        if (number, state) == (2, moment) and not done:
            done.append(go_on(other).outcome)
        mark_wave(run, number, state, reason)

    monkeypatch.setattr(applied.journal, "mark_wave", marked)
    with pytest.raises(Refused, match=LOST):
        applied.apply(saved)

    assert done == ["done"]
    assert all("192.0.2.10" in box.running for box in applied.boxes().values())
    assert set(states(other.journal).values()) == {"done"}
    assert {step.state for step in other.journal.steps(2)} == {State.CONFIRMED}
