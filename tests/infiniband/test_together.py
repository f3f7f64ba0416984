"""The managers of one subnet run the old files or the new ones, all of them, whatever fails at which step.

The driver, the script on the hosts and the deployment are the real ones; OpenSM is a log that says SUBNET UP, so
that every call of every program of the script can fail once, on either host.
"""

from __future__ import annotations

import os
import shlex
import shutil
import time
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from napalm.base.exceptions import CommandErrorException

from fabric import api
from fabric.api import Compiled
from fabric.deployment import Event, OnEvent, Pace, Result, State, Workplace, ignore
from fabric.deployment.events import DeviceStepped
from fabric.devices.model import SubnetManager
from fabric.planning import save
from fabric.platforms.base import Target
from fabric.platforms.opensm import session, session_pkeys
from fabric.platforms.opensm.names import FILES
from tests import hypothesis_profiles
from tests.infiniband.sites import SMALL_HARDWARE, TINY
from tests.programs import ANY, SEARCHED, run

MKEY, SAKEY = "0x7d1f00c0ffee4a11", "0x51a7b2c3d4e5f607"
MOVE = ("hosts: [gpu-0-2, gpu-1-2]", "hosts: [gpu-0-2, gpu-1-2, gpu-0-3]")
PACE = Pace(revert_in_s=3, gate_timeout_s=2, gate_poll_s=0.05, manager_timeout_s=1)
"""Timers that fire soon: a change that is killed is taken back by them, and one that is slow may be."""
UNHURRIED = Pace(revert_in_s=120, gate_timeout_s=60, gate_poll_s=0.05)
TIMERS_S = 20
PROGRAMS = (
    "flock",
    "cp",
    "mv",
    "sync",
    "sha256sum",
    "setsid",
    "mkdir",
    "saquery",
    "sminfo",
    "reloads",
    "cat",
    "rm",
)
"""That the script runs, or the driver beside it; each has a call before, while and after files change."""
MANAGERS = ("sm-1", "sm-2")

FAULTY = """#!/bin/sh
# runs the real program, but for one call of it
n=$(($(/bin/cat "$0.calls" 2>/dev/null || echo 0) + 1))
echo "$n" >"$0.calls"
if [ "$n" = {number} ]; then {fault}; fi
real=$(PATH={bin}:$REAL_PATH command -v {program})
exec "$real" "$@"
"""
STATES = ("NOTACTIVE", "DISCOVERING", "STANDBY", "MASTER")
SMINFO = """case "${{1:-}}" in
-D) said=$(cat {host}/says) ;;
[0-9]*) exit 1 ;;
*) said=$(cat {hosts}/known 2>/dev/null || cat {hosts}/*/says | grep -m 1 'state 3') ;;
esac
[ -n "$said" ] && echo "sminfo: sm lid 0 sm $said"
"""
"""Of its own port by the direct route; else the master that the port knows. Who does not answer leaves no line."""
FAULTS = {"fails": "exit 1", "kills its script": 'kill -9 "$PPID"; exit 1'}


class Local:
    """A manager's host is a folder of this machine; commands run with the programs of its `faults` first."""

    def __init__(self, address: str, _login: object) -> None:
        self.folder = Path(address)

    is_alive = True

    def open(self) -> None:
        """Nothing to log in to."""

    def close(self) -> None:
        """Nothing to hang up."""

    def run(self, script: str, *words: str, data: bytes = b"", seconds: float = 60) -> bytes:
        path = f"{self.folder}/faults:{self.folder}/bin:{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path, "REAL_PATH": SEARCHED}
        words = ("/bin/sh", "-c", script, "fabric", *words)
        done = run(*words, exits=ANY, text=False, input=data, limit_s=seconds, env=environment)
        printed, complaint = bytes(done.stdout), bytes(done.stderr).decode(errors="replace")  # type: ignore[arg-type]
        if done.returncode:
            raise CommandErrorException(complaint or str(done.returncode))
        return printed


