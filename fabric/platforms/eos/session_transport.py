"""eAPI's connection: the switch's certificate is checked, and TCP and TLS are set up once for many requests."""

from __future__ import annotations

import select
from collections.abc import Callable
from functools import cache
from http import HTTPStatus
from http.client import HTTPException
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec
from pyeapi.eapilib import CommandError, ConnectionError, EapiConnection  # noqa: A004  # pyeapi's own error

from fabric.decoding import json_decoder
from fabric.platforms.driver import LoginRefused
from fabric.platforms.https.tls import VerifiedConnection
from fabric.platforms.trust import Trust

if TYPE_CHECKING:
    from socket import socket


T = TypeVar("T")

EAPI_PORT = 443
EAPI_PATH = "/command-api"


class EapiLoginRefused(ConnectionError, LoginRefused):  # type: ignore[misc]  # pyeapi has no types
    """The switch does not accept user name or password."""


class EapiTransport(VerifiedConnection):
    """As pyeapi uses one: it reads the path there, and closes it after each request."""

    path = EAPI_PATH

    def close(self) -> None:
        """Stay open."""

    def hang_up(self) -> None:
        """Close in earnest."""
        super().close()


class _Reply(msgspec.Struct, Generic[T]):
    """What a switch sends back; of an error nothing is read here."""

    result: T | None = None


@cache
def _decoder(result: Any) -> msgspec.json.Decoder[_Reply[Any]]:
    """Of a reply whose results are of that type: what the type has no field for is passed over, not made."""
    return json_decoder(_Reply[result])


class KeepAlive(EapiConnection):  # type: ignore[misc]  # pyeapi has no types
    """One connection for the life of the driver: a tenth of the work of pyeapi's own."""

    trust = Trust()

    def __init__(
        self,
        host: str,
        port: int | None = None,
        username: str | None = None,
        password: str | None = None,
        timeout: int = 60,
    ) -> None:
        super().__init__()
        self.transport = EapiTransport(host, port or EAPI_PORT, self.trust, timeout)
        self.authentication(username, password)

    def send(self, data: str) -> Any:
        """Send a request, over a new connection if the switch has closed the old one meanwhile.

        Pyeapi's own reads each answer twice, and prints all of it for a log that nobody keeps.
        """
        return self._checked(self._exchanged(data))

    def typed(self, commands: list[Any], result: Any) -> Any:
        """The results of commands as a tuple of that type. pyeapi's errors."""
        answer = self._exchanged(self.request(commands, encoding="json"))
        reply = self._read(answer, _decoder(result).decode)
        if reply.result is None:
            self._checked(answer)
            raise ConnectionError(str(self), "the answer holds no results")
        return reply.result

    def _exchanged(self, data: str) -> bytes:
        if _is_dropped(self.transport.sock):
            self.close()
        try:
            headers = {"Content-type": "application/json-rpc", **dict([self._auth] if self._auth else [])}
            self.transport.request("POST", EAPI_PATH, data.encode(), headers)
            response = self.transport.getresponse()
            content: bytes = response.read()
        except (OSError, HTTPException) as error:
            self.close()  # what is left of this connection is unknown
            raise ConnectionError(str(self), f"Socket error during eAPI connection: {error}") from error
        if response.status == HTTPStatus.UNAUTHORIZED:
            self.close()
            raise EapiLoginRefused(str(self), f"{response.reason}. {content.decode(errors='replace')}")
        return content

    def _read(self, content: bytes, decode: Callable[[bytes], Any]) -> Any:
        try:
            return decode(content)
        except ValueError:
            self.close()
            raise ConnectionError(str(self), "unable to connect to eAPI") from None

    def _checked(self, content: bytes) -> Any:
        decoded = self._read(content, msgspec.json.decode)
        if "error" in decoded:
            code, message, words, _ = self._parse_error_message(decoded)
            raise CommandError(code, message, command_error=words, output=[])
        return decoded

    def _parse_error_message(self, message: dict[str, Any]) -> tuple[int, str, str, None]:
        """Code, message, and what EOS says of the command that failed: the last one for which there is an answer.

        pyeapi keeps, and shows, what the commands before it have printed too: a whole configuration with its secrets.
        """
        error = message["error"]
        *_, failed = error.get("data") or ({},)
        words = failed.get("errors") if isinstance(failed, dict) else None
        return error["code"], error["message"], "; ".join(map(str, words or ("no reason",))), None

    def close(self) -> None:
        """Hang up."""
        self.transport.hang_up()


@cache
def keep_alive(trust: Trust) -> type[KeepAlive]:
    """The connection to a switch, or to several with the same trust: pyeapi makes it of its class."""
    return type("KeepAlive", (KeepAlive,), {"trust": trust})


def _is_dropped(sock: socket | None) -> bool:
    """Whether an idle connection was closed at the other end: only then is there something to read."""
    if sock is None:
        return False
    waiting = select.poll()  # unlike select.select, takes file numbers above 1023
    waiting.register(sock, select.POLLIN)
    return bool(waiting.poll(0))
