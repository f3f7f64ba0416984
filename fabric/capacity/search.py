"""The cheapest layout of every shape. All candidates are considered; those that cannot be cheaper are not sized."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from fabric.capacity import codes
from fabric.capacity.allowed_models import kinds
from fabric.capacity.candidates import Candidate, Shape, cuts, in_pods, shapes
from fabric.capacity.evaluate import evaluate
from fabric.capacity.layout import Layout
from fabric.capacity.least import least_mbps
from fabric.capacity.request import Request
from fabric.diagnostics import Invalid, Origin
from fabric.hardware import Catalogue
from fabric.topology.port_maps import Panel
from fabric.units import Speed


class Found(msgspec.Struct, frozen=True):
    """The answer."""

    layouts: tuple[Layout, ...]
    """The cheapest of all first. None is worse in everything than another of the same models, or of fewer."""
    considered: int
    """Candidates."""
    sized: int
    """Candidates that were counted to the last port; the others cannot be built, or could not be cheaper."""


class Search:
    """One request against one catalogue."""

    def __init__(self, request: Request, catalogue: Catalogue) -> None:
        self.request, self.catalogue = request, catalogue
        self.panels: dict[str, Panel] = {}
        self.considered = self.sized = 0

    def best(self, shape: Shape, worst_mbps: int | None) -> Layout | None:
        """The cheapest layout of a shape; None if there is none with at most `worst_mbps` of switches."""
        found: Layout | None = None
        for least, cut in self._ordered(cuts(self.request, shape)):
            limit = found.capacity_mbps if found else worst_mbps
            if limit is not None and least > limit:
                break
            for bound, candidate in self._ordered(in_pods(cut)):
                limit = found.capacity_mbps if found else worst_mbps
                if limit is not None and bound > limit:
                    break
                self.sized += 1
                layout = evaluate(self.request, candidate, self.catalogue, self.panels)
                if layout is not None and (found is None or layout.rank < found.rank):
                    found = layout
        return found

    def _ordered(self, candidates: Iterable[Candidate]) -> list[tuple[int, Candidate]]:
        """Candidates that may be built by their lower bound; of equal ones the fullest leaves first."""
        bounds = []
        for candidate in candidates:
            self.considered += 1
            least = least_mbps(self.request, candidate)
            if least is not None:
                bounds.append((least, candidate))
        return sorted(bounds, key=lambda pair: (pair[0], -pair[1].hosts_per_unit, -pair[1].units_per_pod))


def size(request: Request, catalogue: Catalogue, choices: int = 10) -> Found:
    """The cheapest layouts for a request, at most `choices`. `Invalid` if there is none."""
    _check(request)
    search = Search(request, catalogue)
    found: list[Layout] = []
    joined: set[object] = set()
    """What two tiers join already: superspines over the same switches only cost more."""
    for shape in shapes(request, kinds(request, catalogue)):
        key = msgspec.structs.replace(shape, superspine=None)
        if shape.superspine is not None and key in joined:
            continue
        layout = search.best(shape, found[choices - 1].capacity_mbps if len(found) >= choices else None)
        if layout is not None:
            joined.add(key)
            found = _undominated(sorted([*found, layout], key=lambda each: each.rank))
    if not found:
        raise Invalid((codes.NO_LAYOUT.at(Origin(), _nothing(request), hint=codes.NO_LAYOUT.fix),))
    return Found(tuple(found[:choices]), search.considered, search.sized)


def _undominated(layouts: list[Layout]) -> list[Layout]:
    """Without those that are worse than another, or equal, in everything that a buyer weighs."""
    kept: list[Layout] = []
    for layout in layouts:
        if not any(_is_as_good(other, layout) for other in kept):
            kept.append(layout)
    return kept


def _is_as_good(one: Layout, other: Layout) -> bool:
    """Whether `one`, of the same models or fewer, costs no more and loses no more than `other`.

    Two models in place of one have to save switches: they are two sets of spares, and two of everything to learn.
    """
    own, its = one.candidate.shape.models, other.candidate.shape.models
    if not own <= its:
        return False
    if own < its:
        return one.capacity_mbps <= other.capacity_mbps
    costs = all(a <= b for a, b in zip(one.costs, other.costs, strict=True))
    return costs and all(a >= b for a, b in zip(one.qualities, other.qualities, strict=True))


def _nothing(request: Request) -> str:
    tiers = "one to three tiers" if request.tiers is None else f"{request.tiers} tiers"
    return (
        f"{request.gpus} GPUs at {Speed(request.nic_mbps)} are more than {tiers} of the allowed models join"
    )


def _check(request: Request) -> None:
    if request.planes not in (None, 1, request.nic_ports):
        rule = f"NICs of {request.nic_ports} ports do not go on {request.planes} planes"
        raise Invalid(
            (codes.NICS_UNEVEN.at(Origin(), rule, value=request.planes, hint=codes.NICS_UNEVEN.fix),)
        )
