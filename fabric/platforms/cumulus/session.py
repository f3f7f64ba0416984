"""A NAPALM driver for Cumulus Linux over NVUE's REST API, with what a change of a live fabric needs beside NAPALM's.

Each candidate is a revision of its own, made from what runs, so that nobody is locked out and nobody can be; right
before it is applied, the driver looks once more whether something else runs than when it was locked.
"""

from __future__ import annotations

import re
from secrets import token_hex
from typing import Any

from napalm.base.base import NetworkDriver
from napalm.base.exceptions import (
    CommandErrorException,
    CommitConfirmException,
    CommitError,
    ConnectionException,
)

from fabric.platforms.base import Target
from fabric.platforms.cumulus import session_queues
from fabric.platforms.cumulus.capabilities import TIMER
from fabric.platforms.cumulus.session_candidates import RUNNING, Candidates
from fabric.platforms.cumulus.session_documents import Tree, text_of
from fabric.platforms.cumulus.session_rest import PORT, Rest
from fabric.platforms.cumulus.session_revisions import (
    REJECTED,
    RUNS,
    SAVED,
    SUPERSEDED,
    WAITS,
    Note,
    Revisions,
)
from fabric.platforms.cumulus.session_state import Getters, uptime_s
from fabric.platforms.device_state import PendingCommit, PortQueues
from fabric.platforms.trust import Trust

NAME = re.compile(r"[A-Za-z0-9._-]{1,63}")
STARTUP = "startup"


def driver_options(target: Target) -> dict[str, Any]:
    """`optional_args` of the driver: the port, and how the switch is told from others."""
    return {"port": target.port or PORT, "trust": target.trust}


