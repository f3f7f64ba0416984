"""The journal in PostgreSQL, as CI runners share it."""

from __future__ import annotations

import pytest

from fabric.deployment import Journal, rollback
from fabric.deployment.journal_store.journal_records import NewRun
from fabric.deployment.journal_store.site_lock import holder
from fabric.diagnostics import Refused
from tests.deployment.conftest import Network, apply_options
from tests.deployment.test_site_lock import empty
from tests.programs import needed_module

pytestmark = pytest.mark.live


def test_apply_and_rollback_with_a_shared_journal(network: Network, postgres: str) -> None:
    network.journal = Journal(postgres)
    empty(network.journal)
    assert network.apply().outcome == "done"
    network.edit("ntp 192.0.2.9", "ntp 192.0.2.10")
    assert network.apply().outcome == "done"
    result = rollback("lab", targets=network.targets(), journal=Journal(postgres), options=apply_options())

    assert result.outcome == "done"
    assert [run.kind for run in Journal(postgres).runs("lab")] == ["rollback", "apply", "apply"]
    assert len(network.journal.applied("lab")) == 6


def test_the_lock_is_shared_too(network: Network, postgres: str) -> None:
    network.journal = Journal(postgres)
    other = Journal(postgres)
    run = other.begin(NewRun(site="lab", kind="apply", owner="the other runner"))
    with pytest.raises(Refused, match="the other runner"):
        network.apply()
    other.finish(run, "done")
    assert holder(network.journal, "lab") is None


def test_a_journal_that_cannot_be_opened_is_told_without_its_password() -> None:
    needed_module("psycopg")
    with pytest.raises(
        Refused, match=r"FAB727: the journal postgresql://127\.0\.0\.1:1/none cannot be opened"
    ) as caught:
        Journal("postgresql://fabric:HUNTER2@127.0.0.1:1/none")

    assert "HUNTER2" not in f"{caught.value!r} {caught.value.__cause__!r}"
