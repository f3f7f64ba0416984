"""Findings about a file that has no source map yet: each brings its own place along."""

from __future__ import annotations

from typing import Any

from fabric.diagnostics import Code, Origin, Path, Report
from fabric.documents.places import Document, InvalidDocument, SourceMap, Sources


class Findings:
    """What is wrong with one file, while it is being read."""

    def __init__(self, file: str, name: str) -> None:
        self.file = file
        self.name = name
        self.report = Report()
        self.spots: dict[str, Document] = {}

    def __len__(self) -> int:
        return len(self.report)

    def add(
        self, line: int, column: int, code: Code, rule: str, hint: str, *, path: Path = (), value: Any = None
    ) -> None:
        """Keep a finding at a line and column, from 1."""
        # A document of its own, that holds nothing but the place, so that the finding can be printed as any other.
        spot = f"{self.name}@{line}:{column}"
        self.spots[spot] = Document(spot, None, SourceMap(self.file, line, column))
        self.report.add(code.at(Origin(path, spot), rule, hint=hint, value=value))

    def error(self) -> InvalidDocument:
        """The exception that carries the findings and their places."""
        return InvalidDocument(self.report, Sources(self.spots))

    def finish(self) -> None:
        """Raise `InvalidDocument` if there are findings."""
        if self.report.has_errors:
            raise self.error()
