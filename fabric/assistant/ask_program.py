"""Ask the program itself, in a process of its own: an assistant sees what a person sees, as JSON, and nothing else.

A tool is called with what somebody else has written, and its answer must not reach the protocol's own stream. So no
command runs in the server's process, each has an end, and its words are fixed but for checked values.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path, PurePosixPath
from typing import Any

LONGEST_S = 300
"""Of one question: a plan of a large site takes seconds, all pairs of failures minutes."""
MOST_BYTES = 2_000_000
"""Of one answer: more fills any context window."""
MOST_REASON = 10_000
"""Letters of a reason why there is no answer."""
MOST_FILES = 100
"""Edited files of one question."""
NOT_COPIED = shutil.ignore_patterns(".git", ".fabric", "out")
UNHEARD = {"NO_COLOR": "1", "COLUMNS": "200"}


class NoAnswer(Exception):
    """A question that has no answer: what is wrong with it, for whoever asked."""


class Site:
    """The folder of the site that questions are about."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def ask(self, *words: str, files: Mapping[str, str] | None = None) -> dict[str, Any]:
        """What a command prints with `--format json`, and its exit code. `NoAnswer` if it prints none.

        `files`: texts in the place of files of the site, by their names below its folder.
        """
        with self._edited(files) if files else nullcontext(self.folder) as folder:
            return _answer(self._run(folder, *words))

    def configuration(self, device: str, files: Mapping[str, str] | None = None) -> dict[str, str]:
        """The files of one device as they are compiled, by their paths. `NoAnswer` if the site has an error.

        A copy is compiled, since compiling a site for the first time writes its fabric.lock.
        """
        with self._edited(files or {}) as folder, tempfile.TemporaryDirectory(prefix="fabric-") as out:
            ran = self._run(folder, "compile", f"--only={device}", "--out", out)
            if ran.returncode:
                raise NoAnswer(_reason(ran))
            paths = sorted(path for path in Path(out).rglob("*") if path.is_file())
            return _limited({path.relative_to(out).as_posix(): path.read_text() for path in paths})

    def path_inside(self, name: str) -> str:
        """A folder or file of the site for a command line. `NoAnswer` if it is outside."""
        path = (self.folder / name).resolve()
        if not path.is_relative_to(self.folder.resolve()):
            message = f"{name!r} is outside the site's folder: name a path below it"
            raise NoAnswer(message)
        return str(path)

    def _run(self, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
        command = (sys.executable, "-m", "fabric", "--site", str(folder), "--format", "json", *words)
        try:
            return subprocess.run(  # noqa: S603  # this program, and words that its command line checks
                command,
                check=False,
                capture_output=True,
                text=True,
                stdin=subprocess.DEVNULL,
                timeout=LONGEST_S,
                env={**os.environ, **UNHEARD},
            )
        except subprocess.TimeoutExpired:
            message = f"no answer after {LONGEST_S} s: ask for less, such as one network or one device"
            raise NoAnswer(message) from None

    @contextmanager
    def _edited(self, files: Mapping[str, str]) -> Iterator[Path]:
        """A copy of the site in which some files have other texts."""
        if len(files) > MOST_FILES:
            message = f"{len(files)} files: at most {MOST_FILES} can be edited in one question"
            raise NoAnswer(message)
        with tempfile.TemporaryDirectory(prefix="fabric-") as place:
            copy = Path(place) / "site"
            shutil.copytree(self.folder, copy, ignore=NOT_COPIED)
            for name, text in files.items():
                target = copy / _inside(name)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text, encoding="utf-8")
            yield copy


def _inside(name: str) -> PurePosixPath:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts or "\0" in name:
        message = f"{name!r} is not the name of a file below the site's folder: write `site.yaml`"
        raise NoAnswer(message)
    return path


def _answer(ran: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    document = _document(ran)
    if document is None or set(document) <= {"error", "format_version"}:
        raise NoAnswer(_reason(ran))
    return _limited({"exit_code": ran.returncode, **document})


def _document(ran: subprocess.CompletedProcess[str]) -> dict[str, Any] | None:
    try:
        document = json.loads(ran.stdout)
    except ValueError:
        return None
    return document if isinstance(document, dict) else None


def _reason(ran: subprocess.CompletedProcess[str]) -> str:
    """Why a command has failed, in its own words."""
    return ran.stderr.strip()[-MOST_REASON:] or f"the command ended with {ran.returncode} and printed nothing"


def _limited(document: dict[str, Any]) -> dict[str, Any]:
    size = len(json.dumps(document))
    if size > MOST_BYTES:
        message = (
            f"the answer has {size:,} bytes, more than {MOST_BYTES:,}: ask about one network or one device"
        )
        raise NoAnswer(message)
    return document
