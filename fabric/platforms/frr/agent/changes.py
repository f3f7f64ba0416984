"""The life of a change on the switch: candidate, commit with its timer, confirmation, and the return."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from fabric.platforms.frr.agent import lease, parts, routing, timer
from fabric.platforms.frr.agent.parts import PARTS, ROUTING
from fabric.platforms.frr.agent.system import (
    STATE,
    Refused,
    boot_id,
    new_folder,
    note,
    now,
    read_json,
    synced,
    write_json,
)

CANDIDATES, PENDING, HISTORY = STATE / "candidates", STATE / "pending", STATE / "history"
KEPT = 10
"""So many old states stay on the switch."""
GUARD_S = 180
"""Timer of a commit without one: its process may die in the middle, too."""
LATE_S = 5.0
MARK = "state."
SAFE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,62}")


def running() -> dict[str, str]:
    """All parts as they work now: of a change that waits, its texts."""
    texts = {ROUTING: routing.running(), **parts.on_disk()}
    if waits := pending():
        texts |= {name: text for name, text in _new_texts().items() if name in waits["parts"]}
    return {name: texts[name] for name in PARTS if name in texts}


def startup() -> dict[str, str]:
    """All parts as the switch starts with them."""
    text = parts.text_of(ROUTING)
    return {**({} if text is None else {ROUTING: text}), **parts.on_disk()}


def pending() -> dict[str, Any]:
    """What is known of the change that waits, its `state` with it; empty if there is none."""
    meta = read_json(PENDING / "meta.json")
    marks = [file.name.removeprefix(MARK) for file in PENDING.glob(f"{MARK}*")]
    return meta | {"state": marks[0] if marks else "applying"} if meta else {}


def candidate_of(change: str) -> Path:
    """Folder of a candidate. A name may come from anywhere: it must be one."""
    if SAFE_NAME.fullmatch(change) is None:
        raise Refused(
            "command", f"{change[:80]!r} is not a name of a change: letters, digits, `.`, `_` and `-`"
        )
    return CANDIDATES / change


def load(change: str, owner: str, texts: Mapping[str, str]) -> None:
    """Keep a candidate; nothing of it is left if the switch refuses a line."""
    if unknown := sorted(texts.keys() - PARTS.keys()):
        raise Refused("refused", f"{unknown[0]!r} is not one of our files: {', '.join(PARTS)}")
    folder = candidate_of(change)
    try:
        new_folder(folder)
        parts.kept(folder / "texts", texts)
        before = running()
        for name, text in texts.items():
            if name == ROUTING:
                routing.checked(folder / "texts" / name)
            elif parts.differs(name, text, before.get(name)):
                parts.checked(name, text, folder / "texts" / name)
        meta = {"change": change, "owner": owner, "since": now(), "boot": boot_id(), "base": _digest(before)}
        write_json(folder / "meta.json", meta)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def load_before(source: str, change: str, owner: str) -> None:
    """The candidate becomes what ran before the commit named `source`."""
    kept = [folder for folder in history() if read_json(folder / "meta.json").get("change") == source]
    if not kept:
        raise Refused("commit", f"what ran before {source[:80]} is not kept any more")
    load(change, owner, parts.texts_in(kept[-1] / "old"))


def candidate(change: str) -> dict[str, str]:
    """Texts of a candidate; none if there is none."""
    return parts.texts_in(candidate_of(change) / "texts")


def drop(change: str) -> None:
    """Throw a candidate away, and the lock with it: its connection may have died without a word."""
    folder = candidate_of(change)
    if not folder.is_dir():
        raise Refused("command", f"there is no candidate {change}")
    owner = read_json(folder / "meta.json").get("owner", "")
    shutil.rmtree(folder)
    lease.give_back(change, owner)


def candidates() -> list[dict[str, Any]]:
    """Every candidate that is there."""
    metas = [
        read_json(folder / "meta.json") | {"change": folder.name} for folder in sorted(CANDIDATES.glob("*"))
    ]
    boot = boot_id()
    return [
        {
            "change": meta["change"],
            "owner": meta.get("owner", ""),
            "since_s": now() - meta["since"] if meta.get("boot") == boot else None,
        }
        for meta in metas
    ]


def commit(change: str, owner: str, revert_in: float | None, program: str, message: str = "") -> None:
    """Run a candidate. Returns when the switch runs all of it; else it runs what it ran before."""
    folder = candidate_of(change)
    base = read_json(folder / "meta.json").get("base")
    if base is None:
        raise Refused("commit", f"there is no candidate {change}")
    if waits := pending():
        raise Refused(
            "commit", f"another commit waits for its confirmation: {waits['change']} of {waits['owner']}"
        )
    lease.must_be_free(change, owner)
    old, new = running(), parts.texts_in(folder / "texts")
    if _digest(old) != base:
        raise Refused("commit", "what runs has changed since the candidate was loaded: load it again")
    _wait(change, owner, revert_in, old, new, program)
    shutil.rmtree(folder)
    try:
        _apply()
    except (Refused, OSError) as error:
        _after_failure(change, error)
    _mark("waiting")
    lease.give_back(change, owner)
    note(f"{change} of {owner} committed, {message!r}, reverts in {revert_in} s")
    if revert_in is None:
        confirm(change)


def _after_failure(change: str, error: Exception) -> None:
    try:
        take_back(f"it failed: {error}")
    except (Refused, OSError) as second:
        message = f"{error}; what ran before is not back yet, and will be tried again: {second}"
        raise Refused("commit", message) from None
    raise Refused("commit", f"{error}; what ran before {change} runs again") from None


def _wait(
    change: str,
    owner: str,
    revert_in: float | None,
    old: Mapping[str, str],
    new: Mapping[str, str],
    program: str,
) -> None:
    """From here on the change waits for its confirmation; all that its return needs is on the disk."""
    others = [name for name in PARTS if name in new and name != ROUTING]
    files = [name for name in others if parts.differs(name, new[name], old.get(name))]
    try:
        parts.staged({name: new[name] for name in (*files, *([ROUTING] if ROUTING in new else []))})
        folder = new_folder(STATE / "pending.new")
        parts.kept(folder / "new", new)
        parts.kept(folder / "old", old)
        deadline = now() + (GUARD_S if revert_in is None else revert_in)
        token = os.urandom(6).hex()
        meta = {
            "change": change,
            "owner": owner,
            "parts": files,
            "boot": boot_id(),
            "deadline": deadline,
            "token": token,
            "settings": parts.settings(
                {name: t.get("sysctl.conf", "") for name, t in (("o", old), ("n", new))}
            )
            if "sysctl.conf" in files
            else {},
            "daemons": sorted(routing.processes()),
        }
        write_json(folder / "meta.json", meta)
        (folder / f"{MARK}applying").touch()
        folder.rename(PENDING)
        synced(STATE)
        write_json(PENDING / "timer.json", timer.armed(PENDING, program, token, deadline))
    except BaseException:
        shutil.rmtree(PENDING, ignore_errors=True)
        shutil.rmtree(STATE / "pending.new", ignore_errors=True)
        parts.unstaged()
        raise


def _apply() -> None:
    """The parts that differ, in order."""
    new, files = _new_texts(), pending()["parts"]
    for name in [name for name in PARTS if name in files and name != ROUTING]:
        parts.applied(name, new[name], PENDING / "new" / name)
    if ROUTING in new:
        routing.follow(PENDING / "new" / ROUTING)


def take_back(reason: str) -> None:
    """Run again what ran before the change that waits. It goes on waiting if that fails, so that it is tried again."""
    waits = pending()
    _mark("reverting")
    for name in [name for name in reversed(PARTS) if name in waits["parts"]]:
        with suppress(Refused):  # the routes matter more than what else may fail
            parts.taken_back(name, waits["settings"])
    _routing_back(waits)
    parts.unstaged()
    _forget(f"{waits['change']} taken back: {reason}", STATE / "pending.old")
    shutil.rmtree(STATE / "pending.old", ignore_errors=True)


def _routing_back(waits: Mapping[str, Any]) -> None:
    """Line by line where FRR lets it, else by a start from the old frr.conf."""
    file = PENDING / "old" / ROUTING
    routing.stopped(
        set(routing.processes()) - set(waits["daemons"]) if "daemons" in waits["parts"] else set()
    )
    try:
        routing.must_live()
        routing.follow(file)
    except Refused as error:
        note(f"{waits['change']}: FRR is started anew, as it does not go back: {error}")
        routing.restart()
        routing.follow(file)


def _forget(message: str, folder: Path) -> None:
    """Nothing waits any more. Folders are renamed only: that works on a full disk, too."""
    known = read_json(PENDING / "timer.json")
    shutil.rmtree(folder, ignore_errors=True)
    PENDING.rename(folder)
    synced(STATE)
    note(message)
    shutil.rmtree(folder / "new", ignore_errors=True)
    timer.disarmed(known)


def confirm(change: str) -> None:
    """Stop the timer: from here on the switch starts with the new files."""
    waits = pending()
    if waits.get("change") != change or waits["state"] != "waiting":
        there = f"{waits['change']} of {waits['owner']} waits" if waits else "no commit waits"
        raise Refused("commit", f"{change} cannot be confirmed: {there}")
    routing.must_live()
    _mark("confirming")
    finish()


def finish() -> None:
    """Put the new files in their places. Goes on where it was interrupted."""
    waits, new = pending(), _new_texts()
    parts.installed({name: text for name, text in new.items() if name in waits["parts"] or name == ROUTING})
    number = 1 + max((int(folder.name[:6]) for folder in history()), default=0)
    HISTORY.mkdir(mode=0o700, exist_ok=True)
    _forget(f"{waits['change']} confirmed", HISTORY / f"{number:06d}-{waits['change']}")
    for folder in history()[:-KEPT]:
        shutil.rmtree(folder, ignore_errors=True)


def roll_back(change: str | None, program: str) -> None:
    """Take back what waits; where nothing does, run what ran before the last commit, for good."""
    waits = pending()
    if waits:
        if change is not None and waits["change"] != change:
            message = f"{change} cannot be taken back: {waits['change']} of {waits['owner']} waits"
            raise Refused("commit", message)
        take_back("asked to")
        return
    kept = history()
    if not kept:
        raise Refused("commit", "nothing was committed before")
    name = f"rollback-of-{read_json(kept[-1] / 'meta.json')['change']}"[:63]
    load(name, "", parts.texts_in(kept[-1] / "old"))
    commit(name, "", None, program)


def save() -> None:
    """The switch starts with what runs."""
    if waits := pending():
        raise Refused("commit", f"a commit waits for its confirmation: {waits['change']}")
    file, text = PARTS[ROUTING].path, routing.running()
    if not file.exists() or not routing.delta(file).is_empty:
        parts.installed({ROUTING: text})


def recover() -> None:
    """Make good for processes that have died: ours, or the whole machine. Nobody else is at work now."""
    waits = pending()
    if not waits:
        for name in ("pending.new", "pending.old"):
            shutil.rmtree(STATE / name, ignore_errors=True)
        return
    known = read_json(PENDING / "timer.json")
    if waits["state"] == "confirming":
        finish()
    elif waits["boot"] != boot_id():
        parts.unstaged()
        _forget(f"{waits['change']} is gone: the switch was started anew", STATE / "pending.old")
    elif waits["state"] != "waiting" or now() > waits["deadline"] + LATE_S:
        take_back("its process was gone")
    elif not timer.is_alive(known):
        program = (PENDING / "agent.py").read_text()
        write_json(PENDING / "timer.json", timer.armed(PENDING, program, waits["token"], waits["deadline"]))


def history() -> list[Path]:
    """Folders of what ran before the last commits, the oldest first."""
    return sorted(folder for folder in HISTORY.glob("[0-9]*-*") if folder.is_dir())


def _new_texts() -> dict[str, str]:
    return parts.texts_in(PENDING / "new")


def _mark(state: str) -> None:
    """How far it is: the name of an empty file, as names can be changed on a full disk."""
    for file in PENDING.glob(f"{MARK}*"):
        file.rename(PENDING / f"{MARK}{state}")
    synced(PENDING)


def _digest(texts: Mapping[str, str]) -> str:
    return hashlib.sha256(repr(sorted(texts.items())).encode(errors="replace")).hexdigest()
