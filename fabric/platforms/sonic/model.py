"""The two files of a SONiC switch: tables of CONFIG_DB, and the shape of FRR's manual."""

from __future__ import annotations

import msgspec

from fabric.devices.model import DISCARD_DISTANCE, Prefix

Row = dict[str, str | list[str]]
"""Fields of one row; CONFIG_DB knows texts and lists of texts."""
Rows = dict[str, Row]
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
    ttl_security: bool


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
    max_prefixes: int
    """0: no limit."""


class Family(msgspec.Struct, frozen=True, gc=False):
    """`address-family NAME unicast`."""

    name: str
    aggregates: tuple[str, ...]
    groups: tuple[ActiveGroup, ...]


class PrefixEntry(msgspec.Struct, frozen=True, gc=False):
    """One entry of a prefix list: a prefix, and the lengths that match inside it."""

    word: str
    """`ip` or `ipv6`."""
    name: str
    sequence: int
    prefix: str
    length: int
    shortest: int
    longest: int

    @property
    def action(self) -> str:
        """`permit 10.0.0.0/8 ge 31 le 32`: FRR takes `ge` only above the prefix's own length."""
        above = f" ge {self.shortest}" if self.shortest > self.length else ""
        return f"permit {self.prefix}{above}" + (f" le {self.longest}" if self.longest > self.length else "")


class Clause(msgspec.Struct, frozen=True, gc=False):
    """One entry of a route map."""

    name: str
    action: str
    sequence: int
    word: str = ""
    """`ip` or `ipv6`, with a prefix list."""
    prefix_list: str = ""
    community: str = ""
    """Name of the list that must match."""
    mark: str = ""
    """A community that is added."""
    unmark: str = ""
    """Name of the list of communities that are taken out."""

    @property
    def lines(self) -> tuple[str, ...]:
        """What it matches and sets, in FRR's words."""
        return (
            *((f"match {self.word} address prefix-list {self.prefix_list}",) if self.prefix_list else ()),
            *((f"match community {self.community}",) if self.community else ()),
            *((f"set community {self.mark} additive",) if self.mark else ()),
            *((f"set comm-list {self.unmark} delete",) if self.unmark else ()),
        )


class Frr(msgspec.Struct, frozen=True):
    """BGP as FRR has it: the text of frr.conf, or what frrcfgd's tables stand for."""

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
    discards: tuple[Prefix, ...] = ()
    """Prefixes whose packets are dropped where nothing else leads to them."""
    discard_distance: int = DISCARD_DISTANCE
    drained: bool = False
    """Every route carries GRACEFUL_SHUTDOWN (RFC 8326), which FRR takes from others with local preference 0."""
    extra: tuple[str, ...] = ()


class SonicConfig(msgspec.Struct, frozen=True):
    """Both files."""

    tables: tuple[Table, ...]
    frr: Frr | None
    """None: SONiC makes frr.conf itself."""
