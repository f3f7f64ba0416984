"""Who is told what a gate waits for."""

from __future__ import annotations

from collections.abc import Callable

ToldWaiting = Callable[[tuple[str, ...], float], None]
"""Told what is waited for, and for how long it was (seconds)."""
