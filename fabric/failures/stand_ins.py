"""Parts of a tree above its leaves, of which one does what another does.

What hangs together above the leaves (a spine; or spines and the superspines that join them) is a part, and a route
stays within one. While a part that joins all of its leaves is untouched, the loss of others with the same leaves
separates no pair. So nearly every failure of a regular network is answered by counting the parts that it touches.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fabric.failures.places import Longs, distinct
from fabric.failures.symmetries import orbits
from fabric.graph import Graph, Tier
from fabric.graph.model import Bools
from fabric.topology.roles import Role


class Parts:
    """Of a network without links across."""

    def __init__(self, graph: Graph, reached: NDArray[np.uint8]) -> None:
        """`reached`: of each switch the leaves that it reaches, down or up and down, a bit each."""
        first, second = graph.links(Tier.LEAF), graph.links(Tier.SPINE)
        part = orbits(
            len(reached), [(graph.lower[second].astype(np.int64), graph.upper[second].astype(np.int64))]
        )
        roots, at = np.unique(part[graph.upper[first]], return_inverse=True)
        leaves = np.zeros((len(roots), len(graph.nodes(Role.LEAF))), np.bool_)
        leaves[at, graph.lower[first] - graph.nodes(Role.LEAF).start] = True
        packed = np.packbits(leaves, axis=1)
        spines, one = np.unique(graph.upper[first], return_index=True)
        apart = (reached[spines] != packed[at[one]]).any(axis=1)
        self._joins_all = np.ones(len(roots), np.bool_)
        self._joins_all[at[one][apart]] = False
        self._kind = np.unique(packed, axis=0, return_inverse=True)[1].ravel()
        """Of each part; parts of one kind have the same leaves."""
        self._of_kind = np.bincount(self._kind[self._joins_all], minlength=len(roots))
        self._of_link = np.full(graph.count, -1)
        number = np.full(len(reached), -1)
        number[roots] = np.arange(len(roots))
        for links in (first, second):
            self._of_link[links] = number[part[graph.upper[links]]]

    def have_stand_ins(self, count: int, failure: Longs, link: Longs) -> Bools:
        """Of each failure whether, for every part that it touches, one with the same leaves is whole."""
        parts = len(self._kind)
        own = self._of_link[link]
        touched = distinct(failure[own >= 0] * parts + own[own >= 0])
        of, part = touched // max(1, parts), touched % max(1, parts)
        keys, at = np.unique(of * parts + self._kind[part], return_inverse=True)
        lost = np.bincount(at, weights=self._joins_all[part], minlength=len(keys))
        found = np.ones(count, np.bool_)
        found[keys[lost >= self._of_kind[keys % max(1, parts)]] // max(1, parts)] = False
        return found
