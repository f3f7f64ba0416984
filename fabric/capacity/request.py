"""What is asked for: GPUs, NICs, models, and what must be left after a failure."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import msgspec

Order = Literal["switches", "optics", "capacity"]
"""What the first layout has least of; `capacity` is the bandwidth of all switches."""

Rails = Literal["any", "full", "none"]
"""`full`: each NIC of a host on a leaf of its own. `none`: all on one leaf. `any`: also several to a leaf."""


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """A network that does not exist yet. One NIC a GPU."""

    gpus: int
    nic_mbps: int
    """Of one port of a NIC, one direction."""
    nic_ports: int = 1
    planes: int | None = None
    """None: as many as a NIC has ports, or one at whose spines they meet (dual ToR)."""
    nics_per_host: int = 8
    models: tuple[str, ...] = ()
    """Ids of the catalogue; none: all fixed switches that are real products."""
    technology: Literal["ethernet", "infiniband"] = "ethernet"
    oversubscription: Fraction = Fraction(1)
    """Downward by upward bandwidth of a leaf, at most."""
    spine_oversubscription: Fraction = Fraction(1)
    """Of a spine below superspines."""
    tiers: int | None = None
    """None: as few as join all hosts."""
    rails: Rails = "any"
    uplink_mbps: int | None = None
    """None: the NICs' speed, and every faster one that both ends have."""
    keep_leaf: Fraction = Fraction(0)
    """Least share of its bandwidth that every host keeps when one leaf fails."""
    keep_spine: Fraction = Fraction(0)
    """When one spine or superspine fails."""
    keep_plane: Fraction = Fraction(0)
    """When one plane fails."""
    order: Order = "switches"

    @property
    def hosts(self) -> int:
        """Hosts that hold the GPUs; the last one may hold fewer."""
        return -(-self.gpus // self.nics_per_host)
