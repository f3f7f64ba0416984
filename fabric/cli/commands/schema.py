"""`fabric schema`: the JSON Schema of a file."""

from __future__ import annotations

import json
from typing import Any

import click

from fabric.cli import codes
from fabric.cli.command_classes import command
from fabric.cli.printing.command_output import Output
from fabric.cli.stop import Stop
from fabric.documents.suggest import did_you_mean
from fabric.resources import resource
from fabric.tables.table import Column, Table

SUFFIX = ".schema.json"


def _names() -> list[str]:
    return sorted(path.name.removesuffix(SUFFIX) for path in resource("schemas").glob(f"*{SUFFIX}"))


def _complete(_context: click.Context, _parameter: click.Parameter, start: str) -> list[str]:
    return [name for name in _names() if name.startswith(start)]


@command(
    "schema",
    examples=("fabric schema", "fabric schema intent", "fabric schema plan", "fabric schema show-links"),
    formats=("text", "json", "csv"),
)
@click.argument("name", required=False, shell_complete=_complete)
def run(name: str | None) -> None:
    """Print the JSON Schema of a file, for editors and CI.

    Without NAME it lists them: the files that people write, `plan`, which the program writes, and what commands
    print with `--format json` (`show-links`, `impact`, `diff`, ...). For an editor:
    `# yaml-language-server: $schema=FILE` in the first line.
    """
    output, names = Output(), _names()
    if name is None:
        table = _list(names)
        output.count(output.tables([table], {}), table.noun)
        return
    if name not in names:
        hint = did_you_mean(name, names) or f"there are {', '.join(names)}"
        raise Stop(codes.UNKNOWN_NAME, f"there is no schema {name!r}", hint)
    output.raw((resource("schemas") / f"{name}{SUFFIX}").read_text(encoding="utf-8"))


def _root(schema: dict[str, Any]) -> dict[str, Any]:
    """What a schema says of the whole document."""
    name = schema.get("$ref", "").rpartition("/")[2]
    return dict(schema["$defs"][name]) if name else schema


def _list(names: list[str]) -> Table:
    texts = {n: json.loads((resource("schemas") / f"{n}{SUFFIX}").read_text(encoding="utf-8")) for n in names}
    rows = [(n, text.get("title", ""), _root(text).get("description", "")) for n, text in texts.items()]
    columns = (
        Column(key="name", heading="NAME", style=lambda _v: "bold"),
        Column(key="title", heading="TITLE", rank=2, wraps=True),
        Column(key="description", heading="WHAT IT DESCRIBES", rank=1, wraps=True),
    )
    return Table(name="schemas", columns=columns, rows=lambda: iter(rows), noun=("schema", "schemas"))
