"""All rows, and which one a field has."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache

from fabric.provenance.stems import hosts, ports, queueing, routing, services, subnets
from fabric.provenance.stems.row import Row, row

ROWS: tuple[Row, ...] = (
    *hosts.ROWS,  # before ports: `ports.*.system` is not a field of a switch
    *subnets.ROWS,
    *queueing.ROWS,  # before ports: `queueing` of a switch
    *routing.ROWS,
    *services.ROWS,
    *ports.ROWS,
)
UNKNOWN = row("*", "{field}", cabling=True)
"""A field that no row names: the sizes may decide about it, and nothing else is claimed."""


@cache
def row_of(field: str) -> Row:
    """The row of a column, by its name."""
    exact = [each for each in ROWS if field in each.fields]
    alike = (each for each in ROWS if any(fnmatchcase(field, form) for form in each.fields))
    return exact[0] if exact else next(alike, UNKNOWN)
