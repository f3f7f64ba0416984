"""Other values in the place of one: what it takes to see what a value does."""

from __future__ import annotations

import enum
import re
import typing
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from ipaddress import IPv4Address, IPv4Interface, IPv4Network, IPv6Address, IPv6Interface, IPv6Network
from types import NoneType
from typing import Any, Literal

import msgspec

from fabric.devices.addresses import Ip, IpInterface
from fabric.devices.model import PrefixRange
from fabric.intent.model import Attachment, HostGroup, Network, Services
from fabric.qos.policy import LosslessPolicy

IP_VERSIONS = (4, 6)
"""Numbers that may tell an address family: each is tried for the other."""
ROUNDED = 100
"""From here on products may round a number: the next one may look the same."""
FAR = 700
LAST_NUMBER = re.compile(r"\d+(?=\D*$)")
ROOTS: tuple[type[msgspec.Struct], ...] = (Network, HostGroup, Services, LosslessPolicy, Attachment)
"""Whose choices have words that devices have too."""
OF_MANY_CHOICES = frozenset({"auto", "none"})
ATOMS = (Ip, IpInterface, PrefixRange)
"""Structs that are one value."""
ADDRESSES = (IPv4Address, IPv6Address)
INTERFACES = (IPv4Interface, IPv6Interface)
NETWORKS = (IPv4Network, IPv6Network)


def other_values(value: Any, annotation: Any = None) -> Iterator[Any]:
    """Values of the same kind, the nearest ones first; those of a `Literal` in the annotation, if there is one.

    Some may not be valid where the value stands: whoever takes one tries it.
    """
    yield from (word for word in _words(annotation) if word != value)
    if isinstance(value, str):
        yield from _mappings(annotation)
        yield from sorted(word for word in vocabulary().get(value, ()) if word != value)
    if value is None:
        yield from _examples(annotation)
    elif isinstance(value, tuple):
        yield from _tuples(value, annotation)
    else:
        yield from _others_of(value)
    if value is not None and _may_be_none(annotation):
        yield None


def _others_of(value: Any) -> Iterator[Any]:
    """Other values of one that is neither missing nor a list."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, enum.Enum):
        yield from (member for member in type(value) if member is not value)
    elif isinstance(value, int):
        yield from _numbers(value)
    elif isinstance(value, str):
        yield from _texts(value)
    elif isinstance(value, Fraction):
        yield value + 1
    elif isinstance(value, (*ADDRESSES, *INTERFACES, *NETWORKS, *ATOMS)):
        yield from _addresses(value)


def _numbers(value: int) -> Iterator[int]:
    near: tuple[int, ...]
    kind, near = type(value), (value + 1, value - 1)
    if value in IP_VERSIONS:
        near = (sum(IP_VERSIONS) - value, *near)
    far = (2 * value, value // 2)
    for other in (*far, *near) if value >= ROUNDED else (*near, *far):
        if other >= 0 and other != value:
            yield kind(other)


def _texts(value: str) -> Iterator[str]:
    yield f"{value}x"
    if number := LAST_NUMBER.search(value):  # far from its neighbours, so that no two of them are mistaken
        yield f"{value[: number.start()]}{int(number[0]) + FAR}{value[number.end() :]}"
        yield f"{value[: number.start()]}{int(number[0]) + 1}{value[number.end() :]}"
    yield f"x{value}"
    if value:
        yield f"{value[:-1]}{'b' if value[-1] == 'a' else 'a'}"


def _addresses(value: Any) -> Iterator[Any]:
    if isinstance(value, Ip):
        yield Ip(value.value ^ 1, value.version)
        yield Ip(value.value + 256, value.version)
    elif isinstance(value, IpInterface):
        yield msgspec.structs.replace(value, value=value.value ^ 1)
        yield msgspec.structs.replace(value, value=value.value + (1 << 16))
        yield msgspec.structs.replace(value, prefix_length=value.prefix_length - 1)
    elif isinstance(value, PrefixRange):
        yield from (
            PrefixRange(p, p.prefixlen, max(p.prefixlen, value.longest)) for p in _addresses(value.prefix)
        )
    elif isinstance(value, ADDRESSES):
        yield value + 1
        yield value - 1
    elif isinstance(value, NETWORKS):
        yield from _networks(value)
    else:
        yield type(value)(f"{value.ip + 1}/{value.network.prefixlen}")


def _networks(value: Any) -> Iterator[Any]:
    size = value.num_addresses
    for first in (int(value.network_address) + size, int(value.network_address) - size):
        if 0 <= first < 1 << value.max_prefixlen:
            yield type(value)((first, value.prefixlen))
    if value.prefixlen < value.max_prefixlen:
        yield type(value)((int(value.network_address), value.prefixlen + 1))


def _tuples(value: tuple[Any, ...], annotation: Any) -> Iterator[tuple[Any, ...]]:
    items = typing.get_args(_bare(annotation))
    inner = items[0] if items else None
    if value:
        yield tuple(_outsider(item, value, inner) for item in value)
        yield value[:-1]
        yield value[1:]
        if len(value) > 1:
            yield value[::-1]
    else:
        yield from ((other,) for other in _examples(inner))


def _outsider(item: Any, items: tuple[Any, ...], annotation: Any) -> Any:
    """Another item that is not in the list yet; the same one, if the kind has no more."""
    others = (other for other in other_values(item, annotation) if other is not None and other not in items)
    return next(others, item)


def _mappings(annotation: Any) -> Iterator[msgspec.Struct]:
    """What may stand in the place of a word: a mapping with what it must have."""
    for arg in typing.get_args(annotation):
        if isinstance(arg, type) and issubclass(arg, msgspec.Struct):
            yield from _structs(arg)
        elif not isinstance(arg, type):
            yield from _mappings(arg)


@cache
def vocabulary() -> Mapping[str, frozenset[str]]:
    """The words of the language's choices, each with those that may stand in its place."""
    beside: dict[str, frozenset[str]] = {}
    waiting, seen = [*ROOTS], set(ROOTS)
    while waiting:
        for hints in hints_of(waiting.pop()).values():
            for words in _choices(hints):
                for word in set(words) - OF_MANY_CHOICES:
                    beside[word] = beside.get(word, frozenset()) | set(words)
            below = set(_struct_kinds(hints)) - seen
            seen |= below
            waiting += below
    return beside


