"""Options and real counterparts that all tests share."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ports import free_port


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write the golden files anew; read their diff"
    )


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-golden"))


def needed(what: str) -> None:
    """Skip, with what is missing, or fail where `FABRIC_REQUIRE_LIVE` is set."""
    reason = f"{what} is not installed: `tools/live` installs it as root"
    if os.environ.get("FABRIC_REQUIRE_LIVE"):
        pytest.fail(reason)
    pytest.skip(reason)


def _initdb() -> Path | None:
    found = shutil.which("initdb")
    return Path(found) if found else max(Path("/usr/lib/postgresql").glob("*/bin/initdb"), default=None)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a database in a cluster of its own, on loopback, ended with the session."""
    initdb = _initdb()
    if initdb is None:
        needed("PostgreSQL")
    folder = Path(tempfile.mkdtemp(prefix="fabric-postgres-"))
    as_user: list[str] = []
    if os.getuid() == 0:  # PostgreSQL refuses to run as root
        account = pwd.getpwnam("postgres")
        os.chown(folder, account.pw_uid, account.pw_gid)
        as_user = ["runuser", "-u", "postgres", "--"]
    data, port = folder / "data", free_port()
    subprocess.run(
        [*as_user, initdb, "-D", data, "-A", "trust", "-U", "fabric"], check=True, capture_output=True
    )
    control = [*as_user, initdb.with_name("pg_ctl"), "-D", data, "-w"]
    options = f"-k {folder} -p {port} -c listen_addresses=127.0.0.1"
    subprocess.run([*control, "-o", options, "-l", folder / "log", "start"], check=True, capture_output=True)
    try:
        yield f"postgresql+psycopg://fabric@127.0.0.1:{port}/postgres"
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], check=False, capture_output=True)
        shutil.rmtree(folder, ignore_errors=True)
