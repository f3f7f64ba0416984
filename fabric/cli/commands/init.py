"""`fabric init`: a reference site to start from."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import click

from fabric.cli import codes
from fabric.cli.command import command
from fabric.cli.failures import Stop
from fabric.cli.output import Output
from fabric.cli.tables import Column, Row, Table
from fabric.documents.suggest import did_you_mean
from fabric.resources import resource

SITE_FILE = "site.yaml"


def _references() -> dict[str, Path]:
    """The shipped sites by name."""
    folder = resource("inventories") / "reference"
    return {path.parent.name: path.parent for path in sorted(folder.glob(f"*/{SITE_FILE}"))}


def _complete(_context: click.Context, _parameter: click.Parameter, start: str) -> list[str]:
    return [name for name in _references() if name.startswith(start)]


@command("init", examples=("fabric init", "fabric init lab-8 my-site"), formats=("text", "json", "csv"))
@click.argument("reference", required=False, shell_complete=_complete)
@click.argument("folder", required=False, type=click.Path(path_type=Path))
def run(reference: str | None, folder: Path | None) -> None:
    """Copy a reference site to start from.

    Without REFERENCE it lists them. FOLDER is made; by default it is called as the reference.
    """
    output, known = Output(), _references()
    if reference is None:
        table = _list(known)
        output.count(output.tables([table], {}), table.noun)
        output.next("Run `fabric init NAME FOLDER` to copy one.")
        return
    if reference not in known:
        hint = did_you_mean(reference, known) or f"there are {', '.join(known)}"
        raise Stop(codes.UNKNOWN_NAME, f"there is no reference site {reference!r}", hint)
    target = folder or Path(reference)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise Stop(codes.NOT_EMPTY, f"{target} exists and is not an empty folder", "choose another name")
    shutil.copytree(
        known[reference], target, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".fabric", "out")
    )
    files = sorted(str(path.relative_to(target)) for path in target.rglob("*") if path.is_file())
    if output.is_text:
        for file in files:
            output.line(str(target / file))
    else:
        output.document({"folder": str(target), "reference": reference, "files": files})
    output.count(len(files), ("file", "files"))
    output.next(f"Run `fabric validate -C {target}`, then `fabric show topology -C {target}`.")


def _list(known: dict[str, Path]) -> Table:
    def rows() -> Iterator[Row]:
        for name, folder in known.items():
            yield name, _description(folder / SITE_FILE)

    columns = (
        Column(key="name", heading="NAME", style=lambda _v: "bold"),
        Column(key="description", heading="DESCRIPTION"),
    )
    return Table(name="references", columns=columns, rows=rows, noun=("reference site", "reference sites"))


def _description(path: Path) -> str:
    """The site's own description."""
    from fabric.documents.yaml import read_yaml

    value = read_yaml(path.read_bytes(), path.name, "intent").value
    return str(value.get("description") or "")
