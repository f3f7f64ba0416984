"""The documentation as a site: built by Zensical, and served to this machine's own browser."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path

from fabric.cli.manual.pages import SETTINGS
from fabric.diagnostics import ToolMissing, with_extra
from fabric.resources import resource

BUILT = "site"
LOOPBACK = "127.0.0.1"
ONLY_FROM_HERE = "default-src 'self' 'unsafe-inline' data:; worker-src 'self' blob:"
"""The theme would ask other hosts for what an offline page does not need."""


def build(target: Path) -> None:
    """Build the site into a folder that is not there yet. `ToolMissing` without Zensical."""
    if find_spec("zensical") is None:
        fix = f"{with_extra('docs')}; or read a page with `fabric docs PAGE`"
        message = f"the package zensical is missing: {fix}"
        raise ToolMissing(message)
    with tempfile.TemporaryDirectory(prefix="fabric-docs-") as place:
        work = Path(place)
        pages = resource("docs")
        shutil.copytree(pages, work / pages.name)
        shutil.copy(pages.parent / SETTINGS, work)
        command = (
            sys.executable,
            "-m",
            "zensical",
            "build",
            "--strict",
            "--config-file",
            str(work / SETTINGS),
        )
        done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=work)  # noqa: S603
        if done.returncode:
            raise OSError(f"the site does not build: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        shutil.copytree(work / BUILT, target)


class _Handler(SimpleHTTPRequestHandler):
    def end_headers(self) -> None:
        """With a rule that keeps the browser from asking anybody else."""
        self.send_header("Content-Security-Policy", ONLY_FROM_HERE)
        super().end_headers()

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002  # its name in the library
        """Say nothing: nobody reads a log of who has read the manual."""


@contextmanager
def serving(folder: Path, port: int) -> Iterator[ThreadingHTTPServer]:
    """A server of a folder's files on loopback; port 0: a free one."""
    with ThreadingHTTPServer((LOOPBACK, port), partial(_Handler, directory=str(folder))) as server:
        yield server
