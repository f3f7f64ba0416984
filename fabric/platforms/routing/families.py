"""Address families of BGP, each with what is advertised as one there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fabric.devices.model import Routing
from fabric.platforms.object_names import natural


class Family(NamedTuple):
    """`address-family` of `router bgp`."""

    version: int
    aggregates: tuple[str, ...]
    """Blocks of addresses that are advertised as one, by name."""


def families(versions: Iterable[int], routing: Routing) -> Iterator[Family]:
    """These address families, with the blocks of each."""
    for version in versions:
        aggregates = (str(prefix) for prefix in routing.aggregates if prefix.version == version)
        yield Family(version, tuple(sorted(aggregates, key=natural)))
