"""Killed at any statement of its beginning, a run leaves nothing that the next command does not understand.

Statements that read are not counted, there are more of them the more runs there were, nor texts: they leave nothing.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from sqlalchemy import event

from fabric.deployment import Journal, Result, apply, holder, resume, rollback
from fabric.diagnostics import Refused
from fabric.planning import Plan
from tests.deployment.conftest import AtOnce, Network, apply_options
from tests.deployment.test_site_lock import place  # noqa: F401  # a fixture

Saved = tuple[Plan, Mapping[str, str]]
BEGUN = 7
"""Exit code of the process that is about to push."""
FEWEST = 8
"""Statements and commits that there are at least before the first push."""


def killed_at(network: Network, where: Path | str, verb: Callable[[Journal], object], moment: int) -> bool:
    """Do it in a process that is killed at its nth statement or commit; False if it came to its first wave before."""
    network.journal.engine.dispose()
    child = os.fork()
    if child == 0:
        try:
            _count_down(journal := Journal(where), moment)
            verb(journal)
        finally:
            os._exit(1)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (-signal.SIGKILL, BEGUN)
    return code != BEGUN


def _count_down(journal: Journal, moment: int) -> None:
    left = iter(range(moment - 1, -1, -1))

    def count(_connection: object, _cursor: object = None, statement: str = "COMMIT", *_rest: object) -> None:
        if "INTO waves" in statement:  # from here on devices are touched
            os._exit(BEGUN)
        if not statement.startswith(("SELECT", "PRAGMA", "INSERT INTO texts")) and next(left) == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(journal.engine, "before_cursor_execute", count)
    event.listen(journal.engine, "commit", count)


def applies(network: Network, saved: Saved) -> Callable[[Journal], object]:
    return lambda journal: apply(
        saved,
        targets=network.targets(),
        journal=journal,
        options=apply_options(),
        executor=AtOnce(),
    )


def rolls_back(network: Network) -> Callable[[Journal], object]:
    return lambda journal: rollback(
        "lab",
        targets=network.targets(),
        journal=journal,
        options=apply_options(),
        executor=AtOnce(),
    )


def runs(network: Network) -> dict[str, str]:
    return {name: box.running for name, box in network.boxes().items()}


def kills(network: Network, where: Path | str, verb: Callable[[Journal], object]) -> Iterator[str]:
    """Killed at one moment after the other: the state of the run that was left, or empty if none was begun."""
    moment = 1
    while killed_at(network, where, verb, moment):
        lock, run = holder(network.journal, "lab"), network.journal.unfinished("lab")
        assert (lock.run if lock else None) == (run.id if run else None), (
            "a lock without its run, or a run without"
        )
        if run:
            assert run.state in ("checking", "running")
            assert network.journal.steps(run.id)
        yield run.state if run else ""
        moment += 1
    assert moment > FEWEST


def does(network: Network, verb: Callable[..., Result]) -> Result:
    return verb("lab", targets=network.targets(), journal=network.journal, options=apply_options())


@pytest.fixture
def changed(make: Callable[..., Network], place: Path | str) -> tuple[Network, Path | str, Saved]:  # noqa: F811
    """A good run, and the plan of the next one."""
    network = make(units=1)
    network.journal = Journal(place)
    assert network.apply().outcome == "done"
    network.edit("ntp 192.0.2.9", "ntp 192.0.2.10")
    return network, place, network.plan()


Changed = tuple[Network, Path | str, Saved]


def test_apply_again_or_say_what_to_do(changed: Changed) -> None:
    network, where, saved = changed
    before, seen = runs(network), set()
    for state in kills(network, where, applies(network, saved)):
        seen.add(state)
        if state == "running":
            with pytest.raises(Refused, match="FAB721"):
                network.apply(saved)
            assert does(network, rollback).outcome == "nothing"
        assert network.apply(saved).outcome == "done"
        assert does(network, rollback).outcome == "done"
        assert runs(network) == before

    assert seen == {"", "checking", "running"}


def test_resume_does_all_of_it_or_says_that_there_is_nothing(changed: Changed) -> None:
    network, where, saved = changed
    before = runs(network)
    for state in kills(network, where, applies(network, saved)):
        if not state:
            with pytest.raises(Refused, match=r"FAB722: run .* has finished"):
                does(network, resume)
            assert runs(network) == before
            continue
        assert does(network, resume).outcome == "done"
        assert runs(network) != before
        assert network.plan()[0].changed == ()
        assert does(network, rollback).outcome == "done"
        assert runs(network) == before


def test_rollback_never_takes_back_the_good_run_before(changed: Changed) -> None:
    network, where, saved = changed
    before = runs(network)
    for state in kills(network, where, applies(network, saved)):
        if state:
            assert does(network, rollback).outcome == "nothing"
            assert runs(network) == before
            assert holder(network.journal, "lab") is None
            assert network.journal.unfinished("lab") is None


def test_a_rollback_killed_at_its_beginning_is_gone_on_with(changed: Changed) -> None:
    network, where, saved = changed
    before = runs(network)
    assert network.apply(saved).outcome == "done"
    for state in kills(network, where, rolls_back(network)):
        if state:
            assert does(network, resume).outcome == "done"
            assert runs(network) == before
            assert network.apply(saved).outcome == "done"
