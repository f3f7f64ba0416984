"""The sandbox as a process: up, status, faults, drift, down."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from fabric import sandbox
from fabric.diagnostics import Refused
from fabric.platforms.emulation import Wire
from fabric.sandbox import Emulated, State
from tests.ports import free_port
from tests.programs import start
from tests.sandbox.played import PLATFORM, devices
from tests.waiting import PATIENCE_S, until

PORT = free_port()

BLOCK = 30


def buried(pid: int) -> bool:
    """Whether a process has ended and nobody waits for its exit code any more."""
    try:
        return bool(os.waitpid(pid, os.WNOHANG)[0])
    except ChildProcessError:  # buried already
        return True


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "sandbox"
    yield folder
    sandbox.down(folder)


@pytest.fixture(name="state")
def _state(folder: Path) -> State:
    return sandbox.up(devices(3), folder, port=PORT, block=BLOCK)


def test_it_says_where_its_devices_are_and_no_password(folder, state):
    written = (folder / "state.json").read_text()

    assert ["switch-0", "switch-1", "switch-2"] == list(state.targets)
    assert "correct horse" not in written
    assert 0o600 == stat.S_IMODE((folder / "state.json").stat().st_mode)


def test_status_tells_memory_and_faults(folder, state):
    sandbox.inject(folder, "switch-1", latency_ms=20)
    found = sandbox.status(folder)

    assert found is not None
    assert {"switch-1": {"latency_ms": 20}} == found.faults
    assert found.state == state
    assert 1_000_000 < found.memory_bytes < 500_000_000


def test_faults_can_be_set_everywhere_and_cleared(folder, state):
    sandbox.inject(folder, refuse=True)
    sandbox.clear(folder, "switch-0")
    found = sandbox.status(folder)

    assert found is not None
    assert {"switch-1", "switch-2"} == set(found.faults)


@pytest.mark.parametrize(
    ("faults", "complaint"),
    [
        ({"latencey": 1}, "unknown fault 'latencey'"),
        ({"die_in_commit": "sometime"}, "sometime"),
        ({"latency_ms": "soon"}, "latency_ms"),
    ],
)
def test_a_wrong_fault_is_refused(folder, state, faults, complaint):
    with pytest.raises(Refused, match=complaint):
        sandbox.inject(folder, "switch-0", **faults)


def test_faults_are_set_at_several_ports_and_an_unknown_one_is_refused_with_those_that_are_there(folder):
    first, second, third = devices(3)
    wires = tuple(Wire(port=f"Ethernet{number}", peer="gpu", peer_port="nic0") for number in (1, 2))
    cabled = (replace(first, wires=wires), replace(second, wires=wires[:1]), third)
    down = {"down": True}
    sandbox.up(cabled, folder, port=PORT, block=BLOCK)
    sandbox.inject(folder, "switch-0", ports={"Ethernet1": down, "Ethernet2": down})
    found = sandbox.status(folder)

    assert found is not None
    assert {"switch-0": {"ports": {"Ethernet1": down, "Ethernet2": down}}} == found.faults
    with pytest.raises(
        Refused, match=r"switch-0 has no cable at port 'nowhere'; known: Ethernet[12], Ethernet[12]"
    ):
        sandbox.inject(folder, "switch-0", ports={"Ethernet1": down, "nowhere": down})
    with pytest.raises(
        Refused, match=r"no device has a cable at port 'nowhere'; known: Ethernet[12], Ethernet[12]"
    ):
        sandbox.inject(folder, ports={"nowhere": down})
    assert {"switch-0", "switch-1"} == set(sandbox.inject(folder, ports={"Ethernet1": down}))
    assert {"switch-0", "switch-1", "switch-2"} == set(sandbox.inject(folder, ports={"*": down}))


def test_a_device_that_is_not_there_is_refused(folder, state):
    with pytest.raises(Refused, match="no device 'switch-9'"):
        sandbox.reboot(folder, "switch-9")


def test_drift_is_seen_in_the_running_configuration_until_the_reboot(folder, state):
    sandbox.drift(folder, "switch-0", "hostname renamed")

    assert "renamed" in sandbox.running_config(folder, "switch-0")

    sandbox.reboot(folder, "switch-0")

    assert "renamed" not in sandbox.running_config(folder, "switch-0")


def test_drift_that_the_device_refuses_is_told_in_its_words(folder, state):
    with pytest.raises(Refused, match="frobnicate"):
        sandbox.drift(folder, "switch-0", "frobnicate")


def test_a_second_one_in_the_same_folder_is_refused(folder, state):
    with pytest.raises(Refused, match="runs already"):
        sandbox.up(devices(1), folder, port=PORT, block=BLOCK + 1)


def test_down_ends_the_process_and_nothing_else(folder, state):
    (folder.parent / "another").mkdir(exist_ok=True)

    assert sandbox.down(folder.parent / "another" / ".." / folder.name)  # the same folder, written otherwise
    assert not sandbox.down(folder)
    assert sandbox.status(folder) is None
    until(lambda: buried(state.pid), PATIENCE_S, "the end of the process")


SLOW_TO_END = """
import pathlib, signal, subprocess, sys, time
ending = "import pathlib, signal, time; " \
    "signal.signal(15, lambda *_: (pathlib.Path('control').unlink(), time.sleep(0.5), exit())); " \
    "print(flush=True); signal.pause()"
