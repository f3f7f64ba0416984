"""Candidates of a switch: revisions that are made from what runs, and never applied unless they are committed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from napalm.base.exceptions import CommandErrorException, CommitError, ReplaceConfigException

from fabric.configuration import Unreadable
from fabric.platforms.cumulus.session_documents import (
    Tree,
    nested,
    removals,
    secrets_of,
    text_of,
    tree_of,
    unknown_secrets,
    without,
)
from fabric.platforms.cumulus.session_rest import Rest
from fabric.platforms.cumulus.session_revisions import IDLE, KEPT, LINE, MESSAGE, Note, Revisions
from fabric.platforms.device_state import OpenCandidate

RUNNING = "applied"
"""Name of the revision that runs."""


class Candidates:
    """The candidate of one connection, and those that others have left."""

    rest: Rest
    revisions: Revisions
    _change: str
    _candidate: str = ""
    """Number of the revision that is loaded; empty: none."""
    _copy: str = ""
    """Number of the copy that names it; empty: it is the copy itself, of an earlier commit."""

    def load_replace_candidate(self, filename: str | None = None, config: str | None = None) -> None:
        """Make a revision of a whole configuration. `ReplaceConfigException`: nothing of it is left there."""
        self.discard_config()
        text = Path(filename).read_text(encoding="utf-8") if filename else config or ""
        try:
            tree = tree_of(text)
        except Unreadable as error:
            raise ReplaceConfigException(str(error)) from None
        if not tree:
            message = "an empty configuration would cut off the switch"
            raise ReplaceConfigException(message)
        self.rest.secrets = frozenset(secrets_of(tree))
        try:
            self._load(tree)
        except (CommandErrorException, Unreadable) as error:
            self.discard_config()
            raise ReplaceConfigException(str(error)) from None

    def _load(self, tree: Tree) -> None:
        kept = frozenset(unknown_secrets(tree))
        unwanted = removals(self._tree(RUNNING), tree, kept)
        self._candidate = self.revisions.new()
        self._copy = self.revisions.note(self._change, "candidate", self._candidate)
        for path in unwanted.objects:
            self.rest.delete(*path, rev=self._candidate)
        for path in unwanted.leaves:
            self.rest.patch(body=nested(path, None), rev=self._candidate)
        self.rest.patch(body=without(tree, kept), rev=self._candidate)

    def load_before(self, change: str) -> None:
        """The copy that was made before the commit of that name."""
        self.discard_config()
        notes = self.revisions.notes(self.revisions.states())
        copies = [note.copy for note in notes if note.is_commit and note.change == change]
        if not copies:
            message = f"what ran before {change[:80]} is not on the switch any more"
            raise CommitError(message)
        self._candidate = copies[-1]

    def compare_config(self) -> str:
        """The switch's own differences, as lines with `-` and `+`. Empty if there is none."""
        if not self._candidate:
            return ""
        removed = self._without_note(self.revisions.difference(self._candidate, RUNNING))
        added = self._without_note(self.revisions.difference(RUNNING, self._candidate))
        lines = [f"- {line}" for line in text_of(removed).splitlines()[1:]]
        return "\n".join(lines + [f"+ {line}" for line in text_of(added).splitlines()[1:]])

    def _without_note(self, tree: Tree) -> Tree:
        """A difference without the line by which a copy is known."""
        system, message = tree.get("system"), None
        if isinstance(system, dict) and isinstance(system.get("message"), dict):
            message = system["message"].get(MESSAGE[-1])
        if self._copy or not isinstance(message, str):
            return tree
        bare = LINE.sub("", message, count=1)
        kept = {"message": {**system["message"], MESSAGE[-1]: bare}} if bare else {}  # type: ignore[index]
        inner = {key: value for key, value in system.items() if key != "message"} | kept  # type: ignore[union-attr]
        return {key: value for key, value in tree.items() if key != "system"} | (
            {"system": inner} if inner else {}
        )

    def discard_config(self) -> None:
        """Delete the candidate."""
        candidate, copy = self._candidate, self._copy
        self._candidate = self._copy = ""
        if copy:  # else the candidate is an earlier configuration, which stays
            self.revisions.delete(candidate)
            self.revisions.delete(copy)
        elif candidate and not self._is_note(candidate):
            self.revisions.delete(candidate)

    def _is_note(self, revision: str) -> bool:
        return LINE.match(self.revisions.message(revision)) is not None

    def get_open_candidates(self) -> tuple[OpenCandidate, ...]:
        """Ours by their names, those of others by their numbers; without this connection's own, and empty ones."""
        states = self.revisions.states()
        notes = list(self.revisions.notes(states))
        ours = [note for note in notes if not note.is_commit and note.copy != self._copy]
        ran = [RUNNING, *(note.copy for note in notes if note.is_commit)]
        others = [number for number in self._unnamed(states, notes) if not self._is_unchanged(number, ran)]
        return tuple(OpenCandidate(change=change) for change in [*(n.change for n in ours), *others])

    def _unnamed(self, states: Mapping[str, str], notes: Iterable[Note]) -> list[str]:
        """Open revisions that no copy of ours names, and that name no other themselves."""
        named = {self._candidate, *(number for note in notes for number in (note.copy, note.number))}
        return [number for number, state in states.items() if state == IDLE and number not in named]

    def make_room(self) -> None:
        """Forget our oldest copies, so that one more is not too many.

        With a copy go the unnamed revisions that say what it says, for without it they would look like somebody's
        changes.
        """
        states = self.revisions.states()
        notes = list(self.revisions.notes(states))
        copies = [note.copy for note in notes if note.is_commit]
        outdated = [copy for copy in copies[: max(0, len(copies) - KEPT + 1)] if copy != self._candidate]
        if not outdated:
            return
        kept = [RUNNING, *(copy for copy in copies if copy not in outdated)]
        for number in self._unnamed(states, notes):
            if self._is_unchanged(number, outdated) and not self._is_unchanged(number, kept):
                self.revisions.delete(number)
        for copy in outdated:
            self.revisions.delete(copy)

    def _is_unchanged(self, revision: str, ran: Iterable[str]) -> bool:
        """Whether nobody has changed anything in a revision since it was made: it is what runs, or what ran before.

        A program that is killed between making a revision and naming it leaves one.
        """
        return any(self.revisions.are_equal(each, revision) for each in ran)

    def drop_candidate(self, change: str) -> None:
        """Delete an open candidate, and the copies that name it."""
        if change not in {candidate.change for candidate in self.get_open_candidates()}:
            message = f"no candidate {change[:80]!r} is open"
            raise CommitError(message)
        notes = [
            note
            for note in self.revisions.notes(self.revisions.states())
            if note.change == change and not note.is_commit
        ]
        for note in notes:
            self.revisions.delete(note.number)
            self.revisions.delete(note.copy)
        if not notes:
            self.revisions.delete(change)

    def _tree(self, revision: str) -> Tree:
        return self.rest.get(rev=revision, filled="false", expand="true")
