"""Plain values, JSON and MessagePack as typed structs, from any thread.

msgspec works out what it has to know of a type when it meets it first. Two threads that do so at once crash the program
(msgspec 0.22 reads what the other has half written), and devices are changed by many threads: here each type is
prepared by one of them while the others wait.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from threading import RLock
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")
Hook = Callable[[type, Any], Any]
"""Makes a value of a type that msgspec does not know."""

_prepared: set[Any] = set()
_preparing = RLock()
# A process that is forked meanwhile would have half a type, and a lock that nobody opens: a fork waits.
os.register_at_fork(
    before=_preparing.acquire, after_in_parent=_preparing.release, after_in_child=_preparing.release
)


def convert(
    value: Any, kind: type[T], *, strict: bool = True, from_attributes: bool = False, hook: Hook | None = None
) -> T:
    """`msgspec.convert`. `msgspec.ValidationError` if the value has another type."""
    _prepare(kind)
    return msgspec.convert(value, kind, strict=strict, from_attributes=from_attributes, dec_hook=hook)


def from_json(text: bytes | str, kind: type[T]) -> T:
    """A JSON document of that type. `msgspec.DecodeError` if it is not one."""
    _prepare(kind)
    return msgspec.json.decode(text, type=kind)


def from_msgpack(data: bytes, kind: type[T], *, hook: Hook | None = None) -> T:
    """A MessagePack document of that type. `msgspec.DecodeError` if it is not one."""
    _prepare(kind)
    return msgspec.msgpack.decode(data, type=kind, dec_hook=hook)


def json_decoder(kind: type[T]) -> msgspec.json.Decoder[T]:
    """For documents of one type that are read again and again."""
    _prepare(kind)
    return msgspec.json.Decoder(kind)


def _prepare(kind: Any) -> None:
    """Let msgspec know a type, and all that it is made of."""
    if kind in _prepared:
        return
    with _preparing:
        msgspec.msgpack.Decoder(kind)
        _prepared.add(kind)
