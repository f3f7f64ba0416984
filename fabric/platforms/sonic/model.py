"""The two files of a SONiC switch: tables of CONFIG_DB, and the shape of FRR's manual."""

from __future__ import annotations

import msgspec

from fabric.devices.model import DISCARD_DISTANCE, Neighbor, Prefix
from fabric.devices.routing_model import PeerGroup
from fabric.platforms.routing.route_maps import RouteMaps

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


class Family(msgspec.Struct, frozen=True, gc=False):
    """`address-family NAME unicast`."""

    name: str
    aggregates: tuple[str, ...]
    groups: tuple[PeerGroup, ...]


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
    groups: tuple[PeerGroup, ...]
    sessions: tuple[tuple[Neighbor, str], ...]
    """With the names of their groups."""
    families: tuple[Family, ...]
    policies: RouteMaps
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
