"""What an operator sees and the journal keeps of a run, whatever fails: read from start to end, one file a case.

Beside the words, a law: events, result, journal and devices tell the same. `pytest --update-golden` writes the files
anew; read their diff.
"""

from __future__ import annotations

import dataclasses
import re
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from fabric.deployment import Event, Pace, Result, State, apply, holder, resume, rollback
from fabric.deployment.events import (
    DeviceStepped,
    ManagerRestarted,
    RunFinished,
    RunStarted,
    WaveFinished,
    WaveStarted,
)
from fabric.deployment.gates import manager_gate
from fabric.diagnostics import Refused
from fabric.platforms import registry
from tests.deployment.conftest import SECRET, AtOnce, Clock, Network, apply_options, killed
from tests.planning.toy import PLATFORM, canonical, digest, masked

FOLDER = Path(__file__).parent / "transcripts"
PACE = Pace(revert_in_s=200, gate_timeout_s=20, gate_poll_s=10, manager_timeout_s=50, manager_stall_s=15)
"""On a clock that passes only where a gate waits."""
STATELESS = dataclasses.replace(PLATFORM, driver="tests.deployment.box:StatelessBoxDriver", reverts=False)
MANAGERS = dataclasses.replace(PLATFORM, driver="tests.deployment.box:ManagerBoxDriver")
ROWS = {"toy": "tests.planning.toy:PLATFORM"} | {
    name: f"tests.deployment.test_transcripts:{name}" for name in ("STATELESS", "MANAGERS")
}
CHANGING = re.compile(
    r"(?<=fabric-\d\.\d-)[0-9a-f]{8}-[A-Za-z0-9._-]+|(?<=fabric-plan-)[0-9a-f]{8}-[A-Za-z0-9._-]+"
    r"|\b[0-9a-f]{64}\b|(?<=process )\d+|\d{4}-\d\d-\d\dT[0-9:.+]+|(?<=at about )[0-9: -]+(?= UTC)"
    r"|, request: \{[^}]*\}"
)
OPTIONS = {"pace": PACE, "owner": "ana", "allow": frozenset({"isolating"})}
SPINES = ("spine-0-0", "spine-0-1")


