"""The part of SR Linux's command line that loads checkpoints: candidates by name, their diff and their commit."""

from __future__ import annotations

import difflib
import json
import re
from typing import Any

from fabric.platforms.emulation import strikes
from fabric.platforms.srlinux.emulator.errors import RpcError
from fabric.platforms.srlinux.emulator.store import MOST_CANDIDATES, Candidate
from fabric.platforms.srlinux.emulator.switch import SrlinuxSwitch

ENTER = re.compile(r"enter candidate private name (\S+)")
LOAD = re.compile(r"load checkpoint name (\S+)")
CONFIRMED = re.compile(r"commit confirmed timeout ([0-9]+)")
DONE = "All changes have been committed. Leaving candidate mode.\n"


class CommandLine:
    """One request's session: the place it is at ends with it, a candidate does not."""

    def __init__(self, switch: SrlinuxSwitch, username: str) -> None:
        self._switch, self._store, self._username = switch, switch.store, username
        self._candidate: Candidate | None = None

    def run(self, line: str) -> str:
        """What a line prints. `RpcError` if it is unknown here."""
        if match := ENTER.fullmatch(line):
            return self._enter(match[1])
        if self._candidate is None:
            message = f"Parsing error: Unknown token '{line.partition(' ')[0]}'"
            raise RpcError(message)
        if match := LOAD.fullmatch(line):
            with strikes(self._switch, "load"):
                self._candidate.tree = self._store.checkpoint(match[1]).tree
            return ""
        if line == "diff":
            with strikes(self._switch, "compare"):
                return difference(self._store.running, self._candidate.tree)
        if line == "discard now":
            self._leave()
            return "All changes have been discarded. Leaving candidate mode.\n"
        confirmed = CONFIRMED.fullmatch(line)
        if line != "commit now" and confirmed is None:
            message = f"Parsing error: Unknown token '{line.partition(' ')[0]}'"
            raise RpcError(message)
        return self._commit(self._candidate, int(confirmed[1]) if confirmed else None)

    def _enter(self, name: str) -> str:
        candidates = self._store.candidates
        limit = self._store.setting("/system/configuration/max-candidates", MOST_CANDIDATES)
        if name not in candidates and len(candidates) >= limit:
            message = "Failed to enter candidate: maximum number of candidates reached"
            raise RpcError(message)
        fresh = Candidate(name, self._username, self._store.now(), self._store.running)
        self._candidate = candidates.setdefault(name, fresh)
        return ""

    def _commit(self, candidate: Candidate, timer_s: int | None) -> str:
        with strikes(self._switch, "commit"):
            self._store.commit(candidate.tree, self._username, timer_s, name=candidate.name)
            if timer_s is None:
                self._leave()
        return DONE if timer_s is None else ""

    def _leave(self) -> None:
        if self._candidate is not None:
            self._store.candidates.pop(self._candidate.name, None)
        self._candidate = None


def difference(old: Any, new: Any) -> str:
    """Lines that differ; the product prints the same places in its own tree."""
    before, after = (json.dumps(tree, indent=1, sort_keys=True).splitlines() for tree in (old, new))
    lines = difflib.unified_diff(before, after, n=0, lineterm="")
    return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))
