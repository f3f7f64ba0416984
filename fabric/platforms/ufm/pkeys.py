"""Partitions as the bodies of requests, one a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from fabric.platforms.base import PART
from fabric.platforms.ufm.model import Member, Pkey
from fabric.platforms.ufm.names import PKEYS


def printed(pkeys: Iterable[Pkey]) -> str:
    """The file of partitions, each line the body of one request."""
    return f"{PART}{PKEYS}\n" + "".join(f"{line}\n" for line in _lines(pkeys))


def _lines(pkeys: Iterable[Pkey]) -> Iterator[str]:
    for one in pkeys:
        yield _json(opening(one))
        for member in one.members:
            yield _json(joining(one, (member,)))


def opening(one: Pkey) -> dict[str, Any]:
    """The body that makes a partition without members."""
    name = {"partition_name": one.partition_name} if one.partition_name else {}
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
