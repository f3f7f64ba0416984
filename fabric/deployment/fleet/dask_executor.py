"""An executor by URL: steps are done by the workers of a Dask scheduler, each step at most once.

Dask does a task again when its worker has died, and when the result has died with it. Here that never happens: a step
is sealed for one worker process, which does not begin it twice, and no other can open it. A step whose worker dies is
an error of its device: whether it was done is found out when the device is asked again.
"""

from __future__ import annotations

import logging
import queue
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from importlib import import_module
from itertools import count
from pathlib import Path
from secrets import token_hex
from threading import Lock
from typing import Any, NamedTuple

import msgspec

from fabric.decoding import from_msgpack
from fabric.deployment import codes
from fabric.deployment.connection.parallel_devices import StepLost
from fabric.deployment.fleet import plain_data, worker
from fabric.deployment.fleet.reach_scheduler import CONNECT_S, is_exposed, scheduler_of, security, silent
from fabric.deployment.fleet.sealing import Seal, Unsealable, key_pair, shared
from fabric.deployment.refusal_message import refusal
from fabric.diagnostics import DeviceError, with_extra

POLL_S = 1.0
"""Between two looks whether a worker that has not answered is still there."""
SILENCE_S = 10.0
"""So long a scheduler may take to say which workers it has."""
MOST_SILENCES = 3
"""In a row; then its workers count as lost."""
NOT_YET = (TimeoutError, UnboundLocalError)
"""Of an answer. The second is Dask's own (`utils.sync`) where the time is up while the answer is on its way."""
LOST = (
    "the worker at {} was lost before it answered: what the device runs now is known when it is asked again"
)
GONE = "the scheduler of the executor was lost"
NOBODY = "no worker of the executor is left"
WITHOUT_TLS = "it is reached over a network without TLS (start it with `--tls-ca-file`, and its scheduler)"


class Crew(NamedTuple):
    """A worker that takes part."""

    address: str
    seal: Seal


