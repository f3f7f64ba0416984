"""Taking a change back: what ran before a change runs again."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from fabric.platforms.sonic.agent import database, routing
from fabric.platforms.sonic.agent.machine import STATE, Machine, Refused
from fabric.platforms.sonic.agent.pending import OLD, cleared, mark, pending, pending_file
from fabric.platforms.sonic.agent.tables import own, parsed
from fabric.platforms.sonic.agent.texts import DB, FRR, Texts


def take_back(machine: Machine, reason: str) -> None:
    """Run again what ran before the change that waits. It goes on waiting if that fails, so that it is tried again."""
    waits = pending(machine)
    mark(machine, waits, "reverting")
    _database_back(machine, waits)
    if FRR in waits["old"]:
        _routing_back(machine, waits)
    restore_file(machine, waits["on_disk"])
    cleared(machine, waits)
    machine.remove(pending_file("reverting"))
    machine.note(f"{waits['change']} taken back: {reason}")


def _database_back(machine: Machine, waits: Mapping[str, Any]) -> None:
    """Row by row where the updater lets it, else by a start of all services."""
    old, path = parsed(waits["old"][DB]), f"{STATE}/{OLD}.json"
    if own(database.running(machine)) == old:
        return
    if not waits["reloads"]:
        with suppress(Refused):
            database.replaced(machine, path, old)
            return
        machine.note(f"{waits['change']}: the updater does not go back: all services start anew")
    reload_from(machine, path, waits["old"], waits["on_disk"])


def _routing_back(machine: Machine, waits: Mapping[str, Any]) -> None:
    """Line by line where FRR lets it, else by a start from the old text."""
    text = waits["old"][FRR]
    try:
        routing.must_live(machine)
        routing.follow(machine, text)
    except Refused as error:
        machine.note(f"{waits['change']}: FRR is started anew, as it does not go back: {error}")
        routing.restarted(machine, text)
        routing.follow(machine, text)


def reload_from(machine: Machine, path: str, texts: Texts, on_disk: str | None) -> None:
    """The container of FRR starts from its file, which has the new text meanwhile only."""
    if FRR in texts:
        machine.write(routing.FILE, texts[FRR])
    try:
        database.reloaded(machine, path, parsed(texts[DB]))
        routing.wait(machine)
    finally:
        restore_file(machine, on_disk)


def restore_file(machine: Machine, text: str | None) -> None:
    """The file that FRR starts from; None: there was none."""
    if text is None:
        machine.remove(routing.FILE)
    elif machine.read(routing.FILE) != text:
        machine.write(routing.FILE, text)
