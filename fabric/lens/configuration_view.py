"""The configuration of a device as it may be shown: its files as compiled, row by row, with secrets as placeholders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from fabric import api
from fabric.compiler import Compiled
from fabric.diagnostics import Refused
from fabric.platforms.registry import platform

if TYPE_CHECKING:
    from fabric.provenance import Line


class Row(NamedTuple):
    """One row of the text that is shown."""

    text: str
    line: Line | None = None
    """None: it says nothing, as a comment or a closing bracket."""
    is_header: bool = False
    """Lines below it are its section."""
    is_file: bool = False
    """It is the name of a file, not a part of one."""


def configuration(compiled: Compiled, device: str) -> tuple[Row, ...]:
    """All files of a device or host. `Refused` if none is made for it, `Invalid` if its product cannot say it."""
    files = _files(compiled, device)
    lines = {(line.file, line.number): line for line in api.find_lines(compiled, device)}
    rows: list[Row] = []
    for file, text in files.items():
        rows.append(Row(f"=== {file} ===", is_file=True))
        texts = text.rstrip("\n").split("\n")
        for number, (row, below) in enumerate(zip(texts, [*texts[1:], ""], strict=True), 1):
            line = lines.get((file, number))
            rows.append(
                Row(row.replace("\t", "    "), line, line is not None and _depth(below) > _depth(row))
            )
    return tuple(rows)


def _files(compiled: Compiled, device: str) -> Mapping[str, str]:
    if device in compiled.devices:
        artifact = compiled.artifacts[device]
        mask = platform(compiled.devices[device].platform).dialect().mask
        return {file: mask(text) for file, text in artifact.files.items()}
    if device in compiled.host_artifacts:
        host = compiled.host_artifacts[device]
        return {host.path(file): file.text for file in host.files}
    reason = f"no configuration is made for {device}"
    hint = "of a host, files are made where its group has a `system`; an attachment is configured by others"
    raise Refused(reason, hint)


def _depth(row: str) -> int:
    return len(row) - len(row.lstrip())
