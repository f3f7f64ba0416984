"""`fabric resize`: what moves if the capacity is changed."""

from __future__ import annotations

import click

from fabric import api
from fabric.api import open_site
from fabric.cli.command_classes import command
from fabric.cli.common_options import current
from fabric.cli.printing.command_output import Output
from fabric.cli.printing.warnings import warn
from fabric.cli.run import CHANGES, OK
from fabric.cli.views.moves import move_counts, move_table
from fabric.cli.write_lock_file import FILE, lock_text
from fabric.documents.places import placed

NOT_LOCKED = "there is no fabric.lock to compare with: no move is known"


@command(
    "resize",
    examples=("fabric resize", "fabric resize --write", "fabric resize --anew", "fabric resize --format csv"),
    formats=("text", "json", "csv"),
)
@click.option(
    "--write", is_flag=True, help="Write the new fabric.lock: from now on the moves are the intent."
)
@click.option(
    "--anew",
    is_flag=True,
    help="Size everything as on the first day, even if the locked sizes hold the site.",
)
def run(*, write: bool, anew: bool) -> int:
    """Show what moves if the capacity is changed.

    Change `capacity` in the site first. Every cable, port, name, address and AS number that would be different
    is listed. What fabric.lock holds stays: nothing moves that `fabric compile` would not move. The exit code is 2 if
    anything moves.
    """
    output, path = Output(), current().site
    site = open_site(path)
    with placed(site.intent.sources):
        moves = api.resize(path, anew=anew)
    warn(moves.diagnostics, site.intent)
    is_locked = (site.folder / FILE).exists()
    tables = [move_table(moves.moves)] if moves.moves or not output.is_text else []
    output.tables(tables, {"site": site.intent.site.site, "written": write})
    if write:
        target = site.folder / FILE
        target.write_text(lock_text(moves.lock), encoding="utf-8")
        output.note(f"{target} written: commit it")
    output.summary(move_counts(moves.moves) if is_locked else NOT_LOCKED)
    if not moves.moves:
        return OK
    if not write:
        keep = f"resize{' --anew' if anew else ''} --write"
        output.next(f"Run `fabric {keep}` to keep this, then `fabric plan`.")
    return CHANGES