class FleetExecutor(Executor):
    """Does steps on the workers of a scheduler, as many at once as they have threads."""

    def __init__(self, client: Any, folder: Path, *, named: bool) -> None:
        self._client = client
        self._folder, self._named = str(folder.absolute()), named
        self._command = token_hex(8)
        self._numbers = count(1)
        self._free: queue.SimpleQueue[Crew | None] = queue.SimpleQueue()
        self._lock = Lock()
        self._seen: tuple[float, frozenset[str]] = (0.0, frozenset())
        self._silences = 0
        self._crew = self._joined()
        self.slots = sum(threads for _, threads in self._crew)
        """Steps that are done at once."""
        for place in range(max(threads for _, threads in self._crew)):
            for member, threads in self._crew:  # one of each worker first
                if place < threads:
                    self._free.put(member)
        self._seen = (0.0, frozenset(member.address for member, _ in self._crew))
        self._left = self.slots
        self._threads = ThreadPoolExecutor(self.slots, thread_name_prefix="worker")

    def submit(self, step: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Do a step when a worker is free. What has not been handed to one can be cancelled."""
        if named:
            message = "arguments of steps have no names"
            raise TypeError(message)
        return self._threads.submit(self._do, step, arguments)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002  # its form
        """Wait for what has begun; the workers forget the command."""
        self._threads.shutdown(wait, cancel_futures=cancel_futures)
        if self._client.status == "running":
            with suppress(Exception):  # they forget it at their end
                self._client.run(worker.leave, self._command, on_error="return")

    def _joined(self) -> list[tuple[Crew, int]]:
        """Every worker with its number of threads. `Refused` if there is none, or one that cannot take part."""
        private, public = key_pair()
        answers = self._client.run(worker.join, self._command, public, on_error="return")
        if not answers:
            raise refusal(codes.EXECUTOR, "its scheduler has no workers")
        here = worker.program()
        for address, answer in sorted(answers.items()):
            problem = WITHOUT_TLS if is_exposed(address) else worker.refused(here, answer)
            if problem:
                raise refusal(codes.EXECUTOR, f"the worker at {address}: {problem}")
        return [
            (Crew(a, shared(private, answer["public"], f"{self._command} {a}")), answer["threads"])
            for a, answer in sorted(answers.items())
        ]

    def _do(self, step: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        member = self._worker()
        is_alive = False
        try:
            answer = self._asked(member, step, arguments)
            is_alive = True
        finally:
            self._back(member, is_alive=is_alive or self._lives(member))
        if answer.is_lost:
            raise StepLost(answer.problem)
        if answer.is_bug:
            raise RuntimeError(answer.problem)
        if answer.problem:
            raise DeviceError(answer.device, answer.problem, is_login=answer.is_login, step=answer.step)
        return plain_data.result(step, answer.value)

    def _worker(self) -> Crew:
        """One that is free; `StepLost` if there is none any more."""
        member = self._free.get()
        while member is not None and not self._lives(member):
            self._back(member, is_alive=False)
            member = self._free.get()
        if member is None:
            self._free.put(None)  # for the next one who asks
            raise StepLost(GONE if self._client.status != "running" else NOBODY)
        return member

    def _back(self, member: Crew, *, is_alive: bool) -> None:
        """A place of a worker is free again, or is no more."""
        if is_alive:
            self._free.put(member)
            return
        with self._lock:
            self._left -= 1
            if self._left == 0:
                self._free.put(None)

    def _asked(self, member: Crew, step: Callable[..., Any], arguments: tuple[Any, ...]) -> plain_data.Answer:
        number = next(self._numbers)
        order = plain_data.order(step, arguments, self._folder, member.seal, named=self._named)
        sealed = member.seal.close(msgspec.msgpack.encode(order), f"order {number}")
        task = self._client.submit(
            worker.carry_out,
            self._command,
            number,
            sealed,
            key=f"fabric-{step.__name__.lstrip('_')}-{self._command}-{number}",
            workers=[member.address],
            allow_other_workers=False,
            retries=0,
            pure=False,
        )
        try:
            answer = member.seal.open(self._awaited(task, member), f"answer {number}")
        except Unsealable:  # the process there is a new one
            raise StepLost(LOST.format(member.address)) from None
        finally:
            task.release()
        return from_msgpack(answer, plain_data.Answer)

    def _awaited(self, task: Any, member: Crew) -> bytes:
        """The result of a task. `StepLost` if it will not come."""
        while True:
            with suppress(Exception, CancelledError):  # its worker raises nothing: Dask has given the task up
                try:
                    answer: bytes = task.result(timeout=POLL_S)
                except NOT_YET:
                    if self._lives(member):
                        continue
                else:
                    return answer
            raise StepLost(GONE if self._client.status != "running" else LOST.format(member.address))

    def _lives(self, member: Crew) -> bool:
        """Whether the scheduler has the worker, as it said within the last second."""
        with self._lock:
            asked, known = self._seen
            if time.monotonic() - asked >= POLL_S:
                known = self._addresses(known)
                self._seen = (time.monotonic(), known)
        return member.address in known

    def _addresses(self, before: frozenset[str]) -> frozenset[str]:
        """The workers that the scheduler has; those of before while it is only slow to say so."""
        if self._client.status != "running":
            return frozenset()
        try:
            known = self._client.sync(self._client.scheduler.ncores, callback_timeout=SILENCE_S)
        except Exception:  # noqa: BLE001  # whatever it is: it has not said so
            self._silences += 1
            is_lost = self._silences >= MOST_SILENCES or self._client.status != "running"
            return frozenset() if is_lost else before
        self._silences = 0
        return frozenset(known)


@contextmanager
def fleet(url: str, folder: Path, *, named: bool) -> Iterator[FleetExecutor]:
    """The executor of a URL, `dask://HOST:PORT` or `dask+tls://HOST:PORT`.

    `named`: secrets are sent by their names, and every worker looks them up; otherwise they are sent sealed, as those
    of a sandbox, which are made up. `Refused` if it cannot be used.
    """
    scheduler = scheduler_of(url)
    try:
        dask: Any = import_module("distributed")  # optional, slow, and half typed
    except ImportError:
        rule = f"{url} needs Dask, which is not installed"
        raise refusal(codes.EXECUTOR, rule, with_extra("dask")) from None
    for name in [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]:
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what concerns a device is told as its error
    options = {"timeout": CONNECT_S, "set_as_default": False, "name": "fabric"}
    try:
        client = dask.Client(scheduler.address, security=security(dask, scheduler), **options)
    except (OSError, RuntimeError, TypeError, ValueError) as error:
        raise silent(url, error) from None
    try:
        executor = FleetExecutor(client, folder, named=named)
        try:
            yield executor
        finally:
            executor.shutdown()
    finally:
        client.close(timeout=SILENCE_S)
