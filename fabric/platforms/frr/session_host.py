"""A switch over SSH: one connection, and a channel on which our program runs there.

paramiko comes with NAPALM and is used as it is: exec channels have exit statuses and three streams, no prompt, no
pager, no screen width. The address is believed only if the host key is known (`Trust`).
"""

from __future__ import annotations

import base64
import hashlib
import logging
from typing import Any, cast

import paramiko

from fabric.platforms.frr.session_program import Conversation, Ended
from fabric.platforms.trust import Trust, add_known_keys, host_name

SSH_PORT = 22
KEEPALIVE_S = 15
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


class Host:
    """One SSH connection. `program` is what runs there, `label` a word in the command lines of its processes."""

    def __init__(
        self,
        address: str,
        port: int,
        login: dict[str, Any],
        trust: Trust,
        timeout_s: float,
        program: str,
        label: str,
    ) -> None:
        self._address, self._port, self._login = address, port, login
        self._trust, self._timeout_s = trust, timeout_s
        self._program, self._label = program, label
        self._client: paramiko.SSHClient | None = None
        self._idle: list[Conversation] = []

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
        self._idle.clear()
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
        answer = self._asked({"verb": verb, "patience_s": seconds, **words}, seconds)
        if "refused" in answer:
            kind = answer["refused"] if answer["refused"] in KINDS else "command"
            raise raised(kind, str(answer.get("message")))
        return answer["answer"]

    def _asked(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        try:
            conversation = self._conversation(seconds)
            try:
                answer = conversation.ask(request, seconds)
            except BaseException:
                conversation.close()
                raise
        except Ended as ended:
            raise raised("command", f"{self._address}: {ended}") from None
        except TimeoutError:
            message = f"{self._address}: no answer within {seconds:.0f} s"
            raise unreachable(message) from None
        except (paramiko.SSHException, OSError, EOFError) as error:
            message = f"{self._address}: the connection is gone: {error}"
            raise unreachable(message) from None
        self._idle.append(conversation)
        return answer

    def _conversation(self, seconds: float) -> Conversation:
        """One that nobody uses now, or a new one."""
        while self._idle:
            if (conversation := self._idle.pop()).is_open:
                return conversation
            conversation.close()
        transport = self._client.get_transport() if self._client else None
        if transport is None:
            message = "not connected"
            raise paramiko.SSHException(message)
        return Conversation(transport, self._program, self._label, seconds)


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
