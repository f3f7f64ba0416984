"""Ports for servers that tests start: several test runs may share a machine."""

from __future__ import annotations

import socket
from contextlib import suppress
from functools import cache
from itertools import cycle
from random import SystemRandom

FIRST, BEHIND = 10_000, 32_768
"""Below the ports that Linux gives to connections, or one of those could take it before the server does."""
EACH = 2
"""A device of a sandbox that has servers of several kinds has them at the port that is named and the next ones."""
SHARE = 400
"""Ports that belong to one process: one that only looks what is free would meet another that looks as well."""


class Ports:
    """The ports that this process alone gives to its servers."""

    def __init__(self) -> None:
        """`RuntimeError` if other processes have every share."""
        shares = range(FIRST, BEHIND - SHARE + 1, SHARE)
        for first in SystemRandom().sample(shares, len(shares)):
            self._claim = socket.socket(socket.AF_UNIX)
            with suppress(OSError):
                self._claim.bind(f"\0fabric-tests-ports-{first}")  # the kernel frees it when the process ends
                self._firsts = range(first, first + SHARE, EACH)
                self._next = cycle(self._firsts)
                return
            self._claim.close()
        raise RuntimeError("other processes that run tests have all ports")

    def free(self) -> int:
        """A port at which nobody has a server now, on any address, and neither at the ones behind it."""
        for _, first in zip(self._firsts, self._next, strict=False):
            if all(is_free(port) for port in range(first, first + EACH)):
                return first
        raise RuntimeError(f"of the {SHARE} ports from {self._firsts[0]}, none is free")


def is_free(port: int) -> bool:
    """Whether nobody has a server there, on any address."""
    with socket.socket() as listener:
        try:
            listener.bind(("", port))
        except OSError:
            return False
        return True


@cache
def mine() -> Ports:
    """The ports of this process."""
    return Ports()


def free_port() -> int:
    """A port for a server, with the ones behind it for its others; no other process that runs tests chooses it."""
    return mine().free()
