"""After its managers have changed, a subnet has one master that has swept it and the others stand by, or all go back.

The driver, the scripts on the hosts and the deployment are the real ones; OpenSM is what its `sminfo` and its log say,
so that every state in which managers were seen to stall can be had, and what a restart makes of it.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fabric import api
from fabric.deployment import Event, Pace, Result, State
from fabric.deployment.events import DeviceStepped, GateWaiting, ManagerRestarted, ManagersSettled, WaveSoaks
from fabric.deployment.waves import soaking
from fabric.planning import save
from fabric.platforms.opensm import session, session_asking
from tests.infiniband.sites import SMALL_HARDWARE, TINY
from tests.infiniband.test_together import MANAGERS, MKEY, SAKEY, Change, Local

SWIFT = Pace(
    revert_in_s=600, gate_timeout_s=300, gate_poll_s=0.05, manager_timeout_s=300, manager_stall_s=0.1
)
"""What is mended is waited for, however slow the machine."""
HOPELESS = msgspec.structs.replace(SWIFT, manager_timeout_s=2)
NOBODY = "guid 0x2, activity count 7 priority 13 state 2 SMINFO_STANDBY\n"
STRANGER = "guid 0x9, activity count 7 priority 3 state 3 SMINFO_MASTER\n"

Roles = Mapping[str, str]
GOOD = {"sm-1": "MASTER", "sm-2": "STANDBY"}
STALLS: Mapping[str, tuple[Roles, tuple[str, ...]]] = {
    "both stand by": ({"sm-1": "STANDBY", "sm-2": "STANDBY"}, ("sm-1", "sm-2")),
    "both are the master": ({"sm-1": "MASTER", "sm-2": "MASTER"}, ("sm-1", "sm-2")),
    "the first discovers for ever": ({"sm-1": "DISCOVERING", "sm-2": "STANDBY"}, ("sm-1", "sm-2")),
    "the second discovers for ever": ({"sm-1": "MASTER", "sm-2": "DISCOVERING"}, ("sm-2",)),
    "the first is silent": ({"sm-1": "SILENT", "sm-2": "STANDBY"}, ("sm-1", "sm-2")),
    "the second is silent": ({"sm-1": "MASTER", "sm-2": "SILENT"}, ("sm-2",)),
    "both are silent": ({"sm-1": "SILENT", "sm-2": "SILENT"}, ("sm-1", "sm-2")),
    "the wrong one is the master": ({"sm-1": "STANDBY", "sm-2": "MASTER"}, ("sm-1", "sm-2")),
    "the second is not active": ({"sm-1": "MASTER", "sm-2": "NOTACTIVE"}, ("sm-2",)),
    "the master has not swept": (GOOD, ("sm-1", "sm-2")),
    "the ports know another master": (GOOD, ("sm-1", "sm-2")),
}
"""How managers were seen to stall, and who is to be restarted, in this order."""


@pytest.fixture(autouse=True)
def local(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MKEY", MKEY)
    monkeypatch.setenv("SAKEY", SAKEY)
    monkeypatch.setattr(session, "Host", Local)
    monkeypatch.setattr(session_asking, "STALL_S", 0)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("gate"), TINY)


def written(folder: Path, text: str) -> Path:
    for name, body in {"site.yaml": text, **SMALL_HARDWARE}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(body)
    return folder


class Stalling:
    """An apply after whose last commit the managers are in some state, and in another one after a restart."""

    def __init__(
        self, change: Change, now: Roles, after: Roles, *, unswept: bool = False, known: str = ""
    ) -> None:
        self.change, self.now, self.after, self.unswept, self.known = change, now, after, unswept, known
        self.events: list[Event] = []
        self.left = set(now)

    def hear(self, event: Event) -> None:
        self.events.append(event)
        if isinstance(event, DeviceStepped) and event.state == State.COMMITTED:
            self.left.discard(event.device)
            if not self.left & set(self.change.waves[0].devices):
                self.stall()

    def stall(self) -> None:
        hosts = self.change.hosts
        for name, role in self.now.items():
            hosts.says(name, role, after=self.after[name])
        if self.unswept:
            with (hosts.folder / "sm-1/log").open("a") as log:
                log.write("-> Entering MASTER state\n")
        if self.known:
            (hosts.folder / "known").write_text(self.known)

    def apply(self, pace: Pace) -> Result:
        return self.change.result(pace, self.hear)

    def of(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def restarted(self) -> tuple[str, ...]:
        return tuple(event.device for event in self.of(ManagerRestarted))


def stalling(change: Change, what: str, after: Roles) -> Stalling:
    now = STALLS[what][0]
    unswept, known = what == "the master has not swept", what == "the ports know another master"
    return Stalling(change, now, after, unswept=unswept, known=NOBODY if known else "")


def test_managers_as_planned_are_left_alone_and_told(site, tmp_path):
    run = Stalling(Change(site, tmp_path), GOOD, GOOD)

    assert run.apply(SWIFT).outcome == "done"
    assert (run.restarted, run.of(GateWaiting)) == ((), [])
    assert [event.managers for event in run.of(ManagersSettled)] == [
        ("sm-1 is the master (priority 14)", "sm-2 stands by (priority 13)")
    ]


@pytest.mark.covering(most=4)
@pytest.mark.parametrize("what", STALLS)
def test_managers_that_stall_are_restarted_and_the_change_holds(what, site, tmp_path):
    run = stalling(Change(site, tmp_path), what, GOOD)
    result = run.apply(SWIFT)

    assert (result.outcome, run.restarted) == ("done", STALLS[what][1])
    assert run.of(GateWaiting)[0].missing
    assert len(run.of(ManagersSettled)) == 1
    assert set(run.change.hosts.partitions()) != {run.change.old}


@pytest.mark.covering(most=4)
@pytest.mark.parametrize("what", [what for what, (now, _) in STALLS.items() if now != GOOD])
def test_managers_that_a_restart_does_not_mend_go_back_both_and_it_is_told(what, site, tmp_path):
    run = stalling(Change(site, tmp_path), what, STALLS[what][0])
    result = run.apply(HOPELESS)
    found = result.diagnostics[0]

    assert (result.outcome, result.in_state(State.REVERTED)) == ("failed", ("sm-2", "sm-1"))
    assert run.change.hosts.partitions() == [run.change.old, run.change.old]
    assert not run.change.hosts.waits()
    assert (found.code, found.origin) == ("FAB876", run.change.compiled.devices[found.subjects[0]].origin)
    assert result.waves[0].reason.startswith("FAB876: ")
    assert "still: " in result.waves[0].reason
    assert all(name in found.rule for name in MANAGERS)
    assert "restart it" in found.hint
    assert run.restarted
    assert (
        max(map(run.restarted.count, MANAGERS)) <= 4
    )  # alone and together, with the new files and with the old ones


def test_one_that_stalls_again_after_it_was_restarted_alone_is_restarted_with_the_other_one(site, tmp_path):
    """Its restart beside a master that worked has left that one waiting for an answer."""
    run = Stalling(
        Change(site, tmp_path), {"sm-1": "SILENT", "sm-2": "MASTER"}, {"sm-1": "STANDBY", "sm-2": "STANDBY"}
    )

    def hear(event: Event) -> None:
        run.hear(event)
        if isinstance(event, ManagerRestarted) and len(run.restarted) == 1:
            run.change.hosts.says("sm-1", "STANDBY", after="MASTER")
            run.change.hosts.says("sm-2", "MASTER", after="STANDBY")

    assert run.change.result(SWIFT, hear).outcome == "done"
    assert run.restarted == ("sm-1", "sm-1", "sm-2")


def test_what_only_the_new_files_do_is_over_with_the_old_ones(site, tmp_path):
    """The old files need a master as well: after they are back, it is waited for, and told."""
    run = Stalling(
        Change(site, tmp_path), {"sm-1": "STANDBY", "sm-2": "STANDBY"}, dict.fromkeys(MANAGERS, "STANDBY")
    )

    def hear(event: Event) -> None:
        run.hear(event)
        if isinstance(event, DeviceStepped) and event.state == State.REVERTED:
            run.change.hosts.says(event.device, GOOD[event.device])

    result = run.change.result(HOPELESS, hear)

    assert (result.outcome, "still" in result.waves[0].reason) == ("failed", False)
    assert len(run.of(ManagersSettled)) == 1


def test_a_stranger_that_is_the_master_holds_up_no_change(site, tmp_path):
    change = Change(site, tmp_path)
    (change.hosts.folder / "stranger").mkdir()
    (change.hosts.folder / "stranger/says").write_text(STRANGER)
    both = dict.fromkeys(MANAGERS, "STANDBY")
    run = Stalling(change, both, both)

    assert (run.apply(HOPELESS).outcome, run.restarted) == ("done", ())


def only(change: Change, name: str) -> Change:
    """The same change, of one manager alone: the other one has it already."""
    other = next(one for one in MANAGERS if one != name)
    etc = change.hosts.folder / other / "etc"
    text = change.compiled.artifacts[other].text.replace("<secret:env:MKEY>", MKEY)
    for file, body in session.split_parts(text.replace("<secret:env:SAKEY>", SAKEY)).items():
        (etc / file).write_text(body.replace("/etc/opensm/", f"{etc}/"))
    made, texts = api.plan(change.compiled, change.place(), adopt=True)
    shutil.rmtree(change.work / "plan")
    save(made, texts, change.work / "plan")
    change.waves = made.waves
    assert [wave.devices for wave in made.waves] == [(name,)]
    return change


@pytest.mark.parametrize("name", MANAGERS)
@pytest.mark.parametrize(
    "what", ["both stand by", "the wrong one is the master", "the ports know another master"]
)
def test_a_manager_that_did_not_change_is_mended_as_well(what, name, site, tmp_path):
    run = stalling(only(Change(site, tmp_path), name), what, GOOD)

    assert (run.apply(SWIFT).outcome, run.restarted) == ("done", STALLS[what][1])


def test_a_manager_that_was_ended_on_purpose_is_not_started_when_the_other_one_changes(site, tmp_path):
    change = only(Change(site, tmp_path), "sm-2")
    ended = {"sm-1": "SILENT", "sm-2": "MASTER"}
    run = Stalling(change, ended, GOOD)

    assert (run.apply(HOPELESS).outcome, run.restarted) == ("done", ())


@pytest.mark.parametrize(
    ("now", "restarted"), [("MASTER", ()), *((s, ("sm-1",)) for s in ("STANDBY", "DISCOVERING"))]
)
def test_a_subnet_with_one_manager_gets_its_master_too(now, restarted, tmp_path):
    lines = TINY.splitlines(keepends=True)
    alone = written(tmp_path / "alone", "".join(line for line in lines if not line.startswith("  sm-2:")))
    change = Change(alone, tmp_path / "work", managers=("sm-1",))
    run = Stalling(change, {"sm-1": now}, {"sm-1": "MASTER"})

    assert (run.apply(SWIFT).outcome, run.restarted) == ("done", restarted)


SOAKS = msgspec.structs.replace(SWIFT, soak_s=0.5, gate_timeout_s=5)
BROKEN = [what for what, (now, _) in STALLS.items() if now != GOOD]


@pytest.mark.covering(most=4)
@pytest.mark.parametrize("what", BROKEN)
def test_managers_that_stall_while_their_wave_soaks_fail_the_run(what, site, tmp_path):
    run = stalling(Change(site, tmp_path), what, STALLS[what][0])

    def hear(event: Event) -> None:
        run.events.append(event)
        if isinstance(event, WaveSoaks):
            run.stall()

    result = run.change.result(SOAKS, hear)

    assert (result.outcome, run.restarted) == ("failed", ())
    assert result.waves[-1].reason.startswith("after wave 1 was confirmed: ")
    assert any(name in result.waves[-1].reason for name in MANAGERS)


@pytest.mark.covering(most=2)
@pytest.mark.parametrize("what", BROKEN)
def test_managers_that_stall_while_nobody_watches_fail_the_run_that_is_gone_on_with(
    what, site, tmp_path, monkeypatch
):
    def killed(*_: object) -> str:
        raise KeyboardInterrupt

    run = stalling(Change(site, tmp_path), what, STALLS[what][0])
    with monkeypatch.context() as patched:
        patched.setattr(soaking, "soak", killed)
        with pytest.raises(KeyboardInterrupt):
            run.change.result(SOAKS)
    run.stall()
    result = api.resume(run.change.compiled, run.change.place(), pace=SOAKS)

    assert result.outcome == "failed"
    assert result.waves[-1].reason.startswith("after wave 1 was confirmed: ")


def test_managers_that_stay_as_planned_soak_to_the_end(site, tmp_path):
    change = Change(site, tmp_path)

    assert change.result(SOAKS).outcome == "done"
