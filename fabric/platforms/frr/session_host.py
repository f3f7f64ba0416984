"""A switch over SSH: one connection, and a channel of its own for each request to what runs there.

paramiko comes with NAPALM and is used as it is: exec channels have exit statuses and three streams, no prompt, no
pager, no screen width. The address is believed only if the host key is known (`Trust`).
"""

from __future__ import annotations

import base64
import hashlib
import json
import logging
import select
import shlex
import time
from collections.abc import Callable
from functools import cache
from importlib import resources
from typing import Any, cast

import paramiko

from fabric.platforms.trust import Trust, add_known_keys, host_name

SSH_PORT = 22
KEEPALIVE_S = 15
LARGEST_BYTES = 256_000_000
CHUNK_BYTES = 65536
LOOK_S = 1.0
NO_SUCH_PROGRAM = 127
AGENT = "fabric.platforms.frr.agent"
MODULES = ("system", "lease", "routing", "parts", "timer", "changes", "state", "compare", "main")
"""Of what runs on the switch: each imports only those before it when it is loaded."""
LOADER = """
import sys, types
SOURCES = {sources!r}
PACKAGE = {package!r}
parent = ""
for word in PACKAGE.split("."):
    parent = parent + "." + word if parent else word
    sys.modules[parent] = types.ModuleType(parent)
    sys.modules[parent].__path__ = []
for name, source in SOURCES.items():
    module = sys.modules[PACKAGE + "." + name] = types.ModuleType(PACKAGE + "." + name)
    setattr(sys.modules[PACKAGE], name, module)
    exec(compile(source, name, "exec"), module.__dict__)
PROGRAM = globals().get("PROGRAM") or open(__file__, encoding="utf-8").read()
sys.modules[PACKAGE + ".main"].main(PROGRAM)
"""
START = 'import sys; p = sys.stdin.buffer.read({size}).decode(); exec(p, {{"PROGRAM": p}})'
AS_ROOT = 'command -v python3 >/dev/null || exit 127; [ "$(id -u)" = 0 ] || exec sudo -n "$@"; exec "$@"'
"""Whoever logs in must be root, or a user who may become it without a password."""
KINDS = {
    "refused": "ReplaceConfigException",
    "commit": "CommitError",
    "locked": "LockError",
    "command": "CommandErrorException",
}
"""NAPALM's exception for each kind of refusal."""


def raised(kind: str, message: str) -> Exception:
    """An exception of NAPALM's."""
    from napalm.base import exceptions  # slow

    return cast("Exception", getattr(exceptions, KINDS.get(kind, kind))(message))


def unreachable(message: str) -> Exception:
    """NAPALM's exception for a switch that cannot be reached."""
    return raised("ConnectionException", message)


@cache
def program(agent: str = AGENT, modules: tuple[str, ...] = MODULES) -> str:
    """What runs on the switch, as one text: modules of a package, in the order of their imports."""
    folder = resources.files(agent)
    sources = {name: (folder / f"{name}.py").read_text(encoding="utf-8") for name in modules}
    return LOADER.format(sources=sources, package=agent)


class Host:
    """One SSH connection."""

    def __init__(
        self,
        address: str,
        port: int,
        login: dict[str, Any],
        trust: Trust,
        timeout_s: float,
        program: Callable[[], str] = program,
        label: str = "fabric-frr",
    ) -> None:
        self._address, self._port, self._login = address, port, login
        self._trust, self._timeout_s = trust, timeout_s
        self._program, self._label = program, label
        self._client: paramiko.SSHClient | None = None

    def open(self) -> None:
        """Log in. The host key is checked before anything secret is sent."""
        # paramiko logs tracebacks of broken connections; what happened is raised.
        logging.getLogger("paramiko").setLevel(logging.CRITICAL + 1)
        client = paramiko.SSHClient()
        _trusting(client, self._trust, host_name(self._address, self._port))
        try:
            client.connect(
                self._address,
                self._port,
                timeout=self._timeout_s,
                banner_timeout=self._timeout_s,
                auth_timeout=self._timeout_s,
                channel_timeout=self._timeout_s,
                **self._login,
            )
            transport = client.get_transport()
            if transport is not None:
                transport.set_keepalive(KEEPALIVE_S)
        except paramiko.BadHostKeyException as error:
            client.close()
            raise unreachable(_unknown(self._address, error.key, "not the one that is known")) from None
        except paramiko.AuthenticationException as error:
            client.close()
            if "EOF" in str(error):  # it went away while it was asked: nobody has refused anything
                raise unreachable(f"{self._address} has closed the connection") from None
            message = f"{self._address} refuses the login"
            raise raised("ConnectAuthError", message) from None
        except (paramiko.SSHException, OSError, EOFError) as error:
            client.close()
            text = str(error).strip().partition("\n")[0]
            raise unreachable(text or type(error).__name__) from None
        self._client = client

    def close(self) -> None:
        """Hang up."""
        if self._client is not None:
            self._client.close()
            self._client = None

    @property
    def is_alive(self) -> bool:
        """Whether the connection stands."""
        transport = self._client.get_transport() if self._client else None
        return transport is not None and transport.is_active()

    def ask(self, verb: str, seconds: float | None = None, **words: Any) -> Any:
        """The answer of what runs on the switch.

        NAPALM's exceptions for what it refuses; `ConnectionException` if it does not answer: then it may still be at
        work.
        """
        seconds = seconds or self._timeout_s
        request = {"verb": verb, "patience_s": seconds, **words}
        text = self._program().encode()
        out, err, status = self._run(
            START.format(size=len(text)), text + json.dumps(request).encode(), seconds
        )
        try:
            answer = json.loads(out)
        except ValueError:
            said = err.decode(errors="replace").strip().rpartition("\n")[2]
            message = f"{self._address}: {_problem(status, said)}"
            raise raised("command", message) from None
        if "refused" in answer:
            raise raised(
                answer["refused"] if answer["refused"] in KINDS else "command", str(answer["message"])
            )
        return answer["answer"]

    def _run(self, code: str, data: bytes, seconds: float) -> tuple[bytes, bytes, int]:
        words = ["python3", "-I", "-X", "utf8", "-c", code, self._label]
        command = shlex.join(["sh", "-c", AS_ROOT, self._label, *words])
        try:
            return self._exchange(command, data, seconds)
        except TimeoutError:
            message = f"{self._address}: no answer within {seconds:.0f} s"
            raise unreachable(message) from None
        except (paramiko.SSHException, OSError, EOFError) as error:
            message = f"{self._address}: the connection is gone: {error}"
            raise unreachable(message) from None

    def _exchange(self, command: str, data: bytes, seconds: float) -> tuple[bytes, bytes, int]:
        transport = self._client.get_transport() if self._client else None
        if transport is None:
            message = "not connected"
            raise paramiko.SSHException(message)
        channel = transport.open_session(timeout=seconds)
        deadline = time.monotonic() + seconds
        try:
            channel.settimeout(seconds)
            channel.exec_command(command)
            channel.sendall(data)
            channel.shutdown_write()
            streams = _both(channel, deadline)
            return (*streams, channel.recv_exit_status())
        finally:
            channel.close()


