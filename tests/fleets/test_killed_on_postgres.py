"""An operator whose journal is a shared PostgreSQL, and whose steps two workers do, is killed; another one goes on.

The workers live on: what they have begun they do to its end, while the other one looks at their devices already.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import msgspec
import pytest

from fabric import api
from fabric.deployment import Journal, Pace, holder
from fabric.deployment.connection.device_session import Connection
from fabric.deployment.jobs import State
from fabric.platforms.registry import platform
from tests.chaos.random_fabric import SITE
from tests.fleets.fleet_site import (
    ALLOW,
    ENVIRONMENT,
    POLL_S,
    TIMER_S,
    FleetSite,
    environment,
    fleet_site,
)
from tests.fleets.workers import Fleet, fleet
from tests.postgres import Cluster
from tests.programs import LIMIT_S, start

pytestmark = pytest.mark.live

PACE = Pace(revert_in_s=TIMER_S, gate_poll_s=POLL_S)
MOMENTS = (
    ("run_started", 1, "rollback"),
    ("wave_started", 1, "resume"),
    ("committed", 1, "rollback"),
    ("confirmed", 1, "rollback"),
    ("done", 1, "rollback"),
    ("committed", 3, "resume"),
    ("confirmed", 3, "resume"),
)
"""At which event of a kind the operator dies, and what the other one does then. The devices of the second wave
are pushed and confirmed side by side."""


@pytest.fixture(scope="module", autouse=True)
def _secrets() -> Iterator[None]:
    with environment(ENVIRONMENT):
        yield


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    with fleet(tmp_path_factory.mktemp("fleet") / "workers", **ENVIRONMENT) as running:
        yield running


@pytest.fixture(scope="module")
def site(
    tmp_path_factory: pytest.TempPathFactory, workers: Fleet, postgres_cluster: Cluster
) -> Iterator[FleetSite]:
    with fleet_site(tmp_path_factory.mktemp("site") / "site") as site:
        site.journal_url = postgres_cluster.new_database()
        site.plan(site.place())
        assert site.apply(site.place(url=workers.url)).outcome == "done"
        yield site


def killed(site: FleetSite, workers: Fleet, kind: str, number: int) -> list[str]:
    """Apply the saved plan in a process that is killed at that event; the events that it told."""
    targets = site.folder.parent / "targets.json"
    targets.touch(0o600)
    targets.write_bytes(msgspec.json.encode(site.targets))
    words = (site.folder, site.journal_url, workers.url, targets, kind, str(number))
    command = (sys.executable, "-m", "tests.fleets.killed_apply", *words)
    with start(*command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ}) as process:
        output = process.communicate(timeout=LIMIT_S)[0].decode()
    assert process.returncode == -signal.SIGKILL, output
    return output.split()


def waiting(site: FleetSite) -> dict[str, str]:
    """Commits that wait for a confirmation, and candidates that are open."""
    left: dict[str, str] = {}
    for name, target in site.targets.items():
        with Connection(target, platform(site.compiled.platform_of(name))) as device:
            commits = filter(None, (device.pending(), *device.open_candidates()))
            left.update((name, commit.change) for commit in commits)
    return left


def nothing_left(site: FleetSite) -> None:
    journal = Journal(site.journal_url)
    assert holder(journal, SITE) is None
    assert journal.unfinished(SITE) is None
    assert waiting(site) == {}
    assert not {step.state for step in journal.steps(journal.runs(SITE)[0].id)} & {State.COMMITTED}


@pytest.mark.covering(most=3)
@pytest.mark.parametrize(("kind", "number", "verb"), MOMENTS)
def test_another_operator_finishes_what_was_begun(
    site: FleetSite, workers: Fleet, kind: str, number: int, verb: str
) -> None:
    site.edit(f"192.0.2.{61 + MOMENTS.index((kind, number, verb))}")  # what no device has run yet
    assert site.plan(site.place()).changed
    before = site.running()

    killed(site, workers, kind, number)
    assert Journal(site.journal_url).unfinished(SITE) is not None
    other = site.place(url=workers.url)
    ended = (
        api.resume(site.compiled, other, pace=PACE)
        if verb == "resume"
        else api.rollback(site.compiled, other, allow=ALLOW, pace=PACE)
    )

    assert ended.outcome == "done" or (verb, ended.outcome) == ("rollback", "nothing")
    nothing_left(site)
    if verb == "rollback":
        assert site.running() == before
    else:
        assert site.plan(site.place()).changed == ()
