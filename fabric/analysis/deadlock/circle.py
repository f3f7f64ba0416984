"""A circle in a graph of waits, if there is one."""

from __future__ import annotations

import numpy as np

from fabric.graph.model import Ints


def circle(count: int, waits: Ints, for_: Ints) -> tuple[int, ...]:
    """Vertices of one circle in their order; empty: there is none. `waits[i]` waits for `for_[i]`, of `count`.

    What waits for nothing, or is waited for by nothing, is in no circle: it is taken away until nothing changes. All
    that is left waits for something that is left, so following it comes back.
    """
    while True:
        has_next = np.bincount(waits, minlength=count) > 0
        has_last = np.bincount(for_, minlength=count) > 0
        stays = (has_next & has_last)[waits] & (has_next & has_last)[for_]
        if stays.all():
            break
        waits, for_ = waits[stays], for_[stays]
    if not len(waits):
        return ()
    after = np.full(count, -1, np.int64)
    after[waits] = for_
    place: dict[int, int] = {}
    path: list[int] = []
    at = int(waits[0])
    while at not in place:
        place[at] = len(path)
        path.append(at)
        at = int(after[at])
    return tuple(path[place[at] :])
