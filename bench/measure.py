"""Running a command and reading what the system says it took."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple


class Figures(NamedTuple):
    """What one run took. CPU is user and system time of the process and its children."""

    cpu_s: float
    wall_s: float
    peak_mib: float
    output: str


def run(command: Sequence[str | Path]) -> Figures:
    """Run a command to its end. `RuntimeError` with its errors if it fails.

    Bytecode is kept, as that of an installed program is: where a shell forbids it, each run would compile all modules.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    started = time.perf_counter()
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(
            [str(word) for word in command], stdout=output, stderr=errors, env=environment
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


def warm(command: Sequence[str | Path], *, runs: int) -> Figures:
    """The median of several runs after one that is not counted: what that has left is there."""
    return cold(command, (), runs=runs)


def cold(command: Sequence[str | Path], left: Sequence[Path], *, runs: int) -> Figures:
    """The median of several runs, each without what the one before has `left`: folders and files of the site.

    What belongs to the program is there, for one run is not counted: bytecode, compiled templates.
    """
    figures = []
    for _ in range(runs + 1):
        set_aside(left)
        figures.append(run(command))
    return _median(figures[1:])


def set_aside(left: Iterable[Path]) -> None:
    """Move folders and files, if they are there, into one beside them.

    Not deleted: ext4 without a journal avoids the inodes of the last seconds' deletions by looking at each of them, so
    that a file would take up to a millisecond to create, and products with many files would look slow.
    """
    for path in filter(Path.exists, left):
        earlier = path.with_name("earlier")
        earlier.mkdir(exist_ok=True)
        path.rename(earlier / f"{path.name}.{len(list(earlier.iterdir()))}")


def _median(figures: Iterable[Figures]) -> Figures:
    """The run with the median CPU time."""
    ordered = sorted(figures, key=lambda f: f.cpu_s)
    return ordered[len(ordered) // 2]
