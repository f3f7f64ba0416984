"""Real counterparts: skipped by name where a tool is missing, an error where CI demands them."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
from pathlib import Path

import pytest


def needed(what: str) -> None:
    """Skip, with what is missing, or fail where `FABRIC_REQUIRE_LIVE` is set."""
    reason = f"{what} is not installed: `tools/live` installs it as root"
    if os.environ.get("FABRIC_REQUIRE_LIVE"):
        pytest.fail(reason)
    pytest.skip(reason)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _initdb() -> Path | None:
    found = shutil.which("initdb")
    return Path(found) if found else max(Path("/usr/lib/postgresql").glob("*/bin/initdb"), default=None)


@pytest.fixture(scope="session")
def postgres(tmp_path_factory) -> str:
    """The URL of a database in a cluster of its own, on loopback, ended with the session."""
    initdb = _initdb()
    if initdb is None:
        needed("PostgreSQL")
    folder = tmp_path_factory.mktemp("postgres", numbered=True)
    as_user: list[str] = []
    if os.getuid() == 0:  # PostgreSQL refuses to run as root
        account = pwd.getpwnam("postgres")
        for path in (folder, *list(folder.parents)[:2]):
            path.chmod(0o755)
        os.chown(folder, account.pw_uid, account.pw_gid)
        as_user = ["runuser", "-u", "postgres", "--"]
    data, port = folder / "data", free_port()
    subprocess.run([*as_user, initdb, "-D", data, "-A", "trust", "-U", "fabric"], check=True, capture_output=True)
    control = [*as_user, initdb.with_name("pg_ctl"), "-D", data, "-w"]
    options = f"-k {folder} -p {port} -c listen_addresses=127.0.0.1"
    subprocess.run([*control, "-o", options, "-l", folder / "log", "start"], check=True, capture_output=True)
    try:
        yield f"postgresql+psycopg://fabric@127.0.0.1:{port}/postgres"
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], check=False, capture_output=True)
