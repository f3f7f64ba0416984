"""Two operators of one site share a journal in PostgreSQL: one changes it, the other is told who does."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from fabric.deployment import Event, Journal, apply, check_unfinished, resume
from fabric.deployment.events import DeviceStepped
from fabric.deployment.jobs import State
from fabric.deployment.journal_store.process_identity import host_name
from fabric.deployment.journal_store.site_lock import holder
from fabric.diagnostics import Refused
from tests.deployment.conftest import AtOnce, Network, apply_options
from tests.deployment.test_site_lock import empty

pytestmark = pytest.mark.live


@pytest.fixture
def shared(network: Network, postgres: str) -> Network:
    """A pod whose journal both have, which waits for a change of all its devices."""
    network.journal = Journal(postgres)
    empty(network.journal)
    assert network.apply().outcome == "done"
    network.edit("ntp 192.0.2.9", "ntp 192.0.2.10")
    return network


@contextmanager
def alice_applies(network: Network, where: str) -> Iterator[tuple[int, Callable[[], None]]]:
    """In a process of her own, which holds its breath behind its first commit until it is told to go on."""
    saved = network.plan()
    network.journal.engine.dispose()
    (committed, tells), (waits, goes_on) = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        left = iter([True])

        def on_event(event: Event) -> None:
            if isinstance(event, DeviceStepped) and event.state is State.COMMITTED and next(left, False):
                os.write(tells, b"!")
                os.read(waits, 1)

        status = 1
        try:
            options = apply_options(owner="alice")
            result = apply(
                saved,
                targets=network.targets(),
                journal=Journal(where),
                options=options,
                executor=AtOnce(),
                on_event=on_event,
            )
            status = 0 if result.outcome == "done" else 1
        finally:
            os._exit(status)
    try:
        assert os.read(committed, 1)
        yield child, lambda: _gone_on(child, goes_on)
    finally:
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        for end in (committed, tells, waits, goes_on):
            os.close(end)


def _gone_on(child: int, tell: int) -> None:
    """She goes on, and her run ends well."""
    os.write(tell, b"!")
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def refused(do: Callable[[], object], process: int, run: int) -> None:
    who = rf"FAB720: lab is locked by alice \(process {process} on {host_name()}\) since \S+, for run {run}"
    with pytest.raises(Refused, match=who):
        do()


def test_who_comes_second_is_told_whose_run_it_is_and_disturbs_nothing(
    shared: Network, postgres: str
) -> None:
    saved, last = shared.plan(), shared.journal.runs("lab")[0].id
    with alice_applies(shared, postgres) as (process, go_on):
        refused(lambda: shared.apply(saved, owner="bob"), process, last + 1)
        refused(
            lambda: check_unfinished(shared.journal, "lab"), process, last + 1
        )  # `fabric plan`, of anybody
        taken = {
            "targets": shared.targets(),
            "journal": shared.journal,
            "options": apply_options(owner="bob"),
        }
        refused(lambda: resume("lab", **taken), process, last + 1)
        go_on()

    assert holder(shared.journal, "lab") is None
    assert shared.journal.runs("lab")[0].owner == "alice"
    assert shared.plan()[0].changed == ()
    with pytest.raises(Refused, match="FAB7"):  # what he had planned is stale now
        shared.apply(saved, owner="bob")


def test_the_run_of_one_who_was_killed_is_taken_over_by_the_other(shared: Network, postgres: str) -> None:
    with alice_applies(shared, postgres) as (process, _go_on):
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        taken = {
            "targets": shared.targets(),
            "journal": shared.journal,
            "options": apply_options(owner="bob"),
        }

        assert resume("lab", **taken).outcome == "done"

    run = shared.journal.runs("lab")[0]
    assert (run.owner, run.state) == ("alice", "done")
    assert ("taken over", "bob") in {
        (entry["state"], entry["reason"]) for entry in shared.journal.entries(run.id)
    }
    assert holder(shared.journal, "lab") is None
    assert shared.plan()[0].changed == ()
