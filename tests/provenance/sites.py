"""Sites that the tests of this folder share, each compiled once."""

from __future__ import annotations

from functools import cache

from fabric.compiler import Compiled, open_site
from fabric.provenance import Cause, IntentValue, find_lines, why
from tests.programs import ROOT

GOLDEN = ROOT / "tests" / "golden"
REFERENCE = ROOT / "inventories" / "reference"


@cache
def golden(name: str) -> Compiled:
    """The site of a golden case."""
    return open_site(GOLDEN / name)


@cache
def lab() -> Compiled:
    """The reference site lab-8."""
    return open_site(REFERENCE / "lab-8")


def cause(compiled: Compiled, device: str, words: str) -> Cause:
    """The cause of the first line with some words."""
    return why(compiled, device, find_lines(compiled, device, words)[:1])[0]


def keys(values: tuple[IntentValue, ...]) -> set[str]:
    return {value.key for value in values}
