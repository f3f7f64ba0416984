"""What runs in a worker: it joins a command, does steps for it, each at most once, and leaves."""

from __future__ import annotations

import os
import platform as python
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Any

import msgspec

import fabric
from fabric.decoding import from_msgpack
from fabric.deployment.connection.hide_secrets import hidden_from_logs
from fabric.deployment.connection.secrets import Secrets, SecretSource
from fabric.deployment.fleet import plain_data
from fabric.deployment.fleet.plain_data import Answer, Order
from fabric.deployment.fleet.sealing import Seal, Unsealable, key_pair, shared
from fabric.diagnostics import DeviceError, Invalid
from fabric.platforms.registry import names


class _Command:
    """A command that this process works for."""

    def __init__(self, seal: Seal) -> None:
        self.seal = seal
        self._begun: set[int] = set()
        self._secrets = Secrets()
        self._lock = Lock()

    def begins(self, number: int) -> bool:
        """Whether the step of that number was never begun here: whoever asks for it again gets nothing."""
        with self._lock:
            is_new = number not in self._begun
            self._begun.add(number)
            return is_new

    def secrets(self, given: Order) -> Secrets:
        """What this machine means by the names, looked up once. `Invalid` or `_OtherSecret` if one does not fit."""
        with self._lock:
            known = self._secrets
            missing = [name for name in given.secrets if name not in known]
            if missing:
                found = SecretSource(folder=Path(given.folder)).resolve(missing)
                known = self._secrets = known.joined(found)
        for name, fingerprint in given.secrets.items():
            if self.seal.fingerprint(name, known[name]) != fingerprint:
                raise _OtherSecret(name)
        return known


class _OtherSecret(Exception):
    """A name stands for one value here and for another where the command was typed."""


_COMMANDS: dict[str, _Command] = {}


def join(command: str, public: bytes, dask_worker: Any) -> dict[str, Any]:
    """Make a key with a command, and say what program runs here. Plain words: versions may differ."""
    private, ours = key_pair()
    _COMMANDS[command] = _Command(shared(private, public, f"{command} {dask_worker.address}"))
    return {"public": ours, "threads": dask_worker.state.nthreads, **program()}


def program() -> dict[str, Any]:
    """What must be the same everywhere."""
    return {
        "fabric": fabric.__version__,
        "python": ".".join(python.python_version_tuple()[:2]),
        "products": sorted(names()),
    }


def leave(command: str) -> None:
    """Forget a command: its key, and the secrets that were looked up for it."""
    _COMMANDS.pop(command, None)


def carry_out(command: str, number: int, sealed: bytes) -> bytes:
    """Do one step, unless it was begun here before. Empty if this process does not know the command."""
    known = _COMMANDS.get(command)
    if known is None:
        return b""
    try:
        given = from_msgpack(known.seal.open(sealed, f"order {number}"), Order)
    except Unsealable:
        return b""
    answer = _answer(known, given) if known.begins(number) else Answer(problem="begun before", is_lost=True)
    return known.seal.close(msgspec.msgpack.encode(answer), f"answer {number}")


def _answer(command: _Command, given: Order) -> Answer:
    where = f"process {os.getpid()} on {python.node()}"
    try:
        secrets = command.secrets(given)
    except Invalid as error:
        return Answer(problem=f"{where}: {error.diagnostics[0].rule}", is_lost=True)
    except _OtherSecret as error:
        return Answer(problem=f"{where}: {error} is another secret there than here", is_lost=True)
    arguments = plain_data.arguments(given, secrets)
    used = plain_data.secrets_of(arguments)
    with hidden_from_logs(used):
        return _done(given, arguments, used, where)


def _done(given: Order, arguments: list[Any], used: Secrets, where: str) -> Answer:
    """Whatever goes wrong is told in words: an exception would travel with all that stands in it."""
    try:
        value = plain_data.function(given.step)(*arguments)
        return Answer(msgspec.msgpack.encode(value))
    except DeviceError as error:
        problem = str(error).removeprefix(f"{error.device}: ")
        return Answer(device=error.device, problem=problem, is_login=error.is_login, step=error.step)
    except Exception as error:  # noqa: BLE001  # a bug is told where the command was typed
        text = used.hide(f"{type(error).__name__}: {error}")
        return Answer(problem=f"{given.step}, {where}: {text}", is_bug=True)


def refused(here: Mapping[str, Any], there: object) -> str:
    """Why a worker cannot take part, empty if it can. `there`: its answer to `join`, or what that has raised."""
    if not isinstance(there, Mapping):
        return f"it cannot run this program ({type(there).__name__}: {there})"
    for what, ours in here.items():
        if (theirs := there.get(what)) != ours:
            return f"its {what} is {_words(theirs)}, here it is {_words(ours)}"
    return ""


def _words(value: object) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)
