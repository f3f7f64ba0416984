"""Revisions of a switch's configuration: their states, whose they are, and what ran before each of ours.

A revision has a number and no name. So before a revision of ours is changed or applied, a second one is made: a copy
of what runs, never applied by itself, in which one line is put before the login message. It names the change, says
which revision it belongs to, and is what the switch goes back to much later, secrets and all.

Numbers, states and their answers: Cumulus Linux user guide, "NVUE API" (CumulusNetworks/docs, cumulus-linux-516);
`confirm`, `confirm_yes`, `confirm_no` and `state-controls` as entropia/gpn-noc-gpncfg (1251008a) uses them on switches.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from napalm.base.exceptions import CommandErrorException, CommitError, ConnectionException

from fabric.platforms.cumulus.session_documents import below, nested, table
from fabric.platforms.cumulus.session_rest import Rest

MOVING = frozenset(
    {
        "apply",
        "auto_saving",
        "ays_yes",
        "checked",
        "checking",
        "confirm_no",
        "confirm_yes",
        "ignore_fail_no",
        "ignore_fail_yes",
        "ready",
        "readying",
        "reloaded",
        "reloading",
        "save",
        "saving",
        "verified",
        "verifying",
    }
)
RUNS = frozenset({"applied", "applied_and_saved", "auto_save", "saved"})
SUPERSEDED = "inactive"
"""It ran, and another one runs since."""
SAVED = frozenset({"applied_and_saved", "saved"})
WAITS, REJECTED, IDLE = "confirm", "confirm_fail", "pending"
YES: Mapping[str, Any] = {"auto-prompt": {"ays": "ays_yes"}}
"""Answers no other question in advance: a `confirm_yes` here might confirm at once."""
MESSAGE = ("system", "message", "pre-login")
LINE = re.compile(
    r"\[change (?P<change>[A-Za-z0-9._-]{1,63}) (?P<kind>candidate|commit) (?P<number>[^ \]]+)"
    r"(?: (?P<until>[0-9]+))?\](?:\n|\Z)"
)
POLL_S = (0.02, 1.0)
"""First and longest wait between two looks at a revision."""
LONGEST_APPLY_S = 600
"""switchd may reload meanwhile."""
KEPT = 5
"""So many earlier configurations of ours stay."""


class Note(NamedTuple):
    """What the first line of a copy's login message says."""

    copy: str
    """Number of the copy."""
    change: str
    is_commit: bool
    number: str
    """Of the candidate, or of the revision that was applied."""
    until_s: int | None
    """Uptime at which its time is over."""


