"""Files beside a site that look as if they were meant to be read, and are not: `site.yml`, `states.yaml`."""

from __future__ import annotations

from fabric.diagnostics import Origin, Severity
from fabric.documents import Document
from fabric.documents.places import SourceMap
from fabric.intent import codes
from fabric.intent.join_files import Reader

YAML, YML = ".yaml", ".yml"
OFTEN_FOREIGN = "inventory.yaml"
"""Other tools call their files alike: nearly this name is a warning only."""


def report_strays(reader: Reader, known: tuple[str, ...]) -> None:
    """Report every unread file of the site's folder whose name is nearly one of `known`, and models named `.yml`."""
    for file in reader.files.names():
        meant = None if file in known or file in reader.seen else _likely_file(file, known)
        if meant is not None:
            missing = not reader.files.exists(meant)
            _report(reader, file, meant, wrong=missing and meant != OFTEN_FOREIGN)
    for file in reader.files.names("hardware"):
        if file.lower().endswith(YML) or (file.lower().endswith(YAML) and not file.endswith(YAML)):
            _report(reader, file, file[: file.rindex(".")] + YAML, wrong=False)


def _report(reader: Reader, file: str, meant: str, *, wrong: bool) -> None:
    """Report one file; `wrong`: no other tool uses such a name, and the right file is missing."""
    name = f"stray:{file}"
    reader.documents[name] = Document(name, None, SourceMap(reader.files.shown(file), 1, 1))
    rule = f"{file} is not read; the name that is read is {meant}"
    hint = f"rename it to {meant}, or move it out of the site's folder"
    if not wrong and reader.files.exists(meant):
        hint = f"{meant} is there too: move this one out of the site's folder"
    severity = Severity.ERROR if wrong else Severity.WARNING
    reader.report.add(codes.STRAY.at(Origin((), name), rule, value=file, hint=hint, severity=severity))


def _likely_file(file: str, known: tuple[str, ...]) -> str | None:
    """The file that was probably intended: another ending or case, or some letters more, less or other."""
    stem = _stem(file)
    if stem is None:
        return None
    near = {name: distance(stem, _stem(name) or name) for name in known}
    similar = [name for name, letters in near.items() if letters <= max(1, len(_stem(name) or name) // 3)]
    return min(similar, key=lambda name: near[name], default=None)


def _stem(file: str) -> str | None:
    """The name without its YAML ending; None for what is neither YAML nor a lock (backups, tables, notes)."""
    name = file.lower()
    for ending in (YAML, YML):
        if name.endswith(ending):
            return name.removesuffix(ending)
    return name if "lock" in name and not name.endswith("~") else None


def distance(word: str, other: str) -> int:
    """Letters to insert, remove or replace to get from one word to the other (Levenshtein)."""
    row = list(range(len(other) + 1))
    for i, letter in enumerate(word, 1):
        before, row[0] = row[0], i
        for j, other_letter in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (letter != other_letter))
    return row[-1]
