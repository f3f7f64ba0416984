"""The cheapest layout of every shape. All candidates are considered; those that cannot be cheaper are not sized."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from fabric.capacity import codes
from fabric.capacity.allowed_models import kinds
from fabric.capacity.candidates import Candidate, Shape, cuts, in_pods, shapes
from fabric.capacity.check_request import check
from fabric.capacity.layout import Layout
from fabric.capacity.least import least
from fabric.capacity.more_spines import with_more_spines
from fabric.capacity.request import Order, Request
from fabric.capacity.spare_places import free_gpus
from fabric.diagnostics import Invalid, Origin
from fabric.hardware import Catalogue
from fabric.topology.port_maps import Panel
from fabric.units import Speed, counted


class Found(msgspec.Struct, frozen=True):
    """The answer."""

    layouts: tuple[Layout, ...]
    """The cheapest of all first. None is worse in everything than another of the same models, or of fewer."""
    considered: int
    """Candidates."""
    sized: int
    """Candidates that were counted to the last port; the others cannot be built, or could not be cheaper."""


Key = tuple[int, int]
"""What is compared of costs."""


class Search:
    """One request against one catalogue."""

    def __init__(self, request: Request, catalogue: Catalogue) -> None:
        self.request, self.catalogue = request, catalogue
        self.panels: dict[str, Panel] = {}
        self.considered = self.sized = 0

    def best(self, shape: Shape, worst: Key | None) -> Layout | None:
        """The cheapest layout of a shape; None if there is none that costs at most `worst`."""
        found: Layout | None = None
        limit, order = worst, self.request.order
        for least_of_cut, cut in self._ordered(cuts(self.request, shape)):
            if limit is not None and least_of_cut > limit:
                break
            for bound, candidate in self._ordered(in_pods(self.request, cut)):
                if limit is not None and bound > limit:
                    break
                self.sized += 1
                layout = with_more_spines(self.request, candidate, self.catalogue, self.panels)
                if layout is not None and (found is None or layout.rank(order) < found.rank(order)):
                    found = layout
                    limit = layout.cost.key(order)
        return found

    def _ordered(self, candidates: Iterable[Candidate]) -> list[tuple[Key, Candidate]]:
        """Candidates that may be built by their lower bound; of equal ones the fullest leaves first."""
        bounds = []
        for candidate in candidates:
            self.considered += 1
            cost = least(self.request, candidate)
            if cost is not None:
                bounds.append((cost.key(self.request.order), candidate))
        return sorted(bounds, key=lambda pair: (pair[0], -pair[1].hosts_per_unit, -pair[1].units_per_pod))


def size(request: Request, catalogue: Catalogue, choices: int = 10) -> Found:
    """The cheapest layouts for a request, at most `choices`. `Invalid` if there is none."""
    check(request)
    search = Search(request, catalogue)
    found: list[Layout] = []
    rows: list[Layout] = []
    order = request.order
    joined: set[object] = set()
    """What two tiers join already: superspines over the same switches only cost more."""
    for shape in shapes(request, kinds(request, catalogue)):
        key = msgspec.structs.replace(shape, superspine=None)
        if shape.superspine is not None and key in joined:
            continue
        layout = search.best(shape, rows[choices - 1].cost.key(order) if len(rows) >= choices else None)
        if layout is not None:
            joined.add(key)
            found = _undominated(sorted([*found, layout], key=lambda each: each.rank(order)), order)
            rows = _rows(found)
    if not rows:
        raise Invalid((codes.NO_LAYOUT.at(Origin(), _nothing(request), hint=codes.NO_LAYOUT.fix),))
    chosen = (
        msgspec.structs.replace(row, free_gpus=free_gpus(request, row, catalogue, search.panels))
        for row in rows[:choices]
    )
    return Found(tuple(chosen), search.considered, search.sized)


def _rows(layouts: list[Layout]) -> list[Layout]:
    """Layouts that differ in nothing but models as one, the first of them."""
    alike: dict[object, list[Layout]] = {}
    for layout in layouts:
        alike.setdefault(layout.row, []).append(layout)
    return [
        msgspec.structs.replace(first, alternatives=tuple(other.models for other in others))
        for first, *others in alike.values()
    ]


def _undominated(layouts: list[Layout], order: Order) -> list[Layout]:
    """Without those that are worse than another, or equal, in everything that a buyer weighs."""
    kept: list[Layout] = []
    for layout in layouts:
        if not any(_is_as_good(other, layout, order) for other in kept):
            kept.append(layout)
    return kept


def _is_as_good(one: Layout, other: Layout, order: Order) -> bool:
    """Whether `one`, of the same models or fewer, costs no more and loses no more than `other`.

    Two models in place of one have to save switches: they are two sets of spares, and two of everything to learn.
    """
    own, its = one.candidate.shape.models, other.candidate.shape.models
    if not own <= its:
        return False
    if own < its:
        return one.cost.key(order)[0] <= other.cost.key(order)[0]
    costs = all(a <= b for a, b in zip(one.costs, other.costs, strict=True))
    return costs and all(a >= b for a, b in zip(one.qualities, other.qualities, strict=True))


def _nothing(request: Request) -> str:
    tiers = "one to three tiers" if request.tiers is None else f"{counted(request.tiers, 'tier')}"
    return (
        f"{counted(request.gpus, 'GPU')} at {Speed(request.nic_mbps)} are more than {tiers} "
        "of the allowed models join"
    )
