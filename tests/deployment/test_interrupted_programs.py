"""Whoever interrupts a run while a program of the site runs: hosts that were taken out of service are brought back."""

from __future__ import annotations

import json
import os
import signal
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from fabric.cli.common_options import Settings
from fabric.cli.in_order import in_order
from fabric.cli.printing.command_output import Output
from fabric.deployment import Cordon, Event, Journal, Result, SecretSource, apply, holder, resume, rollback
from fabric.deployment.events import CordonFailed, DeviceStepped
from fabric.deployment.interruptions import Interrupted, interruptible
from tests.deployment.conftest import ENVIRON, AtOnce, Network, apply_options
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.usefixtures("signals_as_usual")
PROGRAM = f"""#!{sys.executable}
import json, os, subprocess, sys, time

about, word = json.load(sys.stdin), sys.argv[1]

def log(phase):
    with open("log", "a") as file:
        file.write(json.dumps([word, phase, about["wave"], about["devices"]]) + "\\n")

log("begun")
if os.path.exists(word):
    number, _, stays = open(word).read().partition(" ")
    os.remove(word)
    child = subprocess.Popen(["sleep", "1000"])
    with open("processes", "a") as file:
        file.write(f"{{os.getpid()}} {{child.pid}} ")
    os.kill(os.getppid(), int(number))
    while stays:
        time.sleep(1)
    child.kill()
log("ended")
"""
"""What a site names: it writes down what it was told, and sends a signal to the run if a file is called as its word."""
DRAIN, RESUME = "DRAIN", "RESUME"
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)
LEAVES = ("leaf-0-0-0", "leaf-0-1-1")


class Programs(msgspec.Struct):
    """The programs around the waves of a network, in a folder."""

    folder: Path
    network: Network

    def strike(self, word: str, number: int, *, stays: bool = True) -> None:
        """Send a signal to the run while the program runs; it stays until it is ended, or goes on."""
        (self.folder / word).write_text(f"{int(number)} {'stays' if stays else ''}")

    def options(self) -> dict[str, object]:
        program = str(self.folder / "program")
        cordon = Cordon(before=f"{program} {DRAIN}", after=f"{program} {RESUME}", timeout_s=PATIENCE_S)
        allow = frozenset({"isolating"})
        return {
            "cordon": cordon,
            "allow": allow,
            "source": SecretSource(environ=ENVIRON, folder=self.folder),
        }

    def log(self) -> list[tuple[str, str, int, tuple[str, ...]]]:
        path = self.folder / "log"
        rows = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        return [(word, phase, wave, tuple(devices)) for word, phase, wave, devices in rows]

    def drained(self) -> set[str]:
        """Devices whose hosts are out of service, as far as the programs have come."""
        left: set[str] = set()
        for word, phase, _wave, devices in self.log():
            if (word, phase) == (DRAIN, "begun"):
                left |= set(devices)
            elif (word, phase) == (RESUME, "ended"):
                left -= set(devices)
        return left

    def hear(self, text: str) -> None:
        """What is said of a signal."""
        (self.folder / "said").write_text(text)

    def processes(self) -> list[int]:
        """Those that run still: known by their folder too, as a number is soon somebody else's."""
        path = self.folder / "processes"
        known = [int(word) for word in path.read_text().split()] if path.exists() else []
        return [process for process in known if folder_of(process) == self.folder.resolve()]


def folder_of(process: int) -> Path | None:
    """Where a process works; None if it has ended, whoever waits for it."""
    try:
        return Path(f"/proc/{process}/cwd").readlink()
    except (FileNotFoundError, ProcessLookupError):
        return None


@pytest.fixture
def programs(applied: Network, tmp_path: Path) -> Iterator[Programs]:
    """Two leaves that change, each in a wave that isolates hosts."""
    folder = tmp_path / "programs"
    folder.mkdir()
    (folder / "program").write_text(PROGRAM)
    (folder / "program").chmod(stat.S_IRWXU)
    applied.edit("mtu 9000", "mtu 4000", *LEAVES)
    found = Programs(folder, applied)
    yield found
    for process in found.processes():  # what a killed run has left behind is ours
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def ended_by(programs: Programs, on_event: Callable[[Event], None] = lambda _event: None) -> int:
    """Apply in a process of its own: the signal that has ended it, or was raised; negative if it was killed."""
    network = programs.network
    plan, texts = network.plan()
    quiet = msgspec.structs.replace(plan, couplings=(), diagnostics=())
    assert {device.impact for device in plan.changed} == {"isolating"}
    child = os.fork()
    if child == 0:
        code = 0
        try:
            with interruptible(programs.hear):
                apply(
                    (quiet, texts),
                    targets=network.targets(),
                    journal=Journal(network.folder.parent / "journal.sqlite"),
                    options=apply_options(**programs.options()),
                    executor=AtOnce(),
                    on_event=on_event,
                )
        except Interrupted as interrupted:
            code = interrupted.number
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def gone_on(programs: Programs, verb: Callable[..., Result], **changed: object) -> Result:
    network, options = programs.network, programs.options()
    return verb(
        "lab",
        targets=network.targets(),
        journal=network.journal,
        options=apply_options(**{**options, **changed}),
        executor=AtOnce(),
        on_event=network.events.append,
    )


