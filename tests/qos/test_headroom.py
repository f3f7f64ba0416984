"""PFC headroom: the published tables to the byte, and what must hold for any port."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.qos.headroom import (
    PAUSE_QUANTA,
    UNKNOWN,
    cable_bytes,
    cell_occupancy,
    choose_headroom,
    headroom_bytes,
    pause_quanta,
    standard_headroom_bytes,
    table_row,
)
from fabric.qos.model import BufferTiming, TableRow
from tests.qos.compare_tables import vendor_bytes
from tests.qos.published import every_table

TABLES = {table.sku: table for table in every_table()}
EXACT = {"ACS-MSN2700": 15, "ACS-MSN3700": 18, "ACS-MSN4600C": 21, "ACS-SN5400": 24, "ACS-MSN3800": 15}
"""The tables of Spectrum-1 to -4 (SN4700 has that of SN4600C, SN5600 that of SN5400), and of SN3800 with its
gearbox: 78 and 15 rows."""

speeds = st.sampled_from(sorted(PAUSE_QUANTA))
lengths = st.integers(0, 2000)
frames = st.integers(1500, 9236)
timings = st.builds(
    BufferTiming,
    cell_bytes=st.sampled_from([80, 96, 128, 144, 192, 208, 254, 256, 420]),
    mac_phy_delay_bytes=st.integers(0, 2000),
    peer_response_bytes=st.none() | st.integers(0, 60_000),
    extra_latency_ns=st.integers(0, 2000),
    pipeline_latency_bytes=st.none(),
)


@pytest.mark.parametrize("sku", EXACT)
def test_the_vendors_table_comes_out_to_the_byte(sku):
    table = TABLES[sku]

    assert table.timing is not None
    assert EXACT[sku] == len(table.rows)
    assert [row.headroom_bytes for row in table.rows] == [
        vendor_bytes(row, table.timing) for row in table.rows
    ]


@pytest.mark.parametrize(
    ("sku", "speed_mbps", "cable_m", "expected"),
    [
        ("ACS-MSN4600C", 400_000, 5, 38_912),
        ("ACS-MSN4600C", 400_000, 40, 77_824),
        ("ACS-MSN4600C", 400_000, 300, 373_760),
        ("ACS-SN5400", 400_000, 40, 283_648),
        ("ACS-SN5400", 800_000, 300, 1_150_976),
    ],
)
def test_single_rows_that_everybody_can_look_up(sku, speed_mbps, cable_m, expected):
    timing = TABLES[sku].timing

    assert timing is not None
    assert expected == headroom_bytes(
        speed_mbps, cable_m, timing, frame_bytes=9216, lossless_frame_bytes=1024
    )


def test_the_pause_quanta_of_the_standard_ask_for_more_than_an_old_vendor_table():
    timing = TABLES["ACS-MSN4600C"].timing

    assert timing is not None
    quanta = BufferTiming(
        cell_bytes=timing.cell_bytes,
        mac_phy_delay_bytes=timing.mac_phy_delay_bytes,
        peer_response_bytes=None,
        extra_latency_ns=0,
        pipeline_latency_bytes=None,
    )
    # SONiC's script prints 198,656: it takes a megabit for 2^20 bits, so that its cable is 2.3 % short.
    assert 199_680 == headroom_bytes(400_000, 40, quanta, frame_bytes=9216, lossless_frame_bytes=1024)


@pytest.mark.parametrize(
    ("speed_mbps", "quanta"),
    [(10_000, 67), (100_000, 394), (56_000, 394), (400_000, 905), (800_000, 905), (1_600_000, 3620)],
)
def test_a_peer_has_the_quanta_of_its_speed_or_the_next(speed_mbps, quanta):
    assert quanta == pause_quanta(speed_mbps)


def test_cells_are_filled_as_badly_as_can_be():
    assert Fraction(254, 64) == cell_occupancy(254)
    assert Fraction(192, 97) == cell_occupancy(96)


def test_a_kilometre_of_400g_holds_half_a_megabyte():
    assert 505_050 == int(cable_bytes(400_000, 1000))


@given(speeds, lengths, st.integers(1, 100), timings, frames)
def test_headroom_never_shrinks_with_length(speed_mbps, cable_m, more_m, timing, frame_bytes):
    shorter = headroom_bytes(speed_mbps, cable_m, timing, frame_bytes=frame_bytes)

    assert shorter <= headroom_bytes(speed_mbps, cable_m + more_m, timing, frame_bytes=frame_bytes)


@given(speeds, speeds, lengths, timings, frames)
def test_headroom_never_shrinks_with_speed(one, two, cable_m, timing, frame_bytes):
    slow, fast = sorted((one, two))

    assert headroom_bytes(slow, cable_m, timing, frame_bytes=frame_bytes) <= headroom_bytes(
        fast, cable_m, timing, frame_bytes=frame_bytes
    )


@given(speeds, lengths, timings, frames)
def test_headroom_holds_all_that_is_on_its_way(speed_mbps, cable_m, timing, frame_bytes):
    made = standard_headroom_bytes(speed_mbps, cable_m, timing, frame_bytes)
    response = Fraction(pause_quanta(speed_mbps) * 512 * 1000, speed_mbps)
    flight = Fraction(2 * cable_m * 10**9, 198_000_000)

    arriving = (response + flight + timing.extra_latency_ns) * speed_mbps / 8000
    assert made >= arriving + 2 * frame_bytes + timing.mac_phy_delay_bytes
    assert made % 1024 == 0


@given(speeds, lengths, timings, frames)
def test_the_standard_never_gives_a_peer_less_time_than_its_vendor(speed_mbps, cable_m, timing, frame_bytes):
    assert standard_headroom_bytes(speed_mbps, cable_m, timing, frame_bytes) >= headroom_bytes(
        speed_mbps, cable_m, timing, frame_bytes=frame_bytes
    )


@given(speeds, lengths, frames)
def test_an_unknown_asic_gets_at_least_what_every_known_one_needs(speed_mbps, cable_m, frame_bytes):
    known = {table.timing for table in TABLES.values() if table.timing and table.sku != "ACS-MSN3800"}
    unknown = standard_headroom_bytes(speed_mbps, cable_m, UNKNOWN, frame_bytes)

    assert all(
        standard_headroom_bytes(speed_mbps, cable_m, timing, frame_bytes) <= unknown for timing in known
    )


ROWS = (
    TableRow(400_000, 5, 100, 7),
    TableRow(400_000, 40, 250, 7),
    TableRow(400_000, 40, 300, 8),
    TableRow(100_000, 300, 50, 7),
)


def test_a_table_is_read_at_the_next_longer_cable_and_the_larger_row():
    assert 100 == table_row(ROWS, 400_000, 3).headroom_bytes
    assert 100 == table_row(ROWS, 400_000, 5).headroom_bytes
    assert 300 == table_row(ROWS, 400_000, 6).headroom_bytes


def test_a_row_never_counts_less_than_one_for_a_shorter_cable():
    rows = (*ROWS, TableRow(400_000, 60, 200, 7))

    assert 300 == table_row(rows, 400_000, 50).headroom_bytes


@given(st.lists(st.builds(TableRow, st.just(400_000), lengths, st.integers(0, 10**6), st.just(0))), lengths)
def test_no_set_of_rows_asks_for_less_on_a_longer_cable(rows, cable_m):
    near, far = table_row(rows, 400_000, cable_m), table_row(rows, 400_000, cable_m + 1)

    assert far is None or near.headroom_bytes <= far.headroom_bytes


@pytest.mark.parametrize(("speed_mbps", "cable_m"), [(400_000, 41), (200_000, 5), (100_000, 301)])
def test_a_table_says_nothing_beyond_its_rows(speed_mbps, cable_m):
    assert table_row(ROWS, speed_mbps, cable_m) is None


@pytest.mark.parametrize(
    ("mode", "formula_bytes", "expected"),
    [
        ("safe", 200, 300),
        ("safe", 400, 400),
        ("formula", 200, 200),
        ("formula", 400, 400),
        ("vendor-table", 200, 300),
        ("vendor-table", 400, 300),
    ],
)
def test_less_than_the_larger_one_is_reserved_only_on_request(mode, formula_bytes, expected):
    chosen = choose_headroom(mode, formula_bytes, ROWS[2], 19_456)

    assert expected == chosen.headroom_bytes
    assert (formula_bytes, 300, 8) == (chosen.formula_bytes, chosen.table_bytes, chosen.resume_bytes)


@pytest.mark.parametrize("mode", ["safe", "formula", "vendor-table"])
def test_without_a_row_the_formula_decides_and_says_so(mode):
    chosen = choose_headroom(mode, 200, None, 19_456)

    assert (200, None, 19_456) == (chosen.headroom_bytes, chosen.table_bytes, chosen.resume_bytes)
    assert "no published row" in chosen.reason
