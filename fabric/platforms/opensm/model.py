"""OpenSM's files, shaped as its documentation shapes them. GUIDs, P_Keys and LIDs are as they are printed."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from fabric.platforms.manager_files import Named, Option, QosLevel


class Member(msgspec.Struct, frozen=True):
    """One port of a partition, or all of a kind."""

    port: str
    """`0x0002c903000a1b2c`, `ALL`, `ALL_SWITCHES` or `SELF`."""
    full: bool
    name: str = ""
    """Whose port it is: a comment."""

    def __str__(self) -> str:
        return f"{self.port}={'full' if self.full else 'limited'}"


class PartitionLine(msgspec.Struct, frozen=True, kw_only=True):
    """One partition."""

    name: str
    pkey: str
    """`0x1001`: 15 bits."""
    ipoib: bool = False
    index0: bool = False
    rate: int
    mtu: int
    """Codes, of the IPoIB group."""
    level: int
    """Service level."""
    ports: tuple[Member, ...]

    @property
    def head(self) -> str:
        """What stands before the colon: `red=0x1001, ipoib, rate=21, mtu=5, sl=1`."""
        return ", ".join((f"{self.name}={self.pkey}", *self._flags()))

    @property
    def members(self) -> tuple[str, ...]:
        """What stands behind it: `0x0002c903000a1b2c=full`."""
        return tuple(map(str, self.ports))

    def _flags(self) -> Iterator[str]:
        if self.ipoib:
            yield "ipoib"
        if self.index0:
            yield "indx0"
        yield from (f"rate={self.rate}", f"mtu={self.mtu}", f"sl={self.level}")


class PortGroup(msgspec.Struct, frozen=True):
    """One `port-group`."""

    name: str
    use: str
    ports: tuple[str, ...]


class QosRule(msgspec.Struct, frozen=True):
    """One `qos-match-rule`: what is given must all hold."""

    use: str
    level: str
    pkey: str = ""
    source: str = ""
    destination: str = ""
    """Names of port groups."""


class LidRange(msgspec.Struct, frozen=True):
    """One record of guid2lid."""

    guid: str
    first: str
    last: str


class Seed(msgspec.Struct, frozen=True):
    """Links of one switch by which torus-2QoS finds the axes."""

    links: tuple[tuple[str, str, str], ...]
    """`xp_link GUID GUID`."""
    datelines: tuple[tuple[str, int], ...]
    """`x_dateline 0`."""


class TorusFile(msgspec.Struct, frozen=True):
    """What torus-2QoS.conf says."""

    dimensions: tuple[int, int, int]
    most_ports: int
    """0: not said."""
    seeds: tuple[Seed, ...]


class OpensmConfig(msgspec.Struct, frozen=True, kw_only=True):
    """All files of one manager."""

    options: tuple[Option, ...] = ()
    roots: tuple[str, ...] = ()
    storage: tuple[str, ...] = ()
    """Ports that `ftree` counts apart from the others."""
    names: tuple[Named, ...] = ()
    partitions: tuple[PartitionLine, ...] = ()
    groups: tuple[PortGroup, ...] = ()
    levels: tuple[QosLevel, ...] = ()
    rules: tuple[QosRule, ...] = ()
    torus: TorusFile | None = None
    lids: tuple[LidRange, ...] = ()
