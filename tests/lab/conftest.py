"""Tests run in several processes, and share what the machine has once: its limits of neighbours."""

from __future__ import annotations

import fcntl
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest


@pytest.fixture
def limits_stay():
    """No other test raises the limits meanwhile."""
    with locked(fcntl.LOCK_SH):
        yield


@pytest.fixture
def limits_rise():
    """No other test compares the limits meanwhile."""
    with locked(fcntl.LOCK_EX):
        yield


@contextmanager
def locked(how):
    with (Path(tempfile.gettempdir()) / "fabric-tests-limits-of-neighbours").open("a") as lock:
        fcntl.flock(lock, how)
        yield
