"""`fabric compile`: the configuration of every device."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import click

from fabric import api
from fabric.cli.command import command
from fabric.cli.locking import check_lock, keep_lock
from fabric.cli.opening import Opened, folder_of, opened, placed
from fabric.cli.output import Output
from fabric.cli.progress import watched
from fabric.cli.settings import current
from fabric.cli.warnings import warn
from fabric.diagnostics import Report
from fabric.platforms.base import Artifact

MOST_FILES, FEW_FILES = 20, 3
"""More files than the first are told by the second and their number."""
NEW = ".new"
"""Suffix of a file until all of them are made."""


@command(
    "compile", examples=("fabric compile", "fabric compile -o build --locked", "fabric compile --format json")
)
@click.option(
    "-o",
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder. Default: SITE/out.",
)
@click.option("--locked", is_flag=True, help="Fail if fabric.lock would change (for CI).")
def run(*, out: Path | None, locked: bool) -> None:
    """Write the configuration of every device.

    Nothing is written if any device has an error. Files that would not change are left alone. Secrets stand
    as placeholders: `apply` fills them in at the moment of the push.
    """
    output, site = Output(), opened(current().site)
    target = out or site.path / "out"
    if locked:
        check_lock(site)
    changed, same = _write(site, target)
    lock = keep_lock(site)  # last: a site that does not compile has decided nothing
    api.remember(site.artifacts, folder_of(site.path))
    if output.is_text:
        _list(changed, target, output)
    else:
        output.document(
            {"site": site.topology.site, "folder": str(target), "written": changed, "unchanged": same}
        )
    if lock:
        output.note(f"{lock} says what capacity decided: commit it")
    output.summary(f"{len(changed) + same:,} devices: {len(changed):,} written, {same:,} unchanged")
    output.next("Run `fabric plan` to see what would change on the network.")


def _list(changed: list[str], target: Path, output: Output) -> None:
    """The files that were written; of many the first few, unless all are asked for."""
    few = changed if len(changed) <= MOST_FILES or output.settings.verbose else changed[:FEW_FILES]
    for name in few:
        output.note(str(target / name))
    if len(few) < len(changed):
        output.note(f"and {len(changed) - len(few):,} more below {target} (-v lists all)")


def _write(site: Opened, target: Path) -> tuple[list[str], int]:
    """Write every artifact; the paths of those that changed, and how many devices did not."""
    report, waiting, same = Report(), list[str](), 0
    with placed(site.intent.sources):
        try:
            for artifact in _artifacts(site, report):
                staged = [path for path, text in artifact.files.items() if _stage(target / path, text)]
                waiting += staged
                same += not staged
            findings = report.finish()
        except BaseException:
            for name in waiting:
                (target / (name + NEW)).unlink(missing_ok=True)
            raise
    for name in waiting:
        os.replace(target / (name + NEW), target / name)  # noqa: PTH105  # the same on every system
    warn(site.findings + findings, site.intent.sources)
    return waiting, same


def _artifacts(site: Opened, report: Report) -> Iterator[Artifact]:
    artifacts = site.artifacts
    return watched(artifacts.collect(report), len(artifacts), "printing devices", current())


def _stage(path: Path, text: str) -> bool:
    """Write a changed file beside its place; False if it is as it was."""
    body = text.encode()
    if path.is_file() and path.read_bytes() == body:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.with_name(path.name + NEW).write_bytes(body)
    return True
