"""Console blocks of documents: the commands of a page, what it says they print, and a shell that runs them."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import DEVNULL
from typing import NamedTuple

from tests.programs import ANY, ROOT, SEARCHED, run

BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
FILE = re.compile(r"```(?:yaml|csv)\n# (\S+)\n(.*?)```", re.DOTALL)
COMMAND = re.compile(r"^\$ ", re.MULTILINE)
TOOK = re.compile(r"( \(process \d+\))? \(\d+\.\d s\)$", re.MULTILINE)
LEFT_OUT = "..."
"""A line of a page that stands for any number of lines."""


class Step(NamedTuple):
    """One command of a page, and what the page shows below it."""

    command: str
    output: str


class Ran(NamedTuple):
    """How a command ended, and what it printed."""

    returncode: int
    stdout: str
    stderr: str

    @property
    def printed(self) -> str:
        """As in a terminal, where counts follow results, without the time that it took."""
        return without_times(self.stdout + self.stderr)


class Shell:
    """Runs commands one after the other in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        path = f"{Path(sys.executable).parent}:{SEARCHED}"
        self.environment = {**os.environ, "COLUMNS": "400", "NO_COLOR": "1", "PATH": path}

    def run(self, command: str) -> Ran:
        """One command; whoever asks looks at its exit code."""
        if command.startswith("cd "):
            self.folder /= command.removeprefix("cd ")
            command = "true"
        out, err = self.folder / ".out", self.folder / ".err"
        with out.open("w") as stdout, err.open("w") as stderr:  # what goes on running would hold a pipe open
            options = {"stdin": DEVNULL, "stdout": stdout, "stderr": stderr}
            done = run("sh", "-c", command, exits=ANY, cwd=self.folder, env=self.environment, **options)
        return Ran(done.returncode, out.read_text(), err.read_text())


def page(name: str) -> str:
    """The text of a page of `docs/`, or of one beside it: `../README.md`."""
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def steps(text: str) -> Iterator[Step]:
    """The commands of a page, in its order."""
    for block in BLOCK.finditer(text):
        for step in COMMAND.split(block[1])[1:]:
            yield Step(*step.partition("\n")[::2])


def shown(text: str, beginning: str) -> Step:
    """The one command of a page that begins so."""
    (step,) = (step for step in steps(text) if step.command.startswith(beginning))
    return step


def files(text: str) -> dict[str, str]:
    """Files that a page gives, by the name in their first line."""
    return dict(FILE.findall(text))


def write_files(text: str, folder: Path) -> dict[str, Path]:
    """Write the files of a page below a folder."""
    paths = {name: folder / name for name in files(text)}
    for name, body in files(text).items():
        paths[name].parent.mkdir(parents=True, exist_ok=True)
        paths[name].write_text(body)
    return paths


def without_times(text: str) -> str:
    """A text without the seconds at the ends of its lines."""
    return TOOK.sub("", text)


def agrees(output: str, printed: str) -> bool:
    """Whether what a page shows is what was printed, apart from times and lines that it leaves out."""
    lines = (
        r"(?:.*\n)*" if line.rstrip() == LEFT_OUT else re.escape(line.rstrip()) + r" *\n"
        for line in without_times(output).splitlines()
    )
    return re.fullmatch("".join(lines), printed) is not None


def renewed(text: str, printed: dict[Step, str]) -> str:
    """A page with what commands printed in place of what it shows; where it leaves lines out it is kept."""
    for step, lines in printed.items():
        if LEFT_OUT not in step.output.splitlines():
            before, after = (f"$ {step.command}\n{body}" for body in (step.output, lines))
            text = text.replace(before, after)
    return text
