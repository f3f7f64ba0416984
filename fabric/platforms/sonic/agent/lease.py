"""Who has locked the switch for a change of his: with his name, until when, and while his connection stands.

SONiC knows nothing of it: it keeps out those who take this way only.
"""

from __future__ import annotations

from typing import Any

from fabric.platforms.sonic.agent.machine import STATE, Machine, Refused, read_json, write_json

FILE = f"{STATE}/lease.json"
LONGEST_S = 600.0


def take(machine: Machine, change: str, owner: str) -> None:
    """Lock, or go on with one's own lock."""
    must_be_free(machine, change, owner)
    until = machine.now() + LONGEST_S
    lease = {"change": change, "owner": owner, "boot": machine.boot(), "until": until}
    write_json(machine, FILE, lease | {"login": machine.login()})


def give_back(machine: Machine, change: str, owner: str) -> None:
    """Let others in; their own lock stays."""
    lease = read_json(machine, FILE)
    if (lease.get("change"), lease.get("owner")) == (change, owner):
        machine.remove(FILE)


def must_be_free(machine: Machine, change: str, owner: str) -> None:
    """Refuse if somebody else has locked."""
    lease = read_json(machine, FILE)
    is_own = (lease.get("change"), lease.get("owner")) == (change, owner)
    if lease and not is_own and _holds(machine, lease):
        raise Refused("locked", f"{lease['change']} of {lease['owner']} has locked the switch")


def _holds(machine: Machine, lease: dict[str, Any]) -> bool:
    is_there = not lease["login"] or machine.is_there(lease["login"])
    return lease["boot"] == machine.boot() and machine.now() < lease["until"] and is_there
