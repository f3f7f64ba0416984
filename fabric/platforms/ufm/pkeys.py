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
    for partition in pkeys:
        yield _json(opening(partition))
        for member in partition.members:
            yield _json(joining(partition, (member,)))


def opening(partition: Pkey) -> dict[str, Any]:
    """The body that makes a partition without members."""
    name = {"partition_name": partition.partition_name} if partition.partition_name else {}
    limits = {
        "mtu_limit": partition.mtu_limit,
        "rate_limit": partition.rate_limit,
        "service_level": partition.service_level,
    }
    return {
        "index0": partition.index0,
        "ip_over_ib": partition.ip_over_ib,
        "pkey": partition.pkey,
        **limits,
        **name,
    }


def joining(partition: Pkey, members: Sequence[Member]) -> dict[str, Any]:
    """The body that gives a partition members, all of one kind.

    A list of `memberships` would be shorter, and UFM 6.19 ignores it here: all would be full members.
    """
    first = members[0]
    flags = {"index0": first.index0, "ip_over_ib": partition.ip_over_ib, "membership": first.membership}
    return {"guids": [member.guid for member in members], "pkey": partition.pkey, **flags}


def _json(body: Mapping[str, Any]) -> str:
    """As the template prints it: blanks after commas and colons, keys in order."""
    return json.dumps(body, sort_keys=True)