class Revisions:
    """Those of one switch."""

    def __init__(self, rest: Rest, timeout_s: float) -> None:
        self._rest, self._timeout_s = rest, timeout_s

    def states(self) -> dict[str, str]:
        """State of each revision, by number, once none is on its way: it may be about to wait.

        One that waits holds up those behind it. `ConnectionException` if one stays on its way for as long as an answer
        may take: it may be somebody's, and nobody is kept waiting for it in silence.
        """
        pause = self._pauses(self._timeout_s)
        while True:
            states = self._states()
            moving = sorted((number for number, state in states.items() if state in MOVING), key=_order)
            if WAITS in states.values() or not moving:
                return states
            if next(pause, True):
                raise _still(moving[0], states[moving[0]])

    def _states(self) -> dict[str, str]:
        """As they are now; names that stand for a revision (`applied`) are left out."""
        return {
            number: str(row.get("state", ""))
            for number, row in self._rest.get("revision").items()
            if isinstance(row, dict) and any(letter.isdigit() for letter in number)
        }

    def new(self) -> str:
        """A copy of what runs. Its number."""
        answer = self._rest.post("revision")
        if len(answer) != 1:
            message = "the switch made no revision"
            raise ConnectionException(message)
        return next(iter(answer))

    def delete(self, number: str) -> None:
        """Forget a revision that does not run. Nothing if it is gone."""
        self._rest.delete("revision", number)

    def note(self, change: str, kind: str, number: str, until_s: int | None = None) -> str:
        """Make the copy that names a revision. Its number."""
        copy = self.new()
        words = " ".join(["change", change, kind, number, *([] if until_s is None else [str(until_s)])])
        before = self.message(copy)
        line = f"[{words}]"
        self._rest.patch(body=nested(MESSAGE, f"{line}\n{before}" if before else line), rev=copy)
        return copy

    def message(self, number: str) -> str:
        """Login message of a revision."""
        message = self._rest.get(*MESSAGE[:-1], rev=number, filled="false").get(MESSAGE[-1], "")
        return message if isinstance(message, str) else ""

    def restore(self, copy: str) -> None:
        """Take the first line away again: the copy is what ran then."""
        rest = self._rest.get(*MESSAGE[:-1], rev=copy, filled="false")
        message = LINE.sub("", str(rest.get(MESSAGE[-1], "")), count=1)
        if message or len(rest) > 1:
            self._rest.patch(body=nested(MESSAGE, message or None), rev=copy)
        else:  # no object without a value stays
            self._rest.delete(*MESSAGE[:-1], rev=copy)

    def notes(self, states: Mapping[str, str]) -> Iterator[Note]:
        """Of all copies of ours, the oldest first."""
        for number in sorted((n for n, state in states.items() if state == IDLE), key=_order):
            match = LINE.match(self.message(number))
            if match:
                until = match["until"]
                is_commit = match["kind"] == "commit"
                yield Note(
                    number, match["change"], is_commit, match["number"], None if until is None else int(until)
                )

    def difference(self, first: str, second: str) -> dict[str, Any]:
        """What stands in the second revision and otherwise, or not at all, in the first."""
        return self._rest.get(rev=first, diff=second, filled="false")

    def are_equal(self, first: str, second: str) -> bool:
        """Whether two revisions say the same, but for the line by which one is known."""
        apart = (self.difference(first, second), self.difference(second, first))
        if not any(apart):
            return True
        bare = {LINE.sub("", self.message(number), count=1) for number in (first, second)}
        return len(bare) == 1 and all(_is_message(each) for each in apart)

    def apply(self, number: str, timer_s: int | None) -> str:
        """Run a revision. Its state afterwards. `CommitError` if the switch did not take it."""
        timer = {} if timer_s is None else {"state-controls": {"confirm": timer_s}}
        self.move(number, "apply", **timer)
        state, issue = self._settled(number)
        if state == "ignore_fail":
            self.move(number, "ignore_fail_no")
            state, _ = self._settled(number)
            raise CommitError(
                f"a service did not load revision {number}; it was taken back ({state}): {issue}"
            )
        if state not in RUNS | {WAITS}:
            raise CommitError(f"the switch does not run revision {number} ({state}): {issue}")
        return state

    def answer(self, number: str, word: str) -> str:
        """`confirm_yes` or `confirm_no`. The state afterwards."""
        self.move(number, word)
        return self._settled(number, leaving=WAITS)[0]

    def move(self, number: str, state: str, **more: Any) -> None:
        """Ask for another state."""
        try:
            self._rest.patch("revision", number, body={"state": state, **YES, **more})
        except CommandErrorException as error:
            raise CommitError(str(error)) from None

    def _settled(self, number: str, leaving: str = "") -> tuple[str, str]:
        """The state that a revision comes to rest in, and what the switch says of it."""
        pause = self._pauses(min(max(self._timeout_s, 1) * 10, LONGEST_APPLY_S))
        while True:
            row = self._rest.get("revision", number)
            state = str(row.get("state", ""))
            if state not in MOVING and state != leaving:
                return state, self._issues(row)
            if next(pause, True):
                raise _still(number, state)

    def _pauses(self, longest_s: float) -> Iterator[None]:
        """Wait, longer each time; no more after so long."""
        until = time.monotonic() + longest_s
        wait_s, most_s = POLL_S
        while time.monotonic() < until:
            time.sleep(wait_s)
            wait_s = min(wait_s * 2, most_s)
            yield

    def _issues(self, row: Mapping[str, Any]) -> str:
        issues = table(row, "transition", "issue").values()
        texts = [str(below(issue, "message") or issue) for issue in issues]
        return self._rest.words("; ".join(texts) or below(row, "transition", "progress") or "no reason")


def _still(number: str, state: str) -> ConnectionException:
    """A revision has not come to rest for so long."""
    return ConnectionException(f"revision {number} is still on its way ({state})")


def _is_message(tree: Mapping[str, Any]) -> bool:
    """Whether a difference is of the login message alone, if of anything."""
    return not tree or tree == nested(MESSAGE, below(tree, *MESSAGE))


def _order(number: str) -> tuple[int, str]:
    digits = number if number.isdigit() else "0"
    return int(digits), number