class Play:
    """A run on toy devices, as it is seen from outside."""

    def __init__(self, network: Network, clock: Clock) -> None:
        self.network, self.clock = network, clock
        self.lines: list[str] = []
        self.events: list[Event] = []
        self.result: Result | None = None
        self.hears: Callable[[Event], None] = lambda _event: None

    def saved(self, *names: str, old: str = "ntp 192.0.2.9", new: str = "ntp 192.0.2.10") -> Any:
        """The plan of a change on some devices, or all."""
        self.network.edit(old, new, *names)
        plan, texts = self.network.plan()
        return replace(plan, couplings=(), diagnostics=()), texts

    def in_turn(self) -> Any:
        """The plan of a change of both spines as managers of one subnet: one after the other, and all or none."""
        plan, texts = self.saved(*SPINES)
        together = replace(plan.waves[0], devices=SPINES, canary=False, in_turn=True, number=1)
        return replace(plan, waves=(together,)), texts

    def hear(self, event: Event) -> None:
        self.events.append(event)
        lock = holder(self.network.journal, "lab")
        assert (lock is None) == isinstance(event, RunFinished)  # the lock ends with its run
        assert lock is None or (lock.owner, lock.run) == ("ana", event.run)  # type: ignore[attr-defined]
        self.hears(event)

    def go(self, what: Callable[..., Result], *arguments: Any, **changed: Any) -> None:
        """Apply, resume or roll back, and write down what is told of it."""
        self.events.clear()
        place = {"targets": self.network.targets(), "journal": self.network.journal, "executor": AtOnce()}
        options = apply_options(
            **{"pace": PACE, "owner": "ana", "allow": frozenset({"isolating"}), **changed}
        )
        self.lines.append(f"== {what.__name__}")
        self.result = None
        try:
            self.result = what(*arguments, **place, options=options, on_event=self.hear)
        except Refused as refused:
            self.lines += [f"refused: {refused}", f"hint: {refused.hint}"]
        self.lines += [_words(msgspec.to_builtins(event)) for event in self.events]
        if self.result is not None:
            self.lines += list(_told(self.result))
            agrees(self)

    def killed(self, saved: Any, state: State, count: int) -> None:
        """Apply in a process that is killed when so many devices have reached a state."""
        killed(self.network, saved, state, count, **OPTIONS)
        self.lines.append(f"== killed when {count} were {state}")

    def journal(self) -> Iterator[str]:
        """What the journal keeps of the last run, and of each device."""
        record, *others = self.network.journal.runs("lab")
        yield f"== journal: run {record.id} {record.kind} of {record.owner}: {record.state}"
        yield from (f"before: run {run.id} {run.kind} of {run.owner}: {run.state}" for run in others)
        for step in self.network.journal.steps(record.id):
            job = {k: v for k, v in msgspec.to_builtins(step.job).items() if k not in NOT_SHOWN}
            yield f"step {_words(job)} session={step.session!r} {step.state.value} {step.reason}".rstrip()
        for entry in self.network.journal.entries(record.id):
            what = entry["device"] or (f"wave {entry['wave']}" if entry["wave"] else "run")
            yield f"entry {what}: {entry['state']} {entry['reason'] or ''}".rstrip()
        for name, known in self.network.journal.applied("lab").items():
            yield f"applied {name} in run {known.run}"

    def text(self) -> str:
        lines = [*self.lines, *self.journal()]
        text = "".join(f"{CHANGING.sub('*', line)}\n" for line in lines)
        return text.replace(socket.gethostname(), "HOST").replace(str(self.network.folder), "FOLDER")


NOT_SHOWN = {"summary", "text", "before", "artifact", "owned", "wanted", "platform"}
"""Digests: the law looks at what they stand for."""


