"""Which worker of pytest-xdist runs which tests.

Live tests wait for daemons and timers, and leave the cores idle; the others compute. So there are more workers than
cores, and while most of them go through the tests that wait, the longest first, one of three goes through the rest from
its end. A file that computes stays with one worker, for what it has compiled once; of one that waits, each function
goes where a worker is free, unless they share what takes long to start.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

MORE_WORKERS = 8
"""Than there are cores."""
ONE_OF = 3
"""One worker of so many begins with the tests that compute."""

LONGEST = tuple(
    line
    for line in (Path(__file__).parent / "longest.txt").read_text().splitlines()
    if not line.startswith("#")
)
"""Files and functions that wait longer than others, the longest first."""

WAITING = (
    "tests/infiniband/",
    "tests/platforms/opensm/test_live",
    "tests/platforms/frr/",
    "tests/verification/",
    "tests/fleets/",
    "tests/deployment/",
    "tests/chaos/",
    "tests/lab/",
    "tests/sandbox/",
    "tests/platforms/sonic/test_live.py",
    "tests/platforms/sonic/test_fabric.py",
    "tests/platforms/cumulus/test_live.py",
    "tests/platforms/host/test_script.py",
    "tests/contract/",
    "tests/platforms/srlinux/test_sandbox.py",
    "tests/platforms/sonic/test_deployment.py",
    "tests/platforms/nxos/test_deployment.py",
    "tests/platforms/junos/test_deployment.py",
    "tests/platforms/cumulus/test_deployment.py",
    "tests/cli/test_online_commands.py",
    "tests/cli/test_growing_sandbox.py",
    "tests/cli/test_signals.py",
    "tests/cli/test_rollback_of_broken_site.py",
    "tests/cli/test_recommended_steps.py",
    "tests/cli/test_first_run.py",
    "tests/cli/test_ci_pipeline.py",
    "tests/cli/test_trust.py",
    "tests/reporting/test_browser.py",
    "tests/reporting/test_accessibility.py",
)
"""Files and folders with tests that wait for others."""

TOGETHER = (
    "tests/fleets/test_executor.py",
    "tests/reporting/test_browser.py",
    "tests/reporting/test_accessibility.py",
)
"""Files among them whose tests share what takes long to start: each stays with one worker."""


SHARED = ("tests/errors/",)
"""Folders with tests that compute, and share what they have compiled: each stays with one worker."""


def waiting(place: str) -> int:
    """The rank of a test among those that wait; behind all of them if it does not."""
    return _rank(place.partition("[")[0])


@cache
def _rank(function: str) -> int:
    """The same for all cases of a function: there are three times as many."""
    ranks = (rank for rank, start in enumerate((*LONGEST, *WAITING)) if function.startswith(start))
    return next(ranks, len(LONGEST) + len(WAITING))


def unit(place: str) -> str:
    """What stays together with a test: its function where tests wait, else its file, or a folder that shares much."""
    for folder in SHARED:
        if place.startswith(folder):
            return folder
    is_whole = not place.startswith(WAITING) or place.startswith(TOGETHER)
    return place.split("::" if is_whole else "[", maxsplit=1)[0]


class TwoEnded(LoadScopeScheduling):
    """Hands out units of tests: from the front to most workers, from the end to one of three."""

    def _split_scope(self, nodeid: str) -> str:
        return unit(nodeid)

    def _assign_work_unit(self, node: WorkerController) -> None:
        if list(self.assigned_work).index(node) % ONE_OF == 1:
            self.workqueue.move_to_end(next(reversed(self.workqueue)), last=False)
        super()._assign_work_unit(node)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests that wait first. All others stay as they are."""
    items.sort(key=lambda item: waiting(item.nodeid))


def workers() -> int | None:
    """How many there are with `-n auto`; None: the environment says so."""
    if os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS"):
        return None
    return len(os.sched_getaffinity(0)) + MORE_WORKERS


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> TwoEnded | None:
    """Two-ended, unless another way was asked for by `--dist`."""
    if config.getvalue("dist") != "load":
        return None
    config.option.loadscopereorder = False
    return TwoEnded(config, log)