class CumulusDriver(Candidates, Getters, NetworkDriver):  # type: ignore[misc]  # NAPALM has no types
    """One switch over NVUE's REST API. `optional_args`: `port`, and `trust`, a `Trust`."""

    queue_reports = session_queues.REPORTS

    def __init__(
        self,
        hostname: str,
        username: str,
        password: str,
        timeout: int = 60,
        optional_args: dict[str, Any] | None = None,
    ) -> None:
        options = optional_args or {}
        self.hostname, self.username, self.password, self.timeout = hostname, username, password, timeout
        port, trust = int(options.get("port") or PORT), options.get("trust", Trust())
        self.rest = Rest(hostname, port, (username, password), trust, timeout)
        self.revisions = Revisions(self.rest, timeout)
        self._change = f"napalm-{token_hex(8)}"
        self._locked: Tree | None = None
        """What ran when it was locked; None: it was not."""

    def get_port_queues(self) -> dict[str, PortQueues]:
        """Of the front panel."""
        parts = [f"/*/qos/{part}" for part in session_queues.PARTS]
        return session_queues.port_queues(self._optional("interface", include=parts))

    def open(self) -> None:
        """Connect, log in, and see that NVUE answers."""
        try:
            system = self.rest.get("system")
        except BaseException:
            self.rest.close()
            raise
        if not system:
            self.rest.close()
            message = f"{self.hostname} answers, but not as NVUE does"
            raise ConnectionException(message)

    def close(self) -> None:
        """Delete the candidate and hang up. A commit that waits is left alone."""
        try:
            self.discard_config()
        except (CommandErrorException, ConnectionException):
            pass  # what is left has our name: the next connection drops it
        finally:
            self._locked = None
            self.rest.close()

    def __del__(self) -> None:
        """Collected without `close`, in whichever thread: the switch is asked nothing, as NAPALM would do."""
        if (client := self.__dict__.get("rest")) is not None:
            client.close()

    def is_alive(self) -> dict[str, bool]:
        """Whether it answers."""
        try:
            self.rest.get("system")
        except ConnectionException:
            return {"is_alive": False}
        return {"is_alive": True}

    def name_change(self, change: str) -> None:
        """The candidate and the commit of this connection carry this name on the switch from now on."""
        if not NAME.fullmatch(change):
            message = (
                f"{change[:80]!r} is not a name of a change: write 1 to 63 letters, digits, `.`, `_`, `-`"
            )
            raise CommitError(message)
        self._change = change

    def get_config(
        self,
        retrieve: str = "running",
        full: bool = False,  # noqa: FBT001, FBT002, ARG002  # NAPALM's signature
        sanitized: bool = False,  # noqa: FBT001, FBT002, ARG002
        format: str = "text",  # noqa: A002, ARG002
    ) -> dict[str, str]:
        """Configurations as files of NVUE, secrets as `*`."""
        config = {"running": "", "startup": "", "candidate": ""}
        revisions = {"running": RUNNING, "startup": STARTUP, "candidate": self._candidate}
        for name, revision in revisions.items():
            if retrieve in (name, "all") and revision:
                config[name] = text_of(self._tree(revision))
        return config

    def lock_config(self) -> None:
        """Note what runs, for a last look before the commit: NVUE has no lock."""
        self._locked = self._tree(RUNNING)

    def unlock_config(self) -> None:
        """Nothing was locked."""
        self._locked = None

    def commit_config(self, message: str = "", revert_in: int | None = None) -> None:  # noqa: ARG002
        """Run the candidate. The time to confirm it is rounded up to whole minutes."""
        if not self._candidate:
            problem = "nothing is loaded"
            raise CommitError(problem)
        timer_s = None if revert_in is None else -(-revert_in // TIMER.step_s) * TIMER.step_s
        if timer_s is not None and not TIMER.shortest_s <= timer_s <= TIMER.longest_s:
            problem = f"a timer of {revert_in} s: it may be {TIMER.shortest_s} to {TIMER.longest_s} s"
            raise CommitConfirmException(problem)
        if (waiting := self.get_pending_commit()) is not None:
            problem = f"another commit waits for its confirmation: {waiting.change}"
            raise CommitError(problem)
        if not self.compare_config():
            problem = "the candidate is what runs already"
            raise CommitError(problem)
        try:
            self._commit(timer_s)
        except CommandErrorException as error:
            raise CommitError(str(error)) from None

    def _commit(self, timer_s: int | None) -> None:
        up_s, candidate = uptime_s(self.rest.get("system")), self._candidate
        until = None if timer_s is None or up_s is None else int(up_s) + timer_s
        self.make_room()
        copy = self.revisions.note(self._change, "commit", candidate, until)
        if self._copy:
            self.revisions.delete(self._copy)
        else:
            self.revisions.restore(candidate)
        self._candidate = self._copy = ""  # from here on it is no candidate that `close` deletes
        try:
            self._must_run_as_locked()
            state = self.revisions.apply(candidate, timer_s)
        except CommitError:
            self._forget(candidate, copy)
            raise
        if timer_s is None:
            if state not in SAVED:
                self.save_config()
            return
        if state != WAITS:
            problem = f"{self._change} runs ({state}), but the switch does not wait for its confirmation"
            raise CommitError(problem)
        self._must_not_be_saved(candidate)

    def _must_run_as_locked(self) -> None:
        """The last request before the one that changes the switch."""
        if self._locked is not None and self._locked != self._tree(RUNNING):
            problem = "somebody has changed the configuration meanwhile"
            raise CommitError(problem)

    def _forget(self, *numbers: str) -> None:
        """Delete revisions of a commit that the switch has refused."""
        for revision in numbers:
            try:
                self.revisions.delete(revision)
            except CommandErrorException:  # a refused revision may be kept as history
                continue

    def _must_not_be_saved(self, candidate: str) -> None:
        """What waits must not be what a restart brings: then it goes back at once."""
        if not self.revisions.difference(STARTUP, candidate) and not self.revisions.difference(
            candidate, STARTUP
        ):
            self.revisions.answer(candidate, "confirm_no")
            problem = f"the switch saved {self._change} before it was confirmed: it was taken back"
            raise CommitError(problem)

    def get_pending_commit(self) -> PendingCommit | None:
        """The revision whose state is `confirm`."""
        states = self.revisions.states()
        revision = next((known for known, state in states.items() if state == WAITS), None)
        if revision is None:
            return None
        note = self._note_of(revision, states)
        if note is None:
            return PendingCommit(change=f"revision {revision}")
        up_s = uptime_s(self.rest.get("system")) if note.until_s is not None else None
        left_s = None if up_s is None or note.until_s is None else max(0.0, note.until_s - up_s)
        return PendingCommit(change=note.change, left_s=left_s)

    def has_pending_commit(self) -> bool:
        """Whether there is one."""
        return self.get_pending_commit() is not None

    def confirm_commit(self) -> None:
        """Stop the timer, see that it was in time, then write the startup configuration."""
        revision = self._waiting_revision("confirmed")
        state = self.revisions.answer(revision, "confirm_yes")
        if state not in RUNS | {SUPERSEDED}:  # somebody's revision, which stood behind ours, may run by now
            message = f"{self._change} was confirmed, but its revision is {state!r}"
            raise CommitError(message)
        if state not in SAVED:
            self.save_config()

    def save_config(self) -> None:
        """Write the startup configuration."""
        self.revisions.move(RUNNING, "save")

    def rollback(self) -> None:
        """Reject the commit that waits; else go back to what ran before our last commit."""
        if self.has_pending_commit():
            state = self.revisions.answer(self._waiting_revision("taken back"), "confirm_no")
            if state != REJECTED:
                message = f"{self._change} was rejected, but its revision is {state!r}"
                raise CommitError(message)
            return
        notes = [note for note in self.revisions.notes(self.revisions.states()) if note.is_commit]
        if not notes:
            message = "no earlier configuration of ours is on the switch"
            raise CommitError(message)
        self.revisions.restore(notes[-1].copy)
        if self.revisions.apply(notes[-1].copy, None) not in SAVED:
            self.save_config()

    def _note_of(self, revision: str, states: dict[str, str]) -> Note | None:
        notes = self.revisions.notes(states)
        return next((note for note in notes if note.is_commit and note.number == revision), None)

    def _waiting_revision(self, verb: str) -> str:
        """Number of the revision that waits, if it is that of our change."""
        states = self.revisions.states()
        revision = next((known for known, state in states.items() if state == WAITS), "")
        note = self._note_of(revision, states) if revision else None
        if note is None or note.change != self._change:
            waits = (
                f"{note.change if note else f'revision {revision}'} waits" if revision else "no commit waits"
            )
            message = f"{self._change} is not {verb}: {waits}"
            raise CommitError(message)
        return revision
