"""`fabric init`: a reference site to start from."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from fabric.cli import codes
from fabric.cli.command_classes import command
from fabric.cli.printing.command_output import Output
from fabric.cli.session_commands import for_site
from fabric.cli.stop import Stop
from fabric.documents.suggest import did_you_mean
from fabric.resources import resource
from fabric.tables.table import Column, Row, Table

SITE_FILE = "site.yaml"
SCHEMA = "schemas/intent.schema.json"
LIST = "?"
"""Stands for the name of a policy that was not given. No policy can be called so."""


def _references() -> dict[str, Path]:
    """The shipped sites by name."""
    folder = resource("inventories") / "reference"
    return {path.parent.name: path.parent for path in sorted(folder.glob(f"*/{SITE_FILE}"))}


def _policies() -> dict[str, Path]:
    """The ready lossless policies by name."""
    from fabric.intent.load import POLICIES  # a site's copy needs no intent

    return {path.stem: path for path in sorted(POLICIES.glob("*.yaml"))}


def _complete(_context: click.Context, _parameter: click.Parameter, start: str) -> list[str]:
    return [name for name in _references() if name.startswith(start)]


def _complete_policy(_context: click.Context, _parameter: click.Parameter, start: str) -> list[str]:
    return [name for name in _policies() if name.startswith(start)]


@command(
    "init",
    examples=(
        "fabric init",
        "fabric init lab-8 my-site",
        "fabric init lab-8 my-site --modeline",
        "fabric init superpod-h100",
        "fabric init --policy",
        "fabric init --policy roce-lossless policies/ours.yaml",
    ),
    formats=("text", "json", "csv"),
)
@click.option(
    "--policy",
    is_flag=False,
    flag_value=LIST,
    metavar="[NAME]",
    shell_complete=_complete_policy,
    help="Copy a ready lossless policy beside the intent, to change it; without NAME list them.",
)
@click.option(
    "--modeline",
    "is_modeline",
    is_flag=True,
    help=f"Copy the schema into the site too, and name it in the first line of {SITE_FILE}, for editors.",
)
@click.argument("reference", required=False, shell_complete=_complete)
@click.argument("folder", required=False, type=click.Path(path_type=Path))
def run(*, policy: str | None, is_modeline: bool, reference: str | None, folder: Path | None) -> None:
    """Copy a reference site to start from.

    Without REFERENCE it lists them; `superpod-h100` means the smallest of its kind, `superpod-h100-1su`. FOLDER is
    made; by default it is called as the reference. With `--policy NAME [FILE]` one file is copied into the site
    instead: policies/NAME.yaml unless FILE is given.
    """
    output = Output()
    if policy is not None:
        if folder is not None or is_modeline:
            message = "--policy takes one file, and no --modeline"
            raise click.UsageError(message)
        _policy(policy, reference, output)
        return
    known = _references()
    if reference is None:
        table = _list(known, ("reference site", "reference sites"))
        output.count(output.tables([table], {}), table.noun)
        output.next("Run `fabric init NAME FOLDER` to copy one.")
        return
    chosen = _smallest(reference, known)
    _check_known(chosen, known, "reference site")
    _copy_site(known[chosen], folder or Path(reference), output, is_modeline=is_modeline)


def _smallest(name: str, known: Mapping[str, Path]) -> str:
    """The smallest of the sites that differ in their number of scalable units alone, if that is left out."""
    sizes = {site: re.fullmatch(re.escape(name) + r"-(\d+)su", site) for site in known}
    return (
        min((int(match[1]), site) for site, match in sizes.items() if match)[1]
        if any(sizes.values())
        else name
    )


def _check_known(name: str, known: Mapping[str, Path], what: str) -> None:
    """`Stop`, with the nearest one, if there is nothing of that name."""
    if name not in known:
        hint = did_you_mean(name, known) or f"there are {', '.join(known)}"
        raise Stop(codes.UNKNOWN_NAME, f"there is no {what} {name!r}", hint)


def _copy_site(source: Path, target: Path, output: Output, *, is_modeline: bool) -> None:
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise Stop(codes.NOT_EMPTY, f"{target} exists and is not an empty folder", "choose another name")
    shutil.copytree(source, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".fabric", "out"))
    if is_modeline:
        _write_modeline(target)
    files = sorted(str(path.relative_to(target)) for path in target.rglob("*") if path.is_file())
    if output.is_text:
        for file in files:
            output.line(str(target / file))
    else:
        output.document({"folder": str(target), "reference": source.name, "files": files})
    output.count(len(files), ("file", "files"))
    first, second = for_site("validate", target), for_site("show topology", target)
    output.next(f"Run `{first}`, then `{second}`.")


def _write_modeline(folder: Path) -> None:
    """The schema of the intent inside the site, so that every checkout has it, and the line that names it."""
    target, site = folder / SCHEMA, folder / SITE_FILE
    target.parent.mkdir(exist_ok=True)
    shutil.copyfile(resource("schemas") / target.name, target)
    text = site.read_text(encoding="utf-8")
    site.write_text(f"# yaml-language-server: $schema={SCHEMA}\n{text}", encoding="utf-8")


def _policy(name: str, file: str | None, output: Output) -> None:
    """Copy a ready policy into the site, or list them."""
    known = _policies()
    if name == LIST:
        table = _list(known, ("policy", "policies"))
        output.count(output.tables([table], {}), table.noun)
        output.next("Run `fabric init --policy NAME` to copy one.")
        return
    _check_known(name, known, "ready policy")
    inside = Path(file or f"policies/{name}.yaml")
    target = output.settings.site / inside
    if target.exists():
        raise Stop(codes.NOT_EMPTY, f"{target} exists", "choose another file")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(known[name], target)
    if output.is_text:
        output.line(str(target))
    else:
        output.document({"policy": name, "file": str(target)})
    output.count(1, ("file", "files"))
    output.next(f"Write `lossless: {inside.as_posix()}` in each network that is to use it.")


def _list(known: Mapping[str, Path], noun: tuple[str, str]) -> Table:
    def rows() -> Iterator[Row]:
        for name, path in known.items():
            yield name, _description(path / SITE_FILE if path.is_dir() else path)

    columns = (
        Column(key="name", heading="NAME", style=lambda _v: "bold"),
        Column(key="description", heading="DESCRIPTION", wraps=True),
    )
    return Table(name=noun[1].rpartition(" ")[2], columns=columns, rows=rows, noun=noun)


def _description(path: Path) -> str:
    """The site's own description."""
    from fabric.documents.reading.strict_yaml import read_yaml

    value = read_yaml(path.read_bytes(), path.name, "intent").value
    return str(value.get("description") or "")