child = subprocess.Popen([sys.executable, "-c", ending], stdout=subprocess.PIPE)
child.stdout.readline()
print(child.pid, flush=True)
sys.stdin.read()  # and never asks for its exit code
"""


def test_down_waits_for_the_process_not_for_its_socket(tmp_path):
    (tmp_path / "control").touch()
    pipe = subprocess.PIPE
    parent = start(sys.executable, "-c", SLOW_TO_END, cwd=tmp_path, stdin=pipe, stdout=pipe)
    assert parent.stdin is not None
    assert parent.stdout is not None
    with parent, parent.stdin:
        pid = int(parent.stdout.readline())
        state = State(pid=pid, started_at=0, control=str(tmp_path / "control"), targets={})
        (tmp_path / "state.json").write_bytes(msgspec.json.encode(state))

        assert sandbox.down(tmp_path)
        ended = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]

    assert ended == "Z"


def test_what_a_killed_one_left_does_not_stop_the_next(folder, state):
    os.kill(state.pid, signal.SIGKILL)
    until(lambda: buried(state.pid), PATIENCE_S, "the end of the process")

    assert sandbox.status(folder) is None
    assert sandbox.up(devices(1), folder, port=PORT, block=BLOCK).targets


def test_nothing_can_be_asked_where_none_runs(tmp_path):
    with pytest.raises(Refused, match="no sandbox runs") as refused:
        sandbox.inject(tmp_path, refuse=True)

    assert "up" in str(refused.value.hint)


def test_one_that_cannot_start_says_why(tmp_path):
    wrong = Emulated(name="bad", platform=PLATFORM, config="frobnicate\n", username="x", password="y")

    with pytest.raises(Refused, match=r"bad: the device refuses its first configuration: .*frobnicate"):
        sandbox.up([wrong], tmp_path, port=PORT, block=BLOCK)


def test_a_deep_folder_gets_a_short_socket(tmp_path):
    deep = tmp_path / ("x" * 60) / ("y" * 60)
    state = sandbox.up(devices(1), deep, port=PORT, block=BLOCK + 2)
    try:
        assert len(state.control) < 100
        assert sandbox.status(deep) is not None
    finally:
        sandbox.down(deep)

    assert not Path(state.control).parent.exists()


def test_a_device_of_a_platform_without_an_emulator_is_refused(tmp_path):
    stranger = Emulated(name="x", platform="no-such-platform", username="x", password="y")

    with pytest.raises(Refused, match="no-such-platform"):
        sandbox.up([stranger], tmp_path, port=PORT, block=BLOCK)
