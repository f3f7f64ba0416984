"""Each wrong intent is told exactly what is wrong with it, at the line where it is wrong."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import fabric
from fabric.documents import Sources
from fabric.documents.print_findings import findings_text
from tests.errors.runner import compile_diagnostics, expected, split
from tests.plurals import wrong_plurals

PACKAGE = Path(fabric.__file__).parent
CASES = sorted(Path(__file__).parent.glob("*.yaml"))


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_a_wrong_intent_is_told_what_is_wrong_and_where(case):
    wanted = sorted(expected(split(case.read_text(), with_markers=True)))

    found = list(compile_diagnostics(split(case.read_text())))

    got = sorted((p.file if p else "", p.line if p else 0, d.code, d.severity) for d, p in found)
    assert got == [(w.file, w.line, w.code, w.severity) for w in wanted], findings_text(
        [d for d, _ in found], Sources()
    )
    for want in wanted:
        rules = [
            d.rule for d, p in found if p and (p.file, p.line, d.code) == (want.file, want.line, want.code)
        ]
        assert any(want.fragment in rule for rule in rules), (want, rules)


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_every_error_names_a_way_out(case):
    for finding, _ in compile_diagnostics(split(case.read_text())):
        assert finding.hint, finding


def hintless(path):
    """Lines of a module in which a finding is made without a hint."""
    calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    made = [
        call
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and call.func.attr == "at"
        and not ast.unparse(call.func).startswith("np.")  # numpy's own `ufunc.at`
    ]
    return [call.lineno for call in made if "hint" not in {word.arg for word in call.keywords}]


def test_no_finding_anywhere_is_made_without_a_way_out():
    found = {str(path.relative_to(PACKAGE)): hintless(path) for path in sorted(PACKAGE.rglob("*.py"))}

    assert {path: lines for path, lines in found.items() if lines} == {}


def test_a_finding_without_a_way_out_would_be_noticed(tmp_path):
    (tmp_path / "a.py").write_text('report.add(codes.X.at(origin, "wrong"))\n')

    assert hintless(tmp_path / "a.py") == [1]


def test_there_are_enough_cases():
    assert len(CASES) >= 120


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_no_finding_counts_one_in_the_plural_or_less_than_nothing(case):
    for finding, _ in compile_diagnostics(split(case.read_text())):
        text = f"{finding.rule}\n{finding.hint}"
        assert wrong_plurals(text) == [], text
        assert "-0.0" not in text
