"""`fabric why`: the way from a line of the intent to a line of a configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fabric import api
from fabric.cli.command_classes import command
from fabric.cli.common_options import current
from fabric.cli.known_names import complete_device
from fabric.cli.printing.command_output import Output
from fabric.cli.views import provenance as views
from fabric.compiler import open_site
from fabric.units import counted

if TYPE_CHECKING:
    from fabric.provenance import Line

TOP = 8


@command(
    "why",
    examples=(
        "fabric why leaf-0-0-0 'random-detect ecn'",
        "fabric why leaf-0-0-0 --line 120",
        "fabric why leaf-0-0-0 --section 'interface Ethernet1/1'",
        "fabric why leaf-0-0-0 mtu --format json",
    ),
)
@click.argument("device", shell_complete=complete_device)
@click.argument("words", required=False, default="")
@click.option("--line", "number", type=click.IntRange(min=1), metavar="N", help="The line with this number.")
@click.option("--section", is_flag=True, help="Every line below the headers that WORDS are, and the headers.")
@click.option("--file", default="", metavar="PATH", help="Only of the file whose path ends so.")
@click.option(
    "--top",
    type=click.IntRange(min=1),
    metavar="COUNT",
    help=f"So many different lines at most; as text {TOP} by default.",
)
def run(*, device: str, words: str, number: int | None, section: bool, file: str, top: int | None) -> None:
    """Explain lines of a device's configuration: what they say, how it is computed, and from what.

    WORDS are looked for in every line of what `fabric compile` writes for DEVICE, a switch, a subnet manager or a host.
    Of each line: its file and section, what it means, the formula with its inputs and source, and the values of the
    intent that it stems from, with their places. Lines in the same words are explained once.
    """
    if bool(words) == (number is not None):
        raise click.UsageError("name WORDS that the lines contain, or --line N")
    if section and not words:
        raise click.UsageError("--section goes with WORDS")
    output, settings = Output(), current()
    site = open_site(settings.site)
    chosen = api.find_lines(site, device, words, number=number, section=section, file=file)
    most = top or (TOP if output.is_text else None)
    shown = _first(chosen, most)
    causes, printed = api.why(site, device, shown), api.printed(site, device)
    if output.is_text:
        everything = settings.verbose > 0
        output.lines(views.printed_lines(printed, everything=everything))
        for cause in causes:
            output.lines(views.cause_lines(cause, everything=everything))
    else:
        output.document(
            {"printed": views.printed_document(printed), "causes": [views.cause_document(c) for c in causes]}
        )
    left = len(chosen) - len(shown)
    more = f"; {counted(left, views.LINES)} more: say more words, or --top" if left else ""
    output.summary(f"{counted(len(shown), views.LINES)} of {device}{more}")


def _first(lines: tuple[Line, ...], most: int | None) -> tuple[Line, ...]:
    """The lines of at most so many different texts."""
    texts = list(dict.fromkeys(line.text for line in lines))[:most]
    return tuple(line for line in lines if line.text in texts)
