"""More spines than the compiler would take, where one that fails may cost only so much."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import msgspec

from fabric.capacity.candidates import Candidate
from fabric.capacity.evaluate import evaluate, sizes_of
from fabric.capacity.failures import failures_of
from fabric.capacity.layout import Layout
from fabric.capacity.request import Request
from fabric.hardware import Catalogue
from fabric.topology.port_maps import Panel
from fabric.topology.sizing.sizes import Sizes

ALL = Fraction(1)


def with_more_spines(
    request: Request, candidate: Candidate, catalogue: Catalogue, panels: dict[str, Panel]
) -> Layout | None:
    """The layout with the fewest spines that keep the share; None if the compiler refuses that many.

    Without this fewer GPUs could need more switches: they have fewer spines, and each of those is more.
    """
    layout = evaluate(request, candidate, catalogue, panels)
    if layout is not None or not request.keep_spine:
        return layout
    for tier in ("spine", "superspine"):
        raised = _raised(request, candidate, tier, lambda each: sizes_of(request, each, catalogue, panels))
        if raised is None:
            return None
        candidate = raised
    return evaluate(request, candidate, catalogue, panels)


def _raised(
    request: Request, candidate: Candidate, tier: str, sized: Callable[[Candidate], Sizes | None]
) -> Candidate | None:
    """The candidate with the fewest switches of a tier of which one may fail; None if it has no such candidate."""
    sizes = sized(candidate)
    if sizes is None:
        return None
    above = sizes.leaf if tier == "spine" else sizes.spine
    for count in (0, *range(above.count + 1, enough(request, above.uplinks) + 1)):
        several = msgspec.structs.replace(candidate, **{f"{tier}s": count}) if count else candidate
        found = sized(several) if count else sizes
        if found is not None:
            share = getattr(failures_of(found, request.nics_per_host), tier)
            if share is None or share >= request.keep_spine:
                return several
    return None


def enough(request: Request, uplinks: int) -> int:
    """Spines of which one is never more than what may be lost; or one for each uplink, and as many again."""
    lost = ALL - request.keep_spine
    return -(-lost.denominator // lost.numerator) if lost else 2 * uplinks
