"""Whom a reason names."""

from __future__ import annotations

from collections.abc import Sequence

FEW = 3
"""So many ports are named; of more, their number."""


def few(names: Sequence[str]) -> str:
    """The first of some ports, and how many more there are."""
    more = f" and {len(names) - FEW:,} more" if len(names) > FEW else ""
    return f"{', '.join(names[:FEW])}{more}"
