"""What moves between two states of a fabric: cables, ports, names, addresses, AS numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from fabric.tables.table import Column, Row, Table
from fabric.topology.resize import Move
from fabric.units import counted

STYLES = {"cable": "yellow", "address": "yellow", "device": "red"}


def move_counts(moves: Sequence[Move]) -> str:
    """`3 moves: 2 cables, 1 address`."""
    kinds = Counter(move.kind for move in moves)
    counts = ", ".join(counted(count, (kind, _plural(kind))) for kind, count in kinds.most_common())
    return f"{counted(len(moves), ('move', 'moves'))}: {counts}" if moves else "nothing moves"


def _plural(kind: str) -> str:
    return f"{kind}es" if kind.endswith("s") else f"{kind}s"


def move_table(moves: Sequence[Move], *, title: str = "") -> Table:
    """A row for each move."""

    def rows() -> Iterator[Row]:
        for move in moves:
            yield move.network, move.kind, move.device, move.old, move.new or "(gone)"

    columns = (
        Column(key="network", heading="NETWORK", rank=2),
        Column(key="kind", heading="WHAT", style=lambda value: STYLES.get(str(value), "")),
        Column(key="device", heading="DEVICE", style=lambda _v: "bold"),
        Column(key="old", heading="NOW"),
        Column(key="new", heading="THEN"),
    )
    return Table(name="moves", columns=columns, rows=rows, noun=("move", "moves"), title=title)
