"""A real `fabric apply` against a sandbox, ended by what CI systems and terminals send."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from fabric import sandbox
from fabric.cli.open_sandbox import folder_of_sandbox
from fabric.deployment import Journal, holder
from fabric.deployment.gates.watch import Gate
from tests.ports import free_port
from tests.programs import start
from tests.waiting import PATIENCE_S

PROGRAM = """
import signal, sys
from fabric.cli import main
signal.signal(signal.SIGHUP, signal.SIG_DFL)
sys.exit(main())
"""
"""The program as a shell starts it: who runs the tests may ignore the signal, as `nohup` does."""
SLOW = "300ms"
"""Each answer of each switch: a wave takes long enough to be met in the middle of anything."""


@pytest.fixture
def slow_lab(fabric, site, monkeypatch) -> Iterator[Any]:
    """A site that was applied, a change that is planned, and switches that take their time."""
    monkeypatch.setattr(Gate, "watch_s", 0)  # what is applied in this process is none of the test's business
    assert fabric("sandbox", "up", "--port", free_port()).code == 0
    fabric("plan", "--sandbox", "--adopt")
    assert fabric("apply", ".fabric/plan", "--sandbox", "--yes", "--allow", "lockout:*").code == 0
    text = (site / "site.yaml").read_text() + "services:\n  ntp: {servers: [192.0.2.4]}\n"
    (site / "site.yaml").write_text(text)
    assert fabric("plan", "--sandbox").code == 2
    for name in ("leaf-0-0", "leaf-0-1", "leaf-0-2", "leaf-0-3", "spine-0", "spine-1"):
        fabric("sandbox", "fault", name, "--latency", SLOW)
    yield fabric
    sandbox.down(folder_of_sandbox(site))


def begun(site) -> subprocess.Popen[str]:
    words = ("apply", ".fabric/plan", "--sandbox", "--yes", "--format", "json")
    place = {"cwd": site, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return start(sys.executable, "-c", PROGRAM, *words, **place)


def until_line(process: subprocess.Popen[str], is_it: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    assert process.stdout is not None
    records = []
    for line in process.stdout:
        records.append(json.loads(line))
        if is_it(records[-1]):
            return records[-1]
    raise AssertionError((records[-3:], process.stderr.read() if process.stderr else ""))


def is_committed(record: dict[str, Any]) -> bool:
    return record["type"] == "device_stepped" and record["state"] == "committed" and record["wave"] == 2


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_a_cancelled_job_takes_its_wave_back(slow_lab, site, number):
    process = begun(site)
    until_line(process, is_committed)
    process.send_signal(number)
    assert process.stderr is not None
    told = process.stderr.readline()
    process.send_signal(number)
    told_again = process.stderr.readline()
    out, err = process.communicate(timeout=PATIENCE_S)
    journal = Journal(folder_of_sandbox(site) / "journal.sqlite")
    run = journal.unfinished("lab")
    states = {step.job.device: step.state.value for step in journal.steps(run.id)}

    assert process.returncode == 128 + number
    assert f"interrupted by {number.name}" in err
    assert told.startswith(f"{number.name}: taking back wave 2 on 5 devices (unconfirmed, each goes back at ")
    assert told_again == told
    assert "Traceback" not in err
    last = json.loads(out.splitlines()[-1])
    assert last["type"] == "interrupted"
    assert last["hint"].startswith(
        "Run `fabric apply --sandbox --resume` to go on with it, or `fabric rollback"
    )
    assert sorted(states.values()) == ["confirmed", *["reverted"] * 5]
    assert holder(journal, "lab") is None
    drifted = slow_lab("drift", "--sandbox")
    assert (drifted.code, "6 as applied" in drifted.err) == (0, True), drifted.err
    gone_on = slow_lab("apply", "--resume", "--sandbox", "--yes")
    assert gone_on.code == 0, gone_on.err
    assert slow_lab("plan", "--sandbox").code == 0


def test_a_terminal_that_is_closed_takes_the_wave_back_too(slow_lab, site):
    """Nobody reads what is written any more, and that must not stop what is being taken back."""
    process = begun(site)
    until_line(process, is_committed)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    process.stderr.close()
    os.kill(process.pid, signal.SIGHUP)
    process.wait(PATIENCE_S)
    journal = Journal(folder_of_sandbox(site) / "journal.sqlite")

    assert process.returncode in (128 + signal.SIGHUP, 120)
    assert not any(step.state.is_open for step in journal.steps(journal.unfinished("lab").id))
    assert "6 as applied" in slow_lab("drift", "--sandbox").err
