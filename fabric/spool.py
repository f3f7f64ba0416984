"""Things by name on the disk: however many there are, they take no memory."""

from __future__ import annotations

import os
import pickle
import zlib
from tempfile import TemporaryFile
from typing import Generic, TypeVar

T = TypeVar("T")


class Spool(Generic[T]):
    """Packed into a file that has no name and is gone with this process. Forked processes read it, and add nothing."""

    def __init__(self) -> None:
        self._process = os.getpid()
        self._file = TemporaryFile(buffering=0)  # noqa: SIM115  # it is closed with this
        self._places: dict[str, tuple[int, int]] = {}
        self._end = 0

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __setitem__(self, name: str, thing: T) -> None:
        self.add(name, self.packed(thing))

    @staticmethod
    def packed(thing: T) -> bytes:
        """As a thing is kept: packing takes far longer than writing, and any process may do it."""
        return zlib.compress(pickle.dumps(thing), 1)

    def add(self, name: str, packed: bytes) -> None:
        """Keep what was packed."""
        if os.getpid() != self._process:
            return  # several would write to the same place
        os.pwrite(self._file.fileno(), packed, self._end)
        self._places[name] = self._end, len(packed)
        self._end += len(packed)

    def __getitem__(self, name: str) -> T:
        start, length = self._places[name]
        thing: T = pickle.loads(zlib.decompress(os.pread(self._file.fileno(), length, start)))  # noqa: S301  # our own
        return thing
