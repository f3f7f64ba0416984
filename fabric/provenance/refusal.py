"""Requests that name something that is not there."""

from __future__ import annotations

from fabric.diagnostics import Code, Refused


def not_found(code: Code, reason: str, hint: str | None = None) -> Refused:
    """The refusal of a request that names what is not there, with its code."""
    return Refused(f"{code.code}: {reason}", hint or code.fix)
