"""NETCONF's connection: SSH to a device whose host key is checked before it is told a password.

PyEZ checks no host key unless told to, and NAPALM does not tell it (PyEZ 2.8.2, `Device(hostkey_verify=False)`).
"""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from jnpr.junos import Device
from napalm.base.exceptions import ConnectAuthError, ConnectionException
from ncclient.devices.junos import JunosDeviceHandler
from ncclient.manager import Manager
from ncclient.transport.errors import AuthenticationError, SSHUnknownHostError
from ncclient.transport.ssh import SSHSession

from fabric.platforms.https.tls import fingerprint
from fabric.platforms.junos.session_rpc import what_happened
from fabric.platforms.trust import Trust, add_known_keys

SSH_PORT = 22
KEEPALIVE_S = 30
LIBRARIES = ("ncclient", "paramiko", "jnpr")
"""Their loggers print whole requests and answers, passwords of candidates among them: ncclient at INFO."""


def quieten() -> None:
    """No log of what is sent: errors are reported by those who call."""
    for name in LIBRARIES:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


class VerifiedSession(SSHSession):  # type: ignore[misc]  # ncclient has no types
    """NETCONF over SSH to a device that shows a key which we were told to expect."""

    def __init__(self, handler: JunosDeviceHandler, trust: Trust, address: str, port: int) -> None:
        super().__init__(handler)
        self._hosts = (address, f"[{address}]:{port}")
        self._trust = trust

    def load_known_hosts(self, filename: str | None = None) -> None:  # noqa: ARG002  # ncclient's
        """Those of the user, of this machine, and the one that was named. A fingerprint alone decides."""
        if not self._trust.fingerprint:
            add_known_keys(self._host_keys, self._trust.known_hosts, *self._hosts)

    def has_fingerprint(self, _host: str, _md5: str) -> bool:
        """Whether a key that is in no file is the expected one."""
        shown = fingerprint(self.transport.get_remote_server_key().asbytes())
        return self._trust.fingerprint.lower() == shown


def connected(device: Device, trust: Trust, login: dict[str, Any], timeout_s: float) -> None:
    """Connect and log in, with `login` as the arguments of ncclient; `device` then works as if PyEZ had opened it.

    NAPALM's `ConnectionException` or `ConnectAuthError` within the timeout.
    """
    handler = JunosDeviceHandler({"name": "junos", "local": False, "use_filter": False})
    session = VerifiedSession(handler, trust, login["host"], login["port"])
    try:
        _connect(session, login, timeout_s)
    except Exception as error:  # noqa: BLE001  # paramiko raises whatever its thread met
        if session.transport:
            session.close()
        raise _in_words(error, f"{login['host']}:{login['port']}", timeout_s) from None
    session.transport.set_keepalive(KEEPALIVE_S)
    device._conn = Manager(session, handler, timeout=timeout_s)  # noqa: SLF001  # as Device.open does
    device.connected = True
    device._nc_transform = device.transform  # noqa: SLF001


def _connect(session: VerifiedSession, login: dict[str, Any], timeout_s: float) -> None:
    host, port = login["host"], login["port"]
    plain = socket.create_connection((host, port), timeout_s)
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        with _at_most(timeout_s, plain):
            session.connect(
                **login,
                sock=plain,
                timeout=timeout_s,
                hostkey_verify=True,
                unknown_host_cb=session.has_fingerprint,
            )
    except BaseException:
        plain.close()
        raise


@contextmanager
def _at_most(timeout_s: float, sock: socket.socket) -> Iterator[None]:
    """Cut a connection that is not ready in time: paramiko's own limits are a minute together."""

    def cut() -> None:
        try:
            sock.shutdown(socket.SHUT_RDWR)
        except OSError:  # it is down already
            return

    timer = threading.Timer(timeout_s, cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _in_words(error: Exception, where: str, timeout_s: float) -> Exception:
    """What went wrong, without what the library may have put into its own words."""
    if isinstance(error, AuthenticationError) and "EOF" in str(error):  # it went away while it was asked
        return ConnectionException(f"{where} has closed the connection")  # type: ignore[no-any-return]
    if isinstance(error, AuthenticationError):
        return ConnectAuthError(f"{where} does not accept the login")  # type: ignore[no-any-return]
    if isinstance(error, SSHUnknownHostError):
        message = f"{where} shows an SSH host key which is not the one expected; no password was sent"
    elif isinstance(error, TimeoutError):
        message = f"{where} does not answer within {timeout_s:g} s"
    else:
        message = f"no NETCONF session with {where}: {what_happened(error)}"
    return ConnectionException(message)  # type: ignore[no-any-return]
