"""What every host keeps of its bandwidth when one switch or one plane fails."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from fabric.topology.sizing.sizes import Sizes, Upward


class Failures(msgspec.Struct, frozen=True, kw_only=True):
    """The share of its bandwidth that the host worst hit keeps, beside what it has when all is well."""

    leaf: Fraction
    spine: Fraction | None
    """None: there are no spines."""
    superspine: Fraction | None
    plane: Fraction | None
    """All leaves of one plane; None: there is but one."""

    @property
    def worst(self) -> tuple[str, Fraction]:
        """The single switch whose failure takes most, and what is left. Of equal ones the lowest tier."""
        known = [
            (kind, left)
            for kind, left in (("leaf", self.leaf), ("spine", self.spine), ("superspine", self.superspine))
            if left is not None
        ]
        return min(known, key=lambda pair: pair[1])


def failures_of(sizes: Sizes, nics: int) -> Failures:
    """Closed forms: all hosts, leaves and spines of a kind are cabled alike. `nics`: of one host.

    A host spreads what it sends evenly over its NICs and their ports, and a switch over those above it; what remains
    takes over up to the bandwidth of its links. Of superspines it counts what goes to other pods.
    """
    on_leaf = -(-nics // sizes.rails.leaves)
    total = nics * sizes.planes
    spine = superspine = None
    if sizes.leaf.count:
        down, up = sizes.seat_mbps(), sizes.leaf.uplinks * sizes.leaf_up_mbps
        spine = 1 - _lost(down, up, sizes.leaf) / sizes.spine_planes
    if sizes.spine.count:
        speed = sizes.leaf_up_mbps
        down = sizes.leaves_per_group * sizes.leaf.links_per_pair * speed
        lost = _lost(down, sizes.spine.uplinks * speed, sizes.spine)
        # Only the spines of one group of superspines have links to the one that failed.
        superspine = 1 - lost / sizes.superspine_groups / sizes.superspine_planes
    return Failures(
        leaf=1 - Fraction(on_leaf, total),
        spine=spine,
        superspine=superspine,
        plane=1 - Fraction(1, sizes.planes) if sizes.planes > 1 else None,
    )


def _lost(down_mbps: int, up_mbps: int, up: Upward) -> Fraction:
    """Share of what goes upward that one switch less above takes away."""
    left = min(Fraction(down_mbps), Fraction(up_mbps * (up.count - 1), up.count))
    return 1 - left / min(down_mbps, up_mbps)
