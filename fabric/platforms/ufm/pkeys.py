"""Partitions as the bodies of requests, one a line, and back. Strict: every line is one of the two that we write."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from fabric.platforms.base import PART
from fabric.platforms.ufm.model import Member, Pkey
from fabric.platforms.ufm.names import PKEYS

T = TypeVar("T")

Line = tuple[int, str]

PORT_GUID = re.compile(r"[0-9a-f]{16}")
PKEY = re.compile(r"0x[1-9a-f][0-9a-f]{0,3}")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}|")
FASTEST_GBPS = 10_000
"""Beyond any rate that is not a typing error; UFM's own list grows with its releases."""
LAST_PKEY = 0x7FFE
"""0x7fff is everybody's: predefined, and not to be written."""
OPENING = frozenset({"index0", "ip_over_ib", "mtu_limit", "pkey", "rate_limit", "service_level"})
JOINING = frozenset({"guids", "index0", "ip_over_ib", "membership", "pkey"})


class Unfit(ValueError):
    """A line that is no body of a request of ours."""


def lines_of(text: str) -> list[Line]:
    """The lines about partitions, with their numbers: those of their part, or of a text without parts."""
    name, found = PKEYS, []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith(PART):
            name = line.removeprefix(PART).strip()
        elif name == PKEYS and line.strip() and not line.lstrip().startswith("#"):
            found.append((number, line.strip()))
    return found


def read_pkeys(lines: list[Line], unread: list[Line]) -> tuple[Pkey, ...]:
    """The partitions. A wrong line is unread, and a partition that has one is not there."""
    reader = _Reader()
    for number, line in lines:
        try:
            reader.take(_body(line))
        except (Unfit, msgspec.DecodeError):
            unread.append((number, line))
    return reader.pkeys()


class _Reader:
    """Gathers the members of each partition."""

    def __init__(self) -> None:
        self._opened: dict[str, Pkey] = {}
        self._members: dict[str, dict[str, Member]] = {}
        self._bad: set[str] = set()

    def take(self, body: Mapping[str, Any]) -> None:
        """One line. `Unfit` if it is none of ours, or says again what was said."""
        pkey = str(body.get("pkey"))
        try:
            if "guids" in body:
                member = _member(body, self._opened)
                _once(self._members[pkey], member.guid, member)
            else:
                _once(self._opened, pkey, _opening(body))
                self._members[pkey] = {}
        except Unfit:
            self._bad.add(pkey)
            raise

    def pkeys(self) -> tuple[Pkey, ...]:
        """Those without a wrong line, members ordered by GUID."""
        return tuple(
            msgspec.structs.replace(one, members=tuple(m for _, m in sorted(self._members[key].items())))
            for key, one in self._opened.items()
            if key not in self._bad
        )


def _once(known: dict[str, T], key: str, value: T) -> None:
    if key in known:
        raise Unfit
    known[key] = value


def _body(line: str) -> dict[str, Any]:
    body = msgspec.json.decode(line.encode())
    if not isinstance(body, dict):
        raise Unfit
    return body


def _opening(body: Mapping[str, Any]) -> Pkey:
    """The body of POST …/pkeys/add."""
    name = body.get("partition_name", "")
    if set(body) - {"partition_name"} != OPENING or not isinstance(name, str) or not NAME.fullmatch(name):
        raise Unfit
    _check_flags(body)
    mtu, level, rate = (_number(body[name]) for name in ("mtu_limit", "service_level", "rate_limit"))
    if mtu not in range(1, 6) or level not in range(16) or not 0 < rate <= FASTEST_GBPS:
        raise Unfit
    return Pkey(body["pkey"], name, body["ip_over_ib"], int(mtu), int(level), rate, ())


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Unfit
    return value


def _member(body: Mapping[str, Any], opened: Mapping[str, Pkey]) -> Member:
    """The body of POST …/pkeys, for one port."""
    if set(body) != JOINING or body["membership"] not in ("full", "limited"):
        raise Unfit
    _check_flags(body)
    one, guids = opened.get(body["pkey"]), body["guids"]
    if one is None or one.ip_over_ib != body["ip_over_ib"]:
        raise Unfit
    if not isinstance(guids, list) or len(guids) != 1 or not isinstance(guids[0], str):
        raise Unfit
    if not PORT_GUID.fullmatch(guids[0]):
        raise Unfit
    return Member(guids[0], body["membership"], body["index0"])


def _check_flags(body: Mapping[str, Any]) -> None:
    pkey = body["pkey"]
    if not isinstance(pkey, str) or not PKEY.fullmatch(pkey) or int(pkey, 16) > LAST_PKEY:
        raise Unfit
    if not isinstance(body["index0"], bool) or not isinstance(body["ip_over_ib"], bool):
        raise Unfit


def printed(pkeys: tuple[Pkey, ...], *, named: bool = True) -> Iterator[str]:
    """The lines of partitions, each the body of one request."""
    for one in pkeys:
        yield _json(opening(one, named=named))
        for member in one.members:
            yield _json(joining(one, (member,)))


def opening(one: Pkey, *, named: bool) -> dict[str, Any]:
    """The body that makes a partition without members."""
    name = {"partition_name": one.partition_name} if named and one.partition_name else {}
    limits = {
        "mtu_limit": one.mtu_limit,
        "rate_limit": one.rate_limit,
        "service_level": one.service_level,
    }
    return {"index0": one.index0, "ip_over_ib": one.ip_over_ib, "pkey": one.pkey, **limits, **name}


def joining(one: Pkey, members: Sequence[Member]) -> dict[str, Any]:
    """The body that gives a partition members, all of one kind.

    A list of `memberships` would be shorter, and UFM 6.19 ignores it here: all would be full members.
    """
    first = members[0]
    flags = {"index0": first.index0, "ip_over_ib": one.ip_over_ib, "membership": first.membership}
    return {"guids": [member.guid for member in members], "pkey": one.pkey, **flags}


def _json(body: Mapping[str, Any]) -> str:
    """As the template prints it: blanks after commas and colons, keys in order."""
    return json.dumps(body, sort_keys=True)
