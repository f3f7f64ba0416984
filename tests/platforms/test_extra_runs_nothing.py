"""No line of an override runs a program, shuts or moves what is ours, on any product and in any of its files."""

from __future__ import annotations

import pytest

from fabric.diagnostics import Invalid
from fabric.platforms.base import PART
from fabric.platforms.registry import names, platform
from tests.platforms.everywhere import SECTIONS
from tests.platforms.sites import extra, leaf, printed


def cases(kind):
    """Part and text, one at a time."""
    return [(part, text) for part, section in SECTIONS.items() for text in getattr(section, kind)]


def refusals(part, text):
    """Errors of a leaf with the lines of an override in a part of its product."""
    name, section = part.split("/")
    plain = leaf(name)
    ports = [port.name for port in plain.ports if port.addresses or port.peer]
    words = {"port": ports[0], "other": ports[1], "asn": plain.routing.asn}
    words["neighbor"] = plain.routing.neighbors[0].address
    try:
        printed(leaf(name, extra(section, text.format(**words))))
    except Invalid as invalid:
        return [found for found in invalid.diagnostics if found.is_error]
    return []


def test_every_product_that_takes_lines_is_tried():
    switches = {name for name in names() if platform(name).technology == "ethernet"}

    assert switches - {"host"} == {part.partition("/")[0] for part in SECTIONS}
    assert all(section.programs and section.harm for section in SECTIONS.values())


@pytest.mark.parametrize(("part", "text"), cases("programs"))
def test_no_line_runs_a_program(part, text):
    escaped = text.replace("{", "{{").replace("}", "}}")

    assert_refused(part, escaped)


@pytest.mark.parametrize(("part", "text"), cases("harm"))
def test_no_line_shuts_or_moves_what_is_ours(part, text):
    assert_refused(part, text)


@pytest.mark.parametrize("part", SECTIONS)
def test_no_line_begins_another_file(part):
    assert_refused(part, f"{PART}qos.sh\nrm -rf /")


@pytest.mark.parametrize(("part", "text"), cases("taken"))
def test_lines_of_what_is_not_ours_are_taken(part, text):
    escaped = text.replace("{", "{{").replace("}", "}}")

    assert [] == [(found.code, found.rule) for found in refusals(part, escaped)]


def assert_refused(part, text):
    """An error with place, value or rule, and a hint."""
    found = refusals(part, text)

    assert found, text
    for one in found:
        assert str(one.origin).startswith("overrides[0].extra"), text
        assert one.rule, text
        assert one.hint, text
