"""The two files of a SONiC switch: tables of CONFIG_DB, and the shape of FRR's manual."""

from __future__ import annotations

import msgspec

Rows = dict[str, dict[str, str | list[str]]]
"""One table: key to fields."""
Tables = dict[str, Rows]
"""CONFIG_DB."""


class Table(msgspec.Struct, frozen=True, gc=False):
    """One table, in JSON: Jinja's own filter would escape the placeholders of secrets."""

    name: str
    rows: str


class Group(msgspec.Struct, frozen=True, gc=False):
    """`neighbor NAME peer-group`: sessions that are treated alike."""

    name: str
    bfd: bool
    shutdown: bool
    password: str
    over_link_local: bool


class Session(msgspec.Struct, frozen=True, gc=False):
    """A session: by address, or by interface where unnumbered."""

    key: str
    group: str
    remote_asn: int
    unnumbered: bool
    description: str


class ActiveGroup(msgspec.Struct, frozen=True, gc=False):
    """A group within an address family."""

    name: str
    allow_own_asn: int
    import_map: str
    export_map: str


class Family(msgspec.Struct, frozen=True, gc=False):
    """`address-family NAME unicast`."""

    name: str
    aggregates: tuple[str, ...]
    groups: tuple[ActiveGroup, ...]


class PrefixEntry(msgspec.Struct, frozen=True, gc=False):
    """One entry of a prefix list."""

    word: str
    """`ip` or `ipv6`."""
    name: str
    sequence: int
    action: str


class Clause(msgspec.Struct, frozen=True, gc=False):
    """One entry of a route map."""

    name: str
    action: str
    sequence: int
    matches: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()


class Frr(msgspec.Struct, frozen=True):
    """frr.conf."""

    hostname: str
    asn: int
    router_id: str
    keepalive_s: int
    hold_s: int
    max_paths: int
    bfd: tuple[int, int] | None
    """Interval in milliseconds and multiplier."""
    groups: tuple[Group, ...]
    sessions: tuple[Session, ...]
    families: tuple[Family, ...]
    community: str
    prefix_entries: tuple[PrefixEntry, ...]
    clauses: tuple[Clause, ...]
    extra: tuple[str, ...]


class SonicConfig(msgspec.Struct, frozen=True):
    """Both files."""

    tables: tuple[Table, ...]
    frr: Frr