class Hosts:
    """The two managers' hosts, and what is asked of them."""

    def __init__(self, folder: Path, compiled: Compiled, managers: Sequence[str] = MANAGERS) -> None:
        self.folder, self.compiled, self.managers = folder, compiled, managers
        self.targets = {name: self._furnish(name) for name in managers}

    def _furnish(self, name: str) -> Target:
        host = self.folder / name
        for part in ("etc", "cache", "bin", "faults"):
            (host / part).mkdir(parents=True, exist_ok=True)
        manager = self.compiled.devices[name]
        assert isinstance(manager, SubnetManager)
        lid = next(end.lid for end in manager.subnet.ends if end.host == name)
        role = "MASTER" if name == "sm-1" else "STANDBY"
        self._program(
            name,
            "saquery",
            "cat >/dev/null; printf 'PKeyTableRecord dump:\\n"
            f"\\t\\tLID........................{lid}\\n\\t\\tPort.......................1\\n"
            "\\t\\tBlock......................0\\n\\t\\tPKey Table:\\n\\t\\t0xffff 0x0000\\n'",
        )
        self._program(name, "sminfo", SMINFO.format(host=host, hosts=self.folder))
        self.says(name, role)
        up = "echo '-> SUBNET UP'" if role == "MASTER" else ":"
        self._program(name, "reloads", f"{{ {up}; }} >>{host}/log")
        (host / "log").write_text(f"-> Entering {role} state\n-> SUBNET UP\n")
        places = {
            "folder": f"{host}/etc",
            "cache": f"{host}/cache",
            "defaults": f"{host}/ports",
            "log": f"{host}/log",
            "start": f"rm -f {self.folder}/known; cat {host}/becomes >{host}/says; "
            f"echo '-> Entering {role} state' >>{host}/log; reloads",
            "stop": ":",
            "reload": "reloads",
        }
        return Target(
            name=name, address=str(host), port=None, username="u", password="", key_file="", host=places
        )

    def says(self, name: str, role: str, *, after: str = "") -> None:
        """What a manager answers from now on; `after` its next start: another role. SILENT: nothing."""
        for file, said in (("says", role), ("becomes", after or role)):
            (self.folder / name / file).write_text(self._answer(name, said))

    def _answer(self, name: str, role: str) -> str:
        if role == "SILENT":
            return ""
        number = MANAGERS.index(name)
        state = STATES.index(role)
        return f"guid 0x{number + 1:x}, activity count 7 priority {14 - number} state {state} SMINFO_{role}\n"

    def _program(self, name: str, program: str, text: str) -> None:
        path = self.folder / name / "bin" / program
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def plant(self, name: str, program: str, number: int, fault: str) -> Path:
        """Let one call of a program go wrong; 0: count them only."""
        bin_ = shlex.quote(str(self.folder / name / "bin"))
        path = self.folder / name / "faults" / program
        path.write_text(FAULTY.format(number=number, fault=fault, bin=bin_, program=program))
        path.chmod(0o755)
        return Path(f"{path}.calls")

    def partitions(self) -> list[str]:
        return [(self.folder / name / "etc/partitions.conf").read_text() for name in self.managers]

    def waits(self) -> bool:
        return any((self.folder / name / "etc/.fabric/pending").exists() for name in self.managers)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("together")
    for name, text in {"site.yaml": TINY, **SMALL_HARDWARE}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return folder


