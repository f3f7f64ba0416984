"""One thread beside the screen: it computes one thing after the other, and does not keep the program from ending."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")
Call = tuple["Future[Any]", Callable[[], Any]]


class OwnThread:
    """Calls in their order. A compiled site keeps what it made last, so one thread alone may ask it."""

    def __init__(self, name: str) -> None:
        self._calls: SimpleQueue[Call | None] = SimpleQueue()
        Thread(target=self._run, name=name, daemon=True).start()

    async def call(self, function: Callable[[], T]) -> T:
        """What a function returns or raises. Cancelled before its turn, it is not called."""
        future: Future[T] = Future()
        self._calls.put((future, function))
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        """End after what is being computed."""
        self._calls.put(None)

    def _run(self) -> None:
        while (call := self._calls.get()) is not None:
            future, function = call
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(function())
            except BaseException as error:  # noqa: BLE001  # whoever waits for it gets it
                future.set_exception(error)
