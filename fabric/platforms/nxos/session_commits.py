"""Whose commit waits on a switch, told by a note beside it on bootflash.

NX-OS counts down the timer of `configure replace … commit-timeout` itself. No source shows what it tells of it, so that
a note with the name of the change stands on bootflash: when it was armed, by the switch's uptime, and what the log of
replaces said before. It counts only if the log says now that another replace has succeeded, within the timer, and the
switch has not restarted since. Shapes: Cisco Nexus 9000 NX-API CLI reference 9.3(x), `show config-replace log exec`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from fabric.platforms.device_state import PendingCommit

NOTE, BEFORE, CANDIDATE = "fabric-waits-", "fabric-before-", "fabric-candidate-"
KEPT_FILES = 5
"""So many earlier configurations stay on bootflash."""
OURS = re.compile(r"\b(fabric-(?:waits|before|candidate)-[A-Za-z0-9._-]+)")
SUCCESS = re.compile(r"(?m)^Rollback Status +: Success *$")
OWNER = re.compile(r"(?m)^Cfg-replace done By +: (\S+)")
DONE = "Configure replace completed successfully"
EMPTY = "Rollback Patch is Empty"
QUOTED = re.compile(r"`([^`\n]*)`")
RULE = re.compile(r"(?m)^=+$")


class Moment(NamedTuple):
    """The switch's own time: which start it runs from, and for how many seconds."""

    boot: str
    uptime_s: int


class Note(NamedTuple):
    """What stands on bootflash while a commit waits."""

    boot: str
    uptime_s: int
    timer_s: int
    log: str

    def text(self) -> str:
        """As it is written."""
        return json.dumps(self._asdict())


def moment(version: Mapping[str, Any]) -> Moment:
    """Of `show version`."""
    parts = {"days": 86400, "hrs": 3600, "mins": 60, "secs": 1}
    seconds = sum(int(version.get(f"kern_uptm_{name}") or 0) * weight for name, weight in parts.items())
    return Moment(str(version.get("rr_ctime", "")), seconds)


def parsed(text: str) -> Note | None:
    """A note; None if it is not ours, or only half of one."""
    try:
        row = json.loads(text)
        return Note(str(row["boot"]), int(row["uptime_s"]), int(row["timer_s"]), str(row["log"]))
    except (ValueError, KeyError, TypeError):
        return None


def entry(log: object) -> str:
    """The last replace, of `show config-replace log exec`: what identifies it, and its outcome. Not its commands."""
    rows = log.get("log_entry", "") if isinstance(log, Mapping) else log
    text = "\n".join(map(str, rows)) if isinstance(rows, list) else str(rows)
    return "\n".join(line for line in text.partition("Executing Patch")[0].splitlines() if line.strip())


def pending(change: str, note: Note, now: Moment, log: str) -> PendingCommit | None:
    """The commit that a note is about; None if it is over, or never was."""
    left_s = note.uptime_s + note.timer_s - now.uptime_s
    if now.boot != note.boot or now.uptime_s < note.uptime_s or left_s <= 0:
        return None
    if log == note.log or not SUCCESS.search(log):
        return None
    owner = OWNER.search(log)
    return PendingCommit(change=change, owner=owner[1] if owner else "", left_s=float(left_s))


def patch(output: str) -> list[str]:
    """The commands that `configure replace … verify-only` would run, without the way into configuration mode."""
    parts = RULE.split(output)
    commands = [line.strip() for line in QUOTED.findall(parts[1] if len(parts) > 1 else "")]
    return [line for line in commands if line not in ("config t", "")]
