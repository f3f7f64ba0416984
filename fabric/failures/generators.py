"""The symmetries that a network should have; none is believed before `symmetries.holds` has checked it.

Swap two hosts, rotate the hosts of a unit, units, pods, rails, planes, the spines of a group: a swap of the first two
and a turn of all together generate every permutation. `fixed` vertices stay: what they belong to is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from fabric.failures.places import GROUP, INDEX, NIC, PART, PLANE, POD, RAIL, ROLE, UNIT, Longs, Places
from fabric.failures.symmetries import Move
from fabric.graph import Tier
from fabric.intent.model.layouts import Dragonfly, DragonflyPlus, Torus
from fabric.topology.layout_graphs import Axis, Grid
from fabric.topology.roles import NONE, Role


class Stated(NamedTuple):
    """A symmetry that the layout should have: name and items say which, so it is made and checked once."""

    name: str
    items: bytes
    make: Callable[[], Move | None]
    """None if nothing stands at a place that it leads to."""


Family = Callable[[Places, Longs], Iterator[Stated]]


def stated(places: Places, fixed: Collection[int] = ()) -> Iterator[Stated]:
    """Every symmetry that the layout should have, without what `fixed` vertices belong to.

    Some move one of them all the same: `Move.moved` tells.
    """
    still = still_vertices(places, fixed)
    for family in _families(places):
        yield from family(places, still)


def still_vertices(places: Places, fixed: Collection[int]) -> Longs:
    """Vertices that no symmetry may move: `fixed`, attachments, and the switches that hold one."""
    return np.array(sorted({*fixed, *places.attached}), np.int64)


def _families(places: Places) -> tuple[Family, ...]:
    """What may be moved: in a torus not the units, in a dragonfly all groups at once, in both no spines.

    A dragonfly+ whose spines have the same links to each other group is that many equal networks side by side.
    """
    match places.graph.net.sizes.layout:
        case Torus():
            return (_hosts, _parts, _shifts, _planes)
        case Dragonfly():
            return (_hosts, _parts, _pods, _planes)
        case DragonflyPlus():
            spines = (_spines,) if _has_equal_groups(places) else ()
            return (_hosts, _parts, _units, _pods, _planes, *spines)
        case _:
            return (_hosts, _units, _pods, _rails, _nics, _parts, _planes, _spines, _superspines)


def _has_equal_groups(places: Places) -> bool:
    """Of a dragonfly+: whether any two groups may be swapped, not only all turned."""
    layout = places.graph.net.sizes.layout
    spines = np.unique(places.columns[INDEX][places.columns[ROLE] == Role.SPINE])
    return isinstance(layout, DragonflyPlus) and layout.links_per_pair % max(1, len(spines)) == 0


def _cycles(items: Sequence[int]) -> Iterator[tuple[str, Longs, Longs]]:
    """A swap of the first two, and a turn of all: a name, the items and what they become."""
    order = np.asarray(items, np.int64)
    if len(order) > 1:
        yield "swap", order[:2], order[1::-1]
    if len(order) > 2:
        yield "rotate", order, np.roll(order, -1)


def _move(places: Places, name: str, at: Longs, **rows: Longs) -> Move | None:
    """Vertices to the places with these numbers; None if nothing stands at one, or two would stand at one."""
    columns = places.columns[:, at].copy()
    for row, values in rows.items():
        columns[ROWS[row]] = values
    to = places.find(columns)
    if to is None or not np.array_equal(np.sort(to), np.sort(at)):
        return None
    changed = to != at
    return Move(name, at[changed], to[changed]) if changed.any() else None


def _stated(name: str, items: Longs, make: Callable[..., Move | None], *values: object) -> Stated:
    return Stated(name, items.tobytes(), partial(make, *values))


ROWS = {"unit": UNIT, "rail": RAIL, "plane": PLANE, "pod": POD, "group": GROUP, "index": INDEX, "part": PART}


def _mapped(values: Longs, old: Longs, new: Longs) -> Longs:
    """Each value as the cycle has it; what is not in the cycle stays."""
    table = np.arange(max(values.max(initial=0), old.max()) + 2)
    table[old] = new  # the last entry is that of NONE
    mapped: Longs = np.where(values < 0, values, table[values])
    return mapped


def _kept(items: Longs, dropped: Longs) -> list[int]:
    kept: list[int] = np.setdiff1d(items, np.append(dropped, NONE)).tolist()
    return kept


def _hosts(places: Places, fixed: Longs) -> Iterator[Stated]:
    """Hosts of one group and unit whose NICs land alike."""
    columns, nics, still = places.columns, places.nics, set(fixed.tolist())
    for members in places.like_hosts:
        chosen = members if still.isdisjoint(members.tolist()) else np.setdiff1d(members, fixed)

        def make(old: Longs, new: Longs, own: Longs) -> Move | None:
            moved = own[: len(old)]
            low, high = np.searchsorted(nics.owner, [moved.min(), moved.max() + 1])
            vertices = nics.vertices[low:high]
            at = np.concatenate((moved, vertices[np.isin(nics.owner[low:high], moved)]))
            return _move(places, "hosts", at, index=_mapped(columns[INDEX, at], old, new))

        for word, old, new in _cycles(columns[INDEX, chosen]):
            yield _stated(f"{word} hosts like {members[0]}", old, make, old, new, chosen)


def _units(places: Places, fixed: Longs) -> Iterator[Stated]:
    """Units of one pod with the same number of links."""
    columns = places.columns
    still = np.unique(columns[UNIT, fixed])

    def make(old: Longs, new: Longs) -> Move | None:
        at = np.flatnonzero(np.isin(columns[UNIT], old))
        return _move(places, "units", at, unit=_mapped(columns[UNIT, at], old, new))

    for pod, units in places.like_units:
        for word, old, new in _cycles(_kept(units, still)):
            yield _stated(f"{word} units of pod {pod}", old, make, old, new)


def _pods(places: Places, fixed: Longs) -> Iterator[Stated]:
    columns, per_pod = places.columns, places.graph.net.sizes.units_per_pod
    pods = _kept(np.unique(columns[POD]), np.unique(columns[POD, fixed]))
    only_turned = places.graph.net.sizes.layout is not None and not _has_equal_groups(places)

    def make(old: Longs, new: Longs) -> Move | None:
        at = np.flatnonzero(np.isin(columns[POD], old))
        unit, pod = columns[UNIT, at], columns[POD, at]
        becomes = _mapped(pod, old, new)
        units = np.where(unit == NONE, NONE, unit + (becomes - pod) * per_pod)
        return _move(places, "pods", at, pod=becomes, unit=units)

    for word, old, new in _cycles(pods):
        if not (only_turned and word == "swap" and len(pods) > 2):
            yield _stated(f"{word} pods", old, make, old, new)


def _shifts(places: Places, fixed: Longs) -> Iterator[Stated]:
    """A torus, shifted by one place along an axis: nothing stays."""
    sizes = places.graph.net.sizes
    layout = sizes.layout
    if len(fixed) or not isinstance(layout, Torus):
        return
    grid = Grid(layout.dimensions, layout.links, layout.doubled)
    per_unit = sizes.leaves_per_unit

    def make(axis: Axis) -> Move | None:
        at = np.flatnonzero(places.columns[UNIT] != NONE)
        units, back = np.unique(places.columns[UNIT, at], return_inverse=True)
        shifted = [grid.step(unit * per_unit, axis, 1) // per_unit for unit in units]
        return _move(places, "shift", at, unit=np.array(shifted, np.int64)[back.ravel()])

    for number, axis in enumerate(grid.axes()):
        if axis.stride % per_unit == 0:
            yield _stated(f"shift along axis {number}", fixed, make, axis)


def _blocks(places: Places) -> tuple[int, Longs]:
    """How many leaves the rails of a unit are folded on, and of each rail which; 0 where it is not a plain fold."""
    columns, rails = places.columns, places.graph.net.sizes.rails
    firsts = np.unique(columns[RAIL][columns[ROLE] == Role.LEAF])
    firsts = firsts[firsts != NONE]
    count = len(firsts)
    if not count or rails % count:
        return 0, firsts
    for blocks in (np.arange(rails) // (rails // count), np.arange(rails) % count):
        if np.array_equal(np.unique(blocks, return_index=True)[1], firsts):
            return count, blocks
    return 0, firsts


def _rails(places: Places, fixed: Longs) -> Iterator[Stated]:
    """The rails of one leaf with those of another, everywhere at once."""
    columns = places.columns
    count, blocks = _blocks(places)
    rails = columns[RAIL, fixed]
    of_block = [np.flatnonzero(blocks == block) for block in range(count)]

    def make(old: Longs, new: Longs) -> Move | None:
        becomes = np.arange(len(blocks))
        for one, other in zip(old, new, strict=True):
            becomes[of_block[one]] = of_block[other]
        at = np.flatnonzero((columns[RAIL] != NONE) & np.isin(blocks[columns[RAIL]], old))
        rail = becomes[columns[RAIL, at]]
        index = np.where(columns[ROLE, at] == Role.LEAF, blocks[rail], columns[INDEX, at])
        return _move(places, "rails", at, rail=rail, index=index)

    for word, old, new in _cycles(_kept(np.arange(count), blocks[rails[rails != NONE]])) if count else ():
        yield _stated(f"{word} rails", old, make, old, new)


def _nics(places: Places, fixed: Longs) -> Iterator[Stated]:
    """The rails that share a leaf, everywhere at once: no switch moves."""
    columns = places.columns
    count, blocks = _blocks(places)
    still = columns[RAIL, fixed][columns[ROLE, fixed] == NIC]

    def make(old: Longs, new: Longs) -> Move | None:
        at = np.flatnonzero((columns[ROLE] == NIC) & np.isin(columns[RAIL], old))
        return _move(places, "rails of a leaf", at, rail=_mapped(columns[RAIL, at], old, new))

    for block in range(count):
        for word, old, new in _cycles(_kept(np.flatnonzero(blocks == block), still)):
            yield _stated(f"{word} rails of leaf {block}", old, make, old, new)


def _parts(places: Places, fixed: Longs) -> Iterator[Stated]:
    """NICs of one rail, or of hosts without rails, in every host at once."""
    return _everywhere(places, fixed, "part", "NICs of a rail")


def _planes(places: Places, fixed: Longs) -> Iterator[Stated]:
    return _everywhere(places, fixed, "plane", "planes")


def _everywhere(places: Places, fixed: Longs, row: str, what: str) -> Iterator[Stated]:
    """All values of one number of a place are alike."""
    values = places.columns[ROWS[row]]

    def make(old: Longs, new: Longs) -> Move | None:
        at = np.flatnonzero(np.isin(values, old))
        return _move(places, what, at, **{row: _mapped(values[at], old, new)})

    for word, old, new in _cycles(_kept(np.unique(values), values[fixed])):
        yield _stated(f"{word} {what}", old, make, old, new)


def _spines(places: Places, fixed: Longs) -> Iterator[Stated]:
    """Spines of one group; and of every group at once, with the groups of superspines if there are as many."""
    columns = places.columns
    spines = np.flatnonzero(columns[ROLE] == Role.SPINE)
    above = np.flatnonzero(columns[ROLE] == Role.SUPERSPINE)
    still = fixed[columns[ROLE, fixed] == Role.SPINE]
    keys = columns[[RAIL, PLANE, POD]][:, spines]
    groups = np.unique(keys, axis=1)
    counts = len(np.unique(columns[GROUP, above]))
    joined = bool((places.graph.tier == Tier.ACROSS).any())
    for key in () if joined else groups.T:
        own = spines[(keys == key[:, None]).all(axis=0)]
        for part in _alike_spines(columns[INDEX, own], columns[INDEX, still[np.isin(still, own)]], counts):
            yield from _of_group(places, f"spines of {key}", own, part)
    groups_still = columns[GROUP, fixed[columns[ROLE, fixed] == Role.SUPERSPINE]]
    indices = _kept(np.unique(columns[INDEX, spines]), np.append(columns[INDEX, still], groups_still))
    if groups.shape[1] > 1:
        as_many = counts == len(np.unique(columns[INDEX, spines]))
        yield from _all_spines(places, np.concatenate((spines, above if as_many else above[:0])), indices)


def _of_group(places: Places, what: str, own: Longs, indices: list[int]) -> Iterator[Stated]:
    """Some of the switches of a group, by index."""
    numbers = places.columns[INDEX]

    def make(old: Longs, new: Longs) -> Move | None:
        at = own[np.isin(numbers[own], old)]
        return _move(places, what, at, index=_mapped(numbers[at], old, new))

    for word, old, new in _cycles(indices):
        yield _stated(f"{word} {what}", old, make, old, new)


def _all_spines(places: Places, at: Longs, indices: list[int]) -> Iterator[Stated]:
    """Spines by index in every group at once, and groups of superspines by the same number: those `at`."""
    columns = places.columns
    is_spine = columns[ROLE, at] == Role.SPINE

    def make(old: Longs, new: Longs) -> Move | None:
        index = np.where(is_spine, _mapped(columns[INDEX, at], old, new), columns[INDEX, at])
        group = np.where(is_spine, columns[GROUP, at], _mapped(columns[GROUP, at], old, new))
        return _move(places, "spines of all groups", at, index=index, group=group)

    for word, old, new in _cycles(indices):
        yield _stated(f"{word} spines of all groups", old, make, old, new)


def _alike_spines(indices: Longs, still: Longs, groups: int) -> Iterator[list[int]]:
    """Spines of a group that may have the same switches above them."""
    indices = np.unique(indices)
    if groups < 2:
        yield _kept(indices, still)
        return
    share = -(-len(indices) // groups)
    for number in range(groups):
        for part in (indices[indices % groups == number], indices[indices // share == number]):
            yield _kept(part, still)


def _superspines(places: Places, fixed: Longs) -> Iterator[Stated]:
    columns = places.columns
    above = np.flatnonzero(columns[ROLE] == Role.SUPERSPINE)
    keys = columns[[GROUP, PLANE]][:, above]
    still = fixed[columns[ROLE, fixed] == Role.SUPERSPINE]
    for key in np.unique(keys, axis=1).T:
        own = above[(keys == key[:, None]).all(axis=0)]
        indices = _kept(columns[INDEX, own], columns[INDEX, still[np.isin(still, own)]])
        yield from _of_group(places, f"superspines of {key}", own, indices)
