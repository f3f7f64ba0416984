"""PostgreSQL clusters of tests' own: real servers on loopback, which can be stopped and started."""

from __future__ import annotations

import os
import pwd
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from tests.ports import free_port
from tests.programs import ANY, needed_module, path_of, run
from tests.waiting import PATIENCE_S, until


class Cluster:
    """A server with its data, in a folder of its own."""

    def __init__(self, folder: Path, primary: Cluster | None = None) -> None:
        self.pg_ctl = path_of("pg_ctl")
        self.folder, self.data, self.port = folder, folder / "data", free_port()
        self.as_user: list[str] = []
        self._numbers = count()
        if os.getuid() == 0:  # PostgreSQL refuses to run as root
            account = pwd.getpwnam("postgres")
            os.chown(folder, account.pw_uid, account.pw_gid)
            self.as_user = ["runuser", "-u", "postgres", "--"]
        if primary is None:
            initdb = path_of("initdb")
            run(*self.as_user, initdb, "-D", self.data, "-A", "trust", "-U", "fabric")
        else:
            copy = path_of("pg_basebackup")
            source = ("-h", "127.0.0.1", "-p", str(primary.port), "-U", "fabric")
            run(*self.as_user, copy, "-D", self.data, "-R", "-c", "fast", *source)

    @property
    def url(self) -> str:
        """Of its database."""
        return f"postgresql+psycopg://fabric@127.0.0.1:{self.port}/postgres"

    def new_database(self) -> str:
        """The URL of an empty one beside it."""
        name = f"test_{next(self._numbers)}"
        self.ask(f"CREATE DATABASE {name}")
        return self.url.removesuffix("postgres") + name

    def start(self) -> None:
        """Until it answers."""
        options = f"-k {self.folder} -p {self.port} -c listen_addresses=127.0.0.1"
        self._control("-o", options, "-l", str(self.folder / "log"), "start")

    def stop(self, mode: str = "immediate") -> None:
        """`immediate`: as if it had crashed, all connections are cut."""
        self._control("-m", mode, "stop")

    def promote(self) -> None:
        """A standby takes over: it takes writes from now on."""
        self._control("promote")

    def ask(self, statement: str) -> list[tuple[Any, ...]]:
        """Run a statement outside of any transaction; its rows."""
        with needed_module("psycopg").connect(
            host="127.0.0.1", port=self.port, user="fabric", dbname="postgres", autocommit=True
        ) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def _control(self, *words: str) -> None:
        run(*self.as_user, self.pg_ctl, "-D", self.data, "-w", "-t", "300", *words, exits=ANY)


class Pair:
    """A primary, and a standby that has every transaction before the primary says that it is committed."""

    def __init__(self, primary: Cluster, standby: Cluster) -> None:
        self.primary, self.standby = primary, standby
        standby.start()
        # Not in the standby's copy: alone, as a primary, it waits for nobody.
        primary.ask("ALTER SYSTEM SET synchronous_standby_names = '*'")
        primary.ask("SELECT pg_reload_conf()")
        states = "SELECT sync_state FROM pg_stat_replication"
        until(lambda: primary.ask(states) == [("sync",)], PATIENCE_S, "the standby follows")

    @property
    def url(self) -> str:
        """Of the database on whichever of both takes writes."""
        hosts = f"127.0.0.1:{self.primary.port},127.0.0.1:{self.standby.port}"
        return f"postgresql://fabric@{hosts}/postgres?target_session_attrs=read-write"

    def fail_over(self) -> None:
        """The primary dies, and the standby takes over."""
        self.primary.stop()
        self.standby.promote()


@contextmanager
def cluster(primary: Cluster | None = None) -> Iterator[Cluster]:
    """A running cluster, or the copy of one that is not started yet; nothing of it is left afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="fabric-postgres-"))
    try:
        running = Cluster(folder, primary)
        if primary is None:
            running.start()
        try:
            yield running
        finally:
            running.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def pair() -> Iterator[Pair]:
    """A primary with its standby, both running."""
    with cluster() as primary, cluster(primary) as standby:
        yield Pair(primary, standby)
