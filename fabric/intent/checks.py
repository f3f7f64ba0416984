"""Checks that need nothing but the intent: every name refers to something, and parts agree with each other."""

from __future__ import annotations

from datetime import date

import msgspec

from fabric.diagnostics import Report
from fabric.documents import InvalidDocument
from fabric.intent.model.site import Intent


def checked(intent: Intent, report: Report, today: date) -> Intent:
    """The intent with its warnings. `InvalidDocument` with every mistake."""
    if report.has_errors:
        raise InvalidDocument(report, intent.sources)
    return msgspec.structs.replace(intent, diagnostics=tuple(report))
