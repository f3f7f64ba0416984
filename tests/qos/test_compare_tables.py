"""Why a published table is not what the formula gives."""

from __future__ import annotations

import pytest

from fabric.qos.headroom import headroom_bytes
from fabric.qos.model import BufferTiming, TableRow
from tests.qos.compare_tables import PublishedTable, compare, explain_table
from tests.qos.published import every_table

CELL = BufferTiming(
    cell_bytes=192,
    mac_phy_delay_bytes=820,
    peer_response_bytes=None,
    extra_latency_ns=0,
    pipeline_latency_bytes=None,
)


def table(values: dict[int, int], *, timing: BufferTiming | None = CELL) -> PublishedTable:
    """A table of 400G rows by length."""
    rows = tuple(TableRow(400_000, cable_m, size, 0) for cable_m, size in values.items())
    return PublishedTable(sku="sku", asic="asic", rows=rows, timing=timing)


def formula(cable_m: int) -> int:
    return headroom_bytes(400_000, cable_m, CELL, frame_bytes=9216, lossless_frame_bytes=1024)


@pytest.mark.parametrize(
    ("values", "cause"),
    [
        ({m: formula(m) for m in (5, 40, 300)}, "the formula with the vendor's constants"),
        ({m: formula(m) + 50_000 for m in (5, 40, 300)}, "grows as the formula (3.00), other constant part"),
        ({5: 100_000, 40: 100_000}, "one value for all speeds and lengths"),
        ({5: 100_000}, "a single row: nothing can be told"),
        ({5: 100_000, 40: 90_000}, "rows of different origin: falls with length (400G from 5m to 40m)"),
        (
            {m: 100_000 + m * 505 for m in (5, 40, 300)},
            "counts full cells (1.00), not the smallest frames (3.00)",
        ),
        ({m: 100_000 + m * 1010 for m in (5, 40, 300)}, "counts frames of about 96 B (2.00), not 64 (3.00)"),
        (
            {m: 100_000 + m * 1155 for m in (5, 40, 300)},
            "counts the smallest frame with preamble and gap, 84 B, not 64; other constant part",
        ),
        (
            {5: 100_000, 40: 100_000, 300: 231_300},
            "one value up to 40m, then counts full cells (1.00), not the smallest frames (3.00)",
        ),
        (
            {5: 100_000, 100: 200_000, 300: 301_000},
            "rows of different origin: 1.00 to 2.08 B a byte on the cable",
        ),
    ],
)
def test_the_cause_is_read_from_how_a_table_grows(values, cause):
    assert cause == compare(table(values)).cause


def test_without_constants_only_the_growth_can_be_told():
    made = compare(table({m: 100_000 + m * 505 for m in (5, 40, 300)}, timing=None))

    assert "1.00 B a byte on the cable; constants of the ASIC not published" == made.cause


def test_every_published_row_stands_in_the_printed_table():
    tables = every_table()
    lines = explain_table(tables).splitlines()[2:]

    assert len(tables) == len(lines)
    assert 696 == sum(len(one.rows) for one in tables)
    assert sorted(one.sku for one in tables) == sorted(line.split(" | ")[0].strip("| ") for line in lines)


def test_no_table_is_left_without_a_cause():
    assert all(compare(one).cause for one in every_table())


def test_the_tables_that_come_out_are_those_of_the_plain_nvidia_skus():
    exact = {made.sku for made in map(compare, every_table()) if made.exact == made.rows}

    assert {"ACS-MSN2700", "ACS-MSN3700", "ACS-MSN3800", "ACS-MSN4600C", "ACS-SN5400"} == exact
