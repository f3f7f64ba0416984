"""PostgreSQL clusters of tests' own: real servers on loopback, which can be stopped and started."""

from __future__ import annotations

import os
import pwd
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.ports import free_port
from tests.programs import ANY, path_of, run


class Cluster:
    """A server with its data, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        initdb, self.pg_ctl = path_of("initdb"), path_of("pg_ctl")
        self.folder, self.data, self.port = folder, folder / "data", free_port()
        self.as_user: list[str] = []
        if os.getuid() == 0:  # PostgreSQL refuses to run as root
            account = pwd.getpwnam("postgres")
            os.chown(folder, account.pw_uid, account.pw_gid)
            self.as_user = ["runuser", "-u", "postgres", "--"]
        run(*self.as_user, initdb, "-D", self.data, "-A", "trust", "-U", "fabric")

    @property
    def url(self) -> str:
        """Of its database."""
        return f"postgresql+psycopg://fabric@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        """Until it answers."""
        options = f"-k {self.folder} -p {self.port} -c listen_addresses=127.0.0.1"
        self._control("-o", options, "-l", str(self.folder / "log"), "start")

    def stop(self, mode: str = "immediate") -> None:
        """`immediate`: as if it had crashed, all connections are cut."""
        self._control("-m", mode, "stop")

    def _control(self, *words: str) -> None:
        run(*self.as_user, self.pg_ctl, "-D", self.data, "-w", "-t", "300", *words, exits=ANY)


@contextmanager
def cluster() -> Iterator[Cluster]:
    """A running cluster; nothing of it is left afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="fabric-postgres-"))
    try:
        running = Cluster(folder)
        running.start()
        try:
            yield running
        finally:
            running.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
