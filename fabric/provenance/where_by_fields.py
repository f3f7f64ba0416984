"""What a value makes where no other one is valid: the fields of devices that stem from it are changed instead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import islice
from typing import Any

from fabric.compiler import Compiled
from fabric.devices.model import Switch
from fabric.provenance.config_lines import Files
from fabric.provenance.device_fields import Column, changed, changes, columns
from fabric.provenance.model import Line
from fabric.provenance.places import Value
from fabric.provenance.resolve_stems import stems_of
from fabric.provenance.stems import row_of
from fabric.provenance.trace import CANNOT_BE_PRINTED, MOST_TRIES
from fabric.provenance.why import shown_lines

NAME = re.compile(r"\{\w+\}")


def lines_by_fields(compiled: Compiled, value: Value) -> Iterator[tuple[str, str, tuple[Line, ...]]]:
    """Device, role, and lines that stem from a value; of switches that are alike one is looked at for all."""
    known: dict[tuple[str, ...], tuple[Line, ...]] = {}
    for name, device in compiled.devices.items():
        kind = (
            device.role,
            device.platform,
            device.network,
            device.hardware.id if isinstance(device, Switch) else name,
        )
        if kind not in known:
            known[kind] = _lines(compiled, device, value)
        if known[kind]:
            yield name, device.role, known[kind]


def _lines(compiled: Compiled, device: Any, value: Value) -> tuple[Line, ...]:
    texts = compiled.artifacts.trial(device, device.name)
    shown = {(line.file, line.number): line for line in shown_lines(device, texts)}
    gone: dict[tuple[str, int], Line] = {}
    for column in columns(device):
        if not _may_stem(column, value):
            continue
        places = [place for place in column.places if _stems(compiled, device, column, place, value)]
        if places:
            after = _changed_texts(compiled, device, column._replace(places=tuple(places)), texts)
            files = Files(after)
            gone |= {
                (line.file, line.number): shown[line.file, line.number]
                for line in Files(texts).lines
                if not files.has(line)
            }
    return tuple(gone[key] for key in sorted(gone))


def _may_stem(column: Column, value: Value) -> bool:
    """Whether a row of the table speaks of such a path at all: most do not."""
    path = ".".join(map(str, value.path))
    forms = (NAME.sub("*", form.rpartition(":")[2]) for form in row_of(column.name).values)
    return any(fnmatchcase(path, form) or fnmatchcase(path, f"{form}.*") for form in forms)


def _stems(compiled: Compiled, device: Any, column: Column, place: Any, value: Value) -> bool:
    values, _ = stems_of(compiled, device, column.name, place)
    return any(one.document == value.document and value.path[: len(one.path)] == one.path for one in values)


def _changed_texts(compiled: Compiled, device: Any, column: Column, texts: dict[str, str]) -> dict[str, str]:
    """The files with other values of some fields; the same ones, if none makes a difference."""
    for change in islice(changes(device, column), MOST_TRIES):
        try:
            after = compiled.artifacts.trial(changed(device, column.places, change), device.name)
        except CANNOT_BE_PRINTED:
            continue
        if after != texts:
            return after
    return texts
