"""The push of a wave: each device takes its change with a timer of its own."""

from __future__ import annotations

from contextlib import closing

from fabric.deployment import device_steps
from fabric.deployment.connection.device_session import COMMIT
from fabric.deployment.connection.parallel_devices import each
from fabric.deployment.equal_errors import grouped
from fabric.deployment.jobs import State
from fabric.deployment.waves.members import Jobs, Members
from fabric.deployment.waves.running_timers import timer_of
from fabric.diagnostics import DeviceError


def push(members: Members) -> str:
    """Let all devices commit, turn by turn; returns what went wrong, empty if nothing did."""
    run = members.run
    longest_s = members.timer_s(members.turns[-1])
    run.journal.mark_wave(run.id, members.number, "pushing", timer_of(longest_s))
    run.journal.mark(run.id, dict.fromkeys(members.work, State.PUSHING), session=members.session)
    for turn in members.turns:
        if reason := _push_turn(members, turn, members.timer_s(turn)):
            return reason
    return ""


def _push_turn(members: Members, turn: int, timer_s: int) -> str:
    """Those whose turn it is; all devices of most waves."""
    wrong = []
    jobs = _beginning(members, members.jobs_of(turn, timer_s))
    with closing(each(members.run.executor, device_steps.push, jobs)) as pushed:
        for name, answer in pushed:
            if isinstance(answer, DeviceError):
                wrong.append(answer)
                # One that was lost on its way to the device, or back from there, has no step.
                members.begun(name, has_begun=answer.step in ("", COMMIT))
                members.note(name, State.PUSHING, str(answer))
            else:
                members.note(name, State.COMMITTED)
    return grouped(wrong)


def _beginning(members: Members, jobs: Jobs) -> Jobs:
    """The jobs; of a device whose job is under way the commit may have begun."""
    for name, job in jobs:
        members.begun(name, has_begun=True)
        yield name, job
