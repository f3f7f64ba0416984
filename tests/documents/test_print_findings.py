"""Findings as text."""

from __future__ import annotations

import pytest

from fabric.diagnostics import Diagnostic, Origin, Severity
from fabric.documents import Document, Sources
from fabric.documents.places import SourceMap
from fabric.documents.print_findings import escaped, findings_text
from fabric.documents.redaction import is_secret_line, is_secret_path

SOURCES = Sources({"intent": Document("intent", None, SourceMap("a.yaml", 3, 5))})


def finding(code="FAB101", severity=Severity.ERROR, rule="wrong", **more):
    return Diagnostic(code=code, severity=severity, origin=Origin(("units",)), rule=rule, **more)


def test_a_finding_gives_place_code_path_rule_and_the_way_out():
    text = findings_text([finding(hint="do it right")], SOURCES)

    assert text == "a.yaml:3:5: FAB101: units: wrong\n    hint: do it right\n"


def test_errors_come_before_warnings_and_equal_ones_once():
    text = findings_text([finding("FAB116", Severity.WARNING), finding(), finding()], SOURCES)

    assert text == "a.yaml:3:5: FAB101: units: wrong\na.yaml:3:5: FAB116: warning: units: wrong\n"


def test_many_devices_are_counted():
    text = findings_text([finding(subjects=tuple(f"leaf-{i}" for i in range(9)))], SOURCES)

    assert "    on: leaf-0, leaf-1 and 7 more\n" in text


def test_nothing_in_a_finding_can_move_the_cursor():
    text = findings_text([finding(rule="a\x1b[31m\nb\u202e", hint="c\rd")], SOURCES)

    assert text.splitlines() == [r"a.yaml:3:5: FAB101: units: a\x1b[31m\nb\u202e", r"    hint: c\rd"]


def test_what_is_kept_stays_as_it_is():
    assert escaped("a\tb\x1b\n", keep="\t\n") == "a\tb\\x1b\n"


@pytest.mark.parametrize(
    ("line", "secret"),
    [
        ("  tacacs: {servers: [192.0.2.1], secret: hunter2}", True),
        ("    pasword: hunter2", True),
        ("  enable: hunter2", True),
        ("snmp: snmp-server community public ro", True),
        ("  leaf: {model: arista-7060x6-64pe}", False),
        ("  enabled: true", False),
    ],
)
def test_a_line_that_names_a_secret_is_told(line, secret):
    assert is_secret_line(line) == secret


@pytest.mark.parametrize(
    ("path", "secret"),
    [
        (("services", "tacacs", "secret"), True),
        (("credentials", "ops", "password"), True),
        (("credentials", "ops", "enable"), True),
        (("services", "users", "ops", "password_hash"), True),
        (("services", "tacacs", "secret", 0), True),
        (("services", "users", "ops", "ssh_keys", 0), False),
        (("default_credentials",), False),
        (("networks", "compute"), False),
        ((), False),
    ],
)
def test_a_place_for_secrets_is_told_by_its_key(path, secret):
    assert is_secret_path(path) == secret
