"""A plain validator of JSON Schema denies what the loader denies: private formats are patterns too."""

from __future__ import annotations

import re
from calendar import isleap
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.documents.schema.scalar_types import FORMATS, SPELLINGS, decode
from fabric.documents.schema.string_patterns import DATE
from fabric.units import QUANTITIES

ADDRESSES = {kind: form for kind, (form, _example) in FORMATS.items()}
CHARACTERS = "0123456789abcdefABCDEF:./%- \n"
SEEDS = (
    "10.0.0.0/8", "10.0.0.1/8", "10.128.0.0/10", "10.64.0.0/9", "0.0.0.0/0", "192.0.2.1", "192.0.2.1/31", "256.0.0.1",
    "01.2.3.4", "1.2.3.4/033", "1.2.3.4/24", "::", "::/0", "::1", "fd00::/48", "fd00:1:2:3:4:5:6:7", "1:2:3:4:5:6:7::",
    "1::2:3:4:5:6:7:8", "fe80::1%eth0", "::ffff:1.2.3.4", "2001:db8::/129", "2001:db8::1/64", "2001:DB8::1",
)  # fmt: skip


@st.composite
def nearly_right(draw, seeds):
    """A right or nearly right text: a seed with a few characters changed, added or left out."""
    text = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(0, 2))):
        at, put = draw(st.integers(0, len(text))), draw(st.sampled_from(("", *CHARACTERS)))
        text = text[:at] + put + text[at + draw(st.integers(0, 1)) :]
    return text


def is_read(kind, text):
    try:
        decode(kind, text)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("kind", ADDRESSES, ids=ADDRESSES.values())
@given(text=nearly_right(SEEDS))
def test_an_address_is_read_if_its_pattern_allows_it(kind, text):
    allowed = re.search(SPELLINGS[kind], text) is not None
    has_host_bits = (
        allowed and ":" in text and "prefix" in ADDRESSES[kind]
    )  # the one rule that no pattern says

    assert allowed >= is_read(kind, text)
    assert allowed == is_read(kind, text) or has_host_bits


@pytest.mark.parametrize("length", range(33))
@given(number=st.integers(0, 2**32 - 1))
def test_the_pattern_of_a_prefix_knows_its_host_bits(length, number):
    kind = next(kind for kind, form in ADDRESSES.items() if form == "fabric-ipv4-prefix")
    dotted = ".".join(str(byte) for byte in number.to_bytes(4, "big"))
    is_clean = number % (1 << (32 - length)) == 0

    assert is_clean == (re.search(SPELLINGS[kind], f"{dotted}/{length}") is not None)


@pytest.mark.parametrize("kind", QUANTITIES, ids=lambda kind: kind.__name__)
@given(data=st.data())
def test_a_quantity_that_its_pattern_allows_is_whole(kind, data):
    seeds = (
        kind.example,
        *(number + suffix for suffix in kind.factors for number in ("1.25", "12.5", "0.001")),
    )
    text = data.draw(nearly_right(seeds))

    assert is_read(kind, text) == (re.search(kind.pattern(), text) is not None)


@given(
    text=nearly_right(("2026-12-31", "2024-02-29", "2026-02-29", "1900-02-29", "2026-04-31", "0000-01-01"))
)
def test_a_date_is_allowed_if_it_is_in_the_calendar(text):
    try:
        known = date.fromisoformat(text).isoformat() == text
    except ValueError:
        known = False

    assert known == (re.search(DATE, text) is not None)


def test_the_leap_years_are_those_of_the_calendar():
    years = range(1, 10_000)

    assert [year for year in years if isleap(year)] == [y for y in years if re.search(DATE, f"{y:04}-02-29")]
