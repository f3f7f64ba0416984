"""The script on a manager's host, with a stand-in for OpenSM that logs what a test wants it to log."""

from __future__ import annotations

import hashlib
import shlex
import time
from collections.abc import Mapping
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from fabric.platforms.opensm.session_script import ALWAYS, ASKED, FATAL, SCRIPT
from tests.programs import run

OLD, NEW = "red=0x1001 : ALL=limited;\n", "red=0x1001 : ALL=full;\n"
UP = "-> SUBNET UP"
GUID = "0x0002c903000a1b2c"


class Host:
    """A folder with one file of ours, and commands that write to a log."""

    def __init__(self, folder: Path) -> None:
        self.etc, self.log = folder / "etc", folder / "opensm.log"
        self.cache, self.said = folder / "cache", folder / "says"
        self.defaults = folder / "default"
        self.defaults.write_text(f'# ports\nPORTS="{GUID}"\n')
        self.etc.mkdir()
        (self.etc / "partitions.conf").write_text(OLD)
        self.log.write_text("-> Entering MASTER state\n-> SUBNET UP\n")
        self.says(UP)

    def says(self, *lines: str) -> None:
        """What OpenSM logs the next time, and only then; later it comes up."""
        self.said.write_text("".join(f"{line}\n" for line in lines))

    def commit(self, seconds: int = 60, **settings: str) -> CompletedProcess[str]:
        place = self.etc / ".fabric" / "20261120T000000Z-fabric-1-1-ab"
        (place / "new").mkdir(parents=True)
        (place / "new/partitions.conf").write_text(NEW)
        (place / "control").write_text(SCRIPT)
        (place / "sums").write_text(f"{hashlib.sha256(NEW.encode()).hexdigest()}  partitions.conf\n")
        lines = (f"{name}={shlex.quote(value)}\n" for name, value in {**self.settings(), **settings}.items())
        (place / "settings").write_text("".join(lines))
        return self.control("commit", str(seconds))

    def control(self, *words: str) -> CompletedProcess[str]:
        script = self.etc / ".fabric/20261120T000000Z-fabric-1-1-ab/control"
        return run("sh", script, *words, exits=(0, 1))

    def settings(self) -> Mapping[str, str]:
        log = f"cat {self.said} >>{self.log}; echo '{UP}' >{self.said}"
        return {
            "folder": str(self.etc),
            "cache": str(self.cache),
            "defaults": str(self.defaults),
            "guid": GUID,
            "log": str(self.log),
            "start": f"echo '-> Entering MASTER state' >>{self.log}; {log}",
            "stop": f"echo ended >>{self.log}",
            "reload": log,
            "mode": "reload",
            "names": "partitions.conf",
            "lids": "guid2lid",
            "always": "|".join(ALWAYS),
            "fatal": "|".join(FATAL),
            "asked": ASKED,
            "patience": "4",
            "stall": "1",
            "kept": "20",
        }

    @property
    def runs(self) -> str:
        return (self.etc / "partitions.conf").read_text()

    @property
    def waits(self) -> bool:
        return (self.etc / ".fabric/pending").exists()


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


def test_a_change_waits_and_is_kept_when_it_is_confirmed(host):
    done = host.commit()

    assert (done.returncode, done.stdout, host.runs, host.waits) == (0, "MASTER\n", NEW, True)
    assert host.control("confirm").returncode == 0
    assert (host.runs, host.waits) == (NEW, False)
    assert "no pending commit" in host.control("confirm").stderr


@pytest.mark.parametrize(
    "line",
    [
        "-> parse_part_conf: PARSE ERROR: line 9: bad PortGUID",
        "-> osm_prtn_make_partitions: Partition configuration in error; retrying with default config",
        "-> fabric_load_roots: ERR AB25: No valid roots supplied",
        "-> setup_routing_engines: Failed to setup routing engine 'ftreee'",
        "-> osm_something_new: ERR 1234: never seen here",
    ],
)
def test_a_wrong_line_takes_the_change_back_at_once(host, line):
    host.says(line, UP)
    done = host.commit()

    assert (done.returncode, done.stderr.strip(), host.runs, host.waits) == (1, line, OLD, False)


