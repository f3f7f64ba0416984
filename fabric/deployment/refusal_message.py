"""Refusals with their code in front, so that `fabric explain CODE` helps with them too."""

from __future__ import annotations

from fabric.diagnostics import Code, Refused


def refusal(code: Code, reason: str, hint: str | None = None) -> Refused:
    """The exception to raise: code, reason, and a hint: else the code's fix."""
    return Refused(f"{code.code}: {reason}", hint or code.fix)


def named(names: list[str] | tuple[str, ...], most: int = 5) -> str:
    """The first few of several names, and how many more there are."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
