"""Ports for servers that tests start: several test runs may share a machine."""

from __future__ import annotations

import socket
from contextlib import suppress
from random import SystemRandom

FIRST, BEHIND = 10_000, 32_768
"""Below the ports that Linux gives to connections, or one of those could take it before the server does."""


def free_port() -> int:
    """A port that nobody listens on now, on any address."""
    while True:
        port = SystemRandom().randrange(FIRST, BEHIND)  # workers that count would meet
        with socket.socket() as listener, suppress(OSError):
            listener.bind(("", port))
            return port
