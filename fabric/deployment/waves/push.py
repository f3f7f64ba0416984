"""The push of a wave: each device takes its change with a timer of its own."""

from __future__ import annotations

from contextlib import closing
from math import ceil

from fabric.deployment import device_steps
from fabric.deployment.connection.parallel_devices import each
from fabric.deployment.equal_errors import grouped
from fabric.deployment.gates.timers import margin_s
from fabric.deployment.jobs import State
from fabric.deployment.waves.members import Members
from fabric.deployment.waves.running_timers import timer_of
from fabric.diagnostics import DeviceError


def push(members: Members) -> str:
    """Let all devices commit, turn by turn; returns what went wrong, empty if nothing did."""
    run = members.run
    # If nobody is left to revert them, the timers do it in turn too: each ends when the one before has gone back.
    apart = ceil(margin_s(run.pace.revert_in_s))
    longest_s = run.pace.revert_in_s + (len(members.turns) - 1) * apart
    run.journal.mark_wave(run.id, members.number, "pushing", timer_of(longest_s))
    run.journal.mark(run.id, dict.fromkeys(members.work, State.PUSHING), session=members.session)
    for place, turn in enumerate(members.turns):
        if reason := _push_turn(members, turn, run.pace.revert_in_s + place * apart):
            return reason
    return ""


def _push_turn(members: Members, turn: int, timer_s: int) -> str:
    """Those whose turn it is; all devices of most waves."""
    wrong = []
    jobs = members.jobs_of(turn, timer_s)
    with closing(each(members.run.executor, device_steps.push, jobs)) as pushed:
        for name, answer in pushed:
            if isinstance(answer, DeviceError):
                wrong.append(answer)
                members.note(name, State.PUSHING, str(answer))
            else:
                members.note(name, State.COMMITTED)
    return grouped(wrong)