def in_wave(number: int) -> Callable[[Event], None]:
    """Sends a signal when the first device of the run is committed."""

    def on_event(event: Event) -> None:
        if isinstance(event, DeviceStepped) and event.state.value == "committed":
            os.kill(os.getpid(), number)

    return on_event


def reported(programs: Programs, capsys: pytest.CaptureFixture[str]) -> str:
    """What an interrupted command says of the run in the journal."""
    with pytest.raises(KeyboardInterrupt), in_order(Output(Settings()), programs.network.journal, "lab"):
        raise KeyboardInterrupt
    return " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize("verb", [resume, rollback])
@pytest.mark.parametrize("number", SIGNALS, ids=lambda number: number.name)
@pytest.mark.parametrize("moment", ["before", "wave", "after"])
def test_hosts_come_back_whatever_interrupts_a_run(
    programs: Programs,
    moment: str,
    number: signal.Signals,
    verb: Callable[..., Result],
    capsys: pytest.CaptureFixture[str],
) -> None:
    journal = programs.network.journal
    if moment != "wave":
        programs.strike({"before": DRAIN, "after": RESUME}[moment], number)
    code = ended_by(programs, in_wave(number) if moment == "wave" else lambda _event: None)
    run = journal.unfinished("lab")
    owed = journal.cordoned(run.id) if run else {}
    said = reported(programs, capsys)
    if number != signal.SIGKILL:
        until(lambda: not programs.processes(), PATIENCE_S, "the programs end")

    assert run is not None
    assert code == (-number if number == signal.SIGKILL else number)
    assert {name for wave in owed.values() for name in wave.devices} == programs.drained()
    assert bool(owed) is (moment == "after" or number == signal.SIGKILL)
    assert ("`after` of `cordon` has not ended" in said) is bool(owed)
    assert ("`fabric apply --resume` to go on with it, and to run `after`" in said) is bool(owed)
    assert all(name in said for wave in owed.values() for name in wave.devices)

    result = gone_on(programs, verb)

    assert result.outcome in ("done", "nothing")
    assert not programs.drained()
    assert not any(journal.cordoned(one.id) for one in journal.runs("lab"))
    assert holder(journal, "lab") is None
    assert journal.unfinished("lab") is None
    assert [word for word, phase, *_ in programs.log() if phase == "ended"][-1] == RESUME


@pytest.mark.parametrize("second", [signal.SIGTERM, signal.SIGKILL], ids=lambda number: number.name)
def test_a_second_signal_does_not_end_what_brings_hosts_back(
    programs: Programs, second: signal.Signals
) -> None:
    """It runs because of the first one; only `kill -9` leaves it to whoever goes on with the run."""
    programs.strike(DRAIN, signal.SIGINT)
    programs.strike(RESUME, second, stays=second == signal.SIGKILL)
    code = ended_by(programs)
    is_killed = second == signal.SIGKILL

    assert code == (-second if is_killed else signal.SIGINT)
    assert bool(programs.drained()) is is_killed
    said = (programs.folder / "said").read_text()
    first = programs.log()[0][2]
    assert (
        f": `{programs.folder / 'program'} {RESUME}` brings hosts of wave {first} back; please wait" in said
    )
    assert gone_on(programs, resume).outcome == "done"
    assert not programs.drained()


def test_no_wave_follows_if_hosts_do_not_come_back(programs: Programs) -> None:
    """When a run is gone on with, and `after` fails then: that is told once, and it is not run again by itself."""
    programs.strike(RESUME, signal.SIGTERM)
    ended_by(programs)
    broken = Cordon(before="true", after="false")
    result = gone_on(programs, resume, cordon=broken)
    states = [wave.state for wave in result.waves]
    told = [event for event in programs.network.events if isinstance(event, CordonFailed)]

    assert result.outcome == "failed"
    assert states == ["done", "not begun"]
    assert "`false`: exit code 1" in result.waves[0].reason
    assert len(told) == 1
    assert not any(programs.network.journal.cordoned(run.id) for run in programs.network.journal.runs("lab"))


def test_hosts_are_named_if_the_intent_names_no_program_any_more(programs: Programs) -> None:
    programs.strike(RESUME, signal.SIGTERM)
    ended_by(programs)
    (wave,) = programs.network.journal.cordoned(2).values()
    result = gone_on(programs, resume, cordon=Cordon())

    assert result.outcome == "failed"
    assert (
        f"see whether they are in service: the hosts behind {', '.join(wave.devices)}"
        in result.waves[0].reason
    )