def _both(channel: paramiko.Channel, deadline: float) -> tuple[bytes, bytes]:
    """All of both outputs. `TimeoutError` after the deadline, however slowly they come."""
    out, err = bytearray(), bytearray()
    while True:
        is_over = channel.eof_received or channel.closed
        if channel.recv_ready():
            out += channel.recv(CHUNK_BYTES)
        elif channel.recv_stderr_ready():
            err += channel.recv_stderr(CHUNK_BYTES)
        elif is_over:
            return bytes(out), bytes(err)
        elif (left := deadline - time.monotonic()) <= 0:
            raise TimeoutError
        else:
            select.select([channel], [], [], min(left, LOOK_S))
        if len(out) + len(err) > LARGEST_BYTES:
            message = "its answer is too long"
            raise paramiko.SSHException(message)


def _problem(status: int, said: str) -> str:
    """Why there is no answer."""
    if status == NO_SUCH_PROGRAM:
        return "python3 is not installed there: on a switch with FRR it comes with frr-pythontools"
    if "sudo" in said:
        return f"the user may not become root: {said}"
    return said or (f"what runs there has ended with {status}" if status >= 0 else "the connection is gone")


class Fingerprint(paramiko.MissingHostKeyPolicy):  # type: ignore[misc]  # paramiko has no types
    """Accepts one host key, whatever the address."""

    def __init__(self, fingerprint: str) -> None:
        self._fingerprint = fingerprint

    def missing_host_key(self, _client: paramiko.SSHClient, hostname: str, key: paramiko.PKey) -> None:
        """Refuse any other."""
        if fingerprint_of(key) != self._fingerprint.lower():
            raise paramiko.SSHException(_unknown(hostname, key, "not the one that is pinned"))


class KnownOnly(paramiko.MissingHostKeyPolicy):  # type: ignore[misc]
    """Refuses what no file knows."""

    def missing_host_key(self, _client: paramiko.SSHClient, hostname: str, key: paramiko.PKey) -> None:
        """Say which key was shown, so that it can be compared and added."""
        raise paramiko.SSHException(_unknown(hostname, key, "not known"))


def fingerprint_of(key: paramiko.PKey) -> str:
    """As `Trust` has it."""
    return f"sha256:{hashlib.sha256(key.asbytes()).hexdigest()}"


def _unknown(address: str, key: paramiko.PKey, why: str) -> str:
    shown = base64.b64encode(hashlib.sha256(key.asbytes()).digest()).decode().rstrip("=")
    return (
        f"the SSH host key of {address} is {why}: it shows {key.get_name()} SHA256:{shown}"
        f" ({fingerprint_of(key)}): compare it with the switch's own, and add it to known_hosts or to `trust`"
    )


def _trusting(client: paramiko.SSHClient, trust: Trust, host: str) -> None:
    if trust.fingerprint:
        client.set_missing_host_key_policy(Fingerprint(trust.fingerprint))
        return
    client.set_missing_host_key_policy(KnownOnly())
    try:
        add_known_keys(client.get_host_keys(), trust.known_hosts, host)
    except OSError as error:
        message = f"{trust.known_hosts}: {error.strerror}"
        raise unreachable(message) from None
