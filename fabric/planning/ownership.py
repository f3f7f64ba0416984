"""What is ours on a device, and what is carried along because it is not.

Ours are the blocks of the artifact and of what was applied last. Every other block of the device is kept
whole. Inside a block of ours, a line of the device that we neither write nor wrote is kept if it does not
set what one of our lines sets; kept lines stand before ours, so that ours win where both set the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Literal

import msgspec

from fabric.planning import tree
from fabric.planning.diff import Side, merged_order, side
from fabric.planning.foreign import Stuck, is_overridden, stuck, words
from fabric.planning.refill import refilled
from fabric.planning.texts import MASK, OURS, masked
from fabric.planning.tree import Line
from fabric.platforms.base import Block, Platform

Ownership = Literal["shared", "full"]
"""`shared`: foreign lines are kept. `full`: the device runs the artifact and nothing else."""


class Candidate(msgspec.Struct, frozen=True):
    """What is pushed, and the lines in it that are not ours."""

    text: str
    """Our secrets as placeholders; those of kept lines masked until the push."""
    canonical: str
    """The same in canonical form, our secrets as placeholders still."""
    kept: tuple[str, ...] = ()
    stuck: Stuck = Stuck()
    """Foreign rows that this text would lose: it must not be pushed if it changes anything of ours."""


def candidate(platform: Platform, artifact: str, running: str, applied: str | None) -> Candidate:
    """The artifact's text with the foreign part of `running` carried along.

    `running` and `applied` are canonical and masked. Without foreign lines the text is the artifact itself. It is
    so too, with what it would lose as `stuck`, where they cannot be carried along.
    """
    canonical = platform.canonical(artifact)
    if platform.whole:
        return Candidate(artifact, canonical)  # what is not ours goes, and the plan shows it
    theirs, ours = side(platform, running), _marked(side(platform, canonical))
    before = side(platform, applied) if applied else {}
    if (found := stuck(platform, theirs, ours, before)).rows:
        return Candidate(artifact, canonical, stuck=found)
    if platform.carries == "nothing":
        return Candidate(artifact, canonical)
    written = _Written(artifact, platform.comment)
    merged = {
        key: _merge(platform, block, ours.get(key), before.get(key), written) for key, block in theirs.items()
    }
    kept = tuple(line for _, lines in merged.values() for line in lines)
    if not kept:
        return Candidate(artifact, canonical)
    joined = _joined(ours, {key: text for key, (text, lines) in merged.items() if lines})
    text = refilled(joined, artifact, OURS).text
    made = Candidate(text, platform.canonical(text), kept)
    if lost := _lost(side(platform, masked(joined)), side(platform, masked(made.canonical))):
        return Candidate(artifact, canonical, stuck=Stuck(lost, len(kept), touches_ours=True))
    return made


def _lost(wanted: Side, made: Side) -> tuple[str, ...]:
    """The blocks of a joined text that it does not hold once it is read as the product would."""
    return tuple(
        key
        for key, block in wanted.items()
        if not _bare(block.text) <= _bare(made[key].text if key in made else "")
    )


def _bare(text: str) -> set[str]:
    return {line.strip() for line in text.splitlines()}


def _marked(ours: Side) -> Side:
    """Our blocks, with the values that the canonical form masks told apart from those of kept lines."""
    return {key: Block(key, block.text.replace(MASK, OURS)) for key, block in ours.items()}


def _joined(ours: Side, merged: dict[str, str]) -> str:
    order = merged_order(merged, ours)
    return "".join(merged[key] if key in merged else f"{ours[key].text.rstrip()}\n" for key in order)


def _merge(
    platform: Platform, theirs: Block, ours: Block | None, before: Block | None, written: _Written
) -> tuple[str, list[str]]:
    """The text of one block with its foreign lines, and those lines; nothing is kept of what we wrote."""
    if ours is None and before is not None:
        return "", []
    if ours is None:
        return f"{theirs.text.rstrip()}\n", theirs.text.splitlines()
    if masked(ours.text) == theirs.text or platform.carries == "blocks":
        return "", []
    root, found = (tree.parse(block.text, platform.comment) for block in (ours, theirs))
    if _is_free_text(found):
        return "", []
    was = tree.parse(before.text, platform.comment) if before else None
    kept: list[str] = []
    _carry(found, root, was, (written, ()), kept)
    return "".join(tree.render(root.children)), kept


def _is_free_text(block: Line) -> bool:
    """Whether a block is a text of many lines, such as a banner: it has one owner."""
    return len({line.text.split()[0] for line in block.children}) > 1


def _carry(
    theirs: Line, ours: Line, before: Line | None, at: tuple[_Written, tuple[str, ...]], kept: list[str]
) -> None:
    """Put the foreign lines of `theirs` into `ours`: single ones first, whole sections last."""
    own = {masked(child.text): child for child in ours.children}
    settings = [words(child.text) for child in ours.children]
    single: list[Line] = []
    written, path = at
    for line in theirs.children:
        was = before.child(line.text) if before else None
        if (mine := own.get(line.text)) is not None:
            _carry(line, mine, was, (written, (*path, line.text)), kept)
        elif was is None and (line.children or not _is_set(line.text, settings, written, path)):
            kept.extend(tree.leaves([line]))
            (ours.children if line.children else single).append(line)
    ours.children[:0] = single


class _Written:
    """Our text as printed, with the defaults that the canonical form drops (`no shutdown`): they are ours too."""

    def __init__(self, artifact: str, comment: str) -> None:
        self._artifact, self._comment = artifact, comment

    @cached_property
    def _root(self) -> Line:
        return tree.parse(self._artifact, self._comment)

    def settings(self, path: Iterable[str]) -> list[tuple[str, ...]]:
        """The lines that we print below a section."""
        line: Line | None = self._root
        for step in path:
            line = line.child(step) if line else None
        return [words(child.text) for child in (line.children if line else ())]


def _is_set(line: str, settings: list[tuple[str, ...]], written: _Written, path: tuple[str, ...]) -> bool:
    """Whether one of our lines sets what a foreign line sets."""
    return is_overridden(line, settings) or is_overridden(line, written.settings(path))
