"""How many failures no network of walks feels: never more than it stands, by taking out each set in turn."""

from __future__ import annotations

from itertools import chain, combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.failures.connected import MOST, tolerated

Edge = tuple[int, int]


def parted(edges: set[Edge], nodes: set[int]) -> bool:
    """Whether some of the switches that were joined by a walk no longer are: of one part all others are missed."""
    left = [edge for edge in edges if set(edge) <= nodes]
    seen: set[int] = set()
    todo = [min(nodes)] if nodes else []
    while todo:
        node = todo.pop()
        seen.add(node)
        todo += [
            b if node == a else a for a, b in left if node in (a, b) and (b if node == a else a) not in seen
        ]
    return seen != nodes


def stands(edges: set[Edge], nodes: set[int], failures: int) -> bool:
    """Whether no set of so many switches and links parts the others."""
    for gone in combinations(chain(sorted(nodes), sorted(edges)), failures):
        switches = {each for each in gone if isinstance(each, int)}
        if parted(edges - {each for each in gone if isinstance(each, tuple)}, nodes - switches):
            return False
    return True


@given(st.integers(4, 6), st.data())
@settings(max_examples=60, deadline=None)
def test_what_is_tolerated_parts_nobody(count: int, data: st.DataObject) -> None:
    possible = list(combinations(range(count), 2))
    ring = {(i, i + 1) for i in range(count - 1)}
    edges = ring | set(data.draw(st.lists(st.sampled_from(possible), max_size=len(possible))))
    lower, upper = np.array(sorted(edges)).T

    found = tolerated(lower, upper, count, None)

    assert all(stands(edges, set(range(count)), failures) for failures in range(1, found + 1))


def test_a_complete_graph_stands_two_failures_a_ring_one_and_a_chain_none() -> None:
    """The control: it does not say `none` of everything."""
    ring = [(i, (i + 1) % 6) for i in range(6)]
    for expected, edges in ((MOST, list(combinations(range(5), 2))), (1, ring), (0, ring[:-1])):
        lower, upper = np.array(edges).T
        assert expected == tolerated(lower, upper, 6, None)
