"""A change is confirmed: from then on the switch starts with it."""

from __future__ import annotations

from fabric.platforms.sonic.agent import database, routing
from fabric.platforms.sonic.agent.lines import delta
from fabric.platforms.sonic.agent.machine import Machine, Refused
from fabric.platforms.sonic.agent.pending import HISTORY, cleared, mark, pending, pending_file
from fabric.platforms.sonic.agent.texts import FRR, running

KEPT = 10
"""So many old states stay on the switch."""


def confirm(machine: Machine, change: str) -> None:
    """Stop the timer: from here on the switch starts with the new configuration."""
    waits = pending(machine)
    if waits.get("change") != change or waits["state"] != "waiting":
        there = f"{waits['change']} of {waits['owner']} waits" if waits else "no commit waits"
        raise Refused("commit", f"{change} cannot be confirmed: {there}")
    if FRR in waits["new"]:
        routing.must_live(machine)
    mark(machine, waits, "confirming")
    finish(machine)


def finish(machine: Machine) -> None:
    """Write what runs to where the switch starts from. Goes on where it was interrupted."""
    waits = pending(machine)
    database.saved(machine)
    if FRR in waits["new"]:
        machine.write(routing.FILE, waits["new"][FRR])
    cleared(machine, waits)
    numbers = [int(name[:6]) for name in machine.names(HISTORY)]
    name = f"{1 + max(numbers, default=0):06d}-{waits['change']}.json"
    machine.rename(pending_file("confirming"), f"{HISTORY}/{name}")
    machine.note(f"{waits['change']} confirmed")
    for old in machine.names(HISTORY)[:-KEPT]:
        machine.remove(f"{HISTORY}/{old}")


def save(machine: Machine) -> None:
    """The switch starts with what runs."""
    if waits := pending(machine):
        raise Refused("commit", f"a commit waits for its confirmation: {waits['change']}")
    text = running(machine).get(FRR)
    database.saved(machine)
    if text is not None and delta(machine.read(routing.FILE) or "", text).shown:
        machine.write(routing.FILE, text)
