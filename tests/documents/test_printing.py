"""Findings as text."""

from __future__ import annotations

from fabric.diagnostics import Diagnostic, Origin, Severity
from fabric.documents import Document, Sources
from fabric.documents.places import Marks
from fabric.documents.printing import printed

SOURCES = Sources({"intent": Document("intent", None, Marks("a.yaml", 3, 5))})


def finding(code="FAB101", severity=Severity.ERROR, rule="wrong", **more):
    return Diagnostic(code=code, severity=severity, origin=Origin(("units",)), rule=rule, **more)


def test_a_finding_gives_place_code_path_rule_and_the_way_out():
    text = printed([finding(hint="do it right")], SOURCES)

    assert text == "a.yaml:3:5: FAB101 error: units: wrong\n    hint: do it right\n"


def test_errors_come_before_warnings_and_equal_ones_once():
    text = printed([finding("FAB116", Severity.WARNING), finding(), finding()], SOURCES)

    assert text == "a.yaml:3:5: FAB101 error: units: wrong\na.yaml:3:5: FAB116 warning: units: wrong\n"


def test_many_devices_are_counted():
    text = printed([finding(subjects=tuple(f"leaf-{i}" for i in range(9)))], SOURCES)

    assert "    on: leaf-0, leaf-1, leaf-2, leaf-3 and 5 more\n" in text


def test_nothing_in_a_finding_can_move_the_cursor():
    text = printed([finding(rule="a\x1b[31m\nb\u202e", hint="c\rd")], SOURCES)

    assert text.splitlines() == [r"a.yaml:3:5: FAB101 error: units: a\x1b[31m\nb\u202e", r"    hint: c\rd"]
