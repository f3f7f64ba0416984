"""UFM's partitions and files, shaped as its documentation shapes them."""

from __future__ import annotations

import msgspec

from fabric.platforms.manager_files import Named, Option, QosLevel


class Setting(msgspec.Struct, frozen=True):
    """One line of gv.cfg."""

    name: str
    value: str


class Section(msgspec.Struct, frozen=True):
    """What differs in one section of gv.cfg."""

    name: str
    """Empty: no source names the section; the lines stand in the file that UFM ships."""
    settings: tuple[Setting, ...]


class Member(msgspec.Struct, frozen=True):
    """One port of a partition. UFM's default is full, OpenSM's limited: so it is always said."""

    guid: str
    """16 digits, as UFM prints port GUIDs."""
    membership: str
    index0: bool
    """Whether the key stands first in the port's table."""


class Pkey(msgspec.Struct, frozen=True):
    """One partition, in the words of `/ufmRest/resources/pkeys`."""

    pkey: str
    partition_name: str
    """For people: releases before 6.22 choose a name of their own."""
    ip_over_ib: bool
    mtu_limit: int
    """KiB."""
    service_level: int
    rate_limit: float
    """Gb/s, of its IPoIB group."""
    members: tuple[Member, ...]
    """Ordered by GUID."""

    @property
    def index0(self) -> bool:
        """Whether the key stands first in the tables of all members."""
        return bool(self.members) and all(member.index0 for member in self.members)


class QosRule(msgspec.Struct, frozen=True):
    """One `qos-match-rule`, by P_Key."""

    use: str
    pkey: str
    level: str


class Link(msgspec.Struct, frozen=True):
    """One line of topoconfig.conf: a link in one direction."""

    source: str
    source_port: int
    target: str
    target_port: int


class UfmConfig(msgspec.Struct, frozen=True, kw_only=True):
    """All of one UFM."""

    pkeys: tuple[Pkey, ...]
    sections: tuple[Section, ...]
    options: tuple[Option, ...]
    roots: tuple[str, ...]
    names: tuple[Named, ...]
    levels: tuple[QosLevel, ...]
    rules: tuple[QosRule, ...]
    links: tuple[Link, ...]
