"""`fabric lint`: what is legal but unwise in a site."""

from __future__ import annotations

from collections.abc import Sequence

import click

from fabric import api
from fabric.cli import codes
from fabric.cli.command_classes import command
from fabric.cli.common_options import current
from fabric.cli.failure_messages import Stop
from fabric.cli.printing.command_output import Output
from fabric.cli.printing.findings import shown, tally, write
from fabric.cli.printing.tables import Column, Table
from fabric.cli.reports import FORMATS
from fabric.cli.run import ERROR, OK
from fabric.diagnostics import Severity
from fabric.documents.suggest import did_you_mean


def _complete(_context: click.Context, _parameter: click.Parameter, start: str) -> list[str]:
    from fabric.linting import rules

    return [rule.name for rule in rules() if rule.name.startswith(start)]


@command(
    "lint",
    examples=(
        "fabric lint",
        "fabric lint --rule one-leaf-per-rail",
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
def run(*, names: Sequence[str], is_list: bool) -> int:
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
    intent, diagnostics = api.lint(settings.site, names)
    findings = shown(diagnostics, intent.sources)
    write(findings, output)
    output.summary(tally(findings))
    if findings:
        output.next(f"`fabric explain {findings[0].code}` tells more")
    return ERROR if any(finding.severity is Severity.ERROR for finding in findings) else OK


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
        Column(key="group", heading="GROUP"),
        Column(key="severity", heading="SEVERITY"),
        Column(key="title", heading="TITLE", wraps=True),
    )
    return Table(name="rules", columns=columns, rows=lambda: iter(rows), noun=("rule", "rules"))
