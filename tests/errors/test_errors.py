"""Each wrong intent is told exactly what is wrong with it, at the line where it is wrong."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import fabric
from fabric.documents import Sources
from fabric.documents.print_findings import findings_text
from tests.console_blocks import BLOCK as CONSOLE
from tests.errors.runner import compile_diagnostics, expected, split
from tests.programs import ROOT

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


ONE_OF_SEVERAL = re.compile(
    r"(?<![\w.,:/+-])1 (?:(?:more|other|such|reserved|equal) )?(?P<noun>[A-Za-z][A-Za-z-]*s)\b"
)
NO_PLURALS = {
    "this": "of this list",
    "belongs": "unit 1 belongs to",
    "does": "format 1 does not",
    "is": "1 is out of range",
    "has": "unit 1 has",
    "less": "1 less",
    "class": "a noun that ends so",
    "address": "a noun that ends so",
    "lossless": "an adjective",
    "us": "microseconds",
    "stays": "unit 1 stays",
}
"""Words behind a 1 that are no plural, and where they stand."""


def wrong_plurals(text: str) -> list[str]:
    return [m[0] for m in ONE_OF_SEVERAL.finditer(text) if m["noun"] not in NO_PLURALS]


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_no_finding_counts_one_in_the_plural_or_less_than_nothing(case):
    for finding, _ in compile_diagnostics(split(case.read_text())):
        text = f"{finding.rule}\n{finding.hint}"
        assert wrong_plurals(text) == [], text
        assert "-0.0" not in text


def test_no_page_counts_one_in_the_plural_or_less_than_nothing():
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    blocks = [(page.name, block) for page in pages for block in CONSOLE.findall(page.read_text())]

    assert len(blocks) > 40
    found = {(name, word) for name, block in blocks for word in wrong_plurals(block)}
    assert found == set()
    assert not [name for name, block in blocks if re.search(r"-0\.0\b", block)]


def test_a_wrong_plural_would_be_noticed():
    assert wrong_plurals("1 ports for 2 hosts; 1 other changes, 1 port, unit 1 belongs, 31 ports, 0.1 s") == [
        "1 ports",
        "1 other changes",
    ]
