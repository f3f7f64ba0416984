"""Fleets of tests' own: a real Dask scheduler and real workers on loopback, each a process that can be killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.ports import free_port
from tests.programs import LIMIT_S, needed_module, start
from tests.waiting import PATIENCE_S, until

THREADS = 4


class Fleet:
    """A scheduler and its workers."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.workers: list[subprocess.Popen[Any]] = []
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", str(self.port))
        self.distributed = needed_module("distributed")
        self._client: Any = None

    @property
    def url(self) -> str:
        """For `--executor`."""
        return f"dask://127.0.0.1:{self.port}"

    @property
    def client(self) -> Any:
        """One who looks at the scheduler, and has no part in what it does."""
        if self._client is None:
            self._client = self.distributed.Client(
                f"tcp://127.0.0.1:{self.port}", timeout=PATIENCE_S, set_as_default=False
            )
        return self._client

    def add(self, *words: str, environment: Mapping[str, str] | None = None) -> subprocess.Popen[Any]:
        """One more worker; waits until the scheduler has it."""
        known = len(self.addresses())
        words = ("--nthreads", str(THREADS), "--local-directory", str(self.folder), *words)
        if "--nanny" not in words:
            words = ("--no-nanny", *words)
        worker = self._start("worker", f"tcp://127.0.0.1:{self.port}", *words, environment=environment)
        self.workers.append(worker)
        until(lambda: len(self.addresses()) > known, PATIENCE_S, "the worker has joined")
        return worker

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

    def end(self) -> None:
        """Nothing of it is left."""
        if self._client is not None:
            self._client.close(timeout=1)
        for process in (*self.workers, self.scheduler):
            kill(process)

    def _start(
        self, kind: str, *words: str, environment: Mapping[str, str] | None = None
    ) -> subprocess.Popen[Any]:
        log = self.folder / f"{kind}-{len(self.workers)}.log"
        with log.open("wb") as output:
            return start(
                *(sys.executable, "-m", f"distributed.cli.dask_{kind}", "--no-dashboard", *words),
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(environment or {})},
                cwd=self.folder,
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


def kill(process: subprocess.Popen[Any]) -> None:
    """At once, as if its machine had lost power."""
    if process.poll() is None:
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=LIMIT_S)


@contextmanager
def fleet(folder: Path, workers: int = 2, environment: Mapping[str, str] | None = None) -> Iterator[Fleet]:
    """A running fleet with so many workers."""
    needed_module("distributed")
    folder.mkdir(exist_ok=True)
    running = Fleet(folder)
    try:
        for _ in range(workers):
            running.add(environment=environment)
        yield running
    finally:
        running.end()
