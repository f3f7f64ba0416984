"""CRC-32 is that of zlib, and what it does to stages is what the published table says."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.graph import Tier
from fabric.simulation.flows import NET_10, addresses
from fabric.simulation.hashing import FIVE_TUPLE, HashModel, crc32, crc32_on, of_stage, seed_differences
from tests.simulation.sites import SITES, graph

WORD = st.integers(0, 2**32 - 1)


@settings(max_examples=40)
@given(st.lists(st.tuples(WORD, WORD, st.integers(0, 65535)), min_size=1, max_size=20), WORD)
def test_the_crc_is_that_of_zlib_with_every_seed(flows, seed):
    source, target, port = (np.array(column, np.uint32) for column in zip(*flows, strict=True))

    expected = [zlib.crc32(struct.pack(">IIBHH", s, t, 17, p, 4791), seed) for s, t, p in flows]
    assert expected == crc32(source, target, port, seed).tolist()


@settings(max_examples=40)
@given(
    WORD, WORD, st.integers(0, 65535), st.integers(0, 2**24 - 1), WORD, st.sets(st.sampled_from(FIVE_TUPLE))
)
def test_fields_that_are_left_out_are_nothing_and_more_are_bytes_behind(s, t, port, qp, seed, fields):
    each = zip(FIVE_TUPLE, (s, t, port, 4791, 17), strict=True)
    left = {name: value if name in fields else 0 for name, value in each}
    order = ("src_ip", "dst_ip", "protocol", "src_port", "dst_port")
    packet = struct.pack(">IIBHH", *(left[name] for name in order)) + qp.to_bytes(3)
    source, target, number, pair = (np.array([value], np.uint32) for value in (s, t, port, qp))
    own = np.array([seed], np.uint32)

    bare = crc32_on(crc32(source, target, number, fields=tuple(fields)), pair, 3)
    assert zlib.crc32(packet, seed) == (bare ^ seed_differences(own, ("roce_qp",)))[0]


def words(count: int = 65536):
    generator = np.random.default_rng(0)
    source, target = (generator.integers(0, 2**32, count, dtype=np.uint32) for _ in range(2))
    return crc32(source, target, generator.integers(49152, 65536, count).astype(np.uint32))


def used(model: HashModel, first: int, second: int) -> float:
    """Share of the links of a second stage that the flows of one link of the first use."""
    crc = words()
    apart = seed_differences(np.array([1, 2], np.uint32)) if model is HashModel.CRC32_SEEDED else (0, 0)
    one, two = (of_stage(crc, model, stage) ^ np.uint32(apart[stage]) for stage in range(2))
    pairs = one % np.uint32(first) * np.uint32(second) + two % np.uint32(second)
    return len(np.unique(pairs)) / (first * second)


@pytest.mark.parametrize(
    ("first", "second", "same", "seeded"),
    [
        (32, 32, 1 / 32, 1 / 32),
        (64, 32, 1 / 32, 1 / 32),
        (60, 8, 0.25, 0.25),
        (64, 60, 0.25, 0.25),
        (60, 60, 1 / 60, 0.25),
        (59, 60, 1, 1),
    ],
)
def test_seeds_are_no_protection_with_a_crc_and_an_independent_hash_is(first, second, same, seeded):
    assert same == pytest.approx(used(HashModel.CRC32, first, second))
    assert seeded == pytest.approx(used(HashModel.CRC32_SEEDED, first, second))
    assert 1 == pytest.approx(used(HashModel.MIXER, first, second))


def test_a_thousand_flows_on_16_links_load_the_worst_by_1_23():
    """Meta's figure for this case is "over 1.2"; 2,000 trials gave 1.229."""
    worst = [
        np.bincount(of_stage(words_of(trial), HashModel.MIXER, 0) % 16, minlength=16).max() / (1000 / 16)
        for trial in range(300)
    ]

    assert 1.229 == pytest.approx(np.mean(worst), abs=0.02)


def words_of(trial: int):
    generator = np.random.default_rng(trial)
    source, target = (generator.integers(0, 2**32, 1000, dtype=np.uint32) for _ in range(2))
    return crc32(source, target, generator.integers(49152, 65536, 1000).astype(np.uint32))


@pytest.mark.parametrize("site", SITES)
def test_hashes_are_of_the_addresses_that_the_topology_gives(site):
    net = graph(site)
    links = net.links(Tier.HOST)[::17]
    ports = net.lower_port[links].tolist()

    assert [
        net.net.address[port] if net.net.address[port] >= 0 else NET_10 + port for port in ports
    ] == addresses(net, links).tolist()
