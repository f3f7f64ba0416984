"""Findings in every format, as people and CI systems read them."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import pytest

from fabric.cli.printing.findings import full
from fabric.cli.reports import github, gitlab, junit, sarif
from fabric.diagnostics import Severity
from fabric.documents.print_findings import Finding, concise, subjects

ERROR = Finding(
    code="FAB901",
    severity=Severity.ERROR,
    file="site.yaml",
    line=3,
    column=7,
    path="hosts.gpu",
    rule="100 % wrong,\nreally",
    hint="do: this",
)
WARNING = Finding(
    code="FAB903", severity=Severity.WARNING, file=None, line=None, column=None, path="", rule="odd"
)
BOTH = (ERROR, WARNING)


def test_a_sound_site_passes(fabric):
    ran = fabric("validate")

    assert ran.code == 0
    assert "error" not in ran.out


def test_a_broken_site_fails_and_names_the_next_step(fabric, site):
    (site / "site.yaml").write_text("site: Lab\n")

    ran = fabric("validate")

    assert ran.code == 1
    assert "site.yaml:1:7: FAB" in ran.out
    assert "`fabric explain FAB" in ran.err


def test_concise_is_a_line_a_finding(fabric, site):
    (site / "site.yaml").write_text("site: Lab\n")

    lines = fabric("validate", "--format", "concise").out.splitlines()

    assert all(line.startswith("site.yaml:") for line in lines)
    assert len(lines) == 3


@pytest.mark.parametrize("form", ["json", "github", "gitlab", "sarif", "junit", "concise", "full"])
def test_every_format_fails_on_an_error(fabric, site, form):
    (site / "site.yaml").write_text("site: Lab\n")

    ran = fabric("validate", "--format", form)

    assert ran.code == 1
    assert "FAB" in ran.out


def test_the_line_is_shown_with_a_caret_below_the_column(tmp_path):
    file = tmp_path / "site.yaml"
    file.write_text("a: 1\nb: wrong\n")
    finding = Finding(
        code="FAB901", severity=Severity.ERROR, file=str(file), line=2, column=4, path="b", rule="no"
    )

    lines = list(full(finding, color=False))

    assert lines[1:] == ["    2 | b: wrong", "      |    ^"]


def test_many_devices_are_counted():
    assert subjects([f"leaf{i}" for i in range(400)]) == "leaf0, leaf1 and 398 more"


def test_findings_without_a_place_are_printed_too():
    assert concise(WARNING) == "site: FAB903: warning: odd"


def test_github_escapes_what_would_end_a_command():
    first, second = github(BOTH).splitlines()

    assert first == (
        "::error file=site.yaml,line=3,col=7,title=fabric (FAB901)::"
        "site.yaml:3:7: FAB901: hosts.gpu: 100 %25 wrong,\\nreally%0Ahint: do: this"
    )
    assert second == "::warning title=fabric (FAB903)::site: FAB903: warning: odd"


def test_gitlab_tells_equal_findings_apart():
    issues = json.loads(gitlab((ERROR, ERROR, WARNING)))

    assert [issue["severity"] for issue in issues] == ["major", "major", "minor"]
    assert len({issue["fingerprint"] for issue in issues}) == 3
    assert issues[0]["location"] == {"path": "site.yaml", "positions": {"begin": {"line": 3, "column": 7}}}


def test_a_finding_keeps_its_fingerprint_when_its_line_moves():
    import msgspec

    moved = msgspec.structs.replace(ERROR, line=30)

    assert json.loads(gitlab((ERROR,)))[0]["fingerprint"] == json.loads(gitlab((moved,)))[0]["fingerprint"]


def test_sarif_has_what_code_scanning_requires():
    run = json.loads(sarif(BOTH))["runs"][0]

    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["FAB901", "FAB903"]
    assert all(
        rule["help"]["text"] and rule["fullDescription"]["text"] for rule in run["tool"]["driver"]["rules"]
    )
    assert [result["ruleIndex"] for result in run["results"]] == [0, 1]
    assert run["results"][0]["locations"][0]["physicalLocation"]["region"] == {
        "startLine": 3,
        "startColumn": 7,
    }


TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
WHERE = {
    "required": ["artifactLocation", "region"],
    "properties": {
        "artifactLocation": {"required": ["uri"], "properties": {"uri": {"pattern": "^[^/\\\\ ][^\\\\ ]*$"}}},
        "region": {
            "properties": {
                "startLine": {"type": "integer", "minimum": 1},
                "startColumn": {"type": "integer", "minimum": 1},
            }
        },
    },
}
RESULT = {
    "required": ["ruleId", "message", "locations", "partialFingerprints"],
    "properties": {
        "message": TEXT,
        "level": LEVEL,
        "ruleIndex": {"type": "integer", "minimum": -1},
        "locations": {
            "minItems": 1,
            "items": {"required": ["physicalLocation"], "properties": {"physicalLocation": WHERE}},
        },
        "partialFingerprints": {"additionalProperties": {"type": "string"}},
    },
}
RULE = {
    "required": ["id", "shortDescription", "fullDescription", "help"],
    "properties": {
        "id": {"type": "string"},
        "shortDescription": TEXT,
        "fullDescription": TEXT,
        "help": TEXT,
        "defaultConfiguration": {"properties": {"level": LEVEL}},
    },
}
DRIVER = {"required": ["name", "rules"], "properties": {"rules": {"type": "array", "items": RULE}}}
RUN = {
    "required": ["tool", "results"],
    "properties": {
        "tool": {"required": ["driver"], "properties": {"driver": DRIVER}},
        "results": {"type": "array", "items": RESULT},
    },
}
SARIF = {
    "required": ["$schema", "version", "runs"],
    "properties": {"version": {"const": "2.1.0"}, "runs": {"type": "array", "minItems": 1, "items": RUN}},
}
"""What code scanning asks for (the source stands in `fabric/cli/reports/sarif.py`): the part of the schema we write."""


def test_sarif_is_of_the_shape_that_code_scanning_takes():
    from jsonschema import Draft202012Validator

    rules = Draft202012Validator(SARIF)
    good = json.loads(sarif(BOTH))
    assert list(rules.iter_errors(good)) == []
    assert list(rules.iter_errors(json.loads(sarif(())))) == []

    good["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    assert [error.json_path[-9:] for error in rules.iter_errors(good)] == ["startLine"]


def test_junit_fails_for_errors_only_and_is_never_empty():
    suites = ET.fromstring(junit(BOTH).encode())  # noqa: S314  # our own text
    empty = ET.fromstring(junit(()).encode())  # noqa: S314

    assert [suite.get("failures") for suite in suites] == ["0", "1"]
    assert len(empty.findall("./testsuite/testcase")) == 1
