"""The whole way over NAPALM's real driver, against emulated switches behind real sockets."""

from __future__ import annotations

import os
import pickle
import shutil
import signal
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from fabric import api
from fabric.api import Compiled
from fabric.deployment import ApplyOptions, Journal, Pace, Result, State, resume, rollback
from fabric.deployment import apply as apply_plan
from fabric.deployment.connection.device_session import Connection
from fabric.deployment.connection.secrets import SecretSource
from fabric.deployment.observing.observe_devices import Observations, ObserveOptions, observe
from fabric.diagnostics import DeviceError, Refused
from fabric.planning import Plan, PlanOptions, plan, save
from fabric.platforms.registry import platform
from fabric.sandbox import Sandbox
from fabric.sandbox.site_devices import emulated_switches
from tests.deployment.conftest import everything_written
from tests.planning.toy import NOW
from tests.ports import free_port
from tests.programs import run

REFERENCE = Path(__file__).parents[2] / "inventories" / "reference" / "lab-8"
LOGIN = "L0GIN-of-the-sandbox"
ENVIRON = {
    name: f"{name.replace('_', '-')}-planted"
    for name in ("FABRIC_SNMP_AUTH", "FABRIC_SNMP_PRIVACY", "FABRIC_TACACS_SECRET")
}
SOURCE = SecretSource(environ=ENVIRON)
ALLOWED = frozenset({"lockout:*", "isolating"})
FAST = Pace(revert_in_s=60, gate_timeout_s=5, gate_poll_s=0.2)


class Live(msgspec.Struct):
    """A site and its running sandbox."""

    compiled: Compiled
    sandbox: Sandbox
    journal: Journal

    def observe(self, *, ignore_secrets: bool = True) -> Observations:
        known = self.journal.last_applied("lab-8")
        options = ObserveOptions(last_applied=known, source=SOURCE, ignore_secrets=ignore_secrets)
        return observe(
            self.sandbox.targets, self.compiled.artifacts, self.compiled.platform_of, options=options
        )

    def plan(self, **changed: Any) -> tuple[Plan, Mapping[str, str]]:
        seen = self.observe(ignore_secrets=bool(changed.get("ignore_secrets", True)))
        options = PlanOptions(
            site="lab-8",
            program="0.1.0",
            intent="i" * 64,
            created=NOW,
            adopt=True,
            last_applied=self.journal.last_applied("lab-8"),
            unreachable=seen.unreachable,
            **changed,
        )
        return plan(self.compiled.artifacts, seen, switches=self.compiled.devices, options=options)

    def options(self, pace: Pace = FAST) -> ApplyOptions:
        return ApplyOptions(intent="i" * 64, program="0.1.0", allow=ALLOWED, pace=pace, source=SOURCE)

    def apply(self, saved: tuple[Plan, Mapping[str, str]] | None = None, pace: Pace = FAST) -> Result:
        return apply_plan(
            saved or self.plan(),
            targets=self.sandbox.targets,
            journal=self.journal,
            options=self.options(pace),
        )

    def rollback(self) -> Result:
        return rollback("lab-8", targets=self.sandbox.targets, journal=self.journal, options=self.options())

    def running(self) -> dict[str, str]:
        kind = platform(self.compiled.platform_of("leaf-0-0-0"))
        return {
            name: kind.dialect().plain(self.sandbox.running_config(name)) for name in self.compiled.devices
        }

    def change_site(self, old: str, new: str) -> None:
        """Edit the intent, and compile it again."""
        path = self.compiled.folder / "site.yaml"
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))
        self.compiled = api.compile(self.compiled.folder)


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    shutil.copytree(REFERENCE, tmp_path / "site")
    compiled = api.compile(tmp_path / "site")
    with Sandbox(
        emulated_switches(compiled.devices.values(), lambda _name: ("fabric", LOGIN)),
        port=free_port(),
        block=77,
    ) as sandbox:
        yield Live(compiled, sandbox, Journal(tmp_path / "journal.sqlite"))


@pytest.fixture
def applied(live: Live) -> Live:
    assert live.apply().outcome == "done"
    return live


def test_the_second_plan_is_empty(live: Live) -> None:
    first, _ = live.plan()
    result = live.apply()
    second, _ = live.plan()

    assert (len(first.changed), result.outcome, len(result.in_state(State.CONFIRMED))) == (8, "done", 8)
    assert [(d.code, d.subjects) for d in second.diagnostics if d.code == "FAB605"] == []
    assert second.changed == ()


