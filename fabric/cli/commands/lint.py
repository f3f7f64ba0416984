"""`fabric lint`: what is legal but unwise in a site."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from fabric import api
from fabric.cli import codes
from fabric.cli.command_classes import command
from fabric.cli.common_options import current
from fabric.cli.printing.command_output import Output
from fabric.cli.printing.findings import shown, tally, write
from fabric.cli.reports import FORMATS
from fabric.cli.run import ERROR, OK
from fabric.cli.staged_files import StagedFiles
from fabric.cli.stop import Stop
from fabric.diagnostics import Severity
from fabric.documents.suggest import did_you_mean
from fabric.operations.lint import BASELINE, Linting
from fabric.tables.table import Column, Table
from fabric.units import counted


def _complete(_context: click.Context, _parameter: click.Parameter, start: str) -> list[str]:
    from fabric.linting import rules

    return [rule.name for rule in rules() if rule.name.startswith(start)]


@command(
    "lint",
    examples=(
        "fabric lint",
        "fabric lint --rule one-leaf-per-rail",
        "fabric lint --fix",
        "fabric lint --list",
        "fabric lint --format sarif > fabric.sarif",
    ),
    formats=("text", "full", "concise", "json", "csv", *FORMATS),
)
@click.option(
    "--rule",
    "names",
    multiple=True,
    metavar="NAME",
    shell_complete=_complete,
    help="Judge by this rule alone.",
)
@click.option("--list", "is_list", is_flag=True, help="List the rules.")
@click.option(
    "--fix", "is_fix", is_flag=True, help="Write the value that mends a finding, where one value does."
)
@click.option(
    "--write-baseline",
    is_flag=True,
    help=f"Keep today's findings in {BASELINE}: later runs tell new ones only.",
)
@click.option("--no-baseline", is_flag=True, help=f"Tell what {BASELINE} holds too.")
def run(*, names: Sequence[str], is_list: bool, is_fix: bool, write_baseline: bool, no_baseline: bool) -> int:
    """Find what is legal but unwise in a site: queues, buffers, rails, planes, ...

    What is wrong is refused by `fabric validate`; here a rule may be disagreed with, and its finding accepted in
    state.yaml with a reason and a day. The exit code is 1 if an error was found.
    """
    output, settings = Output(), current()
    if is_list:
        table = _rule_table()
        output.count(output.tables([table], {}), table.noun)
        return OK
    for name in names:
        _check_known(name)
    if is_fix:
        _mend(names, output)
    try:
        linting = api.lint(settings.site, names, baseline=not (no_baseline or write_baseline))
    except ValueError as error:
        hint = f"write it anew with `fabric lint --write-baseline`: {error}"
        raise Stop(codes.FILE_TROUBLE, f"{BASELINE} is not one that this program has written", hint) from None
    if write_baseline:
        _keep(linting, output)
        return OK
    findings = shown(linting.found, linting.sources)
    write(findings, output, "lint")
    output.summary(f"{tally(findings)}{_beside(linting)}")
    if findings:
        output.next(f"`fabric explain {findings[0].code}` tells more")
    return ERROR if any(finding.severity is Severity.ERROR for finding in findings) else OK


def _beside(linting: Linting) -> str:
    """What the baseline does to the count."""
    known = f", {linting.known} more in {BASELINE}" if linting.known else ""
    gone = f"; {linting.gone} of {BASELINE} found no more: `fabric lint --write-baseline` drops them"
    return known + (gone if linting.gone else "")


def _mend(names: Sequence[str], output: Output) -> None:
    """Write what mends findings, and say what that is."""
    mended = api.mend(current().site, names)
    with StagedFiles(_folder()) as files:
        files.publish([name for name, text in mended.files.items() if files.add(name, text)])
    for value in mended.values:
        output.note(f"mended {value}")
    for value in mended.shared:
        output.note(f"not mended, it has a YAML anchor, or is in one, and others may be its alias: {value}")


def _keep(linting: Linting, output: Output) -> None:
    from fabric.linting.baseline import written

    with StagedFiles(_folder()) as files:
        files.publish([BASELINE] if files.add(BASELINE, written(linting.found)) else [])
    output.summary(f"{BASELINE}: {counted(len(linting.found), ('finding', 'findings'))}")


def _folder() -> Path:
    site = current().site
    return site if site.is_dir() else site.parent


def _check_known(name: str) -> None:
    from fabric.linting import rule_named, rules

    try:
        rule_named(name)
    except KeyError:
        near = did_you_mean(name, [rule.name for rule in rules()]) or "`fabric lint --list` shows all of them"
        raise Stop(codes.UNKNOWN_NAME, f"there is no lint rule {name!r}", near) from None


def _rule_table() -> Table:
    from fabric.linting.registry import group_of, rules

    rows = tuple(
        (rule.code.code, rule.name, group_of(rule), rule.code.severity.value, rule.code.title)
        for rule in rules()
    )
    columns = (
        Column(key="code", heading="CODE"),
        Column(key="rule", heading="RULE"),
        Column(key="group", heading="GROUP", rank=2),
        Column(key="severity", heading="SEVERITY", rank=3),
        Column(key="title", heading="TITLE", wraps=True, rank=1),
    )
    return Table(name="rules", columns=columns, rows=lambda: iter(rows), noun=("rule", "rules"))
