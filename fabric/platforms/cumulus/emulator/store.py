"""Revisions of an emulated switch: what runs, what it boots with, candidates, and the one that waits."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from fabric.platforms.cumulus.emulator.errors import RestError
from fabric.platforms.emulation import Faults

Tree = dict[str, Any]
Later = Callable[[float, Callable[[], None]], Callable[[], None]]
COMMIT_FAILS = "a service could not be configured"
"""What a commit that is to fail answers."""
MOST_TIMER_S = 86_400
PENDING, WAITS, REJECTED = "pending", "confirm", "confirm_fail"
APPLIED, SAVED, INACTIVE = "applied", "applied_and_saved", "inactive"
NAMES = ("applied", "startup", "operational")


@dataclass(slots=True)
class Revision:
    """One configuration."""

    tree: Tree
    state: str = PENDING
    issues: tuple[str, ...] = ()
    shown: str = ""
    """A state on the way, that the next look sees once."""
    asked: tuple[int | None, bool] | None = None
    """With what timer it is to be applied, and whether are-you-sure was answered, when no other one waits any more."""


@dataclass(slots=True)
class Store:
    """What a switch holds. `RestError` refuses a request."""

    running: Tree
    startup: Tree
    later: Later
    faults: Faults
    refused: Callable[[Tree], tuple[str, ...]]
    """What a PATCH may not carry."""
    invalid: Callable[[Tree], tuple[str, ...]]
    """What only an apply finds."""
    revisions: dict[str, Revision] = field(default_factory=dict)
    changed: Callable[[], None] = lambda: None
    """Called when another configuration runs."""
    applied: str = "1"
    """Number of the revision that runs."""
    _before: tuple[str, Tree] | None = None
    _cancel: Callable[[], None] | None = None
    _count: int = 1

    def __post_init__(self) -> None:
        """The first revision is what it booted with."""
        self.revisions[self.applied] = Revision(self.running, SAVED)

    def new(self) -> str:
        """A copy of what runs."""
        self._write()
        self._count += 1
        self.revisions[str(self._count)] = Revision(copy.deepcopy(self.running))
        return str(self._count)

    def revision(self, number: str) -> Revision:
        """By number, or `applied`."""
        known = self.revisions.get(self.applied if number == "applied" else number)
        if known is None:
            raise RestError(404, f"revision {number} does not exist")
        return known

    def tree(self, number: str) -> Tree:
        """What a revision holds."""
        if number in ("applied", "operational"):
            return self.running
        return self.startup if number == "startup" else self.revision(number).tree

    def candidate(self, number: str) -> Revision:
        """A revision that may be changed."""
        revision = self.revision(number)
        if number in NAMES or revision.state != PENDING:
            raise RestError(400, f"revision {number} cannot be changed: its state is {revision.state}")
        return revision

    def change(self, number: str, tree: Tree) -> None:
        """Give a candidate another configuration."""
        revision = self.candidate(number)
        self._write()
        if tree and (problems := self.refused(tree)):
            raise RestError(400, "; ".join(problems))
        revision.tree = tree

    def delete(self, number: str) -> None:
        """Forget a revision that neither runs nor waits."""
        if number not in self.revisions:
            raise RestError(404, f"revision {number} does not exist")
        if number == self.applied or self.revisions[number].state == WAITS:
            raise RestError(400, f"revision {number} is in use")
        del self.revisions[number]

    def waiting(self) -> str:
        """Number of the revision that waits; empty: none does."""
        return next((number for number, known in self.revisions.items() if known.state == WAITS), "")

    def apply(self, number: str, timer_s: int | None, *, answers: bool) -> None:
        """Run a revision, all of it or nothing. `answers`: are-you-sure was answered in advance."""
        if timer_s is not None and not 0 < timer_s <= MOST_TIMER_S:
            raise RestError(400, f"confirm: {timer_s} is not between 1 and {MOST_TIMER_S}")
        revision = self.revision(number)
        if self.waiting():
            revision.state = "apply"  # it stays in the queue for as long as another one waits
            revision.asked = timer_s, answers
            return
        if not answers:
            revision.state = "ays"
            return
        problems = self.invalid(revision.tree)
        if self.faults.fail_commit:
            problems = (COMMIT_FAILS,)
        if problems:
            revision.state, revision.issues = "invalid", problems
            return
        before = self.applied, self.running
        self.applied, revision.shown = number, "reloading"
        revision.state = APPLIED if timer_s is None else WAITS
        self.run(copy.deepcopy(revision.tree))
        if timer_s is None:
            self._settle(number, before[0])
        else:
            self._before = before
            self._cancel = self.later(timer_s, lambda: self._take_back(number))

    def _settle(self, number: str, before: str) -> None:
        """A revision runs for good: it is saved where that is on (the default from 5.9 on)."""
        if before in self.revisions and before != number:
            self.revisions[before].state = INACTIVE
        auto = self.running.get("system", {}).get("config", {}).get("auto-save", {})
        if auto.get("state", auto.get("enable", "enabled")) in ("enabled", "on"):
            try:
                self.save()
            except RestError as error:
                self.revisions[number].issues = (error.detail,)

    def confirm(self, number: str) -> None:
        """Keep the revision that waits."""
        revision = self._waiting(number)
        before = self._before[0] if self._before else number
        self._end_timer()
        revision.state, revision.shown = APPLIED, "auto_saving"
        self._settle(number, before)
        self._next()

    def reject(self, number: str) -> None:
        """Take back the revision that waits."""
        self._waiting(number)
        self._take_back(number)

    def _waiting(self, number: str) -> Revision:
        revision = self.revision(number)
        if revision.state != WAITS:
            raise RestError(400, f"revision {number} does not wait: its state is {revision.state}")
        return revision

    def _take_back(self, number: str) -> None:
        revision = self.revisions.get(number)
        if revision is None or revision.state != WAITS or self._before is None:
            return
        self.applied, before = self._before
        revision.state = REJECTED
        self._end_timer()
        self.run(before)
        self._next()

    def _next(self) -> None:
        """Run what has stood in the queue for longest, as it was made.

        No source tells whether the switch brings it up to date with what runs: as it was made is the worse of the two.
        """
        for number, revision in self.revisions.items():
            if revision.asked is not None:
                (timer_s, answers), revision.asked = revision.asked, None
                self.apply(number, timer_s, answers=answers)

    def _end_timer(self) -> None:
        if self._cancel is not None:
            self._cancel()
        self._cancel = self._before = None

    def save(self) -> None:
        """What runs is what the switch boots with."""
        self._write()
        self.startup = self.running
        revision = self.revisions[self.applied]
        if revision.state == APPLIED:
            revision.state = SAVED

    def _write(self) -> None:
        if self.faults.disk_full:
            raise RestError(500, "No space left on device")

    def reboot(self) -> None:
        """Boot: what waits is gone, candidates are files and stay."""
        number = self.waiting()
        if number and self._before:
            self.revisions[number].state, self.applied = REJECTED, self._before[0]
        self._end_timer()
        for revision in self.revisions.values():
            revision.state, revision.asked = PENDING if revision.asked else revision.state, None
        self.run(self.startup)

    def run(self, tree: Tree) -> None:
        """Run a configuration that was checked."""
        self.running = tree
        self.changed()
