"""Unified diffs of two configurations in EOS's order, as `show session-config diffs` prints them.

Form: https://ngworx.ag/en/blog/arista-eos-config-sessions/ (file names, hunks, three lines around).
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.platforms.eos.emulator.tree import EMPTY, INDENT, Block, Item, Section, parted

CONTEXT = 3
Line = tuple[str, str]
"""A mark (` `, `-` or `+`) and a line."""


def unified(old: Section, new: Section, old_name: str, new_name: str) -> str:
    """The diff; empty if both say the same."""
    if old.same(new):
        return ""
    hunks = _hunks(list(_changes(old, new, 0)))
    return "\n".join([f"--- {old_name}", f"+++ {new_name}", *hunks])


def _changes(old: Section, new: Section, depth: int) -> Iterator[Line]:
    """Merge two sections that are in the same order."""
    left, right = old.items, new.items
    i = j = 0
    while i < len(left) or j < len(right):
        if j == len(right) or (i < len(left) and left[i].sort < right[j].sort):
            yield from _marked("-", left, i, depth)
            i += 1
        elif i == len(left) or right[j].sort < left[i].sort:
            yield from _marked("+", right, j, depth)
            j += 1
        else:
            yield from _both(left, i, right, j, depth)
            i, j = i + 1, j + 1


def _marked(mark: str, items: tuple[Item, ...], at: int, depth: int) -> Iterator[Line]:
    """An item that only one side has."""
    if parted(items, at, depth):
        yield mark, f"{INDENT * depth}!"
    yield from ((mark, line) for line in _head(items[at], depth))
    item = items[at]
    if isinstance(item, Block):
        one_sided = _changes(item.body, EMPTY, depth + 1)
        yield from ((mark, line) for _, line in one_sided)


def _both(left: tuple[Item, ...], i: int, right: tuple[Item, ...], j: int, depth: int) -> Iterator[Line]:
    """An item that both sides have, changed or not."""
    before, after = parted(left, i, depth), parted(right, j, depth)
    if before or after:
        yield " " if before == after else "-" if before else "+", f"{INDENT * depth}!"
    old, new = left[i], right[j]
    if old.text == new.text:
        yield from ((" ", line) for line in _head(old, depth))
    else:
        yield from (("-", line) for line in _head(old, depth))
        yield from (("+", line) for line in _head(new, depth))
    yield from _changes(_body(old), _body(new), depth + 1)


def _head(item: Item, depth: int) -> list[str]:
    return item.text.split("\n") if item.rule.heredoc else [INDENT * depth + item.text]


def _body(item: Item) -> Section:
    return item.body if isinstance(item, Block) else EMPTY


def _hunks(lines: list[Line]) -> Iterator[str]:
    """Changed lines with those around them."""
    changed = [number for number, (mark, _) in enumerate(lines) if mark != " "]
    old = new = at = 0
    for start, stop in _spans(changed, len(lines)):
        skipped = start - at
        hunk = lines[start:stop]
        old_count, new_count = (sum(mark != other for mark, _ in hunk) for other in "+-")
        yield f"@@ -{_range(old + skipped, old_count)} +{_range(new + skipped, new_count)} @@"
        yield from (mark + line for mark, line in hunk)
        old, new, at = old + skipped + old_count, new + skipped + new_count, stop


def _spans(changed: list[int], count: int) -> Iterator[tuple[int, int]]:
    """Where hunks start and stop."""
    start = stop = -1
    for number in changed:
        if start >= 0 and number - CONTEXT > stop:
            yield start, stop
            start = -1
        if start < 0:
            start = max(0, number - CONTEXT)
        stop = min(count, number + CONTEXT + 1)
    if start >= 0:
        yield start, stop


def _range(skipped: int, count: int) -> str:
    """`first,count`; a first line of 0 where nothing stands, and no count where it is 1."""
    first = skipped + 1 if count else skipped
    return f"{first}" if count == 1 else f"{first},{count}"
