"""The managers of a running subnet: real OpenSMs under ibsim, looked at by `fabric verify` from one of its hosts."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from fabric.cli import main
from fabric.devices.infiniband.model import EndPort
from tests.infiniband.simulator import QUICK_HANDOVER, Manager, Simulator, need_tools
from tests.infiniband.sites import SMALL_HARDWARE, TINY, Compiled, compiled
from tests.verification.infiniband.planting import nic

pytestmark = pytest.mark.live


class Subnet(NamedTuple):
    """A simulated subnet without managers, and what starts them."""

    site: Compiled
    simulator: Simulator
    stack: ExitStack

    def manage(
        self, name: str, *changes: tuple[str, str], at: EndPort | None = None, options: Sequence[str] = ()
    ) -> Manager:
        """A manager with its files, some of their lines changed by hand, or on another host."""
        manager, text = self.site[name]
        if at is not None:
            changes = (*changes, (f"guid {manager.port_guid:#018x}", f"guid {at.port_guid:#018x}"))
            manager = msgspec.structs.replace(manager, port_guid=at.port_guid, name=f"{name}-elsewhere")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        made = Manager(self.simulator, manager, text, (*QUICK_HANDOVER, *options))
        return self.stack.enter_context(made)

    def both(self) -> tuple[Manager, Manager]:
        """Both managers as planned, the second one when the first one is the master."""
        first = self.manage("sm-1")
        first.wait()
        second = self.manage("sm-2")
        second.stands_by()
        return first, second


@pytest.fixture
def subnet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Subnet]:
    need_tools()
    folder = tmp_path / "site"
    for name, text in ({"site.yaml": TINY} | SMALL_HARDWARE).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    site = compiled(TINY, SMALL_HARDWARE)
    with Simulator(site["sm-1"][0].subnet, tmp_path / "ib") as simulator, ExitStack() as stack:
        monkeypatch.chdir(folder)
        for name, value in {**simulator.environment(), "MKEY": "0x1", "SAKEY": "0x1"}.items():
            monkeypatch.setenv(name, value)
        yield Subnet(site, simulator, stack)


@pytest.fixture
def verify(capsys: pytest.CaptureFixture[str]) -> Callable[[], dict[str, str]]:
    """Findings about managers by id; the line about them under an empty id."""

    def run() -> dict[str, str]:
        main(["verify", "--simulate", "--format", "json"])
        said = json.loads(capsys.readouterr().out)
        found = {one["id"]: one["text"] for one in said["findings"] if one["section"] == "managers"}
        assert [] == [one for one in said["not_seen"] if one["section"] == "managers" and found == {}]
        (told,) = (one["text"] for one in said["seen"] if one["section"] == "managers")
        return {**found, "": told}

    return run


def test_master_and_standby_as_planned_are_told_and_nothing_is_found(subnet, verify):
    subnet.both()

    assert {"": "sm-1 is the master (priority 14), sm-2 stands by (priority 13)"} == verify()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_standby_that_has_ended_is_found(subnet, verify, how):
    _first, second = subnet.both()
    second.stop(how)

    found = verify()

    assert {"dead-manager:sm-2", ""} == found.keys()
    assert found["dead-manager:sm-2"].startswith(
        "sm-2 does not answer; sm-1 is the master, and there is no standby"
    )


def test_a_standby_that_manages_in_place_of_a_dead_master_is_no_fault_of_its_own(subnet, verify):
    first, second = subnet.both()
    mark = second.mark()
    first.stop(signal.SIGKILL)
    second.takes_over(after=mark)

    found = verify()

    assert {"dead-manager:sm-1", ""} == found.keys()
    assert "sm-2 is the master" in found["dead-manager:sm-1"]


def test_a_master_on_the_wrong_host_is_found_with_its_place(subnet, verify):
    wrong = nic(subnet.site["sm-1"][0].subnet, "gpu-1-3", 1)
    subnet.manage("sm-1", at=wrong).wait()
    subnet.manage("sm-2").stands_by()

    found = verify()

    assert {"stranger-manager:gpu-1-3.mlx5_1", "dead-manager:sm-1", ""} == found.keys()
    assert (
        "is the master: LIDs, partitions and routes are its own" in found["stranger-manager:gpu-1-3.mlx5_1"]
    )


def test_a_strangers_manager_that_waits_is_found(subnet, verify):
    subnet.both()
    wrong = nic(subnet.site["sm-1"][0].subnet, "gpu-1-3", 1)
    subnet.manage("sm-2", ("sm_priority 13", "sm_priority 1"), at=wrong).stands_by()

    found = verify()

    assert {"stranger-manager:gpu-1-3.mlx5_1", ""} == found.keys()
    assert "with priority 1, and stands by" in found["stranger-manager:gpu-1-3.mlx5_1"]


def test_priorities_exchanged_by_hand_are_one_finding(subnet, verify):
    subnet.manage("sm-2", ("sm_priority 13", "sm_priority 14")).wait()
    subnet.manage("sm-1", ("sm_priority 14", "sm_priority 13")).stands_by()

    found = verify()

    assert {"manager-priority:sm-1+sm-2", ""} == found.keys()
    assert (
        "sm-1 runs with priority 13, planned is 14, sm-2 runs with priority 14, planned is 13: sm-2 is the master, "
        "and it should be sm-1"
    ) == found["manager-priority:sm-1+sm-2"]


def test_managers_with_different_keys_are_both_masters_and_that_is_found(subnet, verify):
    """OpenSM ignores a manager with another SM_Key: neither hands over, both program the switches."""
    first = subnet.manage("sm-1")
    first.wait()
    second = subnet.manage("sm-2", options=("sm_key 0x77",))
    second.takes_over()

    found = verify()

    assert "with non-matching sm_key" in second.log()
    assert "Entering MASTER state" in second.log()
    assert {"two-masters:sm-1+sm-2", ""} == found.keys()


def test_a_subnet_without_any_manager_is_found(subnet, verify):
    for manager in reversed(subnet.both()):
        manager.stop()

    assert {"no-master", "dead-manager:sm-1", "dead-manager:sm-2", ""} == verify().keys()


def test_what_a_stranger_causes_names_it(subnet, capsys):
    """Its partitions are not ours: everybody is open to everybody."""
    wrong = nic(subnet.site["sm-1"][0].subnet, "gpu-1-3", 1)
    made = subnet.manage("sm-1", at=wrong)
    (made.folder / "partitions.conf").write_text("red=0x1001 : 0xnonsense;\n")
    made.restart()
    made.wait()

    main(["verify", "--simulate", "--format", "json"])
    found = {one["id"]: one["text"] for one in json.loads(capsys.readouterr().out)["findings"]}

    assert re.search(r"the master is not in the intent: gpu-1-3 mlx5_1$", found["fail-open"])
