"""Texts that are divided into sections, held against each other before any section is read."""

from __future__ import annotations

from collections.abc import Iterable

from fabric.configuration.default_lines import are_alike
from fabric.configuration.statements import Section
from fabric.configuration.syntaxes.syntax import Piece, Sections


def unlike_sections(top: Section, old: Sections, new: Sections) -> tuple[dict[str, Piece], dict[str, Piece]]:
    """The pieces of two texts that say something else, as far as that is seen at once.

    Where a joint one is among them all joint ones are there: another may set one of its lines.
    """
    before, after = old.but(new), new.but(old)
    same = {header for header in before if has_like(top, header, old, new)}
    sides = [{header for header in headers if header not in same} for headers in (before, after)]
    if top.has_joint and any(is_joint(top, header) for side in sides for header in side):
        for side, text in zip(sides, (old, new), strict=True):
            side.update(header for header in text.by_header if is_joint(top, header))
    return old.pieces(sides[0]), new.pieces(sides[1])


def added_sections(top: Section, own: Sections, others: Iterable[Sections]) -> dict[str, Piece]:
    """The pieces of a text but for those of which one of the others has one that says the same."""
    others = tuple(others)
    headers = own.but(*others)
    for other in others:
        headers = [header for header in headers if not has_like(top, header, own, other)]
    return own.pieces(frozenset(headers))


def has_like(top: Section, header: str, own: Sections, other: Sections) -> bool:
    """Whether another text has that section too, alike as far as that is seen without reading it."""
    return header in other.by_header and has_like_body(top, header, own.body(header), other.body(header))


def has_like_body(top: Section, header: str, body: str, other: str) -> bool:
    """Whether two texts below one header say the same, as far as that is seen: all but lines of defaults."""
    if body == other or not body or not other:
        return body == other
    known = top.find(header)
    section = known.statement.below if known is not None and known.is_one else None
    return section is not None and are_alike(body, other, section)


def is_joint(top: Section, header: str) -> bool:
    """Whether a line of the first level stands for several, or may."""
    known = top.find(header)
    return known is not None and known.statement.expands is not None
