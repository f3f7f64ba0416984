"""Two configurations compared: which settings differ, and a unified diff of them.

Pieces whose text is equal say the same and are not read. Order does not count: a setting is found by what it sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import unified_diff
from typing import Literal, NamedTuple

import msgspec

from fabric.configuration.dialect import Dialect
from fabric.configuration.sections import opened, setting
from fabric.configuration.syntaxes.syntax import Piece
from fabric.configuration.tree import Node, in_order

CONTEXT = 3
"""Unchanged lines around a change."""


class Change(msgspec.Struct, frozen=True):
    """A piece that differs, or the single lines of one topic."""

    what: str
    """`interface Ethernet1/1`, `ntp`."""
    old: tuple[Node, ...]
    """Empty where it is new."""
    new: tuple[Node, ...]
    """Empty where it is gone."""
    above: tuple[Node, ...] = ()
    """The containers that it stands in."""

    @property
    def action(self) -> Literal["+", "-", "~"]:
        """The printed sign."""
        if not self.old:
            return "+"
        return "~" if self.new else "-"


class Difference(NamedTuple):
    """One line that differs, with the lines above it."""

    above: tuple[Node, ...]
    old: Node | None
    new: Node | None

    @property
    def node(self) -> Node:
        """As it was; where it was not, as it will be."""
        node = self.old or self.new
        assert node is not None  # noqa: S101  # one of them is there, or nothing differs
        return node


class Comparison(msgspec.Struct, frozen=True):
    """What differs between two texts, and the unified diff of it."""

    changes: tuple[Change, ...] = ()
    diff: str = ""


def compare(
    dialect: Dialect, name: str, old: str, new: str, *, labels: tuple[str, str] = ("running", "intended")
) -> Comparison:
    """Compare two masked texts of a device."""
    if old == new:
        return Comparison()
    changes = tuple(_changed(dialect, old, new))
    if not changes:
        return Comparison()
    headers = (f"--- {name} {labels[0]}\n", f"+++ {name} {labels[1]}\n")
    return Comparison(
        changes, "".join((*headers, *(line for change in changes for line in _hunks(dialect, change))))
    )


def _changed(dialect: Dialect, old: str, new: str) -> Iterator[Change]:
    was, will = (dialect.tree(side.values()) for side in dialect.unlike(old, new))
    return _changes(was, will, ())


def _changes(was: Mapping[str, Node], will: Mapping[str, Node], above: tuple[Node, ...]) -> Iterator[Change]:
    """What differs, in the order of the new text; what is gone stands where it was."""
    entries: dict[str, tuple[list[Node], list[Node]]] = {}
    containers: dict[str, tuple[Node | None, Node | None]] = {}
    for key in merged_order(was, will):
        old, new = was.get(key), will.get(key)
        if old is not None and new is not None and old.is_same(new):
            continue
        node = new or old
        assert node is not None  # noqa: S101  # a key of one of them
        topic = _topic(node)
        sides = entries.setdefault(topic, ([], []))
        if _opens(old, new):
            containers[topic] = (old, new)
            continue
        for side, version in zip(sides, (old, new), strict=True):
            if version is not None:
                side.append(version)
    for topic, (gone, come) in entries.items():
        if topic in containers:
            yield from _inside(*containers[topic], above)
        else:
            what = " ".join((*map(_topic, above), topic))
            yield Change(what, tuple(gone), tuple(come), above)


def _inside(old: Node | None, new: Node | None, above: tuple[Node, ...]) -> Iterator[Change]:
    """The changes of what stands in a container."""
    node = new or old
    assert node is not None  # noqa: S101  # one of them is there
    yield from _changes(old.below if old else {}, new.below if new else {}, (*above, node))


def _opens(old: Node | None, new: Node | None) -> bool:
    """Whether each thing in a container is a change of its own; an empty one is itself what comes or goes."""
    return any(
        node is not None and node.below and node.statement is not None and node.statement.is_container
        for node in (old, new)
    )


def _topic(node: Node) -> str:
    topic = node.statement.topic if node.statement is not None else ""
    return topic.format_map(node.parts) or node.key


def merged_order(first: Iterable[str], second: Iterable[str]) -> list[str]:
    """The keys of `second` in their order, each key of `first` alone after the one it followed there."""
    keys = dict.fromkeys(second)
    after: dict[str | None, list[str]] = {}
    previous: str | None = None
    for key in first:
        if key in keys:
            previous = key
        else:
            after.setdefault(previous, []).append(key)
    order = after.get(None, [])
    for key in keys:
        order.append(key)
        order.extend(after.get(key, ()))
    return order


def placed(changes: Iterable[tuple[Change, Iterable[Node]]]) -> list[Node]:
    """Nodes of changes as they stand in the whole: below the containers of their change."""
    top: dict[str, Node] = {}
    for change, nodes in changes:
        place = top
        for container in change.above:
            place = place.setdefault(container.key, msgspec.structs.replace(container, below={})).below
        place.update((node.key, node) for node in nodes)
    return list(top.values())


def differences(change: Change) -> Iterator[Difference]:
    """The lines that differ in a change; of lines whose order counts, those that stand elsewhere too."""
    old, new = ({node.key: node for node in side} for side in (change.old, change.new))
    yield from _below(change.above, old, new)


def differences_in(
    dialect: Dialect, old: str, new: str, is_wanted: Callable[[Piece], bool]
) -> Iterator[Difference]:
    """The lines that differ in the sections of the new text that are wanted. Where a syntax has none, all that do."""
    several = opened(dialect, dialect.pieces(new), is_wanted)
    if several is None:
        for change in _changed(dialect, old, new):
            yield from differences(change)
        return
    will = {key: node for nodes in several.values() for key, node in nodes.items()}
    was = setting(dialect, dialect.pieces(old), will)
    yield from _below((), {key: node for key, node in was.items() if key in will}, will)


def _below(above: tuple[Node, ...], old: Mapping[str, Node], new: Mapping[str, Node]) -> Iterator[Difference]:
    is_both = bool(old) and bool(new)  # of lines that only come, or only go, none can stand elsewhere
    moved = out_of_order(old, new) if is_both else frozenset[str]()
    for key in merged_order(old, new) if is_both else (old or new):
        was, will = old.get(key), new.get(key)
        if was is None or will is None or was.said != will.said or key in moved:
            yield Difference(above, was, will)
        if was is not None or will is not None:
            node = will or was
            yield from _below((*above, node), was.below if was else {}, will.below if will else {})  # type: ignore[arg-type]


def out_of_order(old: Mapping[str, Node], new: Mapping[str, Node]) -> frozenset[str]:
    """The lines of both whose order counts, if it is another."""
    common = [key for key in in_order(old) if key in new]
    return frozenset(common) if common != [key for key in in_order(new) if key in old] else frozenset()


def _hunks(dialect: Dialect, change: Change) -> Iterator[str]:
    """The hunks of one change, at the lines where it stands; what it is stands behind the numbers, as in git."""
    old, new = (dialect.shown(side, change.above) for side in (aligned(change), change.new))
    at = [min((node.number for node in side), default=1) - 1 for side in (change.old, change.new)]
    for line in list(unified_diff(old, new, n=CONTEXT, lineterm=""))[2:]:
        yield _moved(line, change.what, *at) if line.startswith("@@ ") else f"{line}\n"


def aligned(change: Change) -> list[Node]:
    """The old nodes of a change in the order of the new ones: a diff shows what differs, not what has moved."""
    return _aligned({node.key: node for node in change.old}, {node.key: node for node in change.new})


def _aligned(old: Mapping[str, Node], new: Mapping[str, Node]) -> list[Node]:
    aligned = []
    for key in old if out_of_order(old, new) else merged_order(old, new):
        if (node := old.get(key)) is not None:
            beside = new[key].below if key in new else {}
            below = {child.key: child for child in _aligned(node.below, beside)}
            aligned.append(msgspec.structs.replace(node, below=below))
    return aligned


def _moved(header: str, what: str, old_at: int, new_at: int) -> str:
    _, old, new, _ = header.split()
    return f"@@ -{_shifted(old[1:], old_at)} +{_shifted(new[1:], new_at)} @@ {what}\n"


def _shifted(numbers: str, by: int) -> str:
    start, comma, count = numbers.partition(",")
    return f"{int(start) + by}{comma}{count}"