@pytest.mark.parametrize(
    "line",
    [
        "-> setup_routing_engines: Failed to setup routing engine 'no_fallback'",
        "-> osm_old_trouble: ERR 4711: as yesterday",
        "-> osm_pkey_rec_rcv_process: ERR 4608: Ignoring PKeyRecord request from non-trusted requester",
    ],
)
def test_lines_that_say_nothing_of_the_change_do_no_harm(host, line):
    host.log.write_text(host.log.read_text() + "-> osm_old_trouble: ERR 4711: a dead host\n")
    host.says(line, UP)

    assert (host.commit().returncode, host.runs) == (0, NEW)


NOW, THEN = "Nov 22 04:53:44 723180 [55EB46C0] 0x01", "Nov 22 09:10:01 000001 [66666666] 0x01"
DEAD_ROOT = "-> fabric_load_roots: ERR AB24: Root switch GUID 0x0200fab000000500 not found"
STRANGER = "-> fabric_route: ERR AB26: CN port 0x57 is connected to switch 0x02 with rank 0"
UNABLE = "-> ucast_mgr_route: No routing engine able to successfully configure"


@pytest.mark.parametrize("line", [DEAD_ROOT, STRANGER, UNABLE])
@pytest.mark.parametrize("mode", ["reload", "restart"])
def test_what_was_wrong_before_the_change_is_no_reason_to_take_it_back(host, line, mode):
    """While a root is dead, tenants move all the same."""
    host.log.write_text(f"{NOW} {line}\n{host.log.read_text()}")
    host.says(f"{THEN} {line}", UP)

    assert (host.commit(mode=mode).returncode, host.runs) == (0, NEW)
    assert host.control("look").returncode == 0


@pytest.mark.parametrize("line", [DEAD_ROOT, STRANGER, UNABLE])
@pytest.mark.parametrize("before", ["", "ERR AB24: Root switch GUID 0x0200fab000000700 not found"])
def test_what_is_wrong_since_the_change_is(host, line, before):
    host.log.write_text(f"{NOW} -> fabric_load_roots: {before}\n{host.log.read_text()}")
    host.says(f"{THEN} {line}", UP)
    done = host.commit()

    assert (done.returncode, done.stderr.strip(), host.runs) == (1, f"{THEN} {line}", OLD)


@pytest.mark.parametrize("line", ["PARSE ERROR: line 9: bad PortGUID", "retrying with default config"])
def test_files_that_opensm_does_not_understand_are_taken_back_even_if_the_old_ones_were_no_better(host, line):
    host.log.write_text(f"{NOW} -> x: {line}\n{host.log.read_text()}")
    host.says(f"{THEN} -> x: {line}", UP)

    assert (host.commit().returncode, host.runs) == (1, OLD)


def test_a_subnet_that_does_not_come_up_takes_the_change_back(host):
    host.says("-> nothing of use")
    done = host.commit()

    assert (done.returncode, host.runs) == (1, OLD)
    assert "no SUBNET UP within 4 s" in done.stderr


def test_a_master_that_does_not_sweep_is_started_once_more(host):
    host.says("-> Entering MASTER state")
    done = host.commit(mode="restart", patience="30")

    assert (done.returncode, host.runs) == (0, NEW)
    assert "started once more" in (host.etc / ".fabric/log").read_text()


@pytest.mark.parametrize("state", ["MASTER", "DISCOVERING"])
def test_a_manager_that_stalls_again_is_left_to_who_sees_them_all(host, state):
    """It waits for another one: a restart of it alone does not help, and its files are not at fault."""
    trap = "-> log_trap_info: Received Generic Notice"
    start = f"printf '%s\\n' '-> Entering {state} state' '{trap}' >>{host.log}"
    done = host.commit(mode="restart", start=start, patience="30")

    assert (done.returncode, done.stdout, host.runs, host.waits) == (0, "STALLED\n", NEW, True)
    assert (host.etc / ".fabric/log").read_text().count(f"in state {state}") == 2


