"""The history of commits: what waits, whose it is, and where the state before a change is.

`get-commit-information`: replies captured on a vSRX, Junos 24.4R2 (tests of the public jmcp server). While a commit
waits, the newest entry has `<commit-confirmed>rollback pending</commit-confirmed>`. Its comment, `commit confirmed,
rollback in 5mins`, stays when it has been confirmed, and is therefore no sign. When the time is up, Junos itself
commits: user `root`, client `other`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from lxml import etree

from fabric.platforms.device_state import PendingCommit
from fabric.platforms.junos.session_rpc import seconds_of, text_of

MINUTES = re.compile(r"rollback in (\d+) ?min")
NAME = re.compile(r"[A-Za-z0-9._-]{1,63}")
DEEPEST = 49
"""The last of `rollback 0` to `rollback 49`."""


class Commit(NamedTuple):
    """One entry of the history; `number` is that of `rollback`."""

    number: int
    user: str = ""
    client: str = ""
    at_s: float | None = None
    comment: str = ""
    log: str = ""
    waits: bool = False

    @property
    def change(self) -> str:
        """The name of the change, or what the device calls it."""
        name = NAME.match(self.log)
        return name[0] if name else self.log or f"commit of {self.user or 'nobody known'} by {self.client}"

    @property
    def is_automatic(self) -> bool:
        """Made by Junos when the time was up."""
        return self.user == "root" and self.client == "other"


def history(reply: etree._Element) -> tuple[Commit, ...]:
    """All that the device still knows, the newest first."""
    return tuple(
        Commit(
            number=int(text_of(entry, "sequence-number") or 0),
            user=text_of(entry, "user"),
            client=text_of(entry, "client"),
            at_s=seconds_of(entry.find("date-time")),
            comment=text_of(entry, "comment"),
            log=text_of(entry, "log"),
            waits="pending" in text_of(entry, "commit-confirmed"),
        )
        for entry in reply.iter("commit-history")
    )


def waiting(commits: Sequence[Commit]) -> Commit | None:
    """The commit that waits: only the newest can."""
    return commits[0] if commits and commits[0].waits else None


def pending(commit: Commit, now_s: float | None) -> PendingCommit:
    """What is known of it, `now_s` by the device's clock."""
    minutes = MINUTES.search(commit.comment)
    left_s = None
    if minutes and commit.at_s is not None and now_s is not None:
        left_s = max(0.0, commit.at_s + 60 * int(minutes[1]) - now_s)
    return PendingCommit(change=commit.change, owner=commit.user, left_s=left_s)


def before(commits: Sequence[Commit], change: str) -> int | None:
    """The number of what ran before a change; None if the device does not have it any more.

    A change has one entry for its commit and another for its confirmation.
    """
    numbers = [commit.number for commit in commits if commit.change == change]
    number = max(numbers) + 1 if numbers else None
    known = {commit.number for commit in commits}
    return number if number in known and (number or 0) <= DEEPEST else None


def name_of_return(change: str) -> str:
    """The name of the commit that takes a change back."""
    return f"back-{change}"[:63]


def before_last(commits: Sequence[Commit], change: str) -> int | None:
    """The number of what ran before the last commit; None if that was this change, which was taken back already."""
    if not commits:
        return 1
    last = commits[0]
    is_back = last.is_automatic or last.change == name_of_return(change)
    if is_back and any(commit.change == change for commit in commits[1:2]):
        return None
    same = takewhile(lambda commit: bool(commit.log) and commit.change == last.change, commits)
    return max(1, sum(1 for _ in same))


def is_confirmed(commits: Sequence[Commit], change: str) -> bool:
    """Whether a change runs and nothing waits: its timer has not fired before the confirmation arrived."""
    own = [commit for commit in commits[:2] if commit.change == change]
    fired = len(commits) > 1 and commits[1].is_automatic and any(c.change == change for c in commits[2:])
    return bool(own) and commits[0].change == change and not commits[0].waits and not fired
