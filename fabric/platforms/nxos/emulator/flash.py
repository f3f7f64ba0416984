"""Bootflash, and what SCP sees of it while `feature scp-server` is on."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator, MutableMapping


class ScpFiles(MutableMapping[str, bytes]):
    """Files by path. Writing and reading raise `PermissionError` while the server is off."""

    def __init__(self, flash: dict[str, bytes], is_on: Callable[[], bool]) -> None:
        self._flash, self._is_on = flash, is_on

    def _check(self) -> None:
        if not self._is_on():
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    def __getitem__(self, path: str) -> bytes:
        return self._flash[path]

    def __setitem__(self, path: str, data: bytes) -> None:
        self._check()
        self._flash[path] = data

    def __delitem__(self, path: str) -> None:
        self._check()
        del self._flash[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._flash)

    def __len__(self) -> int:
        return len(self._flash)
