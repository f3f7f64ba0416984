"""No line of an override takes away or changes one that we print, on any product; new lines are taken."""

from __future__ import annotations

import pytest

from fabric.diagnostics import Invalid
from fabric.platforms.base import split_parts
from fabric.platforms.overrides.lines import paths
from fabric.platforms.registry import platform
from tests.platforms.everywhere import BY_LINES, SECTIONS
from tests.platforms.sites import extra, leaf, printed

COMMANDS = ("show running-config", "clear counters", "ping 192.0.2.1", "configure terminal")
OURS = [part for part, section in SECTIONS.items() if section.changes]
"""The block of each product that reaches the lines we print."""


def cases(kind):
    """Block and text, one at a time."""
    return [(part, text) for part, section in SECTIONS.items() for text in getattr(section, kind)]


def findings(part, text):
    """Codes of the errors of a product's leaf with lines of an override."""
    name, block = part.split("/")
    try:
        printed(leaf(name, extra(block, text)))
    except Invalid as invalid:
        return {found.code for found in invalid.diagnostics if found.is_error}
    return set()


def printed_paths(part):
    """Some lines of ours at the margin and below one section each, with the section they stand in."""
    name, block = part.split("/")
    text = printed(leaf(name))
    rules = platform(name).override_rules(block)
    if rules.part:
        text = split_parts(text)[rules.part]
    skipped = {"no", "exit", "end", *SECTIONS[part].of_the_product}
    below: dict[str, int] = {}
    for _, path in paths(text):
        if path[0].split()[0] in skipped or len(path) > 2:
            continue
        if len(path) == 2:
            below[path[0]] = below.get(path[0], 0) + 1
        if len(path) == 1 or below[path[0]] <= 2:
            yield path


@pytest.mark.parametrize("part", BY_LINES)
def test_no_line_of_ours_can_be_negated(part):
    ours = [path for path in dict.fromkeys(printed_paths(part)) if path[-1].split()[0] not in ("no", "exit")]
    step = max(1, len(ours) // 40)

    assert len(ours) > 10
    for *above, line in ours[::step]:
        text = "\n".join([*above, " " * 3 * len(above) + f"no {line}"])
        assert findings(part, text), text


@pytest.mark.parametrize(("part", "text"), cases("changes"))
def test_what_is_ours_keeps_its_value(part, text):
    assert {"FAB476"} == findings(part, text)


@pytest.mark.parametrize("part", BY_LINES)
@pytest.mark.parametrize("case", [str.upper, str.title], ids=["upper", "title"])
def test_case_hides_no_line_from_the_guard(part, case):
    """Command lines take their own words in any case."""
    ours = [path for path in dict.fromkeys(printed_paths(part)) if path[-1].split()[0] not in ("no", "exit")]

    for *above, line in ours[:: max(1, len(ours) // 15)]:
        first, _, rest = line.partition(" ")
        negated = f"{' ' * 3 * len(above)}{case('no')} {case(first)} {rest}"
        typed = "\n".join([*map(case, above), negated])
        assert findings(part, typed), typed


@pytest.mark.parametrize(("part", "text"), [case for case in cases("changes") if case[0] in BY_LINES])
def test_case_gives_nothing_of_ours_another_value(part, text):
    first, rest = text.split(maxsplit=1) if " " in text else (text, "")

    assert findings(part, f"{first.title()} {rest}"), text


@pytest.mark.parametrize("part", BY_LINES)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_is_no_configuration(part, command):
    assert findings(part, command)


@pytest.mark.parametrize("part", OURS)
def test_an_override_is_no_template(part):
    assert findings(part, SECTIONS[part].template)


@pytest.mark.parametrize(("part", "text"), cases("new"))
def test_lines_of_which_we_print_nothing_are_taken(part, text):
    assert set() == findings(part, text)
