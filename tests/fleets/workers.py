"""Fleets of tests' own: a real Dask scheduler and real workers on loopback, each a process that can be killed.

A process costs a second of CPU before it does anything: tests share a fleet, and what one has killed is started anew.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from tests.certificates import Authority
from tests.ports import free_port
from tests.programs import LIMIT_S, needed_module, start
from tests.waiting import PATIENCE_S, until

THREADS = 4
QUIET = {
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "2s",
    "DASK_DISTRIBUTED__ADMIN__TICK__LIMIT": "60s",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "10s",
}
"""Dask looks at itself a hundred times a second, which nobody here wants to see."""


class Fleet:
    """A scheduler and its workers; with an authority, they talk TLS."""

    def __init__(self, folder: Path, size: int, authority: Authority | None, **environment: str) -> None:
        self.folder, self.port, self.size = folder, free_port(), size
        self.authority, self._environment = authority, environment
        self.workers: list[subprocess.Popen[Any]] = []
        self.scheduler: subprocess.Popen[Any] | None = None
        self._numbers = count()
        self.distributed = needed_module("distributed")
        self._client: Any = None
        self.heal()

    def heal(self) -> None:
        """So many workers as at first, whoever has died since."""
        if self.scheduler is None or self.scheduler.poll() is not None:
            self.end()
            self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", str(self.port))
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        for _ in range(self.size - len(self.workers)):
            self.add()

    @property
    def url(self) -> str:
        """For `--executor`."""
        return f"{'dask+tls' if self.authority else 'dask'}://127.0.0.1:{self.port}"

    @property
    def address(self) -> str:
        """As Dask writes it."""
        return f"{'tls' if self.authority else 'tcp'}://127.0.0.1:{self.port}"

    @property
    def client(self) -> Any:
        """One who looks at the scheduler, and has no part in what it does."""
        if self._client is None:
            security = self._security(self.authority) if self.authority else None
            self._client = self.distributed.Client(
                self.address, timeout=PATIENCE_S, set_as_default=False, security=security
            )
        return self._client

    def _security(self, authority: Authority) -> Any:
        own = authority.signed("onlooker")
        return self.distributed.Security(
            tls_ca_file=str(authority.file),
            tls_client_cert=str(own.certificate),
            tls_client_key=str(own.key),
            require_encryption=True,
        )

    def add(self, *words: str, **environment: str) -> subprocess.Popen[Any]:
        """One more worker; waits until the scheduler has it."""
        known = len(self.addresses())
        words = ("--nthreads", str(THREADS), "--local-directory", str(self.folder), *words)
        if "--nanny" not in words:
            words = ("--no-nanny", *words)
        worker = self._start("worker", self.address, *words, **environment)
        self.workers.append(worker)
        until(lambda: len(self.addresses()) > known, PATIENCE_S, "the worker has joined")
        return worker

    def dismiss(self, worker: subprocess.Popen[Any]) -> None:
        """Kill a worker, and wait until the scheduler knows."""
        known = len(self.addresses())
        kill(worker)
        self.workers.remove(worker)
        until(lambda: len(self.addresses()) < known, PATIENCE_S, "the scheduler has noticed")

    def addresses(self) -> dict[str, int]:
        """The workers that the scheduler has, with their threads."""
        return dict(self.client.nthreads())

    def busy(self) -> tuple[str, ...]:
        """The steps that workers do just now."""
        return tuple(task for tasks in self.client.processing().values() for task in tasks)

    def seen(self) -> bytes:
        """All that the scheduler holds of what was handed to it, and what it has logged."""
        return b"\n".join((self.client.run_on_scheduler(_everything), self.log()))

    def log(self) -> bytes:
        """What scheduler and workers have written."""
        return b"".join(path.read_bytes() for path in sorted(self.folder.glob("*.log")))

    def look_away(self) -> None:
        """Nobody looks at the scheduler, who would tell at length that it is gone."""
        if self._client is not None:
            self._client.close(timeout=1)
            self._client = None

    def end(self) -> None:
        """Nothing of it is left."""
        self.look_away()
        for process in (*self.workers, self.scheduler):
            kill(process)

    def _start(self, kind: str, *words: str, **environment: str) -> subprocess.Popen[Any]:
        log = self.folder / f"{kind}-{next(self._numbers)}.log"
        with log.open("wb") as output:
            return start(
                *(sys.executable, "-m", f"distributed.cli.dask_{kind}", "--no-dashboard", *words),
                *self._tls(kind),
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, **QUIET, **self._environment, **environment},
                cwd=self.folder,
            )

    def _tls(self, kind: str) -> tuple[str, ...]:
        if self.authority is None:
            return ()
        own = self.authority.signed(kind)
        return (
            *("--tls-ca-file", str(self.authority.file)),
            *("--tls-cert", str(own.certificate), "--tls-key", str(own.key)),
        )


def _everything(dask_scheduler: Any) -> bytes:
    """Runs in the scheduler."""
    import pickle

    tasks = dask_scheduler.tasks.values()
    parts = [f"{task.key} {task.state} {task.exception_text} {task.traceback_text}" for task in tasks]
    parts += [
        str(dask_scheduler.get_events()),
        str(dask_scheduler.get_logs()),
        str(dask_scheduler.identity()),
    ]
    parts += [str(list(dask_scheduler.transition_log))]
    return "\n".join(parts).encode() + b"".join(pickle.dumps(task.run_spec) for task in tasks)


def kill(process: subprocess.Popen[Any] | None) -> None:
    """At once, as if its machine had lost power."""
    if process is not None and process.poll() is None:
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=LIMIT_S)


@contextmanager
def fleet(
    folder: Path, workers: int = 2, authority: Authority | None = None, **environment: str
) -> Iterator[Fleet]:
    """A running fleet with so many workers, which know these variables of their environment."""
    needed_module("distributed")
    folder.mkdir(exist_ok=True)
    running = Fleet(folder, workers, authority, **environment)
    try:
        yield running
    finally:
        running.end()
