"""Max-min fair rates: what congestion control settles at if every flow has always something to send.

Parallel water-filling: in each round a link's share is what is left of it by the flows on it; a link whose share is
the least for all its flows is their bottleneck, and the flows of all such links are settled at once. Exact.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fabric.graph.model import Ints
from fabric.topology.roles import NONE

Rates = NDArray[np.float64]
NEARLY = 1 + 1e-12
lower = np.minimum.at


def fair_rates(paths: Ints, capacity: Rates, flows: NDArray[np.float64] | None = None) -> Rates:
    """The rate of one flow on each path (path by hop, NONE after the last), in the unit of `capacity`.

    `flows`: how many equal flows a path has, by default one. A path without links has no limit: infinity.
    """
    weights = np.ones(len(paths)) if flows is None else flows
    beyond = len(capacity)
    hops = np.where(paths == NONE, beyond, paths)
    left = np.append(capacity.astype(np.float64), np.inf)
    rates = np.full(len(paths), np.inf)
    waiting = np.flatnonzero((hops != beyond).any(axis=1))
    while len(waiting):
        current, weight = hops[waiting], weights[waiting]
        on = _sum(current, weight, beyond)
        share = np.divide(left, on, out=np.full(beyond + 1, np.inf), where=on > 0)
        share[beyond] = np.inf
        of_links = share[current]
        least = of_links.min(axis=1)
        lowest = _lowest(current, least, beyond)
        settles = (share <= lowest * NEARLY)[current] & (of_links <= least[:, None] * NEARLY)
        settled = settles.any(axis=1)
        rates[waiting[settled]] = least[settled]
        left -= _sum(current[settled], (least * weight)[settled], beyond)
        left[beyond] = np.inf
        np.maximum(left, 0, out=left)
        waiting = waiting[~settled]
    return rates


def _sum(hops: Ints, weights: Rates, beyond: int) -> Rates:
    total = np.zeros(beyond + 1)
    for hop in hops.T:
        total += np.bincount(hop, weights, beyond + 1)
    total[beyond] = 0
    return total


def _lowest(hops: Ints, least: Rates, beyond: int) -> Rates:
    """Of each link the least share of the flows on it."""
    lowest = np.full(beyond + 1, np.inf)
    for hop in hops.T:
        lower(lowest, hop, least)
    return lowest
