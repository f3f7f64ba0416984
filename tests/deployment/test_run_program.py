"""Programs that a site or an operator names can neither hang a run nor outlive it, whatever they are for."""

from __future__ import annotations

import os
import signal
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fabric.cli import run as command
from fabric.deployment import Cordon, Pace, SecretSource, State, Thresholds, run_program
from fabric.deployment.between_waves.cordon import CordonedWave
from fabric.deployment.connection import ask_secrets
from fabric.deployment.events import GateWaiting
from fabric.deployment.gates import site_commands
from fabric.deployment.gates.site_commands import CommandsAsked, complaints
from fabric.deployment.gates.timers import margin_s
from fabric.deployment.interruptions import Interrupted, interruptible
from fabric.deployment.run_program import Ended, NotStarted, Program
from fabric.diagnostics import Invalid
from tests.deployment.conftest import Clock, Network
from tests.waiting import PATIENCE_S, until

HANGS = """#!/bin/sh
trap '' TERM
sleep 1000 & echo $! > children
sleep 1000 & echo $! >> children
mv children hanging
wait
"""
LEAVES = """#!/bin/sh
sleep 1000 &
echo $! > children
mv children hanging
echo a-word-of-it
"""
SLOW = Pace(revert_in_s=100, gate_timeout_s=10_000, gate_poll_s=5)
Told = Callable[[str, float], None]


def asked_by_a_gate(folder: Path, waiting: Told) -> str:
    asked = CommandsAsked(
        commands=("./program",), folder=folder, about={}, hide=str, limit_s=1, told_every_s=0
    )
    return "".join(complaints(asked, waiting))


def asked_by_a_cordon(folder: Path, waiting: Told) -> str:
    wave = CordonedWave(folder=folder, about={}, devices=(), hide=str, told_every_s=0)
    return Cordon(timeout_s=1).run("./program", wave, waiting).problem


def asked_for_a_secret(folder: Path, waiting: Told) -> str:
    environ = {"FABRIC_SECRET_COMMAND": "./program"}
    try:
        SecretSource(environ=environ, folder=folder, waiting=waiting).resolve(["cmd:a"])
    except Invalid as error:
        return str(error)
    return ""


KINDS = {"gate": asked_by_a_gate, "cordon": asked_by_a_cordon, "secret": asked_for_a_secret}
kinds = pytest.mark.parametrize("ask", KINDS.values(), ids=KINDS)


def script(folder: Path, text: str) -> None:
    (folder / "program").write_text(text)
    (folder / "program").chmod(stat.S_IRWXU)


def ended(process: str) -> bool:
    """Whether a process is gone, or waits for whoever shall read its exit code."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().split()[2]
    except (FileNotFoundError, ProcessLookupError):
        return True
    return state == "Z"


@pytest.fixture
def children(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], list[str]]]:
    """The children of the program, whose time begins when it has them."""
    start = run_program._started

    def started(program: Program) -> object:
        process = start(program)
        until((tmp_path / "hanging").exists, PATIENCE_S, "its children")
        return process

    def known() -> list[str]:
        return (tmp_path / "hanging").read_text().split()

    monkeypatch.setattr(run_program, "_started", started)
    monkeypatch.setattr(ask_secrets, "PATIENCE_S", 1)
    yield known
    for child in known():
        if not ended(child):
            os.kill(int(child), signal.SIGKILL)


def nobody(_command: str, _elapsed_s: float) -> None:
    pass


@kinds
def test_a_program_that_hangs_is_ended_with_all_that_it_has_started(
    ask: Callable[[Path, Told], str], tmp_path: Path, children: Callable[[], list[str]]
) -> None:
    script(tmp_path, HANGS)
    told = ask(tmp_path, nobody)

    assert "./program" in told
    assert "within 1 s" in told
    assert len(children()) == 2
    until(lambda: all(map(ended, children())), PATIENCE_S, "the end of the children")


@kinds
def test_nobody_waits_for_a_child_in_the_background_that_holds_the_pipe(
    ask: Callable[[Path, Told], str], tmp_path: Path, children: Callable[[], list[str]]
) -> None:
    script(tmp_path, LEAVES)

    assert ask(tmp_path, nobody) == ""
    assert not any(map(ended, children()))  # it was told to go on


@kinds
def test_an_interrupted_run_leaves_no_program_behind(
    ask: Callable[[Path, Told], str],
    tmp_path: Path,
    children: Callable[[], list[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupt(_command: str, _elapsed_s: float) -> None:
        raise KeyboardInterrupt

    script(tmp_path, HANGS)
    monkeypatch.setattr(ask_secrets, "TOLD_EVERY_S", 0)

    with pytest.raises(KeyboardInterrupt):
        ask(tmp_path, interrupt)
    until(lambda: all(map(ended, children())), PATIENCE_S, "the end of the children")


@kinds
@pytest.mark.usefixtures("signals_as_usual")
def test_a_signal_that_comes_while_a_program_starts_leaves_none_behind(
    ask: Callable[[Path, Told], str],
    tmp_path: Path,
    children: Callable[[], list[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It runs before this process goes on: seen on a busy machine."""
    start = run_program._started

    def started(program: Program) -> object:
        process = start(program)
        os.kill(os.getpid(), signal.SIGTERM)
        return process

    script(tmp_path, HANGS)
    monkeypatch.setattr(run_program, "_started", started)

    with pytest.raises(Interrupted), interruptible(list[str]().append):
        ask(tmp_path, nobody)
    until(lambda: all(map(ended, children())), PATIENCE_S, "the end of the children")


