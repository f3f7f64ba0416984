"""A candidate is committed under a timer; a commit that fails, or is regretted, is taken back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fabric.platforms.sonic.agent import database, lease, routing, timer
from fabric.platforms.sonic.agent.candidates import candidate, candidate_file, load
from fabric.platforms.sonic.agent.confirm import confirm
from fabric.platforms.sonic.agent.machine import STATE, Machine, Refused, write_json
from fabric.platforms.sonic.agent.pending import NEW, OLD, cleared, history, mark, pending, pending_file
from fabric.platforms.sonic.agent.tables import needs_reload, parsed
from fabric.platforms.sonic.agent.take_back import reload_from, take_back
from fabric.platforms.sonic.agent.texts import DB, FRR, Texts, digest, running

GUARD_S = 1800.0
"""Timer while a change is being made, which may take a reload and its return: its process may die in the middle."""


def commit(
    machine: Machine,
    change: str,
    owner: str,
    revert_in: float | None,
    program: str,
    token: str,
    message: str = "",
) -> None:
    """Run a candidate. Returns when the switch runs all of it; else it runs what it ran before."""
    loaded = candidate(machine, change)
    if waits := pending(machine):
        other = f"{waits['change']} of {waits['owner']}"
        raise Refused("commit", f"another commit waits for its confirmation: {other}")
    lease.must_be_free(machine, change, owner)
    old = running(machine)
    if digest(old) != loaded["base"]:
        raise Refused("commit", "what runs has changed since the candidate was loaded: load it again")
    waits = _begin(machine, change, owner, old, loaded["texts"], program, token)
    machine.remove(candidate_file(change))
    try:
        _apply(machine, waits)
        if revert_in is not None:
            _count(machine, waits, revert_in)
    except (Refused, OSError) as error:
        _after_failure(machine, change, error)
    mark(machine, waits, "waiting")
    lease.give_back(machine, change, owner)
    machine.note(f"{change} of {owner} committed, {message!r}, reverts in {revert_in} s")
    if revert_in is None:
        confirm(machine, change)


def _count(machine: Machine, waits: dict[str, Any], seconds: float) -> None:
    """The time that was asked for begins when the change is made: a reload may take longer than that."""
    waits["deadline"] = machine.now() + seconds
    write_json(machine, pending_file(waits["state"]), waits)
    timer.armed(machine, waits["token"], seconds)
    timer.disarmed(machine, waits["token"], timer.GUARD)


def _after_failure(machine: Machine, change: str, error: Exception) -> None:
    try:
        take_back(machine, f"it failed: {error}")
    except (Refused, OSError) as second:
        message = f"{error}; what ran before is not back yet, and will be tried again: {second}"
        raise Refused("commit", message) from None
    raise Refused("commit", f"{error}; what ran before {change} runs again") from None


def _begin(
    machine: Machine, change: str, owner: str, old: Texts, new: Texts, program: str, token: str
) -> dict[str, Any]:
    """From here on the change waits for its confirmation; all that its return needs is on the disk."""
    now = database.running(machine)
    waits = {
        "change": change,
        "owner": owner,
        "old": old,
        "new": new,
        "reloads": needs_reload(parsed(old[DB]), parsed(new[DB])),
        "on_disk": machine.read(routing.FILE),
        "boot": machine.boot(),
        "deadline": machine.now() + GUARD_S,
        "token": token,
        "state": "applying",
    }
    try:
        database.target_file(machine, OLD, parsed(old[DB]), now)
        database.target_file(machine, NEW, parsed(new[DB]), now)
        machine.write(timer.PROGRAM, program)
        machine.execute("config", "checkpoint", change)
        write_json(machine, pending_file("applying"), waits)
        if waits["reloads"] and FRR in new:
            timer.guard_boot(machine)
        timer.armed(machine, token, GUARD_S, timer.GUARD)
    except BaseException:
        cleared(machine, waits)
        machine.remove(pending_file("applying"))
        raise
    return waits


def _apply(machine: Machine, waits: Mapping[str, Any]) -> None:
    """CONFIG_DB first: ports and addresses before the sessions over them."""
    new, old, path = waits["new"], waits["old"], f"{STATE}/{NEW}.json"
    tables = parsed(new[DB])
    if waits["reloads"]:
        reload_from(machine, path, new, waits["on_disk"])
    elif tables != parsed(old[DB]):
        database.replaced(machine, path, tables)
    if FRR in new:
        routing.follow(machine, new[FRR])


def roll_back(machine: Machine, change: str | None, program: str, token: str) -> None:
    """Take back what waits; where nothing does, run what ran before the last commit, for good."""
    if waits := pending(machine):
        if change is not None and waits["change"] != change:
            other = f"{waits['change']} of {waits['owner']} waits"
            raise Refused("commit", f"{change} cannot be taken back: {other}")
        take_back(machine, "asked to")
        return
    kept = history(machine)
    if not kept:
        raise Refused("commit", "nothing was committed before")
    name = f"rollback-of-{kept[-1]['change']}"[:63]
    load(machine, name, "", kept[-1]["old"])
    commit(machine, name, "", None, program, token)
