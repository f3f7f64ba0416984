"""`fabric export`: what belongs to no single device, for other tools."""

from __future__ import annotations

import filecmp
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from fabric import api
from fabric.api import Compiled, open_site
from fabric.cli.command_classes import command
from fabric.cli.common_options import current
from fabric.cli.known_names import known, network_option
from fabric.cli.printing.command_output import Output
from fabric.cli.printing.warnings import warn
from fabric.documents.places import placed
from fabric.exports import KINDS, NAMES, Exports, Source
from fabric.resources import written_as
from fabric.tables.table import Column, Row, Table
from fabric.units import counted

EVERY = "all"
STDOUT = "-"
NEW = ".new"
"""Suffix of a file until all of them are made."""


def _complete(_context: click.Context, _parameter: click.Parameter, start: str) -> list[str]:
    return [name for name in (*NAMES, EVERY) if name.startswith(start)]


@command(
    "export",
    examples=(
        "fabric export",
        "fabric export cables labels",
        "fabric export slurm-tree -o -",
        "fabric export slurm-yaml --network compute -o slurm",
        "fabric export all",
    ),
    formats=("text", "json", "csv"),
)
@click.argument("kinds", nargs=-1, metavar="[KIND]...", shell_complete=_complete)
@click.option(
    "-o", "--out", metavar="DIR", help="Folder, or `-` to print one file. Default: SITE/out/exports."
)
@network_option("Only this network.")
@click.option(
    "--serial",
    type=click.IntRange(1, 2**32 - 1),
    metavar="NUMBER",
    help="Serial of DNS zones. Default: a digest of their records.",
)
def run(*, kinds: tuple[str, ...], out: str | None, network: str | None, serial: int | None) -> None:
    """Write cables, inventories, labs, drawings, zones and scheduler topologies.

    KIND is one of those that `fabric export` lists, or `all` that the site has. Each kind has a folder of its own.
    Nothing is written if anything has an error; files that would not change are left alone.
    """
    output, site = Output(), open_site(current().site)
    known(network, site.topology.networks, "network")
    for kind in kinds:
        known(kind, (*NAMES, EVERY), "kind of export")
    networks = (network,) if network else ()
    if not kinds:
        table = _list(site, networks)
        output.count(output.tables([table], {"site": site.topology.site}), table.noun)
        output.next("Run `fabric export KIND...` to write some, `fabric export all` to write all.")
        return
    chosen = _applying(site, networks) if EVERY in kinds else kinds
    with placed(site.intent.sources):
        exports = api.export(
            site.intent,
            site.topology,
            chosen,
            networks=networks,
            devices=lambda: site.devices,
            artifacts=lambda: site.artifacts,
            serial=serial,
        )
    if out == STDOUT:
        _print(exports)
    else:
        _written(exports, Path(out) if out else site.folder / "out" / "exports", output)
    warn(exports.diagnostics, site.intent)


def _applying(site: Compiled, networks: tuple[str, ...]) -> tuple[str, ...]:
    source = Source(site.intent, site.topology, lambda: site.devices, networks)
    return tuple(kind.name for kind in KINDS if kind.applies(source))


def _list(site: Compiled, networks: tuple[str, ...]) -> Table:
    def rows() -> Iterator[Row]:
        applying = _applying(site, networks)
        yield from ((kind.name, kind.what) for kind in KINDS if kind.name in applying)

    columns = (
        Column(key="kind", heading="KIND", style=lambda _v: "bold"),
        Column(key="what", heading="WHAT", wraps=True),
    )
    return Table(name="exports", columns=columns, rows=rows, noun=("kind of export", "kinds of export"))


def _print(exports: Exports) -> None:
    if len(exports.files) != 1:
        message = f"`-o -` prints one file, these are {len(exports.files)}: {exports.files[0].path}, ..."
        raise click.UsageError(message)
    for piece in exports.files[0].lines():
        sys.stdout.write(piece)


def _written(exports: Exports, target: Path, output: Output) -> None:
    staged: list[Path] = []
    try:
        for file in exports.files:
            new = target / (file.path + NEW)
            with written_as(target / file.path):
                new.parent.mkdir(parents=True, exist_ok=True)
                staged.append(new)
                with new.open("w", encoding="utf-8", newline="\n") as stream:
                    stream.writelines(file.lines())
    except BaseException:
        for new in staged:
            new.unlink(missing_ok=True)
        raise
    changed = [file.path for file in exports.files if _placed(target / file.path)]
    if output.is_text:
        for path in changed:
            output.note(str(target / path))
    else:
        rows = [(file.kind, file.path, file.path in changed) for file in exports.files]
        output.tables([_table(rows)], {"folder": str(target)})
    same = len(exports.files) - len(changed)
    output.summary(
        f"{counted(len(exports.files), ('file', 'files'))}: {len(changed)} written, {same} unchanged"
    )


def _table(rows: Sequence[Row]) -> Table:
    columns = tuple(Column(key=key, heading=key.upper()) for key in ("kind", "path", "written"))
    return Table(name="files", columns=columns, rows=lambda: iter(rows), noun=("file", "files"))


def _placed(path: Path) -> bool:
    """Put a staged file into its place; False if it is as it was."""
    new = path.with_name(path.name + NEW)
    if path.is_file() and filecmp.cmp(path, new, shallow=False):
        new.unlink()
        return False
    os.replace(new, path)  # noqa: PTH105  # the same on every system
    return True
