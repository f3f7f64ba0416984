"""`plan` and `drift` ask the managers' hosts who manages the subnet; a new SM_Key reaches all managers."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import msgspec
import pytest

from fabric import api
from fabric.deployment import Event, State
from fabric.deployment.events import DeviceStepped, GateWaiting, ManagerRestarted, ManagersSettled
from fabric.diagnostics import Severity
from tests.infiniband.hosts import FAST, MKEY, SAKEY, Managed, managed
from tests.infiniband.simulator import STALL_S
from tests.programs import run
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.live

DEAD, TWO, PRIORITY, LOST = "FAB870", "FAB873", "FAB875", "FAB648"
MANAGING = {DEAD, "FAB871", "FAB872", TWO, "FAB874", PRIORITY, LOST}

KEY = ('administration_key: "env:SAKEY"', 'administration_key: "env:SAKEY", manager_key: "env:SMKEY"')


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Managed]:
    for name, value in {"MKEY": MKEY, "SAKEY": SAKEY, "SMKEY": "0x5eed"}.items():
        monkeypatch.setenv(name, value)
    with managed(tmp_path) as made:
        yield made


def service(site: Managed, manager: str, verb: str) -> None:
    run(site.host(manager, "bin/service"), verb)


def planned(site: Managed) -> dict[str, str]:
    """What a plan says of managers, by code. It never stops the plan."""
    found = [one for one in site.plan().diagnostics if one.code in MANAGING]
    assert {one.severity for one in found} <= {Severity.WARNING}
    return {one.code: one.rule for one in found}


def drifted(site: Managed) -> dict[str, str]:
    return {one.code: one.rule for one in api.drift(site.compiled, site.place()).findings}


def roles(site: Managed) -> dict[str, int]:
    """The state of each manager, as it says itself."""
    ends = {end.host: end.node_guid for end in site.subnet.ends if end.host in site.targets}
    said = {name: site.simulator.tool("sminfo", "-D", "0", node=node) for name, node in ends.items()}
    return {name: int(found[1]) for name, text in said.items() if (found := re.search(r" state (\d) ", text))}


def as_planned(site: Managed) -> None:
    """Until the managers are as planned, by themselves: nobody has been restarted since an apply let them go."""
    until(lambda: drifted(site) == {}, PATIENCE_S, "the planned master")


def begun(site: Managed, wanted: Mapping[str, int]) -> None:
    """End all managers by hand and start them one after the other, each when the one before is what it shall be."""
    for name in wanted:
        service(site, name, "stop")
    for name, role in wanted.items():
        service(site, name, "start")
        try:
            until(partial(plays, site, name, role), STALL_S, f"{name} in state {role}")
        except TimeoutError:  # it may discover for ever
            service(site, name, "stop")
            service(site, name, "start")
            until(partial(plays, site, name, role), PATIENCE_S, f"{name} in state {role}, started once more")


def plays(site: Managed, name: str, role: int) -> bool:
    return roles(site).get(name) == role


def test_a_standby_that_has_ended_is_told_by_plan_and_drift(site):
    assert planned(site) == {}  # nothing of ours runs yet
    assert site.apply().outcome == "done"
    assert drifted(site) == {}
    assert planned(site) == {}

    service(site, "sm-2", "stop")

    assert planned(site).keys() == drifted(site).keys() == {DEAD}
    assert "sm-2 does not answer" in planned(site)[DEAD]
    begun(site, {"sm-1": 3, "sm-2": 2})
    as_planned(site)


def test_priorities_exchanged_by_hand_are_told_by_plan_and_drift(site):
    assert site.apply().outcome == "done"
    for name, (old, new) in {"sm-1": (14, 12), "sm-2": (13, 15)}.items():
        path = site.host(name, "etc/opensm.conf")
        path.write_text(path.read_text().replace(f"sm_priority {old}", f"sm_priority {new}"))
    begun(site, {"sm-2": 3, "sm-1": 2})

    assert planned(site).keys() == drifted(site).keys() == {PRIORITY}
    assert "sm-2 is the master, and it should be sm-1" in drifted(site)[PRIORITY]
    assert site.apply().outcome == "done"
    assert drifted(site) == {}


def test_an_apply_of_a_new_manager_key_leaves_one_master(site):
    """While one manager has it and the other has not, both are masters; then the first one is, and nothing is found."""
    assert site.apply().outcome == "done"
    site.edit(*KEY)

    assert site.apply().outcome == "done"

    assert drifted(site) == {}
    assert planned(site) == {}


def test_managers_whose_keys_were_made_different_by_hand_are_told_and_mended_by_an_apply(site):
    site.edit(*KEY)
    assert site.apply().outcome == "done"
    path = site.host("sm-2", "etc/opensm.conf")
    path.write_text(path.read_text().replace("sm_key 0x5eed", "sm_key 0x77"))
    begun(site, {"sm-1": 3, "sm-2": 3})

    assert "non-matching sm_key" in site.log("sm-2")
    assert planned(site).keys() == drifted(site).keys() == {TWO}
    assert site.apply().outcome == "done"
    assert drifted(site) == {}


def test_ports_that_name_a_master_that_has_ended_are_told_beside_the_one_that_works(site):
    site.edit(*KEY)
    assert site.apply().outcome == "done"
    path = site.host("sm-2", "etc/opensm.conf")
    path.write_text(path.read_text().replace("sm_key 0x5eed", "sm_key 0x77"))
    begun(site, {"sm-1": 3, "sm-2": 3})  # the second one tells all ports that it is the master
    until(lambda: "SUBNET UP" in site.log("sm-2"), PATIENCE_S, "the sweep of the second master")
    service(site, "sm-2", "stop")

    found = drifted(site)

    assert "FAB872" not in found  # there is a master
    assert "sm-1 is the master, and ports of managers' hosts name one that does not answer" in found[LOST]
    assert LOST in planned(site)
    service(site, "sm-1", "stop")
    service(site, "sm-1", "start")  # as the finding says
    until(lambda: LOST not in drifted(site), PATIENCE_S, "ports that know the master")


class Freezer:
    """Stops the OpenSM of a host as soon as its change waits for a confirmation: it runs, and answers nobody."""

    def __init__(self, site: Managed) -> None:
        self.site, self.events = site, list[Event]()

    def __call__(self, event: Event) -> None:
        self.events.append(event)
        if isinstance(event, DeviceStepped) and (event.device, event.state) == ("sm-1", State.COMMITTED):
            os.kill(int(self.site.host("sm-1", "pid").read_text()), signal.SIGSTOP)

    def of(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.events if isinstance(event, kind)]


MOVE = ("hosts: [gpu-0-0, gpu-0-1, gpu-0-2]", "hosts: [gpu-0-0, gpu-0-1, gpu-0-2, gpu-0-5]")


def test_a_manager_that_freezes_after_its_change_is_restarted_and_the_change_holds(site):
    assert site.apply().outcome == "done"
    site.edit(*MOVE)
    site.plan()
    freezer = Freezer(site)
    result = api.apply(site.folder / "plan", site.compiled, site.place(), pace=FAST, on_event=freezer)

    assert (result.outcome, drifted(site)) == ("done", {})
    assert "sm-1" in {event.device for event in freezer.of(ManagerRestarted)}
    assert any("sm-1 does not answer" in text for event in freezer.of(GateWaiting) for text in event.missing)


def test_a_manager_that_freezes_at_every_start_with_new_files_takes_both_back(site):
    """A binary that dies of what it is given: the old files come back, and a manager works with them."""
    assert site.apply().outcome == "done"
    old = [site.partitions(name) for name in ("sm-1", "sm-2")]
    start, file = site.targets["sm-1"].host["start"], site.host("sm-1", "etc/partitions.conf")
    kept = site.work / "old"
    kept.write_text(old[0])
    site.replaced(
        "sm-1", start=f"{start}; cmp -s {kept} {file} || kill -STOP $(cat {site.host('sm-1', 'pid')})"
    )
    site.edit(*MOVE)
    site.plan()
    freezer = Freezer(site)
    pace = msgspec.structs.replace(FAST, manager_timeout_s=60, manager_stall_s=5)
    result = api.apply(site.folder / "plan", site.compiled, site.place(), pace=pace, on_event=freezer)

    assert (result.outcome, result.in_state(State.REVERTED)) == ("failed", ("sm-2", "sm-1"))
    assert (result.diagnostics[0].code, "sm-1 does not answer" in result.diagnostics[0].rule) == (
        "FAB876",
        True,
    )
    assert [site.partitions(name) for name in ("sm-1", "sm-2")] == old
    assert len(freezer.of(ManagersSettled)) == 1  # with the old files
    as_planned(site)
