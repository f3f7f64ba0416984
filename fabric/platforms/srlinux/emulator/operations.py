"""Operational commands of the tools datastore (`srl_nokia-tools-configuration`)."""

from __future__ import annotations

import re
from typing import Any

from fabric.platforms.emulation import Step, strikes
from fabric.platforms.srlinux.emulator.errors import RpcError
from fabric.platforms.srlinux.emulator.switch import SrlinuxSwitch

HOME = "/system/configuration"
ENTRY = re.compile(rf"{HOME}/(checkpoint|candidate)\[(?:id|name)=([^\]]+)\]/(clear|revert)")
STEPS: dict[str, Step] = {
    "confirmed-accept": "confirm",
    "confirmed-reject": "rollback",
    "save": "confirm",
}
KEEP = "generate-checkpoint"


def operate(switch: SrlinuxSwitch, username: str, command: dict[str, Any]) -> None:
    """Run one. `RpcError` if the product has none of that path."""
    path, store = str(command.get("path", "")), switch.store
    word = path.removeprefix(f"{HOME}/")
    entry = ENTRY.fullmatch(path)
    if command.get("action") != "update" or (entry is None and word not in (*STEPS, KEEP)):
        message = f"Path not valid - unknown element '{word}'"
        raise RpcError(message)
    if entry is not None:
        with strikes(switch, "rollback" if entry[3] == "revert" else "load"):
            _on_entry(switch, username, *entry.groups())
    elif word == KEEP:
        value = command.get("value") or {}
        store.keep(str(value.get("name", "")), str(value.get("comment", "")), username)
    else:
        with strikes(switch, STEPS[word]):
            {"confirmed-accept": store.accept, "confirmed-reject": store.reject, "save": store.save}[word]()


def _on_entry(switch: SrlinuxSwitch, username: str, kind: str, name: str, verb: str) -> None:
    store = switch.store
    if kind == "candidate":
        if verb != "clear" or store.candidates.pop(name, None) is None:
            message = f"Candidate '{name}' does not exist"
            raise RpcError(message)
        return
    known = store.checkpoint(name)
    if verb == "clear":
        store.checkpoints.remove(known)
    else:
        store.commit(known.tree, username, None, name="default")
