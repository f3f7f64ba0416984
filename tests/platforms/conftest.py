"""A law of every finding that these suites see: its place is one that the schema of its document has."""

from __future__ import annotations

import pytest

from fabric.diagnostics import Report
from tests.places import allowed


@pytest.fixture(autouse=True)
def places_exist(monkeypatch):
    """Refuse findings whose place no schema has."""
    add = Report.add

    def judged(report, finding):
        assert allowed(finding.origin), finding
        add(report, finding)

    monkeypatch.setattr(Report, "add", judged)
