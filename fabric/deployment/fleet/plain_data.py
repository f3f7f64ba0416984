"""A step for one device as plain data: the function by its name, arguments and result by their types.

Nothing is pickled: what arrives is read as what the function says it takes. A secret goes by its name (`env:NAME`)
where the worker can look it up itself, with a fingerprint, so that it is the same one on both sides.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, get_type_hints

import msgspec

from fabric.decoding import convert, from_msgpack
from fabric.deployment.connection.secrets import Secrets
from fabric.deployment.fleet.sealing import Seal
from fabric.platforms.base import Target

OURS = "fabric."
"""Steps are functions of this program."""


class Order(msgspec.Struct, frozen=True):
    """What a worker is to do."""

    step: str
    """`module:function`."""
    arguments: tuple[bytes, ...]
    folder: str
    """Where relative `file:` secrets begin: the folder of the site."""
    secrets: dict[str, bytes] = {}
    """Those that the worker looks up: name to fingerprint."""


class Answer(msgspec.Struct, frozen=True):
    """What came of it."""

    value: bytes = b""
    """What the step has returned, encoded."""
    device: str = ""
    """Of a `DeviceError`."""
    problem: str = ""
    is_login: bool = False
    """Of a `DeviceError`: the device has refused the login."""
    step: str = ""
    """Of a `DeviceError`: what was asked of the device."""
    is_lost: bool = False
    """The worker has refused to begin: the problem is its own, not the device's."""
    is_bug: bool = False


class _Names(msgspec.Struct, frozen=True):
    """Secrets without their values, as far as the worker can look them up."""

    names: tuple[str, ...] = ()
    values: dict[str, str] = {}


def order(
    step: Callable[..., Any], arguments: Sequence[Any], folder: str, seal: Seal, *, named: bool
) -> Order:
    """A step with its arguments, `named`: without the secrets that have a name."""
    known: dict[str, bytes] = {}

    def without(value: Any) -> Any:
        if isinstance(value, int):  # one that knows how it is written, as a speed
            return int(value)
        if not isinstance(value, Secrets):
            message = f"{type(value).__name__} is not plain data"
            raise NotImplementedError(message)
        values = value.reveal()
        if not named:
            return _Names(values=values)
        known.update((name, seal.fingerprint(name, secret)) for name, secret in values.items())
        return _Names(tuple(values))

    def unlocked(target: Target) -> Target:
        for field, name in target.references.items():
            known[name] = seal.fingerprint(name, getattr(target, field))
        return msgspec.structs.replace(target, **dict.fromkeys(target.references, ""))

    encoder = msgspec.msgpack.Encoder(enc_hook=without)
    plain = [_with_target(argument, unlocked) if named else argument for argument in arguments]
    encoded = tuple(encoder.encode(argument) for argument in plain)
    return Order(f"{step.__module__}:{step.__qualname__}", encoded, folder, known)


def arguments(given: Order, secrets: Secrets) -> list[Any]:
    """The arguments again, with the secrets that were looked up."""

    def filled(kind: type, value: Any) -> Any:
        if kind is not Secrets:
            message = f"{kind.__name__} is not plain data"
            raise NotImplementedError(message)
        names = convert(value, _Names)
        return Secrets({**{name: secrets[name] for name in names.names}, **names.values})

    def locked(target: Target) -> Target:
        known = target.references.items()
        return msgspec.structs.replace(
            target, **{field: secrets[name] for field, name in known if name in given.secrets}
        )

    kinds = _kinds(given.step)
    read = (
        from_msgpack(encoded, kind, hook=filled)
        for encoded, kind in zip(given.arguments, kinds, strict=False)
    )
    return [_with_target(argument, locked) for argument in read]


def secrets_of(given: Iterable[Any]) -> Secrets:
    """All secrets that arguments hold, so that they can be hidden."""
    held = Secrets()
    for argument in given:
        own = argument if isinstance(argument, Secrets) else getattr(argument, "secrets", None)
        held = held.joined(own) if isinstance(own, Secrets) else held
        target = argument if isinstance(argument, Target) else getattr(argument, "target", None)
        if isinstance(target, Target):
            held = held.joined(Secrets({"password": target.password, "enable": target.enable}))
    return held


def function(step: str) -> Callable[..., Any]:
    """The function of that name. `ValueError` if it is not one of this program."""
    module, _, name = step.partition(":")
    if not module.startswith(OURS):
        message = f"{step} is not a step of this program"
        raise ValueError(message)
    found: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return found


def result(step: Callable[..., Any], value: bytes) -> Any:
    """What a step has returned, as its type says."""
    return from_msgpack(value, _hints(step)["return"])


def _with_target(argument: Any, change: Callable[[Target], Target]) -> Any:
    """The argument with its target changed, if it is one or has one."""
    if isinstance(argument, Target):
        return change(argument)
    target = getattr(argument, "target", None)
    if isinstance(argument, msgspec.Struct) and isinstance(target, Target):
        return msgspec.structs.replace(argument, target=change(target))
    return argument


@cache
def _hints(step: Callable[..., Any]) -> Mapping[str, Any]:
    return get_type_hints(step)


@cache
def _kinds(step: str) -> tuple[Any, ...]:
    """The types of a step's arguments, in order."""
    return tuple(kind for name, kind in _hints(function(step)).items() if name != "return")
