"""How many switches or links may fail, whichever they are, without parting others: where any walk is a route."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from fabric.failures.places import Longs

MOST = 2
"""More than that is not asked for: it is looked at by walking."""
MOST_SWITCHES = 4_000
"""Of which each is left out in turn, if symmetries do not say which are alike."""

Neighbours = list[list[int]]


def tolerated(lower: Longs, upper: Longs, switches: int, alike: Longs | None) -> int:
    """The number of failures, 0 to 2, that part no two other switches. `alike`: of each switch one like it.

    A network that is held together without any one of its switches, and without any two, loses no more by links: a
    link fails with less than one of its ends.
    """
    adjacent = neighbours(*sparse(lower, upper, switches), switches)
    if not holds_without_one(adjacent):
        return 0
    each: Iterable[int] = range(switches)
    if alike is not None:
        each = np.unique(alike[:switches]).tolist()
    elif switches > MOST_SWITCHES:
        return 1
    return MOST if all(holds_without_one(adjacent, one) for one in each if adjacent[one]) else 1


def sparse(lower: Longs, upper: Longs, switches: int) -> tuple[Longs, Longs]:
    """Few of the links, that hold the network together nearly as well: three forests, one beside the other.

    What is true of them without two switches is true of all links. Each forest goes by breadth, as Cheriyan, Kao and
    Thurimella have it (doi 10.1137/0222013), so that it is seldom false of them and true of all.
    """
    keys = np.unique(np.minimum(lower, upper) * switches + np.maximum(lower, upper))
    left = [set(each) for each in neighbours(keys // switches, keys % switches, switches)]
    found: list[tuple[int, int]] = []
    for _ in range(MOST + 1):
        forest = _forest(left)
        for one, other in forest:
            left[one].discard(other)
            left[other].discard(one)
        found += forest
    ones, others = np.array(found, np.int64).reshape(-1, 2).T
    return ones, others


def _forest(adjacent: list[set[int]]) -> list[tuple[int, int]]:
    seen = [False] * len(adjacent)
    found = []
    for root in range(len(adjacent)):
        if seen[root]:
            continue
        seen[root], todo = True, [root]
        for node in todo:
            for other in sorted(adjacent[node]):
                if not seen[other]:
                    seen[other] = True
                    todo.append(other)
                    found.append((node, other))
    return found


def neighbours(lower: Longs, upper: Longs, switches: int) -> Neighbours:
    """Of each switch those that it is joined to."""
    found: Neighbours = [[] for _ in range(switches)]
    for one, other in zip(lower.tolist(), upper.tolist(), strict=True):
        found[one].append(other)
        found[other].append(one)
    return found


def holds_without_one(adjacent: Neighbours, gone: int = -1) -> bool:
    """Whether no part falls apart if any one of its switches fails, after `gone` has. Parts of two are too small."""
    number = [0] * len(adjacent)
    if gone >= 0:
        number[gone] = -1
    for root, own in enumerate(adjacent):
        if number[root] == 0 and own and not _holds(adjacent, root, number):
            return False
    return gone < 0 or not adjacent[gone] or _is_one(adjacent, gone)


def _is_one(adjacent: Neighbours, gone: int) -> bool:
    """Whether what was joined by a switch is still joined without it."""
    seen, todo = {gone, adjacent[gone][0]}, [adjacent[gone][0]]
    for node in todo:
        for other in adjacent[node]:
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return all(other in seen for other in adjacent[gone])


def _holds(adjacent: Neighbours, root: int, number: list[int]) -> bool:
    """Of the part of `root`: no switch whose loss parts it (Tarjan 1972), and three switches or more."""
    least = dict[int, int]()
    path: list[tuple[int, int]] = [(root, 0)]  # a switch, and how many of its neighbours were seen to
    number[root] = least[root] = 1
    count, below_root = 1, 0
    while path:
        node, at = path[-1]
        if at < len(adjacent[node]):
            path[-1] = (node, at + 1)
            other = adjacent[node][at]
            if number[other] > 0:
                least[node] = min(least[node], number[other])
            elif number[other] == 0:
                count += 1
                number[other] = least[other] = count
                path.append((other, 0))
            continue
        path.pop()
        if not path:
            break
        above = path[-1][0]
        least[above] = min(least[above], least[node])
        if above == root:
            below_root += 1
        elif least[node] >= number[above]:
            return False
    return below_root == 1 and count > MOST
