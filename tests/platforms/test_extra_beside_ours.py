"""Lines of an override add, on every product: theirs are taken; what stands below ours is refused at its own line."""

from __future__ import annotations

import re
from functools import cache

import pytest

from fabric.diagnostics import Invalid
from fabric.platforms.base import split_parts
from fabric.platforms.registry import platform
from tests.platforms.everywhere import BY_LINES, SECTIONS
from tests.platforms.sites import extra, leaf, printed

PARTS = [part for part, section in SECTIONS.items() if section.write]
"""Blocks whose lines stand in sections."""
MANY = 12
"""Sections and lines of a product that are tried."""


def cases(kind):
    """Block and case, one at a time."""
    return [(part, case) for part, section in SECTIONS.items() for case in getattr(section, kind)]


@cache
def plain(name):
    """A leaf without overrides, and its text."""
    made = leaf(name)
    return made, printed(made)


def filled(part, text):
    """With names of the leaf."""
    made, _ = plain(part.partition("/")[0])
    port = next(port.name for port in made.ports if port.addresses)
    return text.format(port=port, asn=made.routing.asn, neighbor=made.routing.neighbors[0].address)


def found(part, text):
    """The errors of a leaf with these lines: line of the block and code."""
    name, section = part.split("/")
    try:
        printed(leaf(name, extra(section, text)))
    except Invalid as invalid:
        errors = [one for one in invalid.diagnostics if one.is_error]
        assert all(one.hint and one.origin.path == ("overrides", 0, "extra", section) for one in errors)
        return [one.origin.line for one in errors]
    return []


@pytest.mark.parametrize(("part", "case"), cases("refused"))
def test_what_does_more_than_add_is_refused_at_its_line_alone(part, case):
    text, line = case
    above = SECTIONS[part].theirs

    assert found(part, above + filled(part, text)) == [above.count("\n") + line]


@pytest.mark.parametrize(("part", "text"), cases("harmless"))
def test_what_is_harmless_is_taken_and_changes_no_fact_of_ours(part, text):
    name, section = part.split("/")
    _, bare = plain(name)
    was = platform(name).read(bare).facts
    now = platform(name).read(printed(leaf(name, extra(section, filled(part, text))))).facts

    assert found(part, filled(part, text)) == []
    for one in (was.interfaces, was.neighbors, was.policies, was.profiles):
        assert any(
            one.items() <= other.items()
            for other in (now.interfaces, now.neighbors, now.policies, now.profiles)
        )
    assert (was.hostname, was.asn, was.router_id) == (now.hostname, now.asn, now.router_id)


def statements(part):
    """The paths of what we print, those that only differ in numbers once."""
    name, section = part.split("/")
    beside = platform(name).override_rules(section)
    _, bare = plain(name)
    text = split_parts(bare)[beside.part] if beside.part else bare
    alike = {}
    for _, path in beside.statements(text):
        alike.setdefault(re.sub(r"\d+", "0", " ".join(path)), path)
    return beside, list(alike.values())


def spread(items):
    """Some of them, from the first to the last."""
    return items[:: max(1, len(items) // MANY)]


@pytest.mark.parametrize("part", PARTS)
def test_no_unknown_line_stands_below_any_section_of_ours(part):
    beside, ours = statements(part)
    length = SECTIONS[part].section_depth
    sections = dict.fromkeys(path[:end] for path in ours for end in range(length, len(path)))
    closed = [above for above in sections if not beside.admits((*above, "zzz", "1"), len(above))]

    assert closed
    for above in spread([above for above in closed if length == 1 or len(above) == length]):
        path = (*above, "zzz 1") if part in BY_LINES else (*above, "zzz", "1")
        text, line = SECTIONS[part].write(path)
        theirs = SECTIONS[part].theirs
        assert found(part, theirs + text) == [theirs.count("\n") + line], text


@pytest.mark.parametrize("part", BY_LINES)
@pytest.mark.parametrize("change", ["negated", "abbreviated", "another value", "another case"])
def test_no_other_writing_of_a_line_of_ours_is_taken(part, change):
    beside, ours = statements(part)
    made = {
        "negated": lambda line: f"no {line}",
        "abbreviated": lambda line: (
            f"{line[:2]}{line.partition(' ')[0][2:-1]}{line[len(line.partition(' ')[0]) :]}"
        ),
        "another value": lambda line: f"{line}7",
        "another case": lambda line: f"{line.partition(' ')[0].upper()}{line[len(line.partition(' ')[0]) :]}",
    }[change]
    taken = ("no", "exit", "end", "exit-address-family", "!")
    below = [path for path in ours if path[-1].split()[0] not in taken and len(path[-1].split()[0]) > 3]
    tried = [path for path in below if change != "another value" or len(path) > 1]

    for *above, line in spread(tried):
        if beside.admits((*above, made(line)), len(above)):  # another object of a kind that may be new
            continue
        text, number = SECTIONS[part].write((*above, made(line)))
        assert found(part, text) == [number], text