class Change:
    """A tenant gains a host: from hosts that run the old files to an apply of the new ones."""

    def __init__(self, site: Path, work: Path, managers: Sequence[str] = MANAGERS) -> None:
        self.work = work
        old = api.compile(site)
        self.hosts = Hosts(work / "hosts", old, managers)
        self.site = work / "site"
        shutil.copytree(site, self.site)
        for name in managers:
            text = old.artifacts[name].text.replace("<secret:env:MKEY>", MKEY)
            self._write(name, text.replace("<secret:env:SAKEY>", SAKEY))
        file = self.site / "site.yaml"
        file.write_text(file.read_text().replace(*MOVE))
        self.compiled = api.compile(self.site)
        self.old = self.hosts.partitions()[0]
        made, texts = api.plan(self.compiled, self.place(), adopt=True)
        save(made, texts, work / "plan")
        self.waves = made.waves

    def _write(self, name: str, text: str) -> None:
        etc = self.hosts.folder / name / "etc"
        files = dict.fromkeys(FILES, "")
        files |= session.split_parts(text)
        for file, body in files.items():
            (etc / file).write_text(body.replace("/etc/opensm/", f"{etc}/"))

    def place(self) -> Workplace:
        return Workplace(folder=self.site, replaced=self.hosts.targets, stand_ins="sandbox", timeout_s=20)

    def apply(self, pace: Pace = PACE) -> str:
        return self.result(pace).outcome

    def result(self, pace: Pace = PACE, on_event: OnEvent = ignore) -> Result:
        return api.apply(self.work / "plan", self.compiled, self.place(), pace=pace, on_event=on_event)


@pytest.fixture(autouse=True)
def local(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MKEY", MKEY)
    monkeypatch.setenv("SAKEY", SAKEY)
    monkeypatch.setattr(session, "Host", Local)
    monkeypatch.setattr(session_pkeys, "TABLES_S", 0.5)


@pytest.fixture
def change(site: Path, tmp_path: Path) -> Change:
    return Change(site, tmp_path)


def test_both_managers_change_in_one_wave_the_waiting_one_first(change):
    assert [(wave.devices, wave.in_turn) for wave in change.waves] == [(("sm-2", "sm-1"), True)]
    assert change.apply(UNHURRIED) == "done"
    one, other = change.hosts.partitions()
    assert one == other != change.old


def test_the_timer_of_the_manager_that_changes_last_runs_out_last(change):
    """If whoever applies is killed, no two managers start at the same moment."""
    ends: dict[str, int] = {}

    def note(event: Event) -> None:
        if isinstance(event, DeviceStepped) and (event.device, event.state) == ("sm-1", State.COMMITTED):
            for name in MANAGERS:
                home = change.hosts.folder / name / "etc/.fabric"
                pending = (home / "pending").read_text().strip()
                ends[name] = int((home / pending / "deadline").read_text().split()[0])

    assert change.result(UNHURRIED, note).outcome == "done"
    assert ends["sm-1"] - ends["sm-2"] >= UNHURRIED.revert_in_s // 4


@cache
def calls(site: Path) -> dict[tuple[str, str], int]:
    """How often an apply without faults calls each program, by manager."""
    change = Change(site, site.with_name("counted"))
    counts = {(name, one): change.hosts.plant(name, one, 0, ":") for name in MANAGERS for one in PROGRAMS}
    assert change.apply(UNHURRIED) == "done"
    return {at: int(path.read_text()) if path.exists() else 0 for at, path in counts.items()}


def numbers(count: int, turn: int) -> Iterator[int]:
    """The first call, one in the middle, or the last one, as it is their turn; all of them where thorough."""
    known = sorted({n for n in (1, (count + 1) // 2, count) if 0 < n <= count})
    yield from (
        known if hypothesis_profiles.chosen() == "thorough" else known[turn % 3 : turn % 3 + 1] or known[:1]
    )


@pytest.mark.covering(most=2)
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", MANAGERS)
def test_whatever_fails_both_managers_run_the_old_files_or_the_new_ones(name, fault, site, tmp_path):
    counted = calls(site)
    outcomes = set()
    first = MANAGERS.index(name) + 2 * list(FAULTS).index(fault)
    for turn, program in enumerate(PROGRAMS, start=first):
        for number in numbers(counted[name, program], turn):
            change = Change(site, tmp_path / f"{program}-{number}")
            change.hosts.plant(name, program, number, FAULTS[fault])
            outcomes.add(change.apply())
            end = time.monotonic() + TIMERS_S
            while change.hosts.waits() and time.monotonic() < end:
                time.sleep(0.1)
            one, other = change.hosts.partitions()
            assert one == other, f"{name}: call {number} of {program} {fault}"
    assert "failed" in outcomes  # so some faults did harm
