"""The operator's program and the scheduler of its fleet are killed at once; what is left is done without both."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fabric import sandbox
from fabric.deployment import holder
from fabric.deployment.jobs import State
from tests.chaos.operator import QUIETLY, Operator, operator_of
from tests.chaos.random_fabric import SITE, VARIABLE, Intent
from tests.chaos.trial import nothing_left, sides
from tests.contract.sandbox_bench import PASSWORD
from tests.fleets.fleet_site import Products
from tests.fleets.workers import Fleet, fleet, kill
from tests.programs import LIMIT_S, start
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.live
LATENCY_MS = 300
"""A push takes long enough to be met."""


def killed_in_a_wave(operator: Operator, workers: Fleet) -> None:
    """Begin to apply the saved plan through the workers; both die while a wave of several devices is pushed."""
    words = ("apply", str(operator.folder / ".fabric" / "plan"), *QUIETLY, "--allow", "lockout:*")
    command = (sys.executable, "-m", "fabric", *words, "--allow", "isolating", "--executor", workers.url)
    with start(*command, "-C", operator.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        until(lambda: pushes(workers) > 1 or process.poll() is not None, PATIENCE_S, "several pushes")
        workers.look_away()
        process.send_signal(signal.SIGKILL)
        kill(workers.scheduler)
        output = process.communicate(timeout=LIMIT_S)[0]
    assert process.returncode == -signal.SIGKILL, output.decode()


def pushes(workers: Fleet) -> int:
    return sum("push" in step for step in workers.busy())


def test_what_both_have_left_is_finished_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, PASSWORD)
    site = tmp_path / "site"
    site.mkdir()
    with (
        operator_of(Intent(site, Products("eos", "sonic"))) as operator,
        fleet(tmp_path / "workers") as workers,
    ):
        before = operator.running()
        assert operator.plan() == set(before)
        sandbox.inject(operator.home, latency_ms=LATENCY_MS)
        killed_in_a_wave(operator, workers)
        for worker in workers.workers:  # they end what they have begun: nobody knows what came of it
            until(lambda worker=worker: worker.poll() is not None, PATIENCE_S, "the worker has ended")
        sandbox.clear(operator.home)

        left = operator.unfinished()
        assert left is not None
        assert holder(operator.journal(), SITE) is not None
        assert not sides(operator, before).neither
        assert operator.resume().status == 0, operator.told()

        states = {step.job.device: step.state for step in operator.journal().steps(left)}
        assert set(states.values()) == {State.CONFIRMED}
        assert sides(operator, before).as_intended == set(before)
        assert operator.journal().runs(SITE)[0].id == left
        nothing_left(operator)
