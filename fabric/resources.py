"""Where the shipped data is: beside the package in a checkout, inside it in an installed wheel."""

from __future__ import annotations

from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent


@cache
def resource(name: str) -> Path:
    """The folder `templates`, `schemas` or `inventories`. `FileNotFoundError` if this installation lacks it."""
    for place in (PACKAGE / "_resources" / name, PACKAGE.parent / name):
        if place.is_dir():
            return place
    message = f"this installation of fabric lacks its folder {name!r}: install it again"
    raise FileNotFoundError(message)
