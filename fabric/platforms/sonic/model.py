"""The two files of a SONiC switch: tables of CONFIG_DB, and frr.conf."""

from __future__ import annotations

import msgspec

from fabric.devices.model import DISCARD_DISTANCE
from fabric.platforms.frr.model import Defaults
from fabric.platforms.routing.vtysh_bgp import Bgp

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


class SonicConfig(msgspec.Struct, frozen=True):
    """Both files."""

    tables: tuple[Table, ...]
    bgp: Bgp | None
    """None: SONiC makes frr.conf itself."""
    written: Defaults
    """FRR shows no line that only says a default of its profile."""
    extra: tuple[str, ...]
    """Of frr.conf, verbatim."""
    discard_distance: int = DISCARD_DISTANCE
