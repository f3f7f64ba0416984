"""The site as a rollback reads it: as it is now, or as it was applied last, where that cannot be used."""

from __future__ import annotations

from pathlib import Path

from fabric.cli.journal_of_site import site_journal
from fabric.cli.printing.command_output import Output
from fabric.cli.where import Where
from fabric.compiler import Compiled, open_site
from fabric.deployment import codes, run_to_take_back
from fabric.deployment.journal_store.journal import Journal
from fabric.deployment.journal_store.journal_records import Run
from fabric.deployment.refusal_message import named, refusal
from fabric.deployment.site_revision import files_at
from fabric.diagnostics import Invalid
from fabric.documents.places import placed
from fabric.intent.load import SITE_FILE, load_text

SHORT_COMMIT = 10


def site_to_take_back(path: Path, where: Where, number: int | None, output: Output) -> Compiled:
    """The site with all devices of the run that is to be taken back.

    A half-edited file at night, or a tier that has another name since, keeps nobody from taking back what was applied:
    the texts stand in the journal, and addresses, logins and cables in the commit that the last run was made from: an
    older one knows nothing of what has changed since, and whom a rollback cuts off is judged by it. `Invalid` or
    `Refused` where the site cannot be used and that run was made from no commit, or not from a commit alone.
    """
    folder = path if path.is_dir() else path.parent
    try:
        site = open_site(path)
        _check(site)
    except Invalid:
        name, journal = site_journal(folder, where)
        run, last = _run(name, journal, number), _last_run(name, journal)
        then = _at_commit(path, last)
        if then is None or _gone(journal, run, then):
            output.note(f"run {last.id} was made from {_source(last)}: {_bring_back(run)}")
            raise
        output.note(f"the site has errors (`fabric validate`): {_read_instead(last)}")
        return then
    name, journal = site_journal(folder, where)
    run, last = _run(name, journal, number), _last_run(name, journal)
    if not (gone := _gone(journal, run, site)):
        return site
    if (then := _at_commit(path, last)) is None or _gone(journal, run, then):
        reason = f"{named(gone)} of run {run.id} {'is' if len(gone) == 1 else 'are'} no longer in the intent"
        raise refusal(
            codes.NO_TARGET, reason, f"run {last.id} was made from {_source(last)}: {_bring_back(run)}"
        )
    output.note(f"the intent has no {named(gone)} any more: {_read_instead(last)}")
    return then


def _check(site: Compiled) -> None:
    with placed(site.intent.sources):
        site.artifacts.check_together()
        site.artifacts.check_each()


def _run(name: str, journal: Journal, number: int | None) -> Run:
    return run_to_take_back(journal, name, number)


def _last_run(name: str, journal: Journal) -> Run:
    """The last one that may have changed devices: there is one, if there is one to take back."""
    return next(run for run in journal.runs(name) if not run.has_touched_nothing)


def _gone(journal: Journal, run: Run, site: Compiled) -> list[str]:
    return [step.job.device for step in journal.steps(run.id) if step.job.device not in site.devices]


def _at_commit(path: Path, run: Run) -> Compiled | None:
    """The site as it was in the commit of a run; None if that is not all of it, is not found, or has errors itself."""
    folder = path if path.is_dir() else path.parent
    if run.is_modified:
        return None
    files = files_at(folder, run.revision or "")
    if files is None or SITE_FILE not in files or not (path.is_dir() or path.name == SITE_FILE):
        return None
    try:
        site = Compiled(folder, load_text(files))
        _check(site)
    except Invalid:
        return None
    return site


def _read_instead(run: Run) -> str:
    return f"it is read as it was in commit {(run.revision or '')[:SHORT_COMMIT]}, of which run {run.id} was made"


def _source(run: Run) -> str:
    if not run.revision:
        return "a folder without git"
    commit = f"commit {run.revision[:SHORT_COMMIT]}"
    if run.is_modified:
        return f"{commit} and files that differed from it"
    return f"{commit}, which is not found here, or has not all devices of the run"


def _bring_back(run: Run) -> str:
    return f"bring the site's files back as they were then, and run `fabric rollback {run.id}`"
