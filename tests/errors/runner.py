"""Runs wrong intents whose expected findings stand in the lines they must point at.

A case is one file. `--- # file: NAME` starts another file of the same site; the first is `site.yaml`.
`# E: FAB105 last unit` expects an error of that code, with that text in its rule, at this line; `# W:` a warning;
`# E+1:` stands for the next line, where a comment has no place. Nothing else may be found, but for notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from fabric.analysis import check_routes
from fabric.devices.derive import derive
from fabric.diagnostics import Diagnostic, Invalid, Severity
from fabric.documents import InvalidDocument, Place, Sources
from fabric.intent.load import load_text
from fabric.platforms import registry
from fabric.topology.expand import expand

TODAY = date(2026, 6, 1)
FILE = re.compile(r"^--- # file: (\S+)$")
MARKER = re.compile(
    r"# (?P<severity>[EW])(?P<offset>[+-]\d+)?: (?P<code>FAB\d{3})(?P<fragment>(?:(?! # [EW][+:-]).)*)"
)


class Expected(NamedTuple):
    """A finding that a case asks for."""

    file: str
    line: int
    code: str
    severity: Severity
    fragment: str


def split(text: str, *, with_markers: bool = False) -> dict[str, str]:
    """The files of a case by name; `with_markers` keeps those in files that know no comments."""
    files: dict[str, list[str]] = {"site.yaml": []}
    name = "site.yaml"
    for line in text.splitlines(keepends=True):
        match = FILE.match(line.rstrip("\n"))
        if match:
            name = match[1]
            files[name] = []
        elif name.endswith(".csv") and not with_markers:
            files[name].append(MARKER.sub("", line.rstrip("\n")).rstrip() + "\n")
        else:
            files[name].append(line)
    return {name: "".join(lines) for name, lines in files.items()}


def expected(files: dict[str, str]) -> Iterator[Expected]:
    """The findings that the markers of a case ask for."""
    for name, text in files.items():
        for number, line in enumerate(text.splitlines(), start=1):
            for match in MARKER.finditer(line):
                severity = Severity.ERROR if match["severity"] == "E" else Severity.WARNING
                place = number + int(match["offset"] or 0)
                yield Expected(name, place, match["code"], severity, match["fragment"].strip())


def compile_diagnostics(files: dict[str, str]) -> Iterator[tuple[Diagnostic, Place | None]]:
    """Every finding of load, expand, derive and analysis; a stage with errors is the last one."""
    return iter(_compiled(tuple(files.items())))


@lru_cache(maxsize=4096)  # several laws hold for each case
def _compiled(files: tuple[tuple[str, str], ...]) -> tuple[tuple[Diagnostic, Place | None], ...]:
    return tuple(_found(dict(files)))


def _found(files: dict[str, str]) -> Iterator[tuple[Diagnostic, Place | None]]:
    sources = Sources()
    found: list[Diagnostic] = []
    try:
        intent = load_text(files, today=TODAY)
        sources = intent.sources
        found += intent.diagnostics
        topology = expand(intent)
        found += topology.diagnostics
        devices = derive(intent, topology, registry)
        found += devices.diagnostics
        found += check_routes(devices)
    except InvalidDocument as error:
        sources = error.sources
        found += error.diagnostics
    except Invalid as error:
        found += error.diagnostics
    for finding in found:
        if finding.severity is not Severity.INFO:
            yield finding, sources.place(finding.origin)