@pytest.mark.parametrize("state", ["STANDBY", "MASTER"])
@pytest.mark.parametrize("size", [0, 1, 100])
def test_a_log_that_opensm_begins_anew_is_read_from_its_beginning(host, state, size):
    """However much the old one held: the new one may already be longer when it is looked at."""
    host.log.write_text("-> Entering MASTER state\n" * size)
    long = "-> osm_vendor_bind: Mgmt class 0x81 binding to port GUID"
    said = f"{{ echo '-> Entering {state} state'; yes -- '{long}' | head -n 100; }} >{host.log}"
    start = said if state == "STANDBY" else f"{said}; echo '{UP}' >>{host.log}"
    done = host.commit(mode="restart", start=start, patience="30", stall="60")

    assert (done.returncode, done.stdout, host.runs) == (0, f"{state}\n", NEW)


ALL = '# PORTS="0x0 0x1"\n\nPORTS=ALL\n'
"""As Debian ships it: an OpenSM on every port of the host, each with the same files."""


def test_opensm_is_started_on_the_managers_port_only(host):
    host.defaults.write_text(ALL)

    assert host.commit().returncode == 0
    assert host.defaults.read_text() == f'# PORTS="0x0 0x1"\n\nPORTS="{GUID}"\n'
    assert "ended" in host.log.read_text()  # those of the other ports too
    assert host.control("revert").returncode == 0
    assert (host.runs, host.defaults.read_text()) == (OLD, ALL)


def test_a_host_that_starts_opensm_otherwise_is_left_alone(host):
    host.defaults.unlink()

    assert (host.commit().returncode, host.defaults.exists()) == (0, False)
    assert "ended" not in host.log.read_text()


def test_a_change_that_is_taken_back_takes_the_ports_back(host):
    host.defaults.write_text(ALL)
    host.says("-> x: PARSE ERROR: line 1", UP)

    assert (host.commit().returncode, host.runs, host.defaults.read_text()) == (1, OLD, ALL)


def test_nobody_confirms_and_the_host_takes_the_change_back(host):
    assert host.commit(1).returncode == 0
    end = time.monotonic() + 20
    while host.runs == NEW and time.monotonic() < end:
        time.sleep(0.1)

    assert host.runs == OLD


def test_a_timer_that_died_with_the_host_is_made_good_for(host):
    assert host.commit().returncode == 0
    deadline = host.etc / ".fabric/20261120T000000Z-fabric-1-1-ab/deadline"
    assert host.control("overdue").returncode == 0
    assert host.runs == NEW
    deadline.write_text("99999999 another-boot\n")

    assert host.control("overdue").returncode == 0
    assert (host.runs, host.waits) == (OLD, False)


def test_a_host_on_which_opensm_had_never_run_does_not_run_it_without_files(host):
    (host.etc / "partitions.conf").unlink()
    host.log.unlink()
    host.says("-> Entering MASTER state", "-> parse_part_conf: PARSE ERROR: line 1")
    done = host.commit(mode="restart")

    assert done.returncode == 1
    assert not (host.etc / "partitions.conf").exists()
    assert host.log.read_text().endswith("ended\n")


def test_lids_of_strange_ports_are_kept_beside_ours(host):
    host.commit()
    host.cache.mkdir()
    (host.cache / "guid2lid").write_text("0xa 0x0001 0x0001\n\n0xb 0x0009 0x0009\n\n0xc 0x0002 0x0002\n")
    place = host.etc / ".fabric/20261120T000000Z-fabric-1-1-ab"
    (place / "new/guid2lid").write_text("0xa 0x0001 0x0001\n\n0xd 0x0002 0x0002\n")
    host.control("merge")

    lines = (place / "lids").read_text().split("\n\n")
    assert lines == ["0xa 0x0001 0x0001", "0xd 0x0002 0x0002", "0xb 0x0009 0x0009", ""]
