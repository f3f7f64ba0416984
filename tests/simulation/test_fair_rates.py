"""Max-min fair: no link carries more than it can, and every flow has a full link on which nobody is faster."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.simulation.fair_rates import fair_rates

LINKS = 8
PATHS = st.lists(
    st.lists(st.integers(0, LINKS - 1), min_size=1, max_size=4, unique=True), min_size=1, max_size=25
)


def padded(paths):
    return np.array([[*path, -1, -1, -1, -1][:4] for path in paths], np.int32)


@settings(max_examples=60)
@given(PATHS, st.lists(st.integers(1, 400), min_size=LINKS, max_size=LINKS))
def test_every_flow_has_a_full_link_where_it_is_the_fastest(paths, capacity):
    rates = fair_rates(padded(paths), np.array(capacity, float))
    load, fastest = np.zeros(LINKS), np.zeros(LINKS)
    for path, rate in zip(paths, rates, strict=True):
        load[path] += rate
        fastest[path] = np.maximum(fastest[path], rate)

    full = load >= np.array(capacity) * (1 - 1e-9)
    assert (load <= np.array(capacity) * (1 + 1e-9)).all()
    assert all(
        any(full[link] and rate >= fastest[link] * (1 - 1e-9) for link in path)
        for path, rate in zip(paths, rates, strict=True)
    )


@settings(max_examples=30)
@given(PATHS, st.integers(1, 5))
def test_equal_flows_count_as_one_path_with_a_number(paths, number):
    capacity = np.full(LINKS, 100.0)
    weights = np.full(len(paths), float(number))

    merged = fair_rates(padded(paths), capacity, weights)
    assert np.allclose(
        fair_rates(np.repeat(padded(paths), number, axis=0), capacity), np.repeat(merged, number)
    )


def test_two_flows_share_a_link_and_a_third_takes_what_is_left():
    paths = padded([[0, 1], [0], [1]])

    assert [50, 50, 150] == fair_rates(paths, np.array([100.0, 200.0])).tolist()
