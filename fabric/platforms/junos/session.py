# ruff: noqa: FBT001  # the arguments are those of NAPALM's drivers; the session is PyEZ's own
"""NAPALM's `junos` driver (PyEZ) with what a change of a live fabric needs beside it (`fabric.platforms.driver`).

A change's name is the log message of its commit. Loading takes the exclusive lock, which Junos refuses when somebody
has uncommitted changes; it is held until the candidate is committed or dropped, or the session ends. `commit check`
is never sent: while a commit waits, it confirms it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from lxml import etree
from napalm.base.exceptions import (
    CommandErrorException,
    CommandTimeoutException,
    CommitConfirmException,
    CommitError,
    LockError,
    MergeConfigException,
    ReplaceConfigException,
)

from fabric.platforms.base import Target
from fabric.platforms.device_state import OpenCandidate, PendingCommit
from fabric.platforms.junos import session_commits as commits
from fabric.platforms.junos import session_queues
from fabric.platforms.junos import session_state as state
from fabric.platforms.junos.capabilities import TIMER
from fabric.platforms.junos.session_connection import JunosConnection
from fabric.platforms.junos.session_rpc import RpcRefused, element, text_of
from fabric.platforms.junos.session_transport import SSH_PORT

SHARED = "candidate"
"""What an uncommitted change of somebody is called: Junos has one candidate, which all share."""
HOLDERS = {"text": "configuration-text", "set": "configuration-set", "json": "configuration-json"}
"""What a candidate stands in, by format."""


def driver_options(target: Target) -> dict[str, Any]:
    """`optional_args` of the driver: the port, the key, how the device is told from others."""
    options: dict[str, Any] = {"port": target.port or SSH_PORT, "trust": target.trust}
    return options | ({"key_file": target.key_file} if target.key_file else {})


class JunosDriver(JunosConnection):
    """One switch over NETCONF. `optional_args["trust"]` is a `Trust`; the rest is as NAPALM has it."""

    queue_reports = session_queues.REPORTS

    def name_change(self, change: str) -> None:
        """The log message of the next commit."""
        if not commits.NAME.fullmatch(change):
            message = (
                f"{change!r} is not a name of a change: letters, digits, `.`, `_` and `-`, at most 63 of them"
            )
            raise ValueError(message)
        self._change = change

    def close(self) -> None:
        """Drop a candidate, unlock and hang up; a commit that waits is left alone: Junos keeps its timer."""
        if not self.device.connected:
            return
        try:
            with suppress(CommandTimeoutException):  # a session that is lost has no lock any more
                self.discard_config()
        finally:
            self.locked = False
            self._hang_up()

    def _load_candidate(self, filename: str | None, config: str | None, overwrite: bool) -> None:
        """Lock, and load a candidate; NAPALM's two calls for it come here."""
        text = config if filename is None else Path(filename).read_text(encoding="utf-8")
        form = self._detect_config_format(text)
        refused = ReplaceConfigException if overwrite else MergeConfigException
        if overwrite and form == "set":
            message = "a whole configuration is loaded as text, not as set commands"
            raise ReplaceConfigException(message)
        action = "override" if overwrite else "set" if form == "set" else "merge"
        self.lock_config()
        try:
            below = etree.fromstring(text) if form == "xml" else element(HOLDERS[form], text=text)
            self._load(element("load-configuration", below, action=action, format=form))
        except (RpcRefused, ValueError, etree.XMLSyntaxError) as error:
            self.discard_config()
            raise refused(str(error)) from None

    def load_before(self, change: str) -> None:
        """`load rollback`, by the entry of the history that has the name."""
        self.lock_config()
        try:
            self._load_rollback(self._number_before(change))
        except (RpcRefused, CommitError) as error:
            self.discard_config()
            raise CommitError(str(error)) from None

    def _number_before(self, change: str) -> int:
        number = commits.before(self._history(), change)
        if number is None:
            message = f"what ran before {change} is not in the history of commits any more"
            raise CommitError(message)
        return number

    def _load_rollback(self, number: int) -> None:
        """The candidate becomes an earlier configuration, whose number is the same before and after."""
        known = self._history()
        self._load(element("load-configuration", rollback=str(number)))
        if self._history() != known:
            message = "somebody has committed meanwhile"
            raise CommitError(message)

    def _load(self, operation: etree._Element) -> None:
        """A call that changes the candidate. An empty answer is none."""
        if not len(self._ask(operation)):
            message = "load-configuration: the device does not say whether it has loaded it"
            raise RpcRefused((message,))

    def compare_config(self) -> str:
        """`show | compare`."""
        operation = element("get-configuration", compare="rollback", rollback="0", format="text")
        try:
            reply = self._ask(operation)
        except RpcRefused as error:
            raise CommandErrorException(str(error)) from None
        output = next(reply.iter("configuration-output"), None)
        if output is None:
            message = "get-configuration: the device sent no comparison"
            raise CommandErrorException(message)
        return (output.text or "").strip()

    def lock_config(self) -> None:
        """The exclusive lock. Junos refuses it to everybody while somebody has uncommitted changes."""
        if self.locked:
            return
        try:
            self._ask(element("lock-configuration"))
        except RpcRefused as error:
            message = str(error)
            if "modified" in message and (owners := self._editors()):
                message = f"{message} by {owners}: nobody has committed it"
            raise LockError(message) from None
        self.locked = True

    def unlock_config(self) -> None:
        """Give the lock back; the end of a session does it too."""
        if not self.locked:
            return
        self.locked = False
        if not self._is_lost:
            try:
                self._ask(element("unlock-configuration"))
            except RpcRefused as error:
                raise LockError(str(error)) from None

    _lock, _unlock = lock_config, unlock_config

    @contextmanager
    def _exclusively(self) -> Iterator[None]:
        """Under the lock, and without a change of somebody else in the candidate, which would be committed too."""
        if self.locked:
            message = "a candidate of this connection is open: commit or discard it first"
            raise CommitError(message)
        self.lock_config()
        if self.compare_config():  # it is not ours: it is neither committed nor dropped
            self.unlock_config()
            message = f"the shared candidate has changes of {self._editors() or 'somebody'} that nobody has committed"
            raise CommitError(message)
        try:
            yield
        finally:
            with suppress(CommandTimeoutException):
                self.discard_config()

    def commit_config(self, message: str = "", revert_in: int | None = None) -> None:
        """Commit the candidate, for good or with a timer in whole minutes, rounded up."""
        minutes = None if revert_in is None else whole_minutes(revert_in)
        self.lock_config()
        try:
            self._must_be_alone()
            self._commit(message, minutes)
        except CommitError:
            self.discard_config()
            raise
        self.unlock_config()

    def _must_be_alone(self) -> None:
        if (pending := self.get_pending_commit()) is not None:
            problem = f"another commit waits for its confirmation: {pending.change} of {pending.owner}"
            raise CommitError(problem)

    def _commit(self, message: str = "", minutes: int | None = None) -> None:
        """Commit, and look into the history whether it was done: a reply may be empty, or say less than happened."""
        timer = []
        if minutes is not None:
            timer = [element("confirmed"), element("confirm-timeout", text=str(minutes))]
        log = f"{self._change}: {message}" if message else self._change
        try:
            self._ask(element("commit-configuration", *timer, element("log", text=log)))
        except RpcRefused as error:
            raise CommitError(str(error)) from None
        newest = next(iter(self._history()), None)
        if newest is None or newest.change != self._change or newest.waits != (minutes is not None):
            problem = f"the device has not committed {self._change} as it was told"
            raise CommitError(problem)

    def _history(self) -> tuple[commits.Commit, ...]:
        try:
            return commits.history(self._ask(element("get-commit-information")))
        except RpcRefused as error:
            message = f"the history of commits cannot be read: {error}"
            raise CommitError(message) from None

    def get_pending_commit(self) -> PendingCommit | None:
        """The newest entry of the history, while its rollback is pending."""
        commit = commits.waiting(self._history())
        return None if commit is None else commits.pending(commit, self._now_s())

    def _now_s(self) -> float | None:
        """The device's clock, in seconds since the epoch."""
        return state.clock_s(self._ask(element("get-system-uptime-information")))

    def has_pending_commit(self) -> bool:
        """Whether a rollback is pending."""
        return self.get_pending_commit() is not None

    def confirm_commit(self) -> None:
        """Commit once more, with nothing in the candidate."""
        self._must_be_ours()
        with self._exclusively():
            self._must_be_ours()
            self._commit()
            if not commits.is_confirmed(self._history(), self._change):
                message = f"the timer of {self._change} fired before its confirmation"
                raise CommitConfirmException(message)

    def save_config(self) -> None:
        """Junos boots what was committed."""

    def rollback(self) -> None:
        """Commit what ran before the change that waits; else what ran before the last commit."""
        if self.has_pending_commit():
            self._must_be_ours()
        with self._exclusively():
            known = self._history()
            pending = commits.waiting(known)
            if pending is not None and pending.change != self._change:
                self._refuse(pending.change)
            number = commits.before_last(known, self._change)
            if number is None:  # Junos has gone back by itself
                return
            try:
                self._load_rollback(number)
            except RpcRefused as error:
                raise CommitError(str(error)) from None
            self._taken_back()

    def _taken_back(self) -> None:
        """Commit what `load rollback` has loaded, under a name that tells it from the change."""
        change, self._change = self._change, commits.name_of_return(self._change)
        try:
            self._commit()
        finally:
            self._change = change

    def _must_be_ours(self) -> None:
        pending = commits.waiting(self._history())
        if pending is None or pending.change != self._change:
            self._refuse(pending.change if pending else "")

    def _refuse(self, waits: str) -> None:
        message = f"{self._change} is not to be confirmed or taken back: {waits or 'no commit'} waits"
        raise CommitConfirmException(message)

    def discard_config(self) -> None:
        """`rollback 0` and unlock. Without the lock there is nothing of ours, and what others have typed stays."""
        if not self.locked or self._is_lost:
            return
        try:
            self._ask(element("load-configuration", rollback="0"))
        except RpcRefused as error:
            raise CommandErrorException(str(error)) from None
        finally:
            self.unlock_config()

    def get_open_candidates(self) -> tuple[OpenCandidate, ...]:
        """Uncommitted changes in the candidate that all share."""
        if self.locked or not self.compare_config():
            return ()
        return (OpenCandidate(change=SHARED, owner=self._editors()),)

    def _editors(self) -> str:
        """Who is in configuration mode on a terminal."""
        source = element("source", element("candidate"))
        wanted = element("filter", element("configuration", element("version")), type="subtree")
        try:
            reply = self._ask(element("get-config", source, wanted))
        except (
            RpcRefused
        ):  # the names of editors are for people; without them, the change is told all the same
            return ""
        users = (text_of(row, "user") for row in reply.iter("database-status") if text_of(row, "terminal"))
        return ", ".join(dict.fromkeys(users))

    def drop_candidate(self, change: str) -> None:
        """`rollback 0` of the candidate that all share."""
        if change not in {candidate.change for candidate in self.get_open_candidates()}:
            message = f"no candidate {change} is open"
            raise CommitError(message)
        try:
            self._ask(element("load-configuration", rollback="0"))
        except RpcRefused as error:
            raise CommitError(str(error)) from None


def whole_minutes(seconds: int) -> int:
    """Minutes of a timer, rounded up. Zero would be a commit for good: PyEZ leaves a false `confirm` out."""
    if seconds < 1 or seconds > TIMER.longest_s:
        message = f"a timer of {seconds} s: Junos takes 1 s to {TIMER.longest_s} s, in whole minutes"
        raise CommitConfirmException(message)
    return math.ceil(seconds / TIMER.step_s)


__all__ = ["JunosDriver", "driver_options"]
