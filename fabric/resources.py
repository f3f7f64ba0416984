"""Where files are: the shipped data, and the folder of a site for what is not for git."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent

StrPath = str | os.PathLike[str]
"""A path as callers have it: what takes one takes text as well."""

SCRATCH = ".fabric"
"""Below a site: plans, journal, sandbox and caches of this machine."""
FOLDER_MODE, OTHERS = 0o700, 0o077
"""Configurations, journals and sandboxes are their owner's alone."""


@cache
def resource(name: str) -> Path:
    """The folder `templates`, `schemas`, `inventories` or `docs`. `FileNotFoundError` if this installation lacks it."""
    for place in (PACKAGE / "_resources" / name, PACKAGE.parent / name):
        if place.is_dir():
            return place
    message = f"this installation of fabric lacks its folder {name!r}: install it again"
    raise FileNotFoundError(message)


@contextmanager
def private_files() -> Iterator[None]:
    """Within, what is made can be read by its owner alone, whatever the umask."""
    before = os.umask(OTHERS)
    try:
        yield
    finally:
        os.umask(before)


def scratch(site: Path) -> Path:
    """The site's folder for what is not for git, made if need be. It ignores itself, as pytest's cache does."""
    folder = site / SCRATCH
    folder.mkdir(mode=FOLDER_MODE, exist_ok=True)
    if folder.stat().st_mode & OTHERS:
        with suppress(PermissionError):  # somebody else's
            folder.chmod(FOLDER_MODE)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        with private_files():
            ignore.write_text("# Made by fabric: nothing here is for git.\n*\n", encoding="utf-8")
    return folder


@contextmanager
def written_as(path: Path) -> Iterator[None]:
    """An error within names the file that was asked for, not the one beside it that is written first."""
    try:
        yield
    except OSError as error:
        error.filename, error.filename2 = str(path), None
        raise