def _words(fields: dict[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in fields.items() if value)


def _told(result: Result) -> Iterator[str]:
    yield f"{result.kind}: {result.outcome}"
    for wave in result.waves:
        yield f"wave {wave.number} {wave.state}: {wave.reason}"
        yield from (
            f"   {device.device} {device.state.value} {device.reason}".rstrip() for device in wave.devices
        )
    yield from (
        f"{d.code} {d.severity.value} {d.origin} {d.subjects}: {d.rule}\n   hint: {d.hint}"
        for d in result.diagnostics
    )


def agrees(play: Play) -> None:
    """Events, result, journal and devices tell the same."""
    result, journal = play.result, play.network.journal
    assert result is not None
    if result.run is None:
        assert play.events == []
        return
    began = next(n for n, event in enumerate(play.events) if isinstance(event, RunStarted))
    started, *events = play.events[began:]  # what an interrupted run has left is brought to rest before
    assert isinstance(started, RunStarted)
    record, run, last = journal.runs("lab")[0], started.run, events[-1]
    steps = {step.job.device: step for step in journal.steps(run)}
    ended = {event.device: event for event in events if isinstance(event, DeviceStepped)}
    begun = {event.wave: event for event in events if isinstance(event, WaveStarted)}
    told = {wave.number: wave for wave in result.waves}

    assert {event.run for event in events} == {run} == {result.run} == {record.id}  # type: ignore[attr-defined]
    assert isinstance(last, RunFinished)
    assert record.finished
    assert (last.outcome, started.kind) == (result.outcome, result.kind)
    assert (started.waves, record.state) == (
        len({steps[n].job.wave for n in _of(begun, told)}),
        result.outcome,
    )
    for event in events:
        if isinstance(event, WaveFinished):
            wave = told[event.wave]
            assert (event.state, event.reason) == (wave.state, wave.reason)
            assert journal.wave_state(run, event.wave) == wave.state
            assert begun[event.wave].devices == tuple(device.device for device in wave.devices)
    for device in result.devices:
        step, runs = steps[device.device], canonical(play.network.box(device.device).running)
        assert (step.state, step.reason) == (device.state, device.reason)
        assert device.device not in ended or ended[device.device].state == device.state
        assert play.network.box(device.device).is_pending <= (device.state is State.LEFT_TO_TIMER)
        if device.state is State.CONFIRMED:
            assert journal.text(step.after) == masked(runs)
            known = journal.applied("lab").get(device.device)
            assert known is None or known.after == step.after
        if device.state is State.REVERTED:
            assert digest(masked(runs)) == step.job.before


def _of(begun: dict[int, WaveStarted], told: dict[int, Any]) -> set[str]:
    """The devices of the waves of a run that were still to be done when it began or went on."""
    return {
        d.device for n, wave in told.items() if n in begun or wave.state == "not begun" for d in wave.devices
    }


def changed(play: Play) -> None:
    play.go(apply, play.saved())


def rolled_back(play: Play) -> None:
    play.go(apply, play.saved())
    play.go(rollback, "lab")


def adoption_rolled_back(play: Play) -> None:
    play.go(rollback, "lab")


def fails(*faults: str, device: str = "leaf-0-0-1") -> Callable[[Play], None]:
    def case(play: Play) -> None:
        saved = play.saved()
        play.network.box(device).fail(*faults)
        play.go(apply, saved)

    return case


def fail_both(play: Play) -> None:
    saved = play.saved()
    for name in ("leaf-0-0-0", "leaf-0-0-1"):
        play.network.box(name).fail("load")
    play.go(apply, saved)


def session_down(play: Play) -> None:
    address = play.network.site.switches["spine-0-0"].ports[0].addresses[0].ip
    play.go(
        apply,
        play.saved("leaf-0-0-0", old=f"neighbor {address} remote-as ", new=f"neighbor {address} remote-as 1"),
    )


def in_small_steps(play: Play) -> None:
    saved = play.saved()
    play.network.box(SPINES[1]).fail("commit")
    play.go(apply, saved, pace=replace(PACE, batch=1))


def meddled(play: Play) -> None:
    """Somebody changes a device after all were asked, and before its wave."""
    saved = play.saved()

    def hear(event: Event) -> None:
        if isinstance(event, WaveFinished) and event.wave == 1:
            play.network.box(SPINES[1]).change(lambda text: text + "ntp 192.0.2.66\n")

    play.hears = hear
    play.go(apply, saved)


def stopped(state: State, count: int, then: Callable[..., Result]) -> Callable[[Play], None]:
    def case(play: Play) -> None:
        before = running(play)
        saved = play.saved()
        play.killed(saved, state, count)
        play.go(apply, saved)
        play.go(then, "lab")
        assert (running(play) == before) is (then is rollback)
        assert (play.network.plan()[0].changed == ()) is (then is resume)

    return case


def running(play: Play) -> dict[str, str]:
    """What each device runs."""
    return {name: canonical(box.running) for name, box in play.network.boxes().items()}


def timers_fired(play: Play) -> None:
    play.killed(play.saved(), State.COMMITTED, 3)
    for box in play.network.boxes().values():
        with box.state() as state:
            if state["pending"]:
                state["pending"]["until"] = 0
    play.go(resume, "lab")


def meddled_after_a_kill(play: Play) -> None:
    play.killed(play.saved(), State.COMMITTED, 3)
    play.network.box(SPINES[1]).change(lambda text: text + "ntp 192.0.2.66\n")
    play.go(resume, "lab")
    play.go(rollback, "lab")


def goes_back_elsewhere(play: Play) -> None:
    """What the device takes back is not what it ran before: it was changed while its commit waited."""
    play.killed(play.saved(), State.COMMITTED, 3)
    for name in SPINES:
        with play.network.box(name).state() as state:
            if state["pending"]:
                state["pending"]["before"] += "ntp 192.0.2.67\n"
    play.go(resume, "lab")


def turn(*faults: str, device: str = SPINES[1]) -> Callable[[Play], None]:
    def case(play: Play) -> None:
        saved = play.in_turn()
        play.network.box(device).fail(*faults)
        play.go(apply, saved)

    return case


def nothing_to_take_back(play: Play) -> None:
    saved = play.saved()
    for box in play.network.boxes().values():
        box.fail("load")
    play.go(apply, saved)
    play.go(rollback, "lab")


def timer_fires_meanwhile(play: Play) -> None:
    """Its confirmation goes wrong, and before it is tried again the device has taken the change back."""
    saved = play.saved()
    box = play.network.box("leaf-0-0-1")
    box.fail("confirm")

    def hear(event: Event) -> None:
        if isinstance(event, DeviceStepped) and event.state == State.LEFT_TO_TIMER:
            with box.state() as state:
                state["pending"]["until"] = 0

    play.hears = hear
    play.go(apply, saved)


def stalls_again(play: Play) -> None:
    """One is restarted alone, beside a master that works; after that both wait, and are restarted together."""
    managers({SPINES[0]: "master", SPINES[1]: "not active"}, BOTH_WAIT, then=AS_PLANNED)(play)


def turn_undone_in_vain(play: Play) -> None:
    """One is confirmed, the other cannot be, and the first one does not go back."""
    saved = play.in_turn()
    play.network.box(SPINES[1]).fail("confirm")
    play.network.box(SPINES[0]).fail("load before")
    play.go(apply, saved)


GOOD = {
    SPINES[0]: {"role": "master", "priority": 15, "guid": 1, "master": 1, "swept": True},
    SPINES[1]: {"role": "standby", "priority": 14, "guid": 2, "master": 1},
}


def managers(
    now: dict[str, str],
    after: dict[str, str],
    *faults: str,
    back: dict[str, str] | None = None,
    then: dict[str, str] | None = None,
) -> Callable[[Play], None]:
    """Both managers change; after the last commit they have some roles, and others after a restart."""

    def case(play: Play) -> None:
        left = dict(then or {})
        for name, state in GOOD.items():
            play.network.box(name).manage({**state, "after": {**state, "role": after[name]}})
        saved = play.in_turn()

        def hear(event: Event) -> None:
            if isinstance(event, ManagerRestarted) and event.device == SPINES[1]:
                for name, role in left.items():
                    play.network.box(name).manage(
                        {"role": after[name], "after": {**GOOD[name], "role": role}}
                    )
                left.clear()
            if not isinstance(event, DeviceStepped):
                return
            if event.device == SPINES[1] and event.state == State.COMMITTED:
                for name, role in now.items():
                    play.network.box(name).manage({"role": role})
                    play.network.box(name).fail(*faults)
            if back and event.state == State.REVERTED:
                play.network.box(event.device).manage({"role": back[event.device]})

        play.hears = hear
        play.go(apply, saved)

    return case


BOTH_WAIT = dict.fromkeys(SPINES, "standby")
AS_PLANNED = {SPINES[0]: "master", SPINES[1]: "standby"}
CASES: dict[str, tuple[str, Callable[[Play], None]]] = {
    "a change": ("toy", changed),
    "a change rolled back": ("toy", rolled_back),
    "an adoption rolled back": ("toy", adoption_rolled_back),
    "a load that fails": ("toy", fails("load")),
    "a commit that fails": ("toy", fails("commit")),
    "a connection that dies after the commit": ("toy", fails("after commit")),
    "a device that cannot go back": ("toy", fails("after commit", "rollback")),
    "a device that cannot confirm": ("toy", fails("confirm")),
    "a connection that dies after the confirmation": ("toy", fails("after confirm")),
    "a device that does not answer": ("toy", fails("open")),
    "a timer that fires while the wave is confirmed": ("toy", timer_fires_meanwhile),
    "a run that changed nothing rolled back": ("toy", nothing_to_take_back),
    "two devices that fail": ("toy", fail_both),
    "a session that stays down": ("toy", session_down),
    "a wave in small steps": ("toy", in_small_steps),
    "a device changed by hand meanwhile": ("toy", meddled),
    "killed after the push, then resumed": ("toy", stopped(State.COMMITTED, 3, resume)),
    "killed after the push, then rolled back": ("toy", stopped(State.COMMITTED, 3, rollback)),
    "killed while confirming, then resumed": ("toy", stopped(State.CONFIRMED, 3, resume)),
    "killed while confirming, then rolled back": ("toy", stopped(State.CONFIRMED, 3, rollback)),
    "killed, timers fired, then resumed": ("toy", timers_fired),
    "killed, changed by hand, then resumed": ("toy", meddled_after_a_kill),
    "killed, gone back to something else, then resumed": ("toy", goes_back_elsewhere),
    "in turn": ("toy", turn()),
    "in turn, the second cannot commit": ("toy", turn("commit")),
    "in turn, the second cannot confirm": ("toy", turn("confirm")),
    "in turn, the first cannot confirm": ("toy", turn("confirm", device=SPINES[0])),
    "in turn, the first does not go back": ("toy", turn_undone_in_vain),
    "without a timer": ("STATELESS", changed),
    "without a timer, rolled back": ("STATELESS", rolled_back),
    "without a timer, a commit that fails": ("STATELESS", fails("commit")),
    "without a timer, a connection that dies": ("STATELESS", fails("after commit")),
    "without a timer, killed, then resumed": ("STATELESS", stopped(State.COMMITTED, 3, resume)),
    "without a timer, in turn, the second cannot confirm": ("STATELESS", turn("confirm")),
    "managers as planned": ("MANAGERS", managers(AS_PLANNED, AS_PLANNED)),
    "managers that stall": ("MANAGERS", managers(BOTH_WAIT, AS_PLANNED)),
    "managers that a restart does not mend": ("MANAGERS", managers(BOTH_WAIT, BOTH_WAIT)),
    "managers that the old files mend": ("MANAGERS", managers(BOTH_WAIT, BOTH_WAIT, back=AS_PLANNED)),
    "managers that cannot be restarted": ("MANAGERS", managers(BOTH_WAIT, BOTH_WAIT, "stop", "start")),
    "managers that do not answer": ("MANAGERS", managers(BOTH_WAIT, BOTH_WAIT, "manager")),
    "a manager that stalls again": ("MANAGERS", stalls_again),
    "a manager that is not active": (
        "MANAGERS",
        managers({**AS_PLANNED, SPINES[1]: "not active"}, AS_PLANNED),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_run_reads_as_it_did_and_all_that_tell_of_it_agree(
    name: str,
    make: Callable[..., Network],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    *,
    update_golden: bool,
) -> None:
    caplog.set_level("DEBUG")
    product, case = CASES[name]
    monkeypatch.setitem(registry.ROWS, "toy", ROWS[product])
    registry.platform.cache_clear()
    clock = Clock()
    clock.drive_waves(monkeypatch, manager_gate)
    network = make(units=1)
    for spine, state in GOOD.items():
        network.box(spine).manage(state)
    play = Play(network, clock)
    play.go(apply, network.plan(adopt=True))
    play.lines.clear()
    case(play)
    text, file = play.text(), FOLDER / f"{name.replace(',', '').replace(' ', '-')}.txt"
    if update_golden:
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)

    assert file.read_text() == text
    assert "request " in caplog.text
    for secret in (SECRET, "LOGIN-PASSWORD"):
        assert secret not in text
        assert secret not in caplog.text
