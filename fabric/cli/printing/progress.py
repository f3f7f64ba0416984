"""Progress on stderr for what takes longer than a second: a bar in a terminal, a line every ten seconds elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from typing import TYPE_CHECKING, Protocol, TypeVar

from fabric.cli.common_options import Settings, interactive

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

T = TypeVar("T")
QUIET_S = 1.0
EVERY_S = 10.0


class Tick(Protocol):
    """Shows how far something is."""

    def __call__(self, done: int, total: int | None, waits: str = "") -> None:
        """So many are done, of so many, if that is known; `waits`: what keeps the next one."""


class _Bar:
    """A rich progress bar that shows itself after a second."""

    def __init__(self, what: str, settings: Settings) -> None:
        self.what = what
        self.settings = settings
        self.started = time.monotonic()
        self.progress: Progress | None = None
        self.task: TaskID | None = None

    def tick(self, done: int, total: int | None, waits: str = "") -> None:
        """Move the bar; show it if it is time."""
        if self.progress is None:
            if time.monotonic() - self.started < QUIET_S:
                return
            self._start()
        if self.progress is not None and self.task is not None:
            what = f"{self.what}, {waits}" if waits else self.what
            self.progress.update(
                self.task, completed=done, total=total, description=what, refresh=bool(waits)
            )

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
        )

        console = Console(stderr=True, no_color=not self.settings.colored(sys.stderr))
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self.progress = Progress(*columns, console=console, transient=True)
        self.task = self.progress.add_task(self.what, total=None)
        self.progress.start()

    def stop(self) -> None:
        """Take the bar away."""
        if self.progress is not None:
            self.progress.stop()


class _Lines:
    """A plain line now and then."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.printed_at = time.monotonic()

    def tick(self, done: int, total: int | None, waits: str = "") -> None:
        """Say a line if it is time."""
        if time.monotonic() - self.printed_at >= EVERY_S:
            self.printed_at = time.monotonic()
            many = f"{done:,} of {total:,}" if total else f"{done:,}"
            sys.stderr.write(f"{self.what}: {many}" + (f", {waits}\n" if waits else "\n"))

    def stop(self) -> None:
        """Nothing stands on the screen that would have to go."""


def _say_nothing(done: int, total: int | None, waits: str = "") -> None:
    """What shows how far something is where nobody wants to know."""


@contextmanager
def progress(what: str, settings: Settings) -> Iterator[Tick]:
    """Show how far something is; says nothing with `--quiet`."""
    if settings.quiet:
        yield _say_nothing
        return
    shown = _Bar(what, settings) if interactive(sys.stderr) else _Lines(what)
    try:
        yield shown.tick
    finally:
        shown.stop()


def watched(items: Iterable[T], total: int, what: str, settings: Settings) -> Iterator[T]:
    """The items, with progress, which begins at the first: what makes them may fork, and a bar has a thread."""
    source = iter(items)
    first = list(islice(source, 1))
    with progress(what, settings) as tick:
        for done, item in enumerate(chain(first, source), 1):
            yield item
            tick(done, total)
