"""What a command that was interrupted says of hosts that are out of service, and of what to type next."""

from __future__ import annotations

import pytest

from fabric.cli.in_order import in_order
from fabric.cli.printing.command_output import Output
from fabric.deployment import Journal
from fabric.deployment.journal_store.cordoned_hosts import Cordoned
from fabric.deployment.journal_store.journal_records import NewRun
from fabric.deployment.journal_store.site_lock import break_lock, holder


@pytest.mark.parametrize("owed", [True, False])
def test_an_apply_without_changes_runs_the_program_when_it_is_typed_again(tmp_path, capsys, owed):
    """No run is open: there is nothing that `--resume` could go on with."""
    journal = Journal(tmp_path / "journal.sqlite")
    run = journal.begin(NewRun(site="lab", kind="apply", owner="ana", jobs=()))
    if owed:
        journal.cordon(run, 1, Cordoned(run, ("leaf-0-0",), ("gpu-0-0",)))
    journal.finish(run, "done")

    with pytest.raises(KeyboardInterrupt), in_order(Output(), journal, "lab"):
        raise KeyboardInterrupt
    told = capsys.readouterr().err

    assert "Interrupted: no device was changed." in told
    assert ("hosts behind wave 1 (leaf-0-0) may still be out of service" in told) is owed
    assert ("Run `fabric apply` to run `after`." in told) is owed


def test_nothing_is_said_of_the_run_of_somebody_who_has_taken_the_lock_away(tmp_path, capsys):
    """It is alive: to go on with it, or to take it back, would be wrong."""
    ours, theirs = (Journal(tmp_path / "journal.sqlite") for _ in range(2))
    run = ours.begin(NewRun(site="lab", kind="apply", owner="ana", jobs=()))
    known = holder(theirs, "lab")

    def meanwhile():
        break_lock(theirs, "lab", known)
        theirs.start(theirs.begin(NewRun(site="lab", kind="apply", owner="ben", jobs=())))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), in_order(Output(), ours, "lab"), ours.holding(run):
        meanwhile()
    told = capsys.readouterr().err

    assert "Interrupted: the site is locked by ben" in told
    assert "rollback" not in told
    assert "--resume" not in told
