"""The servers of an emulated device, by protocol."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, cast

from fabric.platforms.emulation import Emulator, HttpsEmulator, SshEmulator, Transport
from fabric.sandbox.https_server import HttpsListener
from fabric.sandbox.identities import Identity


class Listener(Protocol):
    """One server of one device."""

    async def open(self) -> None:
        """Listen, if the device does. `Refused` if the address is taken, with the process that has it."""

    def look(self) -> None:
        """Listen or do not, as the device does now."""

    def close(self) -> None:
        """Stop listening, and drop every connection."""

    def drop(self) -> None:
        """Drop every connection."""


def listener(
    transport: Transport,
    device: Emulator,
    is_open: Callable[[], bool],
    identity: Identity,
    address: str,
    port: int,
) -> Listener:
    """The server of one protocol, not yet open. `Refused` if asyncssh is missing where it is needed.

    `is_open` is asked at each `look`, connection and answer: whoever comes while it is not, is refused.
    """
    if transport == "https":
        return HttpsListener(cast("HttpsEmulator", device), is_open, identity, address, port)
    identity.own_host_key  # noqa: B018  # refuses where there is no asyncssh
    from fabric.sandbox.ssh_listener import SshListener  # slow, and an extra

    return SshListener(cast("SshEmulator", device), is_open, identity, address, port)
