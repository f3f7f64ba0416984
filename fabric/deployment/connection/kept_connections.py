"""Connections that the next step of a wave goes on with: to connect and log in takes longer than to ask.

The process that carries out a wave keeps them from its preparation to its push, and from look to look of its gate.
Never across the commit, nor to the last look or the confirmation: only a new connection shows that management access
still works. Whoever carries out steps elsewhere, for an executor of several machines, keeps none.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from threading import Lock

from fabric.deployment.connection.device_session import Connection
from fabric.diagnostics import DeviceError

SILENT_S = 5
"""A connection that was closed meanwhile fails sooner. After so long the device is silent, and not waited for again."""

Key = tuple[str, str]
"""The name of a change, and a device."""

_LOCK = Lock()
_CHANGES: set[str] = set()
_KEPT: dict[Key, Connection] = {}


@contextmanager
def keeping(change: str) -> Iterator[None]:
    """Within, connections of the steps of this change are kept; at the end those that are left are closed."""
    with _LOCK:
        _CHANGES.add(change)
    try:
        yield
    finally:
        with _LOCK:
            _CHANGES.discard(change)
            left = [_KEPT.pop(key) for key in [key for key in _KEPT if key[0] == change]]
        for device in left:
            device.__exit__(None, None, None)


@contextmanager
def connected(
    key: Key, new: Callable[[], Connection], *, goes_on: bool = False, is_kept: bool = False
) -> Iterator[Connection]:
    """An open connection to a device: a new one, or with `goes_on` what an earlier step has kept and still answers.

    With `is_kept` it stays open for the next step, unless this one fails.
    """
    with ExitStack() as open_ones:
        device = _taken(key)
        if device is not None:
            open_ones.push(device)
        if device is None or not goes_on or not _answers(device):
            open_ones.close()
            device = open_ones.enter_context(new())
        yield device
        if is_kept and _keep(key, device):
            open_ones.pop_all()


def _taken(key: Key) -> Connection | None:
    with _LOCK:
        return _KEPT.pop(key, None)


def _keep(key: Key, device: Connection) -> bool:
    with _LOCK:
        if key[0] not in _CHANGES or key in _KEPT:
            return False
        _KEPT[key] = device
        return True


def _answers(device: Connection) -> bool:
    began = time.monotonic()
    try:
        device.pending()
    except DeviceError:
        if time.monotonic() - began >= SILENT_S:
            raise
        return False
    return True
