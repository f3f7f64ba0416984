"""What a command that was interrupted says of hosts that are out of service, and of what to type next."""

from __future__ import annotations

import pytest

from fabric.cli.in_order import in_order
from fabric.cli.printing.command_output import Output
from fabric.deployment import Journal
from fabric.deployment.journal_store.cordoned_hosts import Cordoned
from fabric.deployment.journal_store.journal_records import NewRun


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
