"""A NAPALM driver for Nokia SR Linux over JSON-RPC, with what a change of a live fabric needs beside NAPALM's calls.

Why it does not subclass `napalm-srlinux` 0.3.1: its transport knows no fingerprint and no other name of a certificate,
its checkpoints have random names that only one object knows and that nobody removes, its `confirm_commit` and
`rollback` accept and reject anybody's commit, `open` lets a wrong password pass, a plain commit on a device with
`commit-confirmed-timeout` is taken back, and accepted prefixes are its best ones. That is all of the transport and of
the configuration calls; what would remain are getters that nothing here asks for, and a second HTTP library.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from secrets import token_hex
from typing import Any

from napalm.base.base import NetworkDriver
from napalm.base.exceptions import (
    CommandErrorException,
    CommitConfirmException,
    CommitError,
    ConnectionException,
    ReplaceConfigException,
    SessionLockedException,
)

from fabric.configuration import Unreadable
from fabric.platforms.base import Target
from fabric.platforms.device_state import OpenCandidate, PendingCommit, PortQueues
from fabric.platforms.srlinux import session_queues
from fabric.platforms.srlinux.capabilities import CONFIRMED_FROM, TIMER
from fabric.platforms.srlinux.documents import load
from fabric.platforms.srlinux.session_commits import (
    TAKEN_BACK,
    UNCONFIRMED,
    Candidate,
    Checkpoints,
    Earlier,
    Whole,
    open_candidates,
    pending,
    secrets_of,
)
from fabric.platforms.srlinux.session_rpc import PORT, JsonRpc
from fabric.platforms.srlinux.session_state import Getters, moment, plain, rows
from fabric.platforms.trust import Trust

NAME = re.compile(r"[A-Za-z][A-Za-z0-9._-]{0,62}")
"""Of a change: SR Linux refuses a checkpoint whose name begins with a digit (`srl_nokia-common`, checkpoint-name)."""
RELEASE = re.compile(r"v?([0-9]+)\.([0-9]+)(?:\.([0-9]+))?")
CONFIGURATION = "/system/configuration"
COMMITS, CLOCK = f"{CONFIGURATION}/commit[id=*]", "/system/information/current-datetime"


def driver_options(target: Target) -> dict[str, Any]:
    """`optional_args` of the driver: the port, and how the switch is told from others."""
    return {"port": target.port or PORT, "trust": target.trust}


class SrlinuxDriver(Getters, NetworkDriver):  # type: ignore[misc]  # NAPALM has no types
    """One switch over JSON-RPC. `optional_args`: `port`, and `trust`, a `Trust`."""

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
        self.rpc = JsonRpc(hostname, port, (username, password), trust, timeout)
        self._change = f"napalm-{token_hex(8)}"
        self._candidate: Candidate | None = None
        self._locked: object = None
        """What ran when it was locked; None: it was not."""

    def open(self) -> None:
        """Connect, log in, and refuse a release that cannot take a commit back by itself."""
        (version,) = self.rpc.get("/system/information/version")
        match = RELEASE.match(str(version))
        release = tuple(int(part or 0) for part in match.groups()) if match else ()
        if release < CONFIRMED_FROM:
            oldest = ".".join(map(str, CONFIRMED_FROM))
            message = f"{self.hostname} runs SR Linux {str(version)[:40]!r}: confirmed commits need {oldest}"
            self.rpc.close()
            raise ConnectionException(message)

    def close(self) -> None:
        """Forget the candidate and hang up. The device holds nothing of it; a commit that waits is left alone."""
        self._candidate = self._locked = None
        self.rpc.close()

    def __del__(self) -> None:
        """Collected without `close`, in whichever thread: the switch is asked nothing, as NAPALM would do."""
        if (client := self.__dict__.get("rpc")) is not None:
            client.close()

    def is_alive(self) -> dict[str, bool]:
        """Whether it answers."""
        try:
            self.rpc.get(CLOCK)
        except ConnectionException:
            return {"is_alive": False}
        return {"is_alive": True}

    def name_change(self, change: str) -> None:
        """The name of the checkpoint before the commit, and of candidates of the command line."""
        if not NAME.fullmatch(change):
            message = (
                f"{change[:80]!r} is not a name: a letter, then at most 62 letters, digits, `.`, `_`, `-`"
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
        """The running configuration as JSON. JSON-RPC gives neither the startup configuration nor a candidate."""
        config = {"running": "", "startup": "", "candidate": ""}
        if retrieve in ("running", "all"):
            # The order of keys says nothing; whether the same runs is told by the text.
            config["running"] = json.dumps(self._running(), indent=1, sort_keys=True)
        return config

    def load_replace_candidate(self, filename: str | None = None, config: str | None = None) -> None:
        """Have the device check a whole configuration, and keep it here."""
        self._candidate = None
        text = Path(filename).read_text(encoding="utf-8") if filename else config or ""
        try:
            candidate = Whole(load(text))
        except Unreadable as error:
            raise ReplaceConfigException(str(error)) from None
        if not candidate.tree:
            message = "an empty configuration would cut off the device"
            raise ReplaceConfigException(message)
        self.rpc.secrets = frozenset(secrets_of(candidate.tree))
        try:
            candidate.validate(self.rpc)
        except CommandErrorException as error:
            raise ReplaceConfigException(str(error)) from None
        self._candidate = candidate

    def load_before(self, change: str) -> None:
        """The checkpoint that was taken before the commit of that name."""
        self._candidate = None
        known = {checkpoint.name for checkpoint in self._checkpoints().own}
        if change not in known:
            message = f"what ran before {change} is not on the device any more"
            raise CommitError(message)
        self._candidate = Earlier(change, self._change)

    def compare_config(self) -> str:
        """The device's own diff."""
        return "" if self._candidate is None else self._candidate.diff(self.rpc)

    def lock_config(self) -> None:
        """Refuse if somebody has the configuration for himself; note what runs, for a last look before the commit."""
        (answer,) = self.rpc.get(f"{CONFIGURATION}/session[id=*]")
        holders = [row for row in rows(plain(answer), "session") if row.get("exclusive") in (True, "true")]
        if holders:
            who = ", ".join(
                f"{row.get('username') or 'nobody known'} since {row.get('started')}" for row in holders
            )
            message = f"the configuration is held exclusively: {who}"
            raise SessionLockedException(message)
        self._locked = self._running()

    def unlock_config(self) -> None:
        """Nothing was locked."""
        self._locked = None

    def commit_config(self, message: str = "", revert_in: int | None = None) -> None:
        """Take a checkpoint of what runs, then commit everything at once."""
        candidate = self._candidate
        if candidate is None:
            problem = "nothing is loaded"
            raise CommitError(problem)
        if revert_in is not None and not TIMER.shortest_s <= revert_in <= TIMER.longest_s:
            problem = f"a timer of {revert_in} s: SR Linux takes {TIMER.shortest_s} to {TIMER.longest_s}"
            raise CommitConfirmException(problem)
        if (waiting := self.get_pending_commit()) is not None:
            problem = f"another commit waits for its confirmation: {waiting.change}"
            raise CommitError(problem)
        self._commit(candidate, message, revert_in)

    def _commit(self, candidate: Candidate, message: str, revert_in: int | None) -> None:
        checkpoints = self._checkpoints()
        spared = candidate.checkpoint if isinstance(candidate, Earlier) else ""
        checkpoints.take(self._change, revert_in, message, spared=spared)
        try:
            self._must_run_as_locked()
            candidate.commit(self.rpc, revert_in)
        except (CommandErrorException, CommitError) as error:
            checkpoints.remove(self._change)
            raise CommitError(str(error)) from None
        self._candidate = None
        if revert_in is None:
            self._keep_if_armed()
            self.save_config()

    def _must_run_as_locked(self) -> None:
        """The last request before the one that changes the device."""
        if self._locked is not None and self._locked != self._running():
            problem = "somebody has changed the configuration meanwhile"
            raise CommitError(problem)

    def _keep_if_armed(self) -> None:
        """`json-rpc-server commit-confirmed-timeout` has every commit wait, also one that is to stay."""
        waiting = self.get_pending_commit()
        if waiting is not None and waiting.change == self._change:
            self.rpc.tools(f"{CONFIGURATION}/confirmed-accept")

    def get_pending_commit(self) -> PendingCommit | None:
        """The commit whose state is `unconfirmed`."""
        paths = (COMMITS, f"{CONFIGURATION}/checkpoint[id=*]", CLOCK)
        commits, checkpoints, clock = map(plain, self.rpc.get(*paths))
        return pending(rows(commits, "commit"), rows(checkpoints, "checkpoint"), moment(clock))

    def has_pending_commit(self) -> bool:
        """Whether there is one."""
        return self.get_pending_commit() is not None

    def confirm_commit(self) -> None:
        """Stop the timer, see that it was in time, then write the startup configuration."""
        number = self._waiting_number()
        self._must_be_ours("confirmed")
        try:
            self.rpc.tools(f"{CONFIGURATION}/confirmed-accept")
        except CommandErrorException as error:
            raise CommitError(str(error)) from None
        (answer,) = self.rpc.get(COMMITS)
        states = {row.get("id"): row.get("status") for row in rows(plain(answer), "commit")}
        if states.get(number) in {UNCONFIRMED, *TAKEN_BACK}:
            message = f"{self._change} was accepted, but its commit is {states[number]}"
            raise CommitError(message)
        self.save_config()
        self._drop_own_candidate()

    def save_config(self) -> None:
        """Write the startup configuration."""
        self.rpc.tools(f"{CONFIGURATION}/save")

    def rollback(self) -> None:
        """Reject the commit that waits; else go back to what ran before our last commit."""
        if self.has_pending_commit():
            self._must_be_ours("taken back")
            try:
                self.rpc.tools(f"{CONFIGURATION}/confirmed-reject")
            except CommandErrorException as error:
                raise CommitError(str(error)) from None
            self._drop_own_candidate()
            return
        last = next(reversed(self._checkpoints().own), None)
        if last is None:
            message = "no earlier configuration of ours is on the device"
            raise CommitError(message)
        self.rpc.tools(f"{CONFIGURATION}/checkpoint[id={last.name}]/revert")
        self.save_config()

    def discard_config(self) -> None:
        """Forget the candidate: nothing of it is on the device."""
        self._candidate = None

    def get_open_candidates(self) -> tuple[OpenCandidate, ...]:
        """Candidates of the command line and of NETCONF. That of a commit that waits is none any more."""
        candidates, clock = map(plain, self.rpc.get(f"{CONFIGURATION}/candidate[name=*]", CLOCK))
        known = open_candidates(rows(candidates, "candidate"), moment(clock))
        waiting = self.get_pending_commit() if known else None
        return tuple(each for each in known if waiting is None or each.change != waiting.change)

    def drop_candidate(self, change: str) -> None:
        """Clear an open candidate; whoever is in it is put out."""
        if change not in {each.change for each in self.get_open_candidates()} or "]" in change:
            message = f"no candidate {change[:80]!r} is open"
            raise CommitError(message)
        self.rpc.tools(f"{CONFIGURATION}/candidate[name={change}]/clear")

    def _drop_own_candidate(self) -> None:
        """What a commit from a checkpoint has left open."""
        if any(each.change == self._change for each in self.get_open_candidates()):
            self.drop_candidate(self._change)

    def _must_be_ours(self, verb: str) -> None:
        waiting = self.get_pending_commit()
        if waiting is None or waiting.change != self._change:
            waits = f"{waiting.change} waits" if waiting else "no commit waits"
            message = f"{self._change} is not {verb}: {waits}"
            raise CommitError(message)

    def _waiting_number(self) -> object:
        (answer,) = self.rpc.get(COMMITS)
        commits = rows(plain(answer), "commit")
        return next((row.get("id") for row in commits if row.get("status") == UNCONFIRMED), None)

    def get_port_queues(self) -> dict[str, PortQueues]:
        """Of the state below `/qos`."""
        queues, interfaces = map(self._optional, ("/qos/queues", "/qos/interfaces/interface[interface-id=*]"))
        return session_queues.port_queues(queues, interfaces)

    def _checkpoints(self) -> Checkpoints:
        return Checkpoints(self.rpc)

    def _running(self) -> Any:
        (running,) = self.rpc.get("/", datastore="running")
        return running
