"""Running a command and reading what the system says it took."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple


class Figures(NamedTuple):
    """What one run took. CPU is user and system time of the process and its children."""

    cpu_s: float
    wall_s: float
    peak_mib: float
    output: str


def run(command: Sequence[str | Path], *, env: dict[str, str] | None = None) -> Figures:
    """Run a command to its end. `RuntimeError` with its errors if it fails."""
    started = time.perf_counter()
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(
            [str(word) for word in command], stdout=output, stderr=errors, env={**os.environ, **(env or {})}
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        printed, complaints = output.read(), errors.read()
    if process.returncode not in (0, 2):
        message = f"{' '.join(map(str, command))} ended with {process.returncode}:\n{complaints[-2000:]}"
        raise RuntimeError(message)
    kib = usage.ru_maxrss if sys.platform == "linux" else usage.ru_maxrss / 1024
    return Figures(usage.ru_utime + usage.ru_stime, time.perf_counter() - started, kib / 1024, printed)


def median(command: Sequence[str | Path], *, runs: int, env: dict[str, str] | None = None) -> Figures:
    """The run with the median CPU time of several, after one that warms caches."""
    run(command, env=env)
    figures = sorted((run(command, env=env) for _ in range(runs)), key=lambda f: f.cpu_s)
    return figures[len(figures) // 2]
