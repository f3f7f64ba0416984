"""Whenever the start of a lab is killed, its processes end by themselves, and `lab down` leaves nothing at all."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fabric.lab import neighbour_tables
from fabric.lab.neighbour_tables import raise_limits, restore_limits
from fabric.lab.state import process, read_state
from tests.lab.labs import SMALL, needed_lab, processes_in
from tests.programs import ANY, run, start
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.live

FABRIC = (sys.executable, "-m", "fabric")


@pytest.fixture
def site(tmp_path):
    needed_lab()
    text = SMALL.format(
        leaves=1, spines=2, family="ipv4", routing="{}", platform="eos", model="arista-7060x6-64pe"
    )
    (tmp_path / "site.yaml").write_text(text)
    yield tmp_path
    run(*FABRIC, "lab", "down", "-C", tmp_path, exits=ANY)


def machine():
    """What a lab could leave on this machine."""
    links = {link["ifname"] for link in json.loads(run("ip", "-j", "link", "show").stdout)}
    return {
        "mounts": sorted(Path("/proc/self/mountinfo").read_text().splitlines()),
        "namespaces": run("ip", "netns", "list", exits=ANY).stdout,
        "limits": [
            path.read_text() for path in sorted(Path("/proc/sys/net").glob("ipv?/neigh/default/gc_thresh?"))
        ],
        "interfaces": links,
    }


def left(before):
    """What is there now and was not: labs of others come and go meanwhile."""
    now = machine()
    return {key: now[key] for key in ("mounts", "namespaces", "limits") if now[key] != before[key]}


def state(site):
    return read_state(site / ".fabric" / "lab")


def below(child):
    return processes_in(child.pid)


MOMENTS = {
    "at once": lambda _site, _child: True,
    "its process runs": lambda _site, child: len(below(child)) > 1,
    "its state is written": lambda site, _child: state(site) is not None,
    "its veth is there": lambda site, _child: (known := state(site)) is not None and known.number >= 0,
    "some boxes are there": lambda _site, child: len(below(child)) > 8,
    "daemons start": lambda _site, child: any(name(pid) == "watchfrr" for pid in below(child)),
    "boxes are known": lambda site, _child: (known := state(site)) is not None and bool(known.boxes),
}


def name(pid):
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


@pytest.mark.covering(most=3)
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_start_that_is_killed_leaves_nothing(limits_stay, site, moment):
    before = machine()
    child = start(*FABRIC, "lab", "up", "-C", site, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until(lambda: MOMENTS[moment](site, child) or child.poll() is not None, PATIENCE_S, moment)
    family = below(child)
    child.kill()
    child.wait()
    until(
        lambda: is_told_to_go_on(site) or not any(map(alive, family)), PATIENCE_S, "the end of its processes"
    )
    known = state(site)
    run(*FABRIC, "lab", "down", "-C", site)

    assert not any(map(alive, family))
    assert {} == left(before)
    assert known is None or known.number < 0 or not interface_of(known)
    assert [] == [path.name for path in (site / ".fabric").glob("lab*")]


def is_told_to_go_on(site):
    """A lab whose boxes are known was up before its start was killed: it stays until somebody takes it down."""
    known = state(site)
    return known is not None and bool(known.boxes)


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def interface_of(known):
    index = Path(f"/sys/class/net/fabric-lab{known.number}/ifindex")
    return index.exists() and int(index.read_text()) == known.interface_index


def test_up_status_fault_and_down_by_command(limits_stay, site):
    before = machine()
    done = json.loads(run(*FABRIC, "lab", "up", "-C", site, "--configured", "--format", "json").stdout)
    family = processes_in(done["pid"])

    assert (4, 2) == (done["switches"], done["hosts"])
    assert "runs already" in run(*FABRIC, "lab", "up", "-C", site, exits=1).stderr

    run(*FABRIC, "lab", "fault", "leaf-0-0", "--down", "-C", site)
    shown = json.loads(run(*FABRIC, "lab", "status", "-C", site, "--format", "json").stdout)
    faults = {row["box"]: row["faults"] for row in shown["boxes"]}

    assert ["down"] == faults["leaf-0-0"]
    assert not faults["spine-0"]

    assert "1 fault cleared" in run(*FABRIC, "lab", "fault", "--clear", "-C", site).stderr
    run(*FABRIC, "lab", "down", "-C", site)

    assert len(family) > 20
    until(lambda: not any(map(alive, family)), PATIENCE_S, "the end of its processes")
    assert {} == left(before)
    assert "no lab is running" in run(*FABRIC, "lab", "status", "-C", site, exits=1).stderr


@pytest.mark.parametrize(
    "words",
    [
        ("leaf-0-0",),
        ("--down",),
        ("leaf-0-0", "--down", "--silent"),
        ("leaf-0-0", "--swap", "spine-0:swp1"),
        ("leaf-0-0", "swp1", "--dead"),
        ("--clear", "--down"),
    ],
)
def test_a_fault_without_sense_is_refused_before_anything_is_looked_at(site, words):
    assert "FAB901" in run(*FABRIC, "lab", "fault", *words, "-C", site, exits=1).stderr


def test_limits_come_back_when_the_last_lab_that_needed_them_is_gone(limits_rise, monkeypatch, tmp_path):
    needed_lab()
    monkeypatch.setattr(neighbour_tables, "FOLDER", tmp_path / "ledger")
    before = machine()["limits"]
    sleepers = [start("sleep", "1000") for _ in range(2)]
    try:
        for ends, sleeper in zip((2000, 3000), sleepers, strict=True):
            raise_limits(ends, process(sleeper.pid))
        raised = machine()["limits"]
        restore_limits()

        assert raised == machine()["limits"]
        assert all(int(now) > int(was) for now, was in zip(raised, before, strict=True))
    finally:
        for sleeper in sleepers:
            sleeper.kill()
            sleeper.wait()
        restore_limits()
    assert before == machine()["limits"]
    assert not (tmp_path / "ledger").exists()
