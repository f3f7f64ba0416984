"""What a device keeps of commits: which one waits, which checkpoints are ours, and what will be committed.

Before each commit the driver takes a checkpoint under the name of the change, since a commit over JSON-RPC has no
name: its comment says how long the commit will wait. A commit that waits is ours if such a checkpoint of the same user
was taken shortly before it began, and no other commit began between the two. Every other doubt makes it somebody's.

A device keeps `max-checkpoints` (10 unless configured); what it does with one more is not documented, so that room is
made first, by removing the oldest of ours, and never one of anybody else.

JSON-RPC has no candidate that outlives a request: a configuration is kept here, and given to the device whole for its
check, its diff and its commit. A checkpoint can be loaded by the command line only, in a candidate of our name.

Source of the leaves: nokia/srlinux-yang-models v25.3.1, `srl_nokia-configuration`, `srl_nokia-tools-configuration`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from napalm.base.exceptions import CommandErrorException, CommitError

from fabric.platforms.device_state import OpenCandidate, PendingCommit
from fabric.platforms.srlinux.documents import SECRETS
from fabric.platforms.srlinux.names import bare
from fabric.platforms.srlinux.session_rpc import JsonRpc, text_of
from fabric.platforms.srlinux.session_state import moment, number, plain, rows

Row = Mapping[str, Any]
LONGEST_GAP_S = 300.0
"""Between a checkpoint and its commit there is one request: the device may validate for a while."""
NOTE = "before a commit"
COMMENT = re.compile(rf"{NOTE}(?: with confirm-timeout ([0-9]{{1,6}}))?(?:: .*)?", re.DOTALL)
UNCONFIRMED = "unconfirmed"
TAKEN_BACK = frozenset({"reverting", "failed"})


class Checkpoint(NamedTuple):
    """A checkpoint of ours."""

    name: str
    username: str
    created: datetime
    timeout_s: int | None
    """How long the commit behind it waits; None: it was to stay."""


def comment(revert_in_s: int | None, message: str) -> str:
    """Of the checkpoint before a commit."""
    timer = "" if revert_in_s is None else f" with confirm-timeout {revert_in_s}"
    return f"{NOTE}{timer}" + (f": {message}" if message else "")


def own_checkpoints(rows: Iterable[Row]) -> list[Checkpoint]:
    """Those that this driver has taken, the oldest first."""
    own = []
    for row in rows:
        match, created = COMMENT.fullmatch(str(row.get("comment", ""))), moment(row.get("created"))
        if match and created and row.get("name"):
            timeout_s = int(match[1]) if match[1] else None
            own.append(Checkpoint(str(row["name"]), str(row.get("username", "")), created, timeout_s))
    return sorted(own, key=lambda checkpoint: checkpoint.created)


def pending(commits: Sequence[Row], checkpoints: Iterable[Row], now: datetime | None) -> PendingCommit | None:
    """The commit that waits for its confirmation."""
    waiting = next((row for row in commits if row.get("status") == UNCONFIRMED), None)
    if waiting is None:
        return None
    owner, started = str(waiting.get("username", "")), moment(waiting.get("started"))
    ours = _checkpoint_of(waiting, commits, own_checkpoints(checkpoints))
    if ours is None:
        words = (waiting.get(leaf) for leaf in ("persist-id", "comment"))
        name = next((str(word) for word in words if word), f"commit {waiting.get('id', '?')}")
        return PendingCommit(change=name, owner=owner)
    left = None
    if ours.timeout_s is not None and started and now:
        left = max(0.0, ours.timeout_s - (now - started).total_seconds())
    return PendingCommit(change=ours.name, owner=owner, left_s=left)


def _checkpoint_of(waiting: Row, commits: Iterable[Row], own: Sequence[Checkpoint]) -> Checkpoint | None:
    """The checkpoint that was taken for a commit: by the name of its candidate, or by time and user."""
    named = next((known for known in own if known.name == waiting.get("name")), None)
    started = moment(waiting.get("started"))
    if named is not None or started is None:
        return named
    before = [known for known in own if known.created <= started]
    if not before or before[-1].username != str(waiting.get("username", "")):
        return None
    last = before[-1]
    others = (moment(row.get("started")) for row in commits if row.get("id") != waiting.get("id"))
    between = any(other is not None and last.created <= other <= started for other in others)
    is_close = (started - last.created).total_seconds() <= LONGEST_GAP_S
    return last if is_close and not between else None


def open_candidates(rows: Iterable[Row], now: datetime | None) -> list[OpenCandidate]:
    """Candidates of the command line and of NETCONF, by name."""
    return [
        OpenCandidate(
            change=str(row["name"]),
            owner=str(row.get("username", "")),
            since_s=max(0.0, (now - began).total_seconds())
            if now and (began := moment(row.get("started")))
            else None,
        )
        for row in rows
        if row.get("name")
    ]


CONFIGURATION = "/system/configuration"
ROOM = 10
"""Default of `max-checkpoints` (`srl_nokia-configuration`)."""
KEPT = 5
"""So many of ours stay."""


class Checkpoints:
    """Those on one device, as they are now."""

    def __init__(self, rpc: JsonRpc) -> None:
        self._rpc = rpc
        room, answer = rpc.get(f"{CONFIGURATION}/max-checkpoints", f"{CONFIGURATION}/checkpoint[id=*]")
        self._room: int = number(room) or ROOM
        self._rows: list[dict[str, Any]] = rows(plain(answer), "checkpoint")

    @property
    def own(self) -> list[Checkpoint]:
        """The oldest first."""
        return own_checkpoints(self._rows)

    def take(self, name: str, revert_in_s: int | None, message: str, *, spared: str = "") -> None:
        """Keep what runs under a name, at the cost of our oldest but `spared`. `CommitError` without room."""
        if name in {str(row.get("name")) for row in self._rows}:
            problem = f"a checkpoint {name} is on the device already: an earlier commit had this name"
            raise CommitError(problem)
        own = [checkpoint.name for checkpoint in self.own if checkpoint.name != spared]
        others = len(self._rows) - len(own)
        keep = min(KEPT, self._room - others) - 1
        if keep < 0:
            problem = (
                f"{others} checkpoints of others leave no room for one: the device keeps {self._room} "
                "(`system configuration max-checkpoints`)"
            )
            raise CommitError(problem)
        for old in own[: max(0, len(own) - keep)]:
            self.remove(old)
        value = {"name": name, "comment": comment(revert_in_s, message)}
        try:
            self._rpc.tools(f"{CONFIGURATION}/generate-checkpoint", value)
        except CommandErrorException as error:
            problem = f"what runs now could not be kept: {error}"
            raise CommitError(problem) from None

    def remove(self, name: str) -> None:
        """Clear one of ours, if the device still has it."""
        try:
            self._rpc.tools(f"{CONFIGURATION}/checkpoint[id={name}]/clear")
        except CommandErrorException:  # it is gone
            return


SHORTEST_SECRET = 4
"""Letters: what is shorter stands in many words by chance."""


class Candidate(Protocol):
    """What will run."""

    def diff(self, rpc: JsonRpc) -> str:
        """From what runs to it, in the device's words; empty if they are equal."""

    def commit(self, rpc: JsonRpc, timeout_s: int | None) -> None:
        """Run it, for so many seconds unless confirmed. `CommandErrorException`: nothing has changed."""


