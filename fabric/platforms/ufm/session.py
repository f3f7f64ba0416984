"""A NAPALM-shaped driver of UFM: its configuration is its partitions, written member by member over REST.

UFM has no candidate, no commit and no timer. A commit is a series of requests; when one is refused, what was there
before is put back. While a failover is under way the driver waits, reads anew what the new master has, and goes on
from there. What was there before a commit, and whether it is confirmed, only the driver that made it knows:
`fabric` keeps the text itself (`Platform.reverts`) and writes it again.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from fabric.configuration import compare
from fabric.platforms.base import PART, Target, Trust, split_parts
from fabric.platforms.device_state import PendingCommit
from fabric.platforms.manager_state import WithoutRouting, manager_facts
from fabric.platforms.ufm.dialect import DIALECT
from fabric.platforms.ufm.model import Pkey
from fabric.platforms.ufm.moves import Move, giving, nameless, taking
from fabric.platforms.ufm.names import PKEYS
from fabric.platforms.ufm.pkeys import printed
from fabric.platforms.ufm.read import parse
from fabric.platforms.ufm.rest import Away, Rest, UfmError
from fabric.platforms.ufm.running import Node, partitions

HTTPS_PORT = 443
FAILOVERS = 3
"""How many are waited for in one commit."""
POLL_S = 0.5

Partitions = dict[str, Pkey]


def driver_options(target: Target) -> dict[str, Any]:
    """The port, whose certificates are trusted beside the system's, and the name that the certificate is for."""
    return {"port": target.port or HTTPS_PORT, "trust": target.trust}


