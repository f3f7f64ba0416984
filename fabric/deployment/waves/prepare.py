"""Before the push: what the devices of a wave run, and why they are not to be changed now."""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec

from fabric.deployment import device_steps
from fabric.deployment.connection.parallel_devices import each
from fabric.deployment.equal_errors import grouped
from fabric.deployment.gates.bystanders import Beside, look_beside, refusal_of
from fabric.deployment.gates.watch import not_idle
from fabric.deployment.jobs import State
from fabric.deployment.waves.members import Members
from fabric.diagnostics import DeviceError


def take_snapshots(members: Members) -> str:
    """Ask every device what it runs and does, and keep that. Returns what went wrong, empty if nothing did."""
    journal, wrong = members.run.journal, []
    for name, answer in each(members.run.executor, device_steps.prepare, members.jobs()):
        if isinstance(answer, DeviceError):
            wrong.append(answer)
            members.note(name, State.FAILED, str(answer))
        else:
            seen = msgspec.structs.replace(answer.up, read_s=time.monotonic())
            members.ready[name] = msgspec.structs.replace(answer, up=seen)
            members.work[name] = msgspec.structs.replace(members.work[name], before=answer.before)
    journal.keep(ready.running for ready in members.ready.values())
    for name, ready in members.ready.items():
        members.ready[name] = msgspec.structs.replace(ready, running="")
    return grouped(wrong)


def carries_traffic(members: Members) -> str:
    """Why a drained device is not to be interrupted: it carries traffic. Empty if none does."""
    run = members.run
    wrong = not_idle(members.work, members.ready, run.thresholds, run.pace, run.executor)
    return (
        f"{wrong[0]}: its drain has to be applied first, by itself, and its traffic to leave" if wrong else ""
    )


def cuts_off(
    members: Members, waiting: Callable[[tuple[str, ...], float], None]
) -> tuple[dict[str, Beside], str]:
    """The switches beside the wave, and why somebody would be left without a way, as the network is now.

    Whoever has no way now may come back for as long as a gate waits; `waiting` is told, and since when (seconds).
    """
    run, until = members.run, time.monotonic() + members.run.pace.gate_timeout_s
    while True:
        seen, cut = look_beside(members.work, members.ready, run.around, run.targets, run.executor, run.allow)
        beside = {} if cut else seen  # who may be cut off is missed by all others too
        reason = refusal_of(cut, run.allow)
        if not reason or time.monotonic() >= until:
            return beside, reason
        waiting((reason,), run.pace.gate_timeout_s - (until - time.monotonic()))
        time.sleep(run.pace.gate_poll_s)  # what an earlier wave has moved may be coming back
