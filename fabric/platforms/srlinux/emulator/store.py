"""Datastores of an emulated device: what runs, what it boots with, checkpoints, and commits with their timers."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from fabric.platforms.emulation import Faults
from fabric.platforms.srlinux.emulator.errors import RpcError
from fabric.platforms.srlinux.emulator.paths import at, parsed

Tree = dict[str, Any]
Later = Callable[[float, Callable[[], None]], Callable[[], None]]
COMMIT_FAILS = "Commit failed: one or more applications rejected the transaction"
"""What a commit that is to fail answers."""
MOST_TIMER_S = 86_400
MOST_COMMITS = 10
"""That many are listed."""
MOST_CHECKPOINTS, MOST_CANDIDATES = 10, 10
"""Defaults of `max-checkpoints` and `max-candidates`."""


@dataclass(slots=True)
class Commit:
    """One transaction."""

    number: int
    name: str
    username: str
    started: float
    status: str = "complete"
    ended: float | None = None


@dataclass(slots=True)
class Checkpoint:
    """What ran at one time."""

    number: int
    name: str
    comment: str
    username: str
    created: float
    tree: Tree


@dataclass(slots=True)
class Candidate:
    """Of the command line: named, private."""

    name: str
    username: str
    started: float
    tree: Tree


@dataclass(slots=True)
class Store:
    """What a device holds. `RpcError` refuses whole requests."""

    running: Tree
    startup: Tree
    now: Callable[[], float]
    later: Later
    faults: Faults
    judge: Callable[[Tree], tuple[str, ...]]
    commits: list[Commit] = field(default_factory=list)
    checkpoints: list[Checkpoint] = field(default_factory=list)
    candidates: dict[str, Candidate] = field(default_factory=dict)
    holder: tuple[str, float] | None = None
    """Who has the configuration for himself, since when."""
    last_change: float = 0.0
    changed: Callable[[], None] = lambda: None
    """Called when another configuration runs."""
    _before: Tree | None = None
    _cancel: Callable[[], None] | None = None
    _count: int = 0

    def setting(self, path: str, default: Any) -> Any:
        """A leaf of what runs."""
        value = at(self.running, parsed(path))
        return default if value == {} else value

    def waiting(self) -> Commit | None:
        """The commit that waits for its confirmation."""
        return next((commit for commit in self.commits if commit.status == "unconfirmed"), None)

    def check(self, tree: Tree) -> None:
        """Refuse what is not a configuration of this product."""
        if problems := self.judge(tree):
            message = "; ".join(problems)
            raise RpcError(message)

    def commit(self, tree: Tree, username: str, timer_s: int | None, name: str = "json-rpc") -> Commit:
        """Run a configuration, all of it or nothing."""
        if self.waiting() is not None:
            message = "Commit failed: a previous commit is still waiting for confirmation"
            raise RpcError(message)
        if self.holder is not None:
            message = f"Commit failed: candidate is locked exclusively by '{self.holder[0]}'"
            raise RpcError(message)
        if timer_s is not None and not 0 <= timer_s <= MOST_TIMER_S:
            message = f"Invalid confirm-timeout '{timer_s}': must be between 0 and {MOST_TIMER_S}"
            raise RpcError(message)
        self.check(tree)
        if self.faults.fail_commit:
            raise RpcError(COMMIT_FAILS)
        self._count += 1
        commit = Commit(self._count, name, username, self.now())
        self.commits = [*self.commits, commit][-MOST_COMMITS:]
        before = self.running
        self.run(copy.deepcopy(tree))
        if timer_s:
            commit.status, self._before = "unconfirmed", before
            self._cancel = self.later(timer_s, lambda: self._take_back(commit))
        else:
            commit.ended = self.now()
        return commit

    def accept(self) -> None:
        """Keep the commit that waits, whosever it is."""
        commit = self._waiting("accept")
        self._end_timer()
        commit.status, commit.ended = "complete", self.now()
        self.candidates.pop(commit.name, None)

    def reject(self) -> None:
        """Take back the commit that waits, whosever it is."""
        self._take_back(self._waiting("reject"))

    def _waiting(self, verb: str) -> Commit:
        commit = self.waiting()
        if commit is None:
            message = f"Failed to {verb}: there is no commit to be confirmed"
            raise RpcError(message)
        return commit

    def _take_back(self, commit: Commit) -> None:
        if commit.status != "unconfirmed" or self._before is None:
            return
        before = self._before
        commit.status, commit.ended = "failed", self.now()
        self._end_timer()
        self.run(before)

    def _end_timer(self) -> None:
        if self._cancel is not None:
            self._cancel()
        self._cancel = self._before = None

    def save(self) -> None:
        """What runs is what the device boots with."""
        self._write()
        self.startup = self.running

    def keep(self, name: str, comment: str, username: str) -> None:
        """Take a checkpoint. The product's answer to one too many is not documented: refused."""
        if len(self.checkpoints) >= self.setting("/system/configuration/max-checkpoints", MOST_CHECKPOINTS):
            message = "Failed to generate checkpoint: maximum number of checkpoints reached"
            raise RpcError(message)
        if not name or name[0].isdigit():
            message = f'Invalid value "{name}": Name cannot start with number'
            raise RpcError(message)
        self._write()
        used = {known.number for known in self.checkpoints}
        number = next(n for n in range(256) if n not in used)
        self.checkpoints.insert(0, Checkpoint(number, name, comment, username, self.now(), self.running))

    def _write(self) -> None:
        if self.faults.disk_full:
            message = "Failed to write file: No space left on device"
            raise RpcError(message)

    def checkpoint(self, word: str) -> Checkpoint:
        """By name or number."""
        known = next((c for c in self.checkpoints if word in (c.name, str(c.number))), None)
        if known is None:
            message = f"Checkpoint '{word}' does not exist"
            raise RpcError(message)
        return known

    def reboot(self) -> None:
        """Boot: timers and candidates are gone, files are not."""
        self._end_timer()
        self.commits.clear()
        self.candidates.clear()
        self.holder = None
        self.run(self.startup)

    def run(self, tree: Tree) -> None:
        """Run a configuration that was checked."""
        self.running, self.last_change = tree, self.now()
        self.changed()


def written(at_s: float) -> str:
    """As SR Linux writes a date and time."""
    return datetime.fromtimestamp(at_s, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
