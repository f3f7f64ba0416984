"""Programs that tests run: found by one table, never missing in silence, never wrong in silence.

    done = run("vtysh", "-C", "-f", file)          # fails unless it ends with 0
    done = run("shellcheck", script, exits=1)      # here a finding is expected
    needed_programs("ibsim", "opensm")             # skips by name, before the work

`tools/programs.tsv` is the table; `tools/live` installs from it. Where `FABRIC_REQUIRE_LIVE` is set, what is missing
is a failure, not a skip.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Collection, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, NoReturn

import pytest

ROOT = Path(__file__).parents[1]
FILE = ROOT / "tools" / "programs.tsv"
SYSTEM = ("/usr/sbin", "/sbin")
"""Where Debian has daemons, and users do not look."""
SEARCHED = os.pathsep.join((os.environ.get("PATH", os.defpath), *SYSTEM))
LIMIT_S = 600
"""For what takes seconds on an idle machine: others may be at work on this one. A hang, not a measure."""
ANY = range(-64, 256)
"""Of programs whose exit code says nothing; the test reads what they print."""

Exits = int | Collection[int]
"""Exit codes that a test expects."""


class Program(NamedTuple):
    """One row of the table."""

    name: str
    package: str
    folders: tuple[str, ...]
    who: str


def _rows() -> Iterator[Program]:
    for line in FILE.read_text().splitlines():
        if not line.startswith("#"):
            name, package, folders, who = line.split("\t")
            yield Program(name, package, () if folders == "-" else tuple(folders.split(":")), who)


TABLE = {row.name: row for row in _rows()}


def needed(what: str, fix: str = "`tools/live` installs what tests need, as root") -> NoReturn:
    """Skip, with what is missing, or fail where `FABRIC_REQUIRE_LIVE` is set."""
    reason = f"{what} is not there: {fix}"
    if os.environ.get("FABRIC_REQUIRE_LIVE"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason, allow_module_level=True)


def needed_module(name: str) -> ModuleType:
    """A Python module that only tests need; skips or fails where it is not installed."""
    try:
        return import_module(name)
    except ImportError:
        needed(f"the Python module {name}")


def needed_files(package: str) -> Path:
    """The folder of a Python package of which tests only read files; skips or fails where it is not installed."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        needed(f"the Python package {package} (requirements/browser.txt)")
    return Path(spec.origin).parent


def needed_root() -> None:
    """Skip or fail where the test does not run as root."""
    if os.getuid() != 0:
        needed("root")


def found(name: str) -> Path | None:
    """Where a program of the table is; None if it is not installed."""
    assert name in TABLE, f"{name} is not in {FILE.relative_to(ROOT)}: add it, so that it is installed"
    folders = [
        str(folder) for pattern in TABLE[name].folders for folder in Path("/").glob(pattern.lstrip("/"))
    ]
    path = shutil.which(name, path=os.pathsep.join((SEARCHED, *sorted(folders, reverse=True))))
    return Path(path) if path else None


def missing(*names: str) -> list[str]:
    """Those programs that are not installed, with the package of each."""
    return [f"{name} ({TABLE[name].package})" for name in names if found(name) is None]


def needed_programs(*names: str) -> None:
    """Skip or fail, naming every program of these that is not installed."""
    if gone := missing(*names):
        needed(", ".join(gone))


def path_of(name: str) -> Path:
    """Where a program is; skips or fails, by its name, if it is not installed."""
    needed_programs(name)
    path = found(name)
    assert path is not None
    return path


def run(
    *words: str | Path, exits: Exits = 0, limit_s: float = LIMIT_S, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end and return what it printed. Fails on another exit code than `exits`.

    A bare name is looked up in the table; `options` are those of `subprocess.run`.
    """
    given = {"capture_output": True, "text": True} if "stdout" not in options else {"text": True}
    command = _command(words)
    done = subprocess.run(command, check=False, timeout=limit_s, **{**given, **options})
    expected = (exits,) if isinstance(exits, int) else exits
    assert done.returncode in expected, _complaint(done)
    return done


def start(*words: str | Path, **options: Any) -> subprocess.Popen[Any]:
    """Start a program that goes on; looked up as by `run`."""
    return subprocess.Popen(_command(words), **options)


def resolved(word: str | Path) -> str:
    """The whole path of a program; a path stays as it is."""
    return str(word) if "/" in str(word) else str(path_of(str(word)))


def _command(words: tuple[str | Path, ...]) -> list[str]:
    """The words, the program by its whole path. What `setpriv` or `runuser` shall start is `resolved` by the test."""
    first, *others = words
    return [resolved(first), *map(str, others)]


def _complaint(done: subprocess.CompletedProcess[Any]) -> str:
    printed = "".join(
        part.decode(errors="replace") if isinstance(part, bytes) else part or ""
        for part in (done.stdout, done.stderr)
    )
    return f"{done.args} ended with {done.returncode}:\n{printed[-3000:]}"
