"""`fabric diff`: what a commit, a branch or an edit changes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click
import msgspec

from fabric import api
from fabric.api import Compiled, open_site
from fabric.cli import codes
from fabric.cli.command_classes import command
from fabric.cli.common_options import current
from fabric.cli.printing.command_output import Output
from fabric.cli.printing.findings import print_text, shown
from fabric.cli.run import CHANGES, OK
from fabric.cli.stop import Stop
from fabric.cli.views.comparison import comparison_lines, comparison_summary
from fabric.cli.views.plan import plan_record
from fabric.deployment.site_revision import commit_of, files_at
from fabric.documents.places import placed
from fabric.intent.load import SITE_FILE
from fabric.operations.compare_sites import Comparison
from fabric.planning import Texts
from fabric.workers import processors


@command(
    "diff",
    examples=(
        "fabric diff",
        "fabric diff main",
        "fabric diff v1 v2 --format json",
        'fabric diff origin/main --format markdown >> "$GITHUB_STEP_SUMMARY"',
    ),
    formats=("text", "json", "markdown"),
)
@click.argument("old", default="HEAD", metavar="[OLD]")
@click.argument("new", default="", metavar="[NEW]")
def run(*, old: str, new: str) -> int:
    """Show what a commit, a branch or an edit changes.

    OLD and NEW are revisions of git; by default the last commit is compared with the files as they are. Shown are the
    values that are written otherwise, devices to rack and cables to lay, what moves, and what devices that run OLD
    would change to run NEW, with its risks and waves. No device is asked: `fabric plan` does that. The exit code is 2
    if anything differs.
    """
    output, settings = Output(), current()
    folder = settings.site if settings.site.is_dir() else settings.site.parent
    jobs = processors()
    with ExitStack() as stack:
        before = stack.enter_context(_revision(folder, old, jobs))
        after = stack.enter_context(_revision(folder, new, jobs)) if new else open_site(settings.site, jobs)
        with placed(after.intent.sources):
            comparison, texts = api.compare_sites(before, after)
        _print(comparison, texts, after, output)
    output.summary(comparison_summary(comparison))
    return OK if comparison.is_empty else CHANGES


@contextmanager
def _revision(folder: Path, revision: str, jobs: int) -> Iterator[Compiled]:
    """The site as it is in a revision of git, in a folder of its own. `Stop` if there is none."""
    commit = commit_of(folder, revision)
    files = files_at(folder, commit) if commit else None
    if files is None:
        hint = "`git log` lists commits, `git branch -a` branches; the folder must be in a git repository"
        raise Stop(codes.UNKNOWN_NAME, f"git finds no revision {revision!r} of {folder}", hint)
    if SITE_FILE not in files:
        raise Stop(
            codes.UNKNOWN_NAME,
            f"there is no {SITE_FILE} in revision {revision!r} of {folder}",
            f"`git log -- {SITE_FILE}` lists the commits that have changed it",
        )
    with tempfile.TemporaryDirectory(prefix="fabric-") as place:
        root = Path(place)
        for name, text in files.items():
            target = root / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        yield open_site(root, jobs)


def _print(comparison: Comparison, texts: Texts, after: Compiled, output: Output) -> None:
    """The comparison on stdout in the chosen format; findings of its plan on stderr."""
    plan = comparison.plan
    if output.settings.format == "markdown":
        from fabric.cli.views.comparison_markdown import comparison_markdown  # few runs need it

        output.raw(comparison_markdown(comparison, texts.__getitem__, after.intent.sources))
    elif output.is_text:
        output.lines(comparison_lines(comparison, texts.__getitem__, output.settings.verbose))
    else:
        record = {"intent": comparison.intent, "moves": comparison.moves, "additions": comparison.additions}
        output.document({**msgspec.to_builtins(record), **plan_record(plan, texts.__getitem__)})
    print_text(shown(plan.diagnostics, after.intent.sources), output.settings)
