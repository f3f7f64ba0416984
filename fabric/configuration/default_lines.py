"""Sections that differ in lines of defaults alone, found alike without reading them.

Products leave out what is so anyway, and our templates write some of it to be understood.
"""

from __future__ import annotations

from fabric.configuration.statements import Section


def are_alike(one: str, other: str, section: Section) -> bool:
    """Whether the lines below two headers say the same in the same order, as far as that is seen at once."""
    return one == other or without_defaults(one, section) == without_defaults(other, section)


def without_defaults(body: str, section: Section) -> str:
    """The lines of a section but for those that say a default, where that is seen without reading the others.

    One stays that has a line below it, or beside another one that may set the same thing.
    """
    margin = body[: len(body) - len(body.lstrip(" "))]
    text = f"\n{body}\n"
    for default, key in section.lone_defaults:
        if default not in body:  # most are not
            continue
        line = f"\n{margin}{default}\n"
        before, is_there, behind = text.partition(line)
        if is_there and not behind.startswith(f"{margin} "):
            rest = f"{before}\n{behind}"
            text = text if all(word in rest for word in key) else rest
    return text
