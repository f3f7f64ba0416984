"""One field of one device, of which it is asked how it is computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fabric.compiler import Compiled
from fabric.devices.tier_queueing import longest_round_trip_ns
from fabric.provenance.device_fields import Path, profiles_of, value_at
from fabric.provenance.model import Derivation
from fabric.qos.model import PortQueueing

Names = Mapping[str, str]


class Case:
    """One field of one device."""

    def __init__(self, compiled: Compiled, device: Any, place: Path, names: Names) -> None:
        self.compiled, self.device, self.place, self.names = compiled, device, place, names
        self.value = value_at(device, place)
        self.network = compiled.intent.site.networks[names["network"]]

    @property
    def profile(self) -> PortQueueing:
        """The queueing that the field is part of."""
        return profiles_of(self.device)[str(self.place[1])]

    @property
    def first_below_bytes(self) -> int | None:
        """ECN acts first below it."""
        queueing = getattr(self.device, "queueing", None)
        budget = queueing.budget if queueing is not None else None
        return budget.ecn_first_below_bytes if budget is not None else None

    @property
    def round_trip_ns(self) -> int:
        """Base round trip between the farthest hosts."""
        return longest_round_trip_ns(self.compiled.intent, self.network)


Deriver = Callable[[Case], Derivation | None]
