"""Files that are put into their places together, or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

from fabric.resources import written_as


class StagedFiles:
    """Changed files wait in one folder beside their places until all are made; forked processes may add some.

    Leaving the context removes what still waits, so leave it after the processes that add have ended.
    """

    def __init__(self, target: Path) -> None:
        self.target = target
        self._waiting = target / f".new-{os.getpid()}"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        shutil.rmtree(self._waiting, ignore_errors=True)

    def add(self, path: str, text: str, mode: int | None = None) -> bool:
        """Stage a file for `path` below the target; False if it is there as it would be."""
        body = text.encode()
        if _is_there(self.target / path, body, mode):
            return False
        staged = self._place(path)
        with written_as(self.target / path):
            try:
                staged.write_bytes(body)
            except FileNotFoundError:  # the first of all
                self._waiting.mkdir(parents=True, exist_ok=True)
                staged.write_bytes(body)
        if mode is not None:
            staged.chmod(mode)
        return True

    def publish(self, paths: Iterable[str]) -> None:
        """Put staged files into their places."""
        places = {path: self.target / path for path in paths}
        for folder in {place.parent for place in places.values()}:
            folder.mkdir(parents=True, exist_ok=True)
        for path, place in places.items():
            with written_as(place):
                os.replace(self._place(path), place)  # noqa: PTH105  # the same on every system

    def _place(self, path: str) -> Path:
        """Where a file waits: in one flat folder, so that no other is made before all files are."""
        return self._waiting / quote(path, safe="")


def _is_there(path: Path, body: bytes, mode: int | None) -> bool:
    """Whether a file has these contents already. Of most that have not, the size tells without reading."""
    try:
        status = path.stat()
        return (
            status.st_size == len(body)
            and mode in (None, status.st_mode & 0o777)
            and path.is_file()
            and path.read_bytes() == body
        )
    except (FileNotFoundError, NotADirectoryError):
        return False
