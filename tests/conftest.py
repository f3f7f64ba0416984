"""Options and real counterparts that all tests share."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator

import pytest

from fabric.cli.run import FEWER_COLLECTIONS
from tests import hypothesis_profiles
from tests.covering import sampled
from tests.postgres import Cluster, cluster

hypothesis_profiles.load()

# Hundreds of tests start Python: what they import shall be compiled once, and so shall the tests themselves.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

os.environ.setdefault("PYTHONFAULTHANDLER", "1")  # a program that crashes says where

gc.set_threshold(FEWER_COLLECTIONS, 10, 10)  # as the program has it: tests call into it, not only start it


SIMULATED = ("tests/infiniband/", "tests/verification/infiniband/", "tests/platforms/opensm/test_live")
"""Where tests run OpenSM 3.3.23 under ibsim. Now and then, and busier machines see it more, OpenSM crashes while a trap
and a sweep meet, or waits for ever for an answer that ibsim has lost. Such a test starts over on a fresh subnet; a
fault of ours fails three times."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items[:], left = sampled(items)
    if left:
        config.hook.pytest_deselected(items=left)
    for item in items:
        if item.get_closest_marker("live") and item.nodeid.startswith(SIMULATED):
            item.add_marker(pytest.mark.flaky(reruns=2))
    for test in {
        getattr(item.obj, "__func__", item.obj) for item in items if isinstance(item, pytest.Function)
    }:
        hypothesis_profiles.scaled(test, hypothesis_profiles.chosen())


def pytest_collection_finish() -> None:
    """Tens of thousands of tests stay to the end: not to be looked through for garbage again and again."""
    gc.freeze()


def pytest_configure(config: pytest.Config) -> None:
    if config.pluginmanager.hasplugin("xdist"):
        from tests import distribution

        config.pluginmanager.register(distribution)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """Workers of `-n auto`: asked before plugins are configured."""
    from tests import distribution

    return distribution.workers()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write the golden files anew; read their diff"
    )


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[Cluster]:
    """A cluster of its own, on loopback, ended with the session."""
    with cluster() as running:
        yield running


@pytest.fixture
def postgres(postgres_cluster: Cluster) -> str:
    """The URL of a new, empty database: a run that one test leaves open is none of another's."""
    return postgres_cluster.new_database()