def _choices(annotation: Any) -> Iterator[tuple[str, ...]]:
    if typing.get_origin(annotation) is Literal:
        yield tuple(word for word in typing.get_args(annotation) if isinstance(word, str))
    else:
        for arg in typing.get_args(annotation):
            yield from _choices(arg)


def _struct_kinds(annotation: Any) -> Iterator[type[msgspec.Struct]]:
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        yield annotation
    for arg in typing.get_args(annotation):
        yield from _struct_kinds(arg)


def _bare(annotation: Any) -> Any:
    """Without `Annotated`, and without the None of an optional one."""
    if typing.get_origin(annotation) is typing.Annotated:
        return _bare(annotation.__origin__)
    args = typing.get_args(annotation)
    if NoneType in args:
        others = [arg for arg in args if arg is not NoneType]
        return _bare(others[0])
    return annotation


def _may_be_none(annotation: Any) -> bool:
    return NoneType in typing.get_args(annotation)


def _words(annotation: Any) -> Iterator[str]:
    """The words of every `Literal` in an annotation."""
    if typing.get_origin(annotation) is Literal:
        yield from typing.get_args(annotation)
        return
    if typing.get_origin(annotation) is tuple:
        return  # the words are those of its items
    for arg in typing.get_args(annotation):
        yield from _words(arg)


EXAMPLES: dict[Any, Any] = {
    int: 1,
    str: "x1",
    bool: True,
    Ip: Ip(0xC0000263),
    IpInterface: IpInterface(0xC0000263, 24),
}


def _examples(annotation: Any) -> Iterator[Any]:
    """A value of a kind of which there is none."""
    kind = _bare(annotation)
    examples = [example for meta in _metas(annotation) for example in meta.examples or ()]
    patterns = [meta.pattern for meta in _metas(annotation) if meta.pattern]
    yield from examples
    if kind in EXAMPLES and not (examples and patterns):
        yield EXAMPLES[kind]
    if kind is not None and getattr(kind, "__name__", "") == "Address":
        yield IPv4Address("192.0.2.99")
    if kind is not None and getattr(kind, "__name__", "") == "Prefix":
        yield IPv4Network("192.0.2.0/25")
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        yield from _structs(kind)


def _metas(annotation: Any) -> Iterator[msgspec.Meta]:
    yield from (meta for meta in getattr(annotation, "__metadata__", ()) if isinstance(meta, msgspec.Meta))
    if typing.get_origin(annotation) is typing.Annotated:
        yield from _metas(annotation.__origin__)
    elif not isinstance(annotation, type):
        for arg in typing.get_args(annotation):
            yield from _metas(arg)


def _structs(kind: type[msgspec.Struct]) -> Iterator[msgspec.Struct]:
    """One with what it must have."""
    required = {}
    for field in msgspec.structs.fields(kind):
        if field.required:
            hints = hints_of(kind)[field.name]
            found = next((v for v in (*_words(hints), *_examples(hints))), None)
            if found is None and typing.get_origin(_bare(hints)) is tuple:
                found = next(_tuples((), hints), None)
            if found is None:
                return
            required[field.name] = found
    yield kind(**required)


@cache
def hints_of(kind: type) -> dict[str, Any]:
    """The annotation of each field, `Annotated` kept."""
    return typing.get_type_hints(kind, include_extras=True)
