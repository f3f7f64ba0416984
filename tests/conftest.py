"""Options and real counterparts that all tests share."""

from __future__ import annotations

import os
import pwd
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import hypothesis_profiles
from tests.ports import free_port
from tests.programs import ANY, path_of, run

hypothesis_profiles.load()

# Hundreds of tests start Python: what they import shall be compiled once, and so shall the tests themselves.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


SIMULATED = ("tests/infiniband/", "tests/verification/infiniband/", "tests/platforms/opensm/test_live")
"""Where tests run OpenSM 3.3.23 under ibsim. Now and then, and busier machines see it more, OpenSM crashes while a trap
and a sweep meet, or waits for ever for an answer that ibsim has lost. Such a test starts over on a fresh subnet; a
fault of ours fails three times."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("live") and item.nodeid.startswith(SIMULATED):
            item.add_marker(pytest.mark.flaky(reruns=2))
    if hypothesis_profiles.chosen() == "thorough":
        for test in {item.obj for item in items if isinstance(item, pytest.Function)}:
            hypothesis_profiles.more_examples(test)


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
def postgres() -> Iterator[str]:
    """The URL of a database in a cluster of its own, on loopback, ended with the session."""
    initdb, pg_ctl = path_of("initdb"), path_of("pg_ctl")
    folder = Path(tempfile.mkdtemp(prefix="fabric-postgres-"))
    as_user: list[str] = []
    if os.getuid() == 0:  # PostgreSQL refuses to run as root
        account = pwd.getpwnam("postgres")
        os.chown(folder, account.pw_uid, account.pw_gid)
        as_user = ["runuser", "-u", "postgres", "--"]
    data, port = folder / "data", free_port()
    run(*as_user, initdb, "-D", data, "-A", "trust", "-U", "fabric")
    control = [*as_user, pg_ctl, "-D", data, "-w", "-t", "300"]
    options = f"-k {folder} -p {port} -c listen_addresses=127.0.0.1"
    run(*control, "-o", options, "-l", folder / "log", "start")
    try:
        yield f"postgresql+psycopg://fabric@127.0.0.1:{port}/postgres"
    finally:
        run(*control, "-m", "immediate", "stop", exits=ANY)
        shutil.rmtree(folder, ignore_errors=True)
