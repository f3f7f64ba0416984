"""Findings that one value of the intent mends: which value goes where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from fabric.diagnostics import Diagnostic, Origin
from fabric.documents.edit_yaml import with_value
from fabric.linting.rule import Rule
from fabric.linting.site import Linted


class Fix(NamedTuple):
    """A value for one place."""

    code: str
    at: Origin
    value: Any


def fixes(site: Linted, by: Iterable[Rule], still_open: Iterable[Diagnostic]) -> Iterator[Fix]:
    """A fix for each open finding that has one; of two for one place the first."""
    wanted = {(finding.code, finding.origin, finding.about) for finding in still_open}
    taken: set[Origin] = set()
    for rule in by:
        for found in rule.check(site):
            key = (rule.code.code, found.at, found.about)
            if found.fix is not None and key in wanted and found.at not in taken:
                taken.add(found.at)
                yield Fix(rule.code.code, found.at, found.fix)


def mended(site: Linted, wanted: Iterable[Fix], folder: Path) -> tuple[dict[str, str], tuple[Fix, ...]]:
    """The files of a site's folder that fixes change, by name with their new texts; and the fixes that could be made.

    A place in a file that is not below the folder, as a ready policy, is left alone.
    """
    texts: dict[str, str] = {}
    made = []
    for one in wanted:
        place = site.intent.sources.place(one.at)
        file = Path(place.file).resolve() if place else None
        if file is not None and file.is_relative_to(folder.resolve()) and file.is_file():
            name = file.relative_to(folder.resolve()).as_posix()
            text = texts.get(name) or file.read_text(encoding="utf-8")
            texts[name] = with_value(text, one.at.path, one.value)
            made.append(one)
    return texts, tuple(made)