class Whole(NamedTuple):
    """A configuration that replaces everything."""

    tree: dict[str, Any]

    @property
    def _commands(self) -> list[dict[str, Any]]:
        return [{"action": "replace", "path": "/", "value": self.tree}]

    def validate(self, rpc: JsonRpc) -> None:
        """Let the device check it. `CommandErrorException` says what it refuses."""
        rpc.change("validate", self._commands)

    def diff(self, rpc: JsonRpc) -> str:
        """By the method of that name."""
        results = rpc.change("diff", self._commands, **{"output-format": "text"})
        return "\n".join(filter(None, map(text_of, results))).strip()

    def commit(self, rpc: JsonRpc, timeout_s: int | None) -> None:
        """One transaction."""
        timer = {} if timeout_s is None else {"confirm-timeout": timeout_s}
        rpc.change("set", self._commands, **timer)


class Earlier(NamedTuple):
    """What a checkpoint holds."""

    checkpoint: str
    change: str
    """Names the candidate of the command line, and with it the commit. Letters, digits, `.`, `_`, `-`."""

    @property
    def _load(self) -> tuple[str, str]:
        return f"enter candidate private name {self.change}", f"load checkpoint name {self.checkpoint}"

    def diff(self, rpc: JsonRpc) -> str:
        """In a candidate that is emptied before and behind it."""
        discard(rpc, self.change)
        try:
            return rpc.cli(*self._load, "diff")[-1].strip()
        finally:
            discard(rpc, self.change)

    def commit(self, rpc: JsonRpc, timeout_s: int | None) -> None:
        """The candidate of a commit that waits stays open until it is confirmed or taken back."""
        discard(rpc, self.change)
        rpc.cli(*self._load, "commit now" if timeout_s is None else f"commit confirmed timeout {timeout_s}")


def discard(rpc: JsonRpc, name: str) -> None:
    """Empty a candidate of the command line, whether it is there or not."""
    try:
        rpc.cli(f"enter candidate private name {name}", "discard now")
    except CommandErrorException:  # nothing was in it
        return


def secrets_of(tree: object) -> Iterator[str]:
    """Values of leaves that hold a secret."""
    if isinstance(tree, list):
        for entry in tree:
            yield from secrets_of(entry)
    elif isinstance(tree, dict):
        for name, value in tree.items():
            if isinstance(value, str) and bare(name) in SECRETS and len(value) >= SHORTEST_SECRET:
                yield value
            else:
                yield from secrets_of(value)
