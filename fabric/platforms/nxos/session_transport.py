"""How NX-OS is reached: NX-API over TLS for commands, SCP for files. Both ends are checked before a password is sent.

nxapi_plumbing (in NAPALM) checks no certificate unless told to, makes a connection for each request, and reads no
status but 401; netmiko's transfer of files takes any host key and needs an interactive shell.
"""

from __future__ import annotations

import base64
import http.client
import io
import json
import logging
import select
from typing import Any, NamedTuple

import paramiko
from napalm.base.exceptions import (
    CommandErrorException,
    ConnectAuthError,
    ConnectionException,
    ReplaceConfigException,
)
from napalm.nxapi_plumbing.api_client import RPCClient
from napalm.nxapi_plumbing.errors import NXAPICommandError, NXAPIConnectionError
from scp import SCPClient, SCPException

from fabric.platforms.https.tls import VerifiedConnection
from fabric.platforms.trust import Trust, add_known_keys, host_name

NXAPI_PORT, SSH_PORT = 443, 22
PATH = "/ins"
LONGEST_S = 600.0
"""A replace takes seconds to minutes, and the answer comes behind it."""


class Answer(NamedTuple):
    """Of a request, as nxapi_plumbing reads it."""

    status_code: int
    text: str


class NxapiClient(RPCClient):  # type: ignore[misc]  # NAPALM has no types
    """nxapi_plumbing's JSON-RPC, over one connection that is checked."""

    def __init__(
        self, host: str, port: int, username: str, password: str, trust: Trust, timeout: int
    ) -> None:
        super().__init__(host, username, password, transport="https", port=port, timeout=timeout)
        self._where = f"{host}:{port}"
        login = base64.b64encode(f"{username}:{password}".encode()).decode()
        self.headers: dict[str, str] = {
            "Content-Type": "application/json-rpc",
            "Authorization": f"Basic {login}",
        }
        self._connection = VerifiedConnection(host, port, trust, timeout)
        self._timeout_s = timeout

    def long(self, *, is_long: bool) -> None:
        """Wait for the answer as long as a replace may take, or as usual."""
        seconds = max(LONGEST_S, float(self._timeout_s)) if is_long else float(self._timeout_s)
        self._connection.timeout = seconds
        if self._connection.sock is not None:
            self._connection.sock.settimeout(seconds)

    def _send_request(self, commands: list[str], method: str) -> Answer:
        if _is_dropped(self._connection):
            self._connection.close()
        try:
            self._connection.request("POST", PATH, self._build_payload(commands, method), self.headers)
            reply = self._connection.getresponse()
            answer = Answer(reply.status, reply.read().decode(errors="replace"))
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            message = f"{self._where}: {str(error) or type(error).__name__}"
            raise NXAPIConnectionError(message) from None
        if answer.status_code in (401, 403):
            message = f"{self._where} does not accept the login"
            raise ConnectAuthError(message)
        try:
            json.loads(answer.text)
        except ValueError:
            message = f"{self._where}: status {answer.status_code}, and the answer is not JSON"
            raise NXAPIConnectionError(message) from None
        return answer

    def ask(self, commands: list[str], *, is_text: bool = True) -> list[Any]:
        """What each command says. NAPALM's exceptions, without what was sent."""
        try:
            rows = self._nxapi_command(commands, method="cli_ascii" if is_text else "cli")
        except NXAPICommandError as error:
            message = f"{_verb(error.command)}: {str(error.message).strip()}"
            raise CommandErrorException(message) from None
        except NXAPIConnectionError as error:
            raise ConnectionException(str(error)) from None
        return [row["result"] or ("" if is_text else {}) for row in rows]

    def hang_up(self) -> None:
        """Close the connection."""
        self._connection.close()


def _verb(command: str) -> str:
    """The first words of a command: none of them is a secret."""
    return " ".join(command.split()[:3])


def _is_dropped(connection: VerifiedConnection) -> bool:
    """Whether an idle connection was closed at the other end: only then is there something to read."""
    if connection.sock is None:
        return False
    waiting = select.poll()
    waiting.register(connection.sock, select.POLLIN)
    return bool(waiting.poll(0))


class Login(NamedTuple):
    """Where files are put, and as whom."""

    host: str
    port: int
    username: str
    password: str
    key_file: str
    known_hosts: str
    timeout_s: float

    def __repr__(self) -> str:
        return f"Login({self.host}:{self.port}, {self.username}, ***)"


def put(login: Login, path: str, text: str) -> None:
    """Write a file by SCP. `ReplaceConfigException` if it cannot be written, `ConnectionException` without SSH."""
    logging.getLogger("paramiko").setLevel(logging.CRITICAL + 1)  # tracebacks; what happened is raised
    client = paramiko.SSHClient()
    client.set_missing_host_key_policy(paramiko.RejectPolicy())
    try:
        add_known_keys(client.get_host_keys(), login.known_hosts, host_name(login.host, login.port))
        client.connect(
            login.host,
            login.port,
            username=login.username,
            password=login.password or None,
            key_filename=login.key_file or None,
            look_for_keys=False,
            allow_agent=False,
            timeout=login.timeout_s,
            banner_timeout=login.timeout_s,
            auth_timeout=login.timeout_s,
        )
        with SCPClient(client.get_transport(), socket_timeout=login.timeout_s) as files:
            files.putfo(io.BytesIO(text.encode()), path, mode="0600")
    except SCPException as error:
        message = f"{path} cannot be written: {error}"
        raise ReplaceConfigException(message) from None
    except paramiko.AuthenticationException:
        message = f"{login.host}:{login.port} does not accept the login for SCP"
        raise ConnectAuthError(message) from None
    except (paramiko.SSHException, OSError, EOFError) as error:
        message = f"no SCP to {login.host}:{login.port} (`feature scp-server`): {str(error).strip()}"
        raise ConnectionException(message) from None
    finally:
        client.close()