@kinds
def test_whoever_waits_is_told_for_which_program(
    ask: Callable[[Path, Told], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []

    def waiting(command: str, _elapsed_s: float) -> None:
        told.append(command)
        (tmp_path / "told").touch()

    script(tmp_path, "#!/bin/sh\nwhile ! test -e told; do sleep 0.01; done\n")

    monkeypatch.setattr(ask_secrets, "TOLD_EVERY_S", 0)
    ask(tmp_path, waiting)
    assert set(told) == {"./program"}


def test_a_gate_ends_its_programs_before_the_timers_of_the_devices_fire(
    applied: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    clock.drive_waves(monkeypatch)

    def hang(program: Program, waiting: Callable[[float], None]) -> Ended:
        waiting(program.told_every_s)
        clock.sleep(program.limit_s)
        return Ended(None, b"")

    monkeypatch.setattr(site_commands, "run_program", hang)
    applied.edit("ntp 192.0.2.9", "ntp 192.0.2.10")
    result = applied.apply(applied.plan(), pace=SLOW, thresholds=Thresholds(commands=("true --hangs",)))

    (wave, *_), devices = result.waves, result.devices
    assert wave.state == "reverted"
    assert "`true --hangs`: no answer within " in wave.reason
    assert State.LEFT_TO_TIMER not in {device.state for device in devices}
    assert clock.now <= SLOW.revert_in_s - margin_s(SLOW.revert_in_s)
    assert ("`true --hangs`",) in {e.missing for e in applied.events if isinstance(e, GateWaiting)}


def test_all_programs_of_a_gate_share_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    limits: list[float] = []

    def hang(program: Program, _waiting: object) -> Ended:
        limits.append(program.limit_s)
        clock.sleep(program.limit_s)
        return Ended(None, b"")

    monkeypatch.setattr(site_commands, "run_program", hang)
    monkeypatch.setattr(site_commands, "time", clock)
    told = complaints(CommandsAsked(commands=("./a", "./b"), folder=tmp_path, about={}, hide=str, limit_s=20))

    assert limits == [20]
    assert "`./b`: there was no time left to ask it" in told


def test_nothing_runs_where_nobody_would_know_how_it_ends(tmp_path: Path) -> None:
    """The system forgets the children of whoever ignores SIGCHLD: each would have exited with 0."""
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        with pytest.raises(NotStarted, match="ignores SIGCHLD"):
            run_program.run_program(
                Program(words=("false",), folder=tmp_path, environ={}, given=b"", limit_s=10)
            )
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_a_command_hears_of_its_programs_whoever_has_started_it() -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert command.run(["--version"]) == 0
        assert signal.getsignal(signal.SIGCHLD) == signal.SIG_DFL
    finally:
        signal.signal(signal.SIGCHLD, before)
