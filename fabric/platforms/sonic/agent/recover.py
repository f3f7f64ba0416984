"""Making good for what has died in the middle of a change: one of our processes, or the whole machine."""

from __future__ import annotations

from fabric.platforms.sonic.agent import timer
from fabric.platforms.sonic.agent.confirm import finish
from fabric.platforms.sonic.agent.machine import Machine
from fabric.platforms.sonic.agent.pending import cleared, pending, pending_file
from fabric.platforms.sonic.agent.take_back import restore_file, take_back

LATE_S = 5.0


def recover(machine: Machine) -> None:
    """Make good for processes that have died: ours, or the whole machine. Nobody else is at work now."""
    waits = pending(machine)
    if not waits:
        return
    if waits["state"] == "confirming":
        finish(machine)
    elif waits["boot"] != machine.boot():
        started(machine)
    elif waits["state"] != "waiting" or machine.now() > waits["deadline"] + LATE_S:
        take_back(machine, "its process was gone")
    elif not timer.is_alive(machine, waits["token"]):
        timer.armed(machine, waits["token"], waits["deadline"] - machine.now())


def started(machine: Machine) -> None:
    """After a start of the machine CONFIG_DB is what was saved; FRR's file must be, too."""
    waits = pending(machine)
    if waits and waits["state"] != "confirming" and waits["boot"] != machine.boot():
        restore_file(machine, waits["on_disk"])
        cleared(machine, waits)
        machine.remove(pending_file(waits["state"]))
        machine.note(f"{waits['change']} is gone: the switch was started anew")
