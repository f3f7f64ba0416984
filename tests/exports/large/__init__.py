"""Exports loaded by tools that take minutes to build or to start. `make test-large` runs them."""

from __future__ import annotations

import os

import pytest

LARGE = [
    pytest.mark.live,
    pytest.mark.skipif("FABRIC_LARGE" not in os.environ, reason="large: `make test-large` runs it"),
]
"""Marks of every test here."""
