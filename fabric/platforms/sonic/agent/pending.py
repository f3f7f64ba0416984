"""The change that waits for its confirmation, and what ran before those that were confirmed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fabric.platforms.sonic.agent import timer
from fabric.platforms.sonic.agent.machine import STATE, Machine, read_json

HISTORY = f"{STATE}/history"
OLD, NEW = "old", "new"
"""Files beside: what CONFIG_DB held, and what it is to hold."""
STATES = ("applying", "waiting", "reverting", "confirming")


def pending(machine: Machine) -> dict[str, Any]:
    """What is known of the change that waits, its `state` with it; empty if there is none."""
    for state in STATES:
        if known := read_json(machine, pending_file(state)):
            return known | {"state": state}
    return {}


def pending_file(state: str) -> str:
    """How far it is stands in the name: names can be changed on a full disk."""
    return f"{STATE}/pending-{state}.json"


def mark(machine: Machine, waits: dict[str, Any], state: str) -> None:
    """Let a change be in another state from now on."""
    machine.rename(pending_file(waits["state"]), pending_file(state))
    waits["state"] = state


def cleared(machine: Machine, waits: Mapping[str, Any]) -> None:
    """What a change needs while it waits goes."""
    timer.disarmed(machine, waits["token"])
    timer.unguard_boot(machine)
    machine.execute("config", "delete-checkpoint", waits["change"])
    for name in (OLD, NEW):
        machine.remove(f"{STATE}/{name}.json")


def history(machine: Machine) -> list[dict[str, Any]]:
    """What ran before the last commits, the oldest first."""
    rows = [read_json(machine, f"{HISTORY}/{name}") for name in machine.names(HISTORY)]
    return [row for row in rows if row]
