"""Where files are: the shipped data, and the folder of a site for what is not for git."""

from __future__ import annotations

from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent

SCRATCH = ".fabric"
"""Below a site: plans, journal, sandbox and caches of this machine."""


@cache
def resource(name: str) -> Path:
    """The folder `templates`, `schemas` or `inventories`. `FileNotFoundError` if this installation lacks it."""
    for place in (PACKAGE / "_resources" / name, PACKAGE.parent / name):
        if place.is_dir():
            return place
    message = f"this installation of fabric lacks its folder {name!r}: install it again"
    raise FileNotFoundError(message)


def scratch(site: Path) -> Path:
    """The site's folder for what is not for git, made if need be. It ignores itself, as pytest's cache does."""
    folder = site / SCRATCH
    folder.mkdir(exist_ok=True)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        ignore.write_text("# Made by fabric: nothing here is for git.\n*\n", encoding="utf-8")
    return folder
