"""Candidates: kept on the switch by name, tried when they are loaded, compared with what runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from fabric.platforms.sonic.agent import database, lease, routing
from fabric.platforms.sonic.agent.lines import delta
from fabric.platforms.sonic.agent.machine import STATE, Machine, Refused, read_json, write_json
from fabric.platforms.sonic.agent.pending import history
from fabric.platforms.sonic.agent.tables import differences, needs_reload, parsed
from fabric.platforms.sonic.agent.texts import DB, FRR, Texts, digest, running, whole

CANDIDATES = f"{STATE}/candidates"
SAFE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,62}")


def candidate_file(change: str) -> str:
    """A name may come from anywhere: it must be one."""
    if SAFE_NAME.fullmatch(change) is None:
        raise Refused(
            "command", f"{change[:80]!r} is not a name of a change: letters, digits, `.`, `_` and `-`"
        )
    return f"{CANDIDATES}/{change}.json"


def load(machine: Machine, change: str, owner: str, texts: Texts, seconds: float = database.PATCH_S) -> None:
    """Keep a candidate; nothing of it is left if the switch refuses a row or a line."""
    if unknown := sorted(texts.keys() - {DB, FRR}):
        raise Refused("refused", f"{unknown[0]!r} is not one of our files: {DB}, {FRR}")
    path, before = candidate_file(change), running(machine)
    new = whole(texts, before)
    meta = {"change": change, "owner": owner, "since": machine.now(), "boot": machine.boot()}
    try:
        write_json(machine, path, meta | {"base": digest(before), "texts": new})
        _check(machine, before, new, seconds)
    except BaseException:
        machine.remove(path)
        raise


def _check(machine: Machine, before: Texts, new: Texts, seconds: float) -> None:
    old, tables = parsed(before[DB]), parsed(new[DB])
    if FRR in new and new[FRR] != before.get(FRR):
        routing.checked(machine, new[FRR])
    if tables != old and not needs_reload(old, tables):
        database.tried(machine, tables, database.running(machine), seconds)


def load_before(machine: Machine, source: str, change: str, owner: str) -> None:
    """The candidate becomes what ran before the commit named `source`."""
    kept = [known for known in history(machine) if known["change"] == source]
    if not kept:
        raise Refused("commit", f"what ran before {source[:80]} is not kept any more")
    load(machine, change, owner, kept[-1]["old"])


def candidate(machine: Machine, change: str) -> dict[str, Any]:
    """All that is known of one. `Refused` if there is none."""
    known = read_json(machine, candidate_file(change))
    if not known:
        raise Refused("command", f"there is no candidate {change}")
    return known


def drop(machine: Machine, change: str) -> None:
    """Throw a candidate away, and the lock with it: its connection may have died without a word."""
    owner = candidate(machine, change)["owner"]
    machine.remove(candidate_file(change))
    lease.give_back(machine, change, owner)


def candidates(machine: Machine) -> list[dict[str, Any]]:
    """Every candidate that is there."""
    rows = [read_json(machine, f"{CANDIDATES}/{name}") for name in machine.names(CANDIDATES)]
    return [
        {
            "change": row["change"],
            "owner": row["owner"],
            "since_s": machine.now() - row["since"] if row["boot"] == machine.boot() else None,
        }
        for row in rows
        if row
    ]


def compare(machine: Machine, change: str) -> Iterator[str]:
    """What a candidate would change, and how: no secrets."""
    new, old = candidate(machine, change)["texts"], running(machine)
    before, after = parsed(old[DB]), parsed(new[DB])
    if rows := list(differences(before, after)):
        reloads = needs_reload(before, after)
        how = "`config reload`: all ports and sessions go down" if reloads else "`config replace`, row by row"
        yield f"# {DB}: takes effect by {how}"
        yield from rows
    if FRR in new and FRR in old:
        if lines := delta(old[FRR], new[FRR]).shown:
            yield f"# {FRR}: takes effect at once, line by line"
            yield from lines
    elif FRR in new or FRR in old:
        yield f"# {FRR}: FRR is configured by {'this file' if FRR in new else 'CONFIG_DB'} from now on"
