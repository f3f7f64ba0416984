"""Findings that one value of the intent mends: which value goes where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from fabric.diagnostics import Diagnostic, Origin
from fabric.documents.edit_yaml import SharedValue, as_yaml, with_value
from fabric.linting.rule import Rule
from fabric.linting.site import Linted


class Fix(NamedTuple):
    """A value for one place."""

    code: str
    at: Origin
    value: Any

    def __str__(self) -> str:
        return f"{self.code} {self.at}: {as_yaml(self.value)}"


class Texts(NamedTuple):
    """What fixes make of files."""

    files: dict[str, str]
    """New texts by name."""
    made: tuple[Fix, ...]
    shared: tuple[Fix, ...]
    """Not made: an anchor of YAML stands there, and its aliases would change too."""


def fixes(site: Linted, by: Iterable[Rule], still_open: Iterable[Diagnostic]) -> Iterator[Fix]:
    """A fix for each open finding that has one; of two for one place the first."""
    wanted = {(finding.code, finding.origin, finding.about) for finding in still_open}
    taken: set[Origin] = set()
    for rule in by:
        if not any(code == rule.code.code for code, _at, _about in wanted):
            continue  # of a rule that fails nothing is wanted
        for found in rule.check(site):
            key = (rule.code.code, found.at, found.about)
            if found.fix is not None and key in wanted and found.at not in taken:
                taken.add(found.at)
                yield Fix(rule.code.code, found.at, found.fix)


def mended(site: Linted, wanted: Iterable[Fix], folder: Path) -> Texts:
    """The files of a site's folder that fixes change; every byte of them stays but for the values.

    A place in a file that is not below the folder, as a ready policy, is left alone.
    """
    texts: dict[str, str] = {}
    made: list[Fix] = []
    shared: list[Fix] = []
    for one in wanted:
        place = site.intent.sources.place(one.at)
        file = Path(place.file).resolve() if place else None
        if file is not None and file.is_relative_to(folder.resolve()) and file.is_file():
            name = file.relative_to(folder.resolve()).as_posix()
            text = texts.get(name) or file.read_bytes().decode()  # line breaks as they are
            try:
                texts[name] = with_value(text, one.at.path, one.value)
            except SharedValue:
                shared.append(one)
            else:
                made.append(one)
    return Texts(texts, tuple(made), tuple(shared))