class UfmDriver(WithoutRouting):
    """One UFM, or the shared address of a pair."""

    def __init__(
        self,
        hostname: str,
        username: str,
        password: str,
        timeout: int = 60,
        optional_args: dict[str, Any] | None = None,
    ) -> None:
        options = optional_args or {}
        self._at = (hostname, int(options.get("port") or HTTPS_PORT))
        self._timeout_s = timeout
        self._rest = Rest(
            *self._at,
            username=username,
            password=password,
            trust=options.get("trust", Trust()),
            timeout_s=timeout,
        )
        self._candidate: Partitions | None = None
        self._before: Partitions | None = None
        """What UFM had before the last commit of this driver."""
        self._waiting: str | None = None
        """Name of the commit that waits for its confirmation."""
        self._change = ""
        self._node: Node | None = None

    def __repr__(self) -> str:
        return f"UfmDriver({self._at[0]}:{self._at[1]})"

    def open(self) -> None:
        """Find out who answers. `UfmError` if it is the standby of a pair, or no UFM."""
        self._node = Node(self._rest, self._at[0])

    def close(self) -> None:
        """Hang up. A commit that waits stays as it is."""
        self._rest.close()

    def __del__(self) -> None:
        """Collected without `close`, in whichever thread: the manager is asked nothing, as NAPALM would do."""
        if (client := self.__dict__.get("_rest")) is not None:
            client.close()

    def is_alive(self) -> dict[str, bool]:
        """Whether UFM answers."""
        try:
            self._rest.get("/app/ufm_version")
        except UfmError:
            return {"is_alive": False}
        return {"is_alive": True}

    def get_config(self, retrieve: str = "running") -> dict[str, str]:
        """The partitions that UFM has, and those of the candidate."""
        texts = {"running": "", "candidate": "", "startup": ""}
        if retrieve in ("running", "all"):
            texts["running"] = _text(partitions(self._rest))
        if retrieve in ("candidate", "all") and self._candidate is not None:
            texts["candidate"] = _text(self._candidate)
        return texts

    def name_change(self, change: str) -> None:
        """UFM has no name for a change: this driver keeps it."""
        self._change = change

    def load_before(self, change: str) -> None:
        """UFM does not keep what was there before: `Platform.reverts`."""
        raise UfmError(f"UFM does not keep what was there before {change}")

    def load_replace_candidate(self, filename: str | None = None, config: str | None = None) -> None:
        """Partitions that shall be all there are. `UfmError` if a line is not ours: nothing is sent then.

        Of the other files of the text nothing is kept, since they hold secrets and REST cannot write them. A text
        without any file is that of the partitions.
        """
        text = config if config is not None else Path(str(filename)).read_text()
        reading = parse(f"{PART}{PKEYS}\n{split_parts(text).get(PKEYS, text)}")
        if reading.unread:
            number = reading.unread[0][0] - 1
            raise UfmError(f"line {number} of {PKEYS} is not a request about partitions, so nothing was sent")
        self._candidate = {partition.pkey: partition for partition in reading.config.pkeys}

    def compare_config(self) -> str:
        """What would change, as a unified diff; the order of partitions and their names say nothing."""
        if self._candidate is None:
            return ""
        old, new = (_text(state) for state in (partitions(self._rest), self._candidate))
        return compare(DIALECT, self._at[0], old, new, labels=("running", "candidate")).diff

    def commit_config(self, message: str = "", revert_in: int | None = None) -> None:
        """Make the candidate true, or put back what was there. `UfmError` if it did not come to be.

        With `revert_in` it waits for its confirmation; UFM keeps no timer, so that only `rollback` of this driver
        takes it back.
        """
        del message  # UFM has no log of changes that would take one
        if self._candidate is None:
            raise UfmError("there is no candidate to commit")
        candidate, self._candidate = self._candidate, None
        self._before = before = partitions(self._rest)
        try:
            self._make(candidate)
        except UfmError as problem:
            self._put_back(before, problem)
            raise
        self._waiting = None if revert_in is None else self._change

    def confirm_commit(self) -> None:
        """The last commit stays."""
        self._waiting = None

    def get_pending_commit(self) -> PendingCommit | None:
        """The commit of this driver that waits; UFM itself keeps none."""
        return None if self._waiting is None else PendingCommit(change=self._waiting)

    def has_pending_commit(self) -> bool:
        """Whether a commit of this driver waits."""
        return self._waiting is not None

    def discard_config(self) -> None:
        """Forget the candidate: nothing of it was sent."""
        self._candidate = None

    def rollback(self) -> None:
        """Back to what UFM had before the last commit of this driver. `UfmError` if there was none."""
        if self._before is None:
            raise UfmError(
                "this connection has committed nothing, and UFM does not keep what was there before"
            )
        self._make(self._before)
        self._before = self._waiting = None

    def get_facts(self) -> dict[str, Any]:
        """NAPALM's facts, as far as UFM tells them."""
        release = self._node.release if self._node else ""
        return manager_facts(self._at[0], "NVIDIA", "UFM Enterprise", release)

    def _make(self, candidate: Partitions) -> None:
        """Request by request until UFM has what is wanted, and says so. After a failover from what is there then."""
        for attempt in range(FAILOVERS + 1):
            try:
                self._send(taking(partitions(self._rest), candidate))
                self._send(giving(partitions(self._rest), candidate))
                self._read_back(candidate)
            except Away:
                if attempt == FAILOVERS:
                    raise
                self._wait()
            else:
                return

    def _send(self, moves: Iterable[Move]) -> None:
        for move in moves:
            self._rest.call(move.method, move.path, move.body)

    def _read_back(self, candidate: Partitions) -> None:
        actual, meant = nameless(partitions(self._rest)), nameless(candidate)
        wrong = sorted(key for key in {*actual, *meant} if actual.get(key) != meant.get(key))
        if wrong:
            raise UfmError(f"UFM has not taken {', '.join(wrong)} as they were sent")

    def _wait(self) -> None:
        """Until a UFM answers again that is not the standby."""
        last = time.monotonic() + self._timeout_s
        while True:
            self._rest.close()
            try:
                self.open()
            except Away:
                if time.monotonic() > last:
                    raise
                time.sleep(POLL_S)
            else:
                return

    def _put_back(self, before: Partitions, problem: UfmError) -> None:
        try:
            self._make(before)
        except UfmError as error:
            raise UfmError(f"{problem}; and what was there before could not be put back: {error}") from None


def _text(pkeys: Partitions) -> str:
    return printed(sorted(pkeys.values(), key=lambda partition: int(partition.pkey, 16)))
