"""The journal in PostgreSQL, as CI runners share it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from fabric.deployment import Journal, rollback
from fabric.deployment.locks import holder, locked
from fabric.diagnostics import Refused
from tests.deployment.conftest import Network, apply_options

pytestmark = pytest.mark.live

NOBODY = 65534


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A server of our own on a socket; it does not run as root."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    if shutil.which("initdb") is None or shutil.which("postgres") is None:
        pytest.skip("PostgreSQL is not installed")
    folder = Path(tempfile.mkdtemp(prefix="fabric-pg-"))
    user = NOBODY if os.getuid() == 0 else None
    if user is not None:
        os.chown(folder, user, user)
    data = folder / "data"
    subprocess.run(
        ["initdb", "-D", data, "-U", "fabric", "-A", "trust", "--no-sync"],
        check=True,
        user=user,
        capture_output=True,
    )
    command = ["postgres", "-D", data, "-k", folder, "-h", "", "-c", "fsync=off"]
    process = subprocess.Popen(
        command, user=user, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    for line in process.stderr:
        if "ready to accept connections" in line:
            break
    yield f"postgresql://fabric@/postgres?host={folder}"
    process.send_signal(signal.SIGINT)  # at once, whoever is still connected
    process.wait(timeout=20)
    shutil.rmtree(folder)


def test_apply_and_rollback_with_a_shared_journal(network: Network, server: str) -> None:
    network.journal = Journal(server)
    assert network.apply().outcome == "done"
    network.edit("ntp 192.0.2.9", "ntp 192.0.2.10")
    assert network.apply().outcome == "done"
    result = rollback("lab", targets=network.targets(), journal=Journal(server), options=apply_options())

    assert result.outcome == "done"
    assert [run.kind for run in Journal(server).runs("lab")] == ["rollback", "apply", "apply"]
    assert len(network.journal.applied("lab")) == 6


def test_the_lock_is_shared_too(network: Network, server: str) -> None:
    network.journal = Journal(server)
    with locked(Journal(server), "lab", "the other runner"), pytest.raises(Refused, match="the other runner"):
        network.apply()
    assert holder(network.journal, "lab") is None


def test_a_journal_that_cannot_be_opened_is_told_without_its_password() -> None:
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    with pytest.raises(Refused, match="the journal cannot be opened") as caught:
        Journal("postgresql://fabric:HUNTER2@127.0.0.1:1/none")

    assert "HUNTER2" not in f"{caught.value!r} {caught.value.__cause__!r}"
