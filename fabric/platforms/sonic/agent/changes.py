"""The life of a change on the switch: candidate, commit with its timer, confirmation, and the way back."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from fabric.platforms.sonic.agent import database, lease, routing, timer
from fabric.platforms.sonic.agent.lines import delta
from fabric.platforms.sonic.agent.machine import STATE, Machine, Refused, read_json, write_json
from fabric.platforms.sonic.agent.tables import differences, needs_reload, own, parsed, printed

CANDIDATES, HISTORY = f"{STATE}/candidates", f"{STATE}/history"
OLD, NEW = "old", "new"
STATES = ("applying", "waiting", "reverting", "confirming")
KEPT = 10
"""So many old states stay on the switch."""
GUARD_S = 1800.0
"""Timer while a change is being made, which may take a reload and its way back: its process may die in the middle."""
LATE_S = 5.0
DB, FRR = "config_db.json", "frr.conf"
SAFE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,62}")
Texts = dict[str, str]


def running(machine: Machine) -> Texts:
    """What works now: CONFIG_DB without the rows that the switch makes itself, and frr.conf where it is ours."""
    tables = database.running(machine)
    texts = {DB: printed(own(tables))}
    if routing.is_ours(tables):
        texts[FRR] = routing.running(machine)
    return texts


def startup(machine: Machine) -> Texts:
    """What a restart brings."""
    texts = {name: machine.read(path) for name, path in ((DB, database.FILE), (FRR, routing.FILE))}
    return {name: text for name, text in texts.items() if text is not None}


def pending(machine: Machine) -> dict[str, Any]:
    """What is known of the change that waits, its `state` with it; empty if there is none."""
    for state in STATES:
        if known := read_json(machine, _pending_file(state)):
            return known | {"state": state}
    return {}


def _pending_file(state: str) -> str:
    """How far it is stands in the name: names can be changed on a full disk."""
    return f"{STATE}/pending-{state}.json"


def _mark(machine: Machine, waits: dict[str, Any], state: str) -> None:
    machine.rename(_pending_file(waits["state"]), _pending_file(state))
    waits["state"] = state


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
        write_json(machine, path, meta | {"base": _digest(before), "texts": new})
        _check(machine, before, new, seconds)
    except BaseException:
        machine.remove(path)
        raise


def whole(texts: Texts, before: Texts) -> Texts:
    """Both files, as they would run. A file that is not given stays as it is."""
    tables = own(parsed(texts.get(DB, before[DB])))
    new = {DB: printed(tables)}
    if not routing.is_ours(tables):
        return new
    text = texts.get(FRR, before.get(FRR, ""))
    if not text.strip():
        raise Refused("refused", f"docker_routing_config_mode is split-unified, and there is no {FRR}")
    return new | {FRR: text}


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
    """Throw a candidate away."""
    candidate(machine, change)
    machine.remove(candidate_file(change))


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
    if _digest(old) != loaded["base"]:
        raise Refused("commit", "what runs has changed since the candidate was loaded: load it again")
    waits = _begin(machine, change, owner, old, loaded["texts"], program, token)
    machine.remove(candidate_file(change))
    try:
        _apply(machine, waits)
        if revert_in is not None:
            _count(machine, waits, revert_in)
    except (Refused, OSError) as error:
        _after_failure(machine, change, error)
    _mark(machine, waits, "waiting")
    lease.give_back(machine, change, owner)
    machine.note(f"{change} of {owner} committed, {message!r}, reverts in {revert_in} s")
    if revert_in is None:
        confirm(machine, change)


def _count(machine: Machine, waits: dict[str, Any], seconds: float) -> None:
    """The time that was asked for begins when the change is made: a reload may take longer than that."""
    waits["deadline"] = machine.now() + seconds
    write_json(machine, _pending_file(waits["state"]), waits)
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
    """From here on the change waits for its confirmation; all that its way back needs is on the disk."""
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
        write_json(machine, _pending_file("applying"), waits)
        if waits["reloads"] and FRR in new:
            timer.guard_boot(machine)
        timer.armed(machine, token, GUARD_S, timer.GUARD)
    except BaseException:
        _cleared(machine, waits)
        machine.remove(_pending_file("applying"))
        raise
    return waits


def _cleared(machine: Machine, waits: Mapping[str, Any]) -> None:
    """What a change needs while it waits goes."""
    timer.disarmed(machine, waits["token"])
    timer.unguard_boot(machine)
    machine.execute("config", "delete-checkpoint", waits["change"])
    for name in (OLD, NEW):
        machine.remove(f"{STATE}/{name}.json")


def _apply(machine: Machine, waits: Mapping[str, Any]) -> None:
    """CONFIG_DB first: ports and addresses before the sessions over them."""
    new, old, path = waits["new"], waits["old"], f"{STATE}/{NEW}.json"
    tables = parsed(new[DB])
    if waits["reloads"]:
        _reload(machine, path, new, waits["on_disk"])
    elif tables != parsed(old[DB]):
        database.replaced(machine, path, tables)
    if FRR in new:
        routing.follow(machine, new[FRR])


def _reload(machine: Machine, path: str, texts: Texts, on_disk: str | None) -> None:
    """The container of FRR starts from its file, which has the new text meanwhile only."""
    if FRR in texts:
        machine.write(routing.FILE, texts[FRR])
    try:
        database.reloaded(machine, path, parsed(texts[DB]))
        routing.wait(machine)
    finally:
        _on_disk(machine, on_disk)


def _on_disk(machine: Machine, text: str | None) -> None:
    if text is None:
        machine.remove(routing.FILE)
    elif machine.read(routing.FILE) != text:
        machine.write(routing.FILE, text)


def take_back(machine: Machine, reason: str) -> None:
    """Run again what ran before the change that waits. It goes on waiting if that fails, so that it is tried again."""
    waits = pending(machine)
    _mark(machine, waits, "reverting")
    _database_back(machine, waits)
    if FRR in waits["old"]:
        _routing_back(machine, waits)
    _on_disk(machine, waits["on_disk"])
    _cleared(machine, waits)
    machine.remove(_pending_file("reverting"))
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
    _reload(machine, path, waits["old"], waits["on_disk"])


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


def confirm(machine: Machine, change: str) -> None:
    """Stop the timer: from here on the switch starts with the new configuration."""
    waits = pending(machine)
    if waits.get("change") != change or waits["state"] != "waiting":
        there = f"{waits['change']} of {waits['owner']} waits" if waits else "no commit waits"
        raise Refused("commit", f"{change} cannot be confirmed: {there}")
    if FRR in waits["new"]:
        routing.must_live(machine)
    _mark(machine, waits, "confirming")
    finish(machine)


def finish(machine: Machine) -> None:
    """Write what runs to where the switch starts from. Goes on where it was interrupted."""
    waits = pending(machine)
    database.saved(machine)
    if FRR in waits["new"]:
        machine.write(routing.FILE, waits["new"][FRR])
    _cleared(machine, waits)
    numbers = [int(name[:6]) for name in machine.names(HISTORY)]
    name = f"{1 + max(numbers, default=0):06d}-{waits['change']}.json"
    machine.rename(_pending_file("confirming"), f"{HISTORY}/{name}")
    machine.note(f"{waits['change']} confirmed")
    for old in machine.names(HISTORY)[:-KEPT]:
        machine.remove(f"{HISTORY}/{old}")


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


def save(machine: Machine) -> None:
    """The switch starts with what runs."""
    if waits := pending(machine):
        raise Refused("commit", f"a commit waits for its confirmation: {waits['change']}")
    text = running(machine).get(FRR)
    database.saved(machine)
    if text is not None and delta(machine.read(routing.FILE) or "", text).shown:
        machine.write(routing.FILE, text)


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
        _on_disk(machine, waits["on_disk"])
        _cleared(machine, waits)
        machine.remove(_pending_file(waits["state"]))
        machine.note(f"{waits['change']} is gone: the switch was started anew")


def history(machine: Machine) -> list[dict[str, Any]]:
    """What ran before the last commits, the oldest first."""
    rows = [read_json(machine, f"{HISTORY}/{name}") for name in machine.names(HISTORY)]
    return [row for row in rows if row]


def _digest(texts: Texts) -> str:
    return hashlib.sha256(repr(sorted(texts.items())).encode(errors="replace")).hexdigest()
