"""Stages of hashing against measured fabrics, and the estimate of the fullest link against published figures."""

from __future__ import annotations

import pytest

from fabric.analysis.hash_stages import (
    expected_peak,
    flows_for_peak,
    used_parts_other_seed,
    used_parts_same_hash,
)


@pytest.mark.parametrize(
    ("first", "second", "same", "other_seed"),
    [(32, 32, 32, 32), (64, 32, 32, 32), (60, 8, 4, 4), (64, 60, 4, 4), (60, 60, 60, 4), (59, 60, 1, 1)],
)
def test_two_stages_use_the_share_that_was_measured_with_crc32(
    first: int, second: int, same: int, other_seed: int
) -> None:
    assert (used_parts_same_hash(first, second), used_parts_other_seed(first, second)) == (same, other_seed)


@pytest.mark.parametrize(
    ("flows", "links", "measured", "estimate"),
    [(1000, 16, 1.229, 1.298), (64, 16, 1.978, 2.177), (128, 60, 2.907, 2.959), (2048, 60, 1.420, 1.490)],
)
def test_the_estimate_of_the_fullest_link_is_above_what_was_measured(
    flows: int, links: int, measured: float, estimate: float
) -> None:
    assert expected_peak(flows, links) == pytest.approx(estimate, abs=0.001)
    assert measured < estimate


@pytest.mark.parametrize("links", [2, 7, 16, 60])
@pytest.mark.parametrize("peak", [1.2, 1.5, 2.0])
def test_so_many_flows_and_not_one_fewer_keep_the_peak(links: int, peak: float) -> None:
    flows = flows_for_peak(peak, links)

    assert expected_peak(flows, links) <= peak < expected_peak(flows - 1, links)


def test_one_link_is_always_even() -> None:
    assert expected_peak(1, 1) == 1
    assert flows_for_peak(1.5, 1) == 0
