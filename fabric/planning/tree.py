"""A block as the tree that its indentation draws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec


class Line(msgspec.Struct):
    """A line without its indentation, and the lines below it."""

    text: str
    children: list[Line] = msgspec.field(default_factory=list)

    def child(self, text: str) -> Line | None:
        """The line of that text directly below this one."""
        return next((c for c in self.children if c.text == text), None)


def parse(text: str, comment: str) -> Line:
    """The tree of a block, below a root without text. Comments and empty lines are left out."""
    root = Line("")
    above: list[tuple[int, Line]] = [(-1, root)]
    for raw in text.splitlines():
        stripped = raw.strip()
        if not stripped or stripped.strip(comment) == "":
            continue
        indent = len(raw) - len(raw.lstrip())
        while above[-1][0] >= indent:
            above.pop()
        line = Line(stripped)
        above[-1][1].children.append(line)
        above.append((indent, line))
    return root


def render(lines: Iterable[Line], step: str = "   ", depth: int = 0) -> Iterator[str]:
    """The lines of a tree, three spaces a level, each with its newline."""
    for line in lines:
        yield f"{step * depth}{line.text}\n"
        yield from render(line.children, step, depth + 1)


def leaves(lines: Iterable[Line]) -> Iterator[str]:
    """Every line of a tree."""
    for line in lines:
        yield line.text
        yield from leaves(line.children)
