"""What somebody else has shut that is ours is told in a plan, on every product, whatever the product calls it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import pytest

from fabric.configuration import Node, Section, Statement, merge
from fabric.planning.overriding import overriding
from fabric.planning.texts import masked
from tests.configuration.dialects import PRODUCTS, dialect, printed, tree

SHUT = re.compile(r"(?:^|[ :<])shutdown\b")


def rows(section: Section, known: set[int] | None = None) -> Iterator[Statement]:
    """Every row of a table once: some sections stand below themselves."""
    known = set() if known is None else known
    if id(section) not in known:
        known.add(id(section))
        yield from section.statements
        for statement in section.statements:
            if statement.below is not None:
                yield from rows(statement.below, known)


CAN_SHUT = [name for name in PRODUCTS if any(SHUT.search(row.pattern) for row in rows(dialect(name).top))]


def ours(name: str) -> str:
    return masked(dialect(name).plain(printed(name, "two tiers")[0]))


def shut(nodes: Mapping[str, Node], section: Section | None) -> Iterator[tuple[list[Node], str]]:
    """The same tree with one thing shut that was not, for each thing that can be, and the line that shuts it."""
    if section is None:
        return
    for line in sorted(set(_lines(nodes, section))):
        known = section.find(line)
        if known is not None and known.line.key not in nodes:
            foreign = Node(known.line.key, line, 0, known.statement, known.line.parts, {})
            yield [*nodes.values(), foreign], line
    for key, node in nodes.items():
        for below, line in shut(node.below, node.statement.below if node.statement else None):
            changed = Node(key, node.text, 0, node.statement, node.parts, {n.key: n for n in below}, node.raw)
            yield [changed if other is node else other for other in nodes.values()], line


def _lines(nodes: Mapping[str, Node], section: Section) -> Iterator[str]:
    """The lines that shut something of a section: itself, or each session of ours."""
    peers = {node.parts["peer"] for node in nodes.values() if node.parts.get("peer")}
    for statement in section.statements:
        if not SHUT.search(statement.pattern):
            continue
        line = re.sub(r"<setting:[^>]*>", "shutdown", re.sub(r"\[[^]]*\] ?", "", statement.pattern))
        line = re.sub(r"\{\w+:(\w+)\|[^}]*\}", r"\1", line)
        if "{" in line:  # what says that nothing is shut
            continue
        yield from (line.replace("<peer>", peer) for peer in peers) if "<peer>" in line else (line,)


@pytest.mark.parametrize("name", PRODUCTS)
def test_what_others_have_shut_of_ours_is_told(name: str) -> None:
    known, text = dialect(name), ours(name)
    cases = list(shut(tree(name, text), known.top))

    assert [] == [
        (line, merged.kept)
        for nodes, line in cases
        if line
        not in " ".join(overriding((merged := merge(known, text, known.written(nodes), text)).foreign))
    ]
    assert cases or name not in CAN_SHUT
