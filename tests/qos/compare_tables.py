"""Published headroom tables beside the formula: which rows come out to the byte, and why the others do not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise

import msgspec

from fabric.qos.headroom import (
    ROUNDING_BYTES,
    UNKNOWN,
    cable_bytes,
    cell_occupancy,
    headroom_bytes,
)
from fabric.qos.model import BufferTiming, TableRow
from fabric.qos.policy import SMALLEST_FRAME_BYTES
from fabric.units import Length, Speed

TABLE_FRAME_BYTES = 9216
"""Largest frame of a port in the vendor's tables. Found by search over the rows: no other pair fits all."""

TABLE_LOSSLESS_FRAME_BYTES = 1024
"""Largest frame of the lossless class in them; found together with the other."""

WIRE_OVERHEAD_BYTES = 20
"""Preamble and gap around each frame (802.3): on the wire the smallest frame takes 84 bytes."""

SAME = Fraction(1, 20)
"""Two slopes are taken for one if they differ by less: tables are rounded to cells or KiB."""


class PublishedTable(msgspec.Struct, frozen=True, kw_only=True):
    """One vendor table and the constants of its ASIC; None where they are not published."""

    sku: str
    asic: str
    rows: tuple[TableRow, ...]
    timing: BufferTiming | None
    same_rows: tuple[str, ...] = ()
    """Boxes with another ASIC that carry the same rows."""


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """What the formula makes of a table."""

    sku: str
    asic: str
    rows: int
    exact: int
    least: Fraction
    """Published by computed, the smallest and the largest of the rows."""
    most: Fraction
    cause: str

    def line(self) -> str:
        """As a row of the printed table."""
        spread = f"{float(self.least):.2f} - {float(self.most):.2f}"
        return f"| {self.sku} | {self.asic} | {self.exact}/{self.rows} | {spread} | {self.cause} |"


HEADING = (
    "| sku | ASIC | exact | published / formula | cause |",
    "|---|---|---|---|---|",
)


def explain_table(tables: Iterable[PublishedTable]) -> str:
    """A line a table, as Markdown, ordered by ASIC and sku."""
    made = sorted((compare(table) for table in tables), key=lambda c: (c.asic, c.sku))
    return "\n".join([*HEADING, *(comparison.line() for comparison in made)])


def compare(table: PublishedTable) -> Comparison:
    """Hold a table against the formula with its ASIC's constants."""
    pairs = [(row.headroom_bytes, vendor_bytes(row, table.timing or UNKNOWN)) for row in table.rows]
    ratios = [Fraction(published, computed) for published, computed in pairs]
    exact = sum(published == computed for published, computed in pairs)
    return Comparison(
        sku=table.sku,
        asic=table.asic,
        rows=len(pairs),
        exact=exact,
        least=min(ratios),
        most=max(ratios),
        cause="the formula with the vendor's constants" if exact == len(pairs) else cause(table),
    )


def vendor_bytes(row: TableRow, timing: BufferTiming) -> int:
    """What the formula gives for a row with the frames that the vendor's tables are made for."""
    return headroom_bytes(
        row.speed_mbps,
        row.cable_m,
        timing,
        frame_bytes=TABLE_FRAME_BYTES,
        lossless_frame_bytes=TABLE_LOSSLESS_FRAME_BYTES,
    )


class Slope(msgspec.Struct, frozen=True):
    """Buffer bytes that a table adds for each byte on the cable, between two lengths of one speed."""

    speed_mbps: int
    from_m: int
    to_m: int
    wire_bytes: Fraction
    """Bytes that the longer cable holds more, both ways."""
    value: Fraction

    @property
    def is_clear(self) -> bool:
        """Whether the rounding of both rows to KiB is small beside it."""
        return self.wire_bytes > 10 * ROUNDING_BYTES


def slopes(rows: Iterable[TableRow]) -> list[Slope]:
    """Every slope of a table, by speed and length."""
    by_speed: defaultdict[int, list[TableRow]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: (row.speed_mbps, row.cable_m)):
        by_speed[row.speed_mbps].append(row)
    found = []
    for speed_mbps, ordered in by_speed.items():
        for one, two in pairwise(ordered):
            wire = cable_bytes(speed_mbps, two.cable_m - one.cable_m)
            value = (two.headroom_bytes - one.headroom_bytes) / wire
            found.append(Slope(speed_mbps, one.cable_m, two.cable_m, wire, value))
    return found


def cause(table: PublishedTable) -> str:
    """Why a table is not what the formula gives, read from how it grows with length."""
    if len(table.rows) == 1:
        return "a single row: nothing can be told"
    shared = f"; shared with {', '.join(table.same_rows)}" if table.same_rows else ""
    return _by_length(table) + shared


def _by_length(table: PublishedTable) -> str:
    found = slopes(table.rows)
    if not any(slope.value for slope in found):
        values = {row.headroom_bytes for row in table.rows}
        return "one value for all speeds and lengths" if len(values) == 1 else "one value for all lengths"
    falling = next((slope for slope in found if slope.value < 0), None)
    if falling:
        where = f"{Speed(falling.speed_mbps)} from {Length(falling.from_m)} to {Length(falling.to_m)}"
        return f"rows of different origin: falls with length ({where})"
    fastest = max(slope.speed_mbps for slope in found)
    steps = [slope for slope in found if slope.speed_mbps == fastest]
    flat = [slope for slope in steps if not slope.value]
    rising = [slope for slope in steps if slope.value]
    start = f"one value up to {Length(max(slope.to_m for slope in flat))}, then " if flat else ""
    if not rising:
        return f"one value for all lengths at {Speed(fastest)}"
    return start + _growth([slope for slope in rising if slope.is_clear] or rising, table.timing)


def _growth(rising: list[Slope], timing: BufferTiming | None) -> str:
    """What the slopes of the fastest port say of the frames that the vendor counts with."""
    least, most = min(s.value for s in rising), max(s.value for s in rising)
    if most > least * (1 + 3 * SAME):
        return f"rows of different origin: {float(least):.2f} to {float(most):.2f} B a byte on the cable"
    wire = sum((s.wire_bytes for s in rising), Fraction())
    mean = sum((s.value * s.wire_bytes for s in rising), Fraction()) / wire
    if timing is None:
        return f"{float(mean):.2f} B a byte on the cable; constants of the ASIC not published"
    worst = cell_occupancy(timing.cell_bytes)
    on_wire = Fraction(timing.cell_bytes, SMALLEST_FRAME_BYTES + WIRE_OVERHEAD_BYTES)
    if abs(mean - worst) < SAME * worst:
        return f"grows as the formula ({float(mean):.2f}), other constant part"
    if abs(mean - on_wire) < SAME * on_wire:
        return "counts the smallest frame with preamble and gap, 84 B, not 64; other constant part"
    if mean < 1 + SAME:
        return f"counts full cells ({float(mean):.2f}), not the smallest frames ({float(worst):.2f})"
    return (
        f"counts frames of about {round(timing.cell_bytes / mean)} B ({float(mean):.2f}), "
        f"not 64 ({float(worst):.2f})"
    )
