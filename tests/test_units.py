"""Quantities as people write them."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.units import QUANTITIES, Bytes, Duration, Length, Speed, parse_ratio, ratio


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        (Speed, "400G", 400_000),
        (Speed, "1.6G", 1600),
        (Speed, "100M", 100),
        (Length, "40m", 40),
        (Length, "2km", 2000),
        (Length, "0.5km", 500),
        (Bytes, "9216B", 9216),
        (Bytes, "500KB", 500_000),
        (Bytes, "512KiB", 524_288),
        (Bytes, "1.5MB", 1_500_000),
        (Duration, "200ms", 200),
        (Duration, "3s", 3000),
        (Duration, "10min", 600_000),
        (Duration, "2h", 7_200_000),
        (Duration, "1.5h", 5_400_000),
        (Duration, "0ms", 0),
    ],
)
def test_a_quantity_is_read_in_the_unit_of_its_name(kind, text, expected):
    assert kind.parse(text) == expected


@pytest.mark.parametrize(
    "text", ["400", "400g", " 400G", "400G\n", "0400G", "+400G", "4e2G", "400 G", "-1G", "", "G", "0.0001G"]
)
def test_what_is_no_speed_is_refused(text):
    with pytest.raises(ValueError, match=r"speed|Mb/s"):
        Speed.parse(text)


@pytest.mark.parametrize("kind", QUANTITIES)
def test_what_is_refused_is_told_in_plain_english_with_an_example(kind):
    with pytest.raises(ValueError, match=f"^'2 h' is not a .+ in .+: write it like {kind.example}$"):
        kind.parse("2 h")


@pytest.mark.parametrize("kind", QUANTITIES)
def test_what_is_refused_is_told_with_every_unit_that_is_read(kind):
    with pytest.raises(ValueError, match="is not a ") as refused:
        kind.parse("2 h")

    listed = str(refused.value).partition(" in ")[2].partition(":")[0].replace(" or ", ", ").split(", ")
    assert set(listed) == set(kind.factors)
    assert all(kind.parse(f"1{unit}") == kind.factors[unit] for unit in listed)


@pytest.mark.parametrize("kind", QUANTITIES)
@given(amount=st.integers(1, 10**9))
def test_what_a_quantity_prints_it_reads(kind, amount):
    written = str(kind(amount))

    assert kind.parse(written) == amount
    assert re.search(kind.pattern(), written)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1:1", Fraction(1)),
        ("15:1", Fraction(15)),
        ("1.067:1", Fraction(1067, 1000)),
        ("16:15", Fraction(16, 15)),
    ],
)
def test_a_ratio_is_exact(text, expected):
    assert parse_ratio(text) == expected


@pytest.mark.parametrize(
    ("value", "expected"), [(Fraction(15), "15:1"), (Fraction(16, 15), "1.067:1"), (Fraction(1, 2), "0.5:1")]
)
def test_a_ratio_prints_as_the_field_writes_it(value, expected):
    assert ratio(value) == expected


@pytest.mark.parametrize("text", ["1", "1:0", "1:1\n", "-1:1", "a:b", "1:1:1"])
def test_what_is_no_ratio_is_refused(text):
    with pytest.raises(ValueError, match="ratio"):
        parse_ratio(text)
