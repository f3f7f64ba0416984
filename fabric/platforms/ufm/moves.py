"""From the partitions that a UFM has to those that it shall have, in an order that never joins two tenants.

First all that takes away, then all that gives: a port that moves is for a moment in neither tenant, and never in
both. UFM drops a partition with its last member, so what gives is decided upon what is there after that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import msgspec

from fabric.platforms.ufm.model import Member, Pkey
from fabric.platforms.ufm.pkeys import joining, opening
from fabric.platforms.ufm.running import PKEYS_PATH

BY_PATH = 64
"""GUIDs that are named in one path: 17 letters each, well below what web servers take."""
BY_BODY = 1000


class Move(msgspec.Struct, frozen=True):
    """One request."""

    method: str
    path: str
    body: Mapping[str, Any] | None = None


Partitions = Mapping[str, Pkey]


def taking(have: Partitions, want: Partitions) -> Iterator[Move]:
    """Who leaves, then full members that become limited ones."""
    for key, partition in sorted(have.items()):
        yield from _leaves(partition, want.get(key))
    for key, partition in sorted(have.items()):
        if key in want:
            yield from _narrowed(partition, want[key])


def giving(have: Partitions, want: Partitions) -> Iterator[Move]:
    """Partitions that nobody wants go; then each wanted one is there with its limits, then its members join."""
    for key in sorted(have.keys() - want.keys()):
        yield Move("DELETE", f"{PKEYS_PATH}/{key}")
    for key, partition in sorted(want.items()):
        yield from _limited(have.get(key), partition)
        yield from _joins(have.get(key), partition)


def _members(partition: Pkey | None) -> dict[str, Member]:
    return {member.guid: member for member in partition.members} if partition else {}


def _leaves(have: Pkey, want: Pkey | None) -> Iterator[Move]:
    """Who is not wanted; who shall be in it otherwise than UFM can change, joins again afterwards."""
    meant = _members(want)
    anew = want is not None and have.ip_over_ib != want.ip_over_ib
    going = [
        member.guid
        for member in have.members
        if anew or member.guid not in meant or meant[member.guid].index0 != member.index0
    ]
    for some in _parts(going, BY_PATH):
        yield Move("DELETE", f"{PKEYS_PATH}/{have.pkey}/guids/{','.join(some)}")
    if anew and not going:
        yield Move("DELETE", f"{PKEYS_PATH}/{have.pkey}")


def _narrowed(have: Pkey, want: Pkey) -> Iterator[Move]:
    was = _members(have)
    if have.ip_over_ib == want.ip_over_ib:
        turned = (m for m in want.members if m.membership == "limited" and m.guid in was)
        yield from _joining(want, [m for m in turned if _is_wider(was[m.guid], m)])


def _is_wider(was: Member, member: Member) -> bool:
    return was.membership == "full" and was.index0 == member.index0


def _limited(have: Pkey | None, want: Pkey) -> Iterator[Move]:
    if have is None:
        yield Move("POST", f"{PKEYS_PATH}/add", opening(want))
    elif _limits(have) != _limits(want):
        yield Move("PUT", f"{PKEYS_PATH}/qos_conf", _limits(want))


def _limits(partition: Pkey) -> dict[str, Any]:
    return {
        "pkey": partition.pkey,
        "mtu_limit": partition.mtu_limit,
        "service_level": partition.service_level,
        "rate_limit": partition.rate_limit,
    }


def _joins(have: Pkey | None, want: Pkey) -> Iterator[Move]:
    was = _members(have)
    yield from _joining(want, [member for member in want.members if was.get(member.guid) != member])


def _joining(want: Pkey, members: Sequence[Member]) -> Iterator[Move]:
    """Limited members first; each request is about one kind."""

    def kind(member: Member) -> tuple[bool, bool]:
        return member.membership == "full", member.index0

    for _, alike in groupby(sorted(members, key=kind), key=kind):
        for some in _parts(list(alike), BY_BODY):
            yield Move("POST", f"{PKEYS_PATH}/", joining(want, some))


def _parts(values: list[Any], most: int) -> Iterator[list[Any]]:
    for first in range(0, len(values), most):
        yield values[first : first + most]


def nameless(pkeys: Partitions) -> dict[str, Pkey]:
    """What two states are compared in: names say nothing."""
    return {key: msgspec.structs.replace(partition, partition_name="") for key, partition in pkeys.items()}
