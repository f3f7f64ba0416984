"""How NAPALM's own `eos` driver is opened."""

from __future__ import annotations

import logging
import select
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from fabric.platforms.base import Target

if TYPE_CHECKING:
    from socket import socket

    from pyeapi.eapilib import HttpsEapiConnection

EAPI_PORT = 443


def driver_options(target: Target) -> dict[str, Any]:
    """`optional_args` of NAPALM's driver: the port, and a transport that keeps its connection."""
    # pyeapi logs whole tracebacks, and in debug mode whole requests with their secrets; we report errors ourselves.
    logging.getLogger("pyeapi").setLevel(logging.CRITICAL + 1)
    return {"port": target.port or EAPI_PORT, "transport": keep_alive()}


@cache
def keep_alive() -> type[HttpsEapiConnection]:
    """Pyeapi's HTTPS connection without the new TCP and TLS handshake for each request: three times as fast."""
    from pyeapi.eapilib import ConnectionError, HttpsEapiConnection  # noqa: A004  # slow; pyeapi's own error

    class KeepAlive(HttpsEapiConnection):  # type: ignore[misc]  # pyeapi has no types
        """One connection for the life of the driver."""

        def __init__(
            self,
            host: str,
            port: int | None = None,
            username: str | None = None,
            password: str | None = None,
            context: Any = None,
            timeout: int = 60,
        ) -> None:
            super().__init__(
                host, port=port, username=username, password=password, context=context, timeout=timeout
            )
            self._hang_up: Callable[[], None] = self.transport.close
            self.transport.close = _stay_open

        def send(self, data: str) -> Any:
            """Send a request, over a new connection if the switch has closed the old one meanwhile."""
            if _is_dropped(self.transport.sock):
                self.close()
            try:
                return super().send(data)
            except ConnectionError:  # what is left of this connection is unknown
                self.close()
                raise

        def close(self) -> None:
            """Hang up."""
            self._hang_up()

    return KeepAlive


def _stay_open() -> None:
    """What pyeapi calls after each request."""


def _is_dropped(sock: socket | None) -> bool:
    """Whether an idle connection was closed at the other end: only then is there something to read."""
    if sock is None:
        return False
    waiting = select.poll()  # unlike select.select, takes file numbers above 1023
    waiting.register(sock, select.POLLIN)
    return bool(waiting.poll(0))
