"""One layout with everything that it needs, counted from the sizes that the compiler itself would choose."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from fabric.capacity.candidates import Candidate
from fabric.capacity.failures import Failures
from fabric.capacity.least import Cost
from fabric.capacity.request import Order


class Tier(msgspec.Struct, frozen=True, kw_only=True):
    """The switches of one tier."""

    role: str
    """`leaf`, `spine` or `superspine`."""
    models: tuple[str, ...]
    """Ids of the catalogue with the same ports; any of them."""
    count: int
    down: int
    """Ports downward that one switch needs."""
    up: int
    """Upward."""
    power_w: int | None
    """Of one switch of the first model; None: the catalogue does not hold it."""


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """A layout that the compiler accepts, and its counts."""

    candidate: Candidate
    hosts_per_unit: int
    units: int
    pods: int
    """0: none."""
    rails: str
    """How the NICs of a host are spread over leaves, for people."""
    planes: int
    """Disjoint copies of the network."""
    dual_tor: bool
    """Whether the ports of a NIC land on leaves that share their spines."""
    tiers: tuple[Tier, ...]
    """Bottom up."""
    host_cables: int
    fabric_cables: int
    """Between switches."""
    optics: int
    """Transceivers: cages of switches and ports of NICs at the ends of fibre."""
    paths: int
    """Ways by links from one port of a NIC to another NIC as far away as there is."""
    oversubscription: Fraction
    """Downward by upward bandwidth of a leaf; 0 without uplinks."""
    failures: Failures
    capacity_mbps: int
    """Bandwidth of all switches, used or not."""
    free_gpus: int = 0
    """How many more the same switches and links between them take."""
    alternatives: tuple[tuple[str, ...], ...] = ()
    """Other models that make the same layout: ids, bottom up, each once."""

    @property
    def switches(self) -> int:
        """Of all tiers."""
        return sum(tier.count for tier in self.tiers)

    @property
    def cables(self) -> int:
        """All of them."""
        return self.host_cables + self.fabric_cables

    @property
    def power_w(self) -> int | None:
        """Of all switches, None if the catalogue does not hold it for one of them."""
        known = [tier.count * tier.power_w for tier in self.tiers if tier.power_w is not None]
        return sum(known) if len(known) == len(self.tiers) else None

    @property
    def cost(self) -> Cost:
        """What layouts are ordered by."""
        return Cost(self.switches, self.optics, self.capacity_mbps)

    @property
    def costs(self) -> tuple[int, ...]:
        """All that a buyer pays for."""
        return *self.cost, self.cables, len(self.tiers)

    @property
    def row(self) -> tuple[object, ...]:
        """What tells it from others for a buyer, but for the names of models."""
        shape = self.candidate.shape
        counts = tuple(tier.count for tier in self.tiers)
        cut = self.hosts_per_unit, self.units, self.pods
        spread = self.rails, self.planes, self.dual_tor, shape.uplink_mbps, self.paths
        return counts, cut, spread, self.costs, self.failures

    @property
    def models(self) -> tuple[str, ...]:
        """Ids, bottom up, each once."""
        return tuple(dict.fromkeys(tier.models[0] for tier in self.tiers))

    @property
    def qualities(self) -> tuple[Fraction | int, ...]:
        """What a buyer gets: what failures leave, rails that have leaves of their own, planes."""
        failures = self.failures
        return (
            failures.leaf,
            failures.spine or 0,
            failures.plane or 0,
            self.candidate.shape.rail_leaves,
            self.planes,
        )

    def rank(self, order: Order) -> tuple[Fraction | int, ...]:
        """What is cheapest comes first; of layouts with equal costs that which gives more."""
        lost = tuple(-quality for quality in self.qualities)
        return *self.cost.key(order), self.cables, self.capacity_mbps, len(self.tiers), *lost
