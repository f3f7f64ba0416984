"""A lock file that may be removed by whoever holds it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def exclusive(file: Path, *, wait: bool) -> Iterator[None]:
    """While nobody else has the lock. `BlockingIOError` if somebody has it and we do not wait."""
    descriptor = _acquired(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    try:
        yield
    finally:
        os.close(descriptor)


def _acquired(file: Path, how: int) -> int:
    while True:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except FileNotFoundError:
            continue  # the folder was just removed
        try:
            fcntl.flock(descriptor, how)
        except BaseException:
            os.close(descriptor)
            raise
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(descriptor), file.stat()):
                return descriptor
        os.close(descriptor)  # it was removed while we waited


def remove(file: Path) -> None:
    """Remove a lock that we have, and its folder if nothing else is in it."""
    file.unlink(missing_ok=True)
    with suppress(OSError):
        file.parent.rmdir()
