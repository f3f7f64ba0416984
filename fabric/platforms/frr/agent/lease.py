"""Who has locked the switch for a change of his: with his name, until when, and for as long as his connection is there.

FRR and Linux know nothing of it: it keeps out those who take this way only.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from fabric.platforms.frr.agent.system import STATE, Refused, boot_id, now, read_json, write_json

FILE = STATE / "lease.json"
LONGEST_S = 600.0


def take(change: str, owner: str) -> None:
    """Lock, or go on with one's own lock."""
    must_be_free(change, owner)
    login = {"process": process, "began": _began(process)} if (process := _login()) else {}
    lease = {"change": change, "owner": owner, "boot": boot_id(), "until": now() + LONGEST_S, "login": login}
    write_json(FILE, lease)


def give_back(change: str, owner: str) -> None:
    """Let others in; their own lock stays."""
    lease = read_json(FILE)
    if (lease.get("change"), lease.get("owner")) == (change, owner):
        with suppress(FileNotFoundError):
            FILE.unlink()


def must_be_free(change: str, owner: str) -> None:
    """Refuse if somebody else has locked."""
    lease = read_json(FILE)
    if lease and (lease.get("change"), lease.get("owner")) != (change, owner) and _holds(lease):
        raise Refused("locked", f"{lease['change']} of {lease['owner']} has locked the switch")


def _holds(lease: dict[str, Any]) -> bool:
    login = lease.get("login") or {}
    there = not login or _began(login["process"]) == login["began"]
    return lease["boot"] == boot_id() and now() < lease["until"] and there


def _login() -> int:
    """The SSH server's process for this connection; 0 if there is none."""
    process = os.getppid()
    while process > 1:
        fields = _fields(process)
        if not fields:
            return 0
        if fields[0].startswith("sshd"):
            return process
        process = int(fields[2])
    return 0


def _began(process: int) -> str:
    """When it started, in the kernel's ticks: numbers of processes are used again."""
    fields = _fields(process)
    return fields[20] if fields else ""


def _fields(process: int) -> list[str]:
    """Name, state, parent and so on, as proc(5) counts them from the second."""
    try:
        text = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return []
    name, _, rest = text.partition("(")[2].rpartition(")")
    return [name, *rest.split()]
