"""What `fabric impact` answers: classes of failures with one effect, ranked, worst first."""

from __future__ import annotations

import msgspec


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """What a failure takes away."""

    hosts_cut_off: int
    """Hosts none of whose NIC ports carries. A port carries nothing if its leaf has lost every uplink."""
    rails_isolated: int
    """Pairs of host and rail without a port that carries, those of hosts that are cut off included."""
    leaf_pairs_lost: int
    """Pairs of leaves, each still with a link, that reached each other and no longer do."""
    host_pairs_parted: int
    """Pairs of hosts on a rail, both with a port there that carries, that reached each other and no longer do."""
    hosts_slowed: int
    """Hosts that lost a part of their bandwidth, not all."""
    allreduce_percent: float
    """AllReduce bandwidth left to hosts that are not cut off, if the NICs of a host share what is left of it."""
    rail_percent: float
    """Bandwidth left of the slowest rail ring if NICs do not share; 0: a rail of a host is isolated."""
    scattered_percent: float
    """AllReduce bandwidth left if every flow leaves its leaf, as with hosts in random order."""
    bisection_percent: float
    """Bandwidth left between tiers, of the tier that lost most."""
    leaf_oversubscription: float | None
    """Downlink by uplink bandwidth of the worst leaf; None: nothing is left upward. 0: no tier above."""
    spine_oversubscription: float | None

    @property
    def is_harmless(self) -> bool:
        """Whether everybody still reaches everybody on every rail."""
        return not (self.hosts_cut_off or self.rails_isolated or self.host_pairs_parted)


class FailureClass(msgspec.Struct, frozen=True, kw_only=True):
    """Failures of one kind with one effect."""

    kind: str
    count: int
    example: str
    effect: Effect


class Impact(msgspec.Struct, frozen=True, kw_only=True):
    """The answer for one network."""

    network: str
    hosts: int
    links: int
    spare_hosts: int
    """Left out: they carry nothing until they replace another host."""
    links_out: int
    """Left out: the intent or operators have taken them out."""
    symmetries: int
    """Checked on the links."""
    broken: tuple[str, ...]
    """Symmetries that the layout should have and the links do not: those are not used."""
    classes: tuple[FailureClass, ...]
    """Ranked, worst first."""
    classes_by_orbit: int = 0
    """Of pairs: how many classes the checked symmetries leave."""

    @property
    def failures(self) -> int:
        """How many failures the classes hold."""
        return sum(row.count for row in self.classes)
