"""The symmetries that a network should have; none is believed before `symmetries.holds` has checked it.

Swap two hosts, rotate the hosts of a unit, units, pods, rails, planes, the spines of a group: a swap of the first two
and a turn of all together generate every permutation. `fixed` vertices stay: what they belong to is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

import numpy as np

from fabric.failures.places import GROUP, INDEX, NIC, PART, PLANE, POD, RAIL, ROLE, UNIT, Longs, Places
from fabric.failures.symmetries import Move
from fabric.graph import Tier
from fabric.intent.model.layouts import Dragonfly, DragonflyPlus, Torus
from fabric.topology.layout_graphs import Grid
from fabric.topology.roles import NONE, Role

Family = Callable[[Places, Longs], Iterator["Move | None"]]


def stated(places: Places, fixed: Collection[int] = ()) -> Iterator[Move]:
    """Every symmetry that the layout should have and that leaves `fixed` vertices where they are."""
    still = np.array(sorted({*fixed, *_attached(places)}), np.int64)
    for family in _families(places):
        for move in family(places, still):
            if move is not None and len(move.at) and not np.isin(still, move.at).any():
                yield move


def _families(places: Places) -> tuple[Family, ...]:
    """What may be moved: in a torus not the units, in a dragonfly all groups at once, in both no spines."""
    match places.graph.net.sizes.layout:
        case Torus():
            return (_hosts, _parts, _shifts, _planes)
        case Dragonfly():
            return (_hosts, _parts, _pods, _planes)
        case DragonflyPlus():
            return (_hosts, _parts, _units, _pods, _planes)
        case _:
            return (_hosts, _units, _pods, _rails, _nics, _parts, _planes, _spines, _superspines)


def _attached(places: Places) -> list[int]:
    """Attachments, and the switches that hold one: nothing else is like them."""
    graph = places.graph
    is_out = graph.role[graph.lower] == Role.ATTACHMENT
    nodes: list[int] = np.unique(np.concatenate((graph.lower[is_out], graph.upper[is_out]))).tolist()
    return nodes


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
    return Move(name, at[changed], to[changed])


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


def _hosts(places: Places, fixed: Longs) -> Iterator[Move | None]:
    """Hosts of one group and unit whose NICs land alike."""
    columns = places.columns
    hosts = np.flatnonzero(columns[ROLE] == Role.HOST)
    used = np.zeros(len(columns[0]), np.bool_)
    used[places.graph.lower] = True
    hosts = hosts[used[hosts]]
    still = np.isin(hosts, fixed)
    first = np.asarray(places.graph.net.rail)[hosts]
    keys = np.stack((columns[UNIT, hosts], columns[GROUP, hosts], first))
    alike = np.unique(keys, axis=1, return_inverse=True)[1].ravel()
    order = np.argsort(alike, kind="stable")
    nics = np.flatnonzero(columns[ROLE] == NIC)
    owner = np.repeat(np.arange(len(places.first_nic)), _nic_counts(places))
    for block in np.split(order, np.flatnonzero(np.diff(alike[order])) + 1):
        members = hosts[block][~still[block]]
        for word, old, new in _cycles(columns[INDEX, members]):
            chosen = members[: len(old)]
            low, high = np.searchsorted(owner, [chosen.min(), chosen.max() + 1])
            own = nics[low:high]
            at = np.concatenate((chosen, own[np.isin(owner[low:high], chosen)]))
            yield _move(
                places, f"{word} hosts like {chosen[0]}", at, index=_mapped(columns[INDEX, at], old, new)
            )


def _nic_counts(places: Places) -> Longs:
    return np.diff(np.append(places.first_nic, places.count))


def _units(places: Places, fixed: Longs) -> Iterator[Move | None]:
    """Units of one pod with the same number of links."""
    columns, graph = places.columns, places.graph
    leaves = np.flatnonzero(columns[ROLE] == Role.LEAF)
    still = np.unique(columns[UNIT, fixed])
    has_unit = graph.unit[graph.lower] != NONE
    links = np.bincount(graph.unit[graph.lower][has_unit], minlength=columns[UNIT].max(initial=0) + 1)
    alike: dict[tuple[int, int], set[int]] = {}
    for unit, pod in np.unique(columns[[UNIT, POD]][:, leaves], axis=1).T.tolist():
        alike.setdefault((pod, int(links[unit])), set()).add(unit)
    for (pod, _links), units in alike.items():
        for word, old, new in _cycles(_kept(np.array(sorted(units)), still)):
            at = np.flatnonzero(np.isin(columns[UNIT], old))
            yield _move(places, f"{word} units of pod {pod}", at, unit=_mapped(columns[UNIT, at], old, new))


def _pods(places: Places, fixed: Longs) -> Iterator[Move | None]:
    columns, per_pod = places.columns, places.graph.net.sizes.units_per_pod
    pods = _kept(np.unique(columns[POD]), np.unique(columns[POD, fixed]))
    layout = places.graph.net.sizes.layout
    for word, old, new in _cycles(pods):
        if layout is not None and word == "swap" and len(pods) > 2:
            continue  # of a dragonfly only the turn of all groups at once
        at = np.flatnonzero(np.isin(columns[POD], old))
        unit, pod = columns[UNIT, at], columns[POD, at]
        becomes = _mapped(pod, old, new)
        units = np.where(unit == NONE, NONE, unit + (becomes - pod) * per_pod)
        yield _move(places, f"{word} pods", at, pod=becomes, unit=units)


def _shifts(places: Places, fixed: Longs) -> Iterator[Move | None]:
    """A torus, shifted by one place along an axis: nothing stays."""
    sizes = places.graph.net.sizes
    layout = sizes.layout
    if len(fixed) or not isinstance(layout, Torus):
        return
    grid = Grid(layout.dimensions, layout.links, layout.doubled)
    at = np.flatnonzero(places.columns[UNIT] != NONE)
    units, back = np.unique(places.columns[UNIT, at], return_inverse=True)
    for number, axis in enumerate(grid.axes()):
        if axis.stride % sizes.leaves_per_unit == 0:
            shifted = [
                grid.step(unit * sizes.leaves_per_unit, axis, 1) // sizes.leaves_per_unit for unit in units
            ]
            yield _move(
                places, f"shift along axis {number}", at, unit=np.array(shifted, np.int64)[back.ravel()]
            )


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


def _rails(places: Places, fixed: Longs) -> Iterator[Move | None]:
    """The rails of one leaf with those of another, everywhere at once."""
    columns = places.columns
    count, blocks = _blocks(places)
    rails = columns[RAIL, fixed]
    of_block = [np.flatnonzero(blocks == block) for block in range(count)]
    for word, old, new in _cycles(_kept(np.arange(count), blocks[rails[rails != NONE]])) if count else ():
        becomes = np.arange(len(blocks))
        for one, other in zip(old, new, strict=True):
            becomes[of_block[one]] = of_block[other]
        at = np.flatnonzero((columns[RAIL] != NONE) & np.isin(blocks[columns[RAIL]], old))
        rail = becomes[columns[RAIL, at]]
        index = np.where(columns[ROLE, at] == Role.LEAF, blocks[rail], columns[INDEX, at])
        yield _move(places, f"{word} rails", at, rail=rail, index=index)


def _nics(places: Places, fixed: Longs) -> Iterator[Move | None]:
    """The rails that share a leaf, everywhere at once: no switch moves."""
    columns = places.columns
    count, blocks = _blocks(places)
    still = columns[RAIL, fixed][columns[ROLE, fixed] == NIC]
    nics = columns[ROLE] == NIC
    for block in range(count):
        for word, old, new in _cycles(_kept(np.flatnonzero(blocks == block), still)):
            at = np.flatnonzero(nics & np.isin(columns[RAIL], old))
            yield _move(
                places, f"{word} rails of leaf {block}", at, rail=_mapped(columns[RAIL, at], old, new)
            )


def _parts(places: Places, fixed: Longs) -> Iterator[Move | None]:
    """NICs of one rail, or of hosts without rails, in every host at once."""
    columns = places.columns
    still = columns[PART, fixed]
    for word, old, new in _cycles(_kept(np.unique(columns[PART]), still)):
        at = np.flatnonzero(np.isin(columns[PART], old))
        yield _move(places, f"{word} NICs of a rail", at, part=_mapped(columns[PART, at], old, new))


def _planes(places: Places, fixed: Longs) -> Iterator[Move | None]:
    planes = places.columns[PLANE]
    for word, old, new in _cycles(_kept(np.unique(planes), planes[fixed])):
        at = np.flatnonzero(np.isin(planes, old))
        yield _move(places, f"{word} planes", at, plane=_mapped(planes[at], old, new))


def _spines(places: Places, fixed: Longs) -> Iterator[Move | None]:
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
            for word, old, new in _cycles(part):
                at = own[np.isin(columns[INDEX, own], old)]
                yield _move(
                    places, f"{word} spines of {key}", at, index=_mapped(columns[INDEX, at], old, new)
                )
    groups_still = columns[GROUP, fixed[columns[ROLE, fixed] == Role.SUPERSPINE]]
    indices = _kept(np.unique(columns[INDEX, spines]), np.append(columns[INDEX, still], groups_still))
    for word, old, new in _cycles(indices) if groups.shape[1] > 1 else ():
        at = np.concatenate(
            (spines, above if counts == len(np.unique(columns[INDEX, spines])) else above[:0])
        )
        is_spine = columns[ROLE, at] == Role.SPINE
        index = np.where(is_spine, _mapped(columns[INDEX, at], old, new), columns[INDEX, at])
        group = np.where(is_spine, columns[GROUP, at], _mapped(columns[GROUP, at], old, new))
        yield _move(places, f"{word} spines of all groups", at, index=index, group=group)


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


def _superspines(places: Places, fixed: Longs) -> Iterator[Move | None]:
    columns = places.columns
    above = np.flatnonzero(columns[ROLE] == Role.SUPERSPINE)
    keys = columns[[GROUP, PLANE]][:, above]
    still = fixed[columns[ROLE, fixed] == Role.SUPERSPINE]
    for key in np.unique(keys, axis=1).T:
        own = above[(keys == key[:, None]).all(axis=0)]
        indices = _kept(columns[INDEX, own], columns[INDEX, still[np.isin(still, own)]])
        for word, old, new in _cycles(indices):
            at = own[np.isin(columns[INDEX, own], old)]
            yield _move(
                places, f"{word} superspines of {key}", at, index=_mapped(columns[INDEX, at], old, new)
            )