def test_a_rotated_secret_is_pushed_when_told_to_and_no_other(
    applied: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert applied.plan(ignore_secrets=False)[0].changed == ()

    monkeypatch.setitem(ENVIRON, "FABRIC_TACACS_SECRET", "another-planted")
    made, _ = saved = applied.plan(ignore_secrets=False)
    assert {change.what for device in made.changed for change in device.changes} == {"tacacs-server"}
    assert {finding.code for finding in made.diagnostics} == {"FAB609"}
    assert applied.apply(saved).outcome == "done"
    assert applied.plan(ignore_secrets=False)[0].changed == ()


def test_the_gate_sees_sessions_that_came_up(applied: Live) -> None:
    target = applied.sandbox.targets["spine-0-0"]
    with Connection(target, platform(applied.compiled.platform_of("spine-0-0"))) as device:
        bgp, lldp = device.bgp_sessions(), device.lldp_neighbors()
    up = [session.is_up for session in bgp.values()]

    assert up
    assert all(up)
    assert {n[0]["hostname"].partition(".")[0] for n in lldp.values()} == {"leaf-0-0-0", "leaf-0-1-0"}


def test_a_change_runs_through_canary_and_waves_and_back(applied: Live) -> None:
    before = applied.running()
    applied.change_site(
        "servers: [192.0.2.4, 192.0.2.5, 192.0.2.9]", "servers: [192.0.2.4, 192.0.2.5, 192.0.2.99]"
    )
    made, _ = saved = applied.plan()
    result = applied.apply(saved)

    assert [len(wave.devices) for wave in made.waves] == [1, 7]
    assert (len(made.groups), result.outcome) == (2, "done")
    assert applied.running() != before
    assert applied.rollback().outcome == "done"
    assert applied.running() == before


@pytest.mark.parametrize(
    "fault", [{"fail_commit": True}, {"die_in_commit": "before"}, {"die_in_commit": "after"}], ids=str
)
def test_a_switch_that_fails_takes_its_wave_back(applied: Live, fault: dict[str, object]) -> None:
    before = applied.running()
    applied.change_site(
        "servers: [192.0.2.4, 192.0.2.5, 192.0.2.9]", "servers: [192.0.2.4, 192.0.2.5, 192.0.2.99]"
    )
    made, _ = saved = applied.plan()
    (canary,) = made.waves[0].devices
    victim = next(name for name in made.waves[1].devices)
    applied.sandbox.set_faults(victim, **fault)
    result = applied.apply(saved)

    assert [wave.state for wave in result.waves] == ["done", "reverted"]
    after = applied.running()
    assert {name for name in after if after[name] != before[name]} == {canary}
    with Connection(
        applied.sandbox.targets[victim], platform(applied.compiled.platform_of(victim))
    ) as device:
        assert device.pending() is None


def test_a_port_shut_by_hand_is_opened_again(applied: Live) -> None:
    applied.sandbox.drift("leaf-0-0-0", "interface Ethernet1/1", "shutdown")
    made, _ = saved = applied.plan()

    assert [(d.device, [c.what for c in d.changes]) for d in made.changed] == [
        ("leaf-0-0-0", ["interface Ethernet1/1"])
    ]
    assert applied.apply(saved).outcome == "done"
    assert applied.plan()[0].changed == ()


def test_drift_makes_a_plan_stale(applied: Live) -> None:
    applied.change_site(
        "servers: [192.0.2.4, 192.0.2.5, 192.0.2.9]", "servers: [192.0.2.4, 192.0.2.5, 192.0.2.99]"
    )
    saved = applied.plan()
    applied.sandbox.drift("leaf-1-1-0", "ntp server vrf MGMT 192.0.2.66")

    with pytest.raises(Refused, match="FAB710: changed since the plan was made: leaf-1-1-0"):
        applied.apply(saved)


def test_leaving_the_driver_does_not_abort_a_commit_that_waits(applied: Live) -> None:
    target, kind = applied.sandbox.targets["leaf-0-0-0"], platform(applied.compiled.platform_of("leaf-0-0-0"))
    text = SOURCE.resolve(f"env:{name}" for name in ENVIRON).fill(
        applied.compiled.artifacts["leaf-0-0-0"].text
    )
    with Connection(target, kind) as device:
        wanted = text.replace("hostname leaf-0-0-0", "hostname renamed")
        device.stage(wanted, "ours")
        device.commit(30, lambda _running: True)
    with Connection(target, kind) as device:
        assert device.pending() is not None
        assert "hostname renamed" in device.running()
        device.confirm("ours")
        assert device.pending() is None
    assert "hostname renamed" in applied.sandbox.running_config("leaf-0-0-0")


def test_a_wrong_password_is_told_without_it(live: Live) -> None:
    target = replace(live.sandbox.targets["leaf-0-0-0"], password="WR0NG-planted")
    with pytest.raises(DeviceError, match="leaf-0-0-0: ") as caught:
        Connection(target, platform(live.compiled.platform_of("leaf-0-0-0"))).__enter__()

    assert "WR0NG" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_a_line_that_the_switch_refuses_is_told_without_secrets(live: Live) -> None:
    target, kind = live.sandbox.targets["leaf-0-0-0"], platform(live.compiled.platform_of("leaf-0-0-0"))
    secrets = SOURCE.resolve(["env:FABRIC_TACACS_SECRET"])
    with Connection(target, kind, secrets) as device, pytest.raises(DeviceError) as caught:
        device.stage(
            secrets.fill("tacacs-server hots 192.0.2.8 key <secret:env:FABRIC_TACACS_SECRET>\n"), "ours"
        )

    assert "planted" not in str(caught.value)
    assert "tacacs-server hots" in str(caught.value)


def test_nothing_on_disk_holds_a_secret(applied: Live, tmp_path: Path) -> None:
    applied.change_site(
        "servers: [192.0.2.4, 192.0.2.5, 192.0.2.9]", "servers: [192.0.2.4, 192.0.2.5, 192.0.2.99]"
    )
    made, texts = applied.plan()
    applied.apply((made, texts))
    told = f"{made}{''.join(texts.values())}{applied.observe()}".encode() + everything_written(tmp_path)

    for secret in (LOGIN, *ENVIRON.values()):
        assert secret.encode() not in told


def test_a_run_that_has_finished_is_not_gone_on_with(applied: Live) -> None:
    with pytest.raises(Refused, match="has finished"):
        resume("lab-8", targets=applied.sandbox.targets, journal=applied.journal, options=applied.options())


KILLED = """
import os, pickle, signal, sys
from pathlib import Path
from fabric.deployment import ApplyOptions, Journal, Pace, SecretSource, apply
from fabric.planning import load

where, moment, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
targets, environ = pickle.loads(sys.stdin.buffer.read())

def on_event(event):
    global count
    count -= getattr(event, "state", "") == moment
    if count == 0:
        os.kill(os.getpid(), signal.SIGKILL)

apply(load(where / "plan"), targets=targets, journal=Journal(where / "journal.sqlite"), on_event=on_event,
      options=ApplyOptions(intent="i" * 64, program="0.1.0", allow=frozenset({"lockout:*", "isolating"}),
                           pace=Pace(revert_in_s=60, gate_poll_s=0.2), source=SecretSource(environ=environ)))
"""


def kill_in_the_middle(live: Live, tmp_path: Path, moment: str, count: int) -> None:
    save(*live.plan(), tmp_path / "plan")
    command = (sys.executable, "-c", KILLED, tmp_path, moment, str(count))
    told = pickle.dumps((live.sandbox.targets, ENVIRON))
    place = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    run(*command, exits=-signal.SIGKILL, input=told, text=False, env=place)


@pytest.mark.parametrize(("moment", "count"), [("committed", 4), ("confirmed", 4)])
def test_a_killed_apply_is_gone_on_with(live: Live, tmp_path: Path, moment: str, count: int) -> None:
    kill_in_the_middle(live, tmp_path, moment, count)
    result = resume("lab-8", targets=live.sandbox.targets, journal=live.journal, options=live.options())

    assert result.outcome == "done"
    assert live.plan()[0].changed == ()


@pytest.mark.parametrize(("moment", "count"), [("committed", 4), ("confirmed", 4)])
def test_a_killed_apply_is_taken_back(live: Live, tmp_path: Path, moment: str, count: int) -> None:
    before = live.running()
    kill_in_the_middle(live, tmp_path, moment, count)
    live.rollback()

    assert live.running() == before
    assert live.journal.applied("lab-8") == {}


STATE = """\
drained:
  - {device: spine-0-0, reason: swap the fan, owner: night, expires: '2099-01-01'}
excluded_links:
  - device: leaf-1-0-0
    port: Ethernet5/1
    peer: spine-1-0
    reason: flapping optic
    owner: night
    expires: '2099-01-01'
"""


def test_what_the_night_shift_takes_down_does_not_close_the_gate(applied: Live) -> None:
    (applied.compiled.folder / "state.yaml").write_text(STATE)
    applied.compiled = api.compile(applied.compiled.folder)
    made, _ = saved = applied.plan()
    result = applied.apply(saved)

    assert sorted(device.device for device in made.changed) == ["leaf-1-0-0", "spine-0-0", "spine-1-0"]
    assert (result.outcome, [wave.reason for wave in result.waves if wave.reason]) == ("done", [])
    assert applied.plan()[0].changed == ()

    (applied.compiled.folder / "state.yaml").unlink()
    applied.compiled = api.compile(applied.compiled.folder)
    assert applied.apply().outcome == "done"
    assert applied.plan()[0].changed == ()
