"""Each wrong intent is told exactly what is wrong with it, at the line where it is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric.diagnostics import codes
from fabric.documents import Sources
from fabric.documents.printing import printed
from tests.errors.runner import compile_diagnostics, expected, split

CASES = sorted(Path(__file__).parent.glob("*.yaml"))


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_a_wrong_intent_is_told_what_is_wrong_and_where(case):
    wanted = sorted(expected(split(case.read_text(), with_markers=True)))

    found = list(compile_diagnostics(split(case.read_text())))

    got = sorted((p.file if p else "", p.line if p else 0, d.code, d.severity) for d, p in found)
    assert got == [(w.file, w.line, w.code, w.severity) for w in wanted], printed(
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
        assert finding.hint or codes()[finding.code].fix, finding
        assert finding.hint or not finding.code.startswith(("FAB0", "FAB1")), finding


def test_there_are_enough_cases():
    assert len(CASES) >= 120
