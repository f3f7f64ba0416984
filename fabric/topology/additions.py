"""What one fabric has and another lacks: the devices to rack and the cables to lay."""

from __future__ import annotations

from fabric.topology.model import Topology
from fabric.topology.resize import Move, differences


def additions(old: Topology, new: Topology) -> tuple[Move, ...]:
    """Devices and cables that only `new` has, as they are called there; `Move.old` says where a cable goes.

    A network that only `new` has is listed by its devices.
    """
    added = [move for move in differences(new, old) if not move.new]
    return tuple(move for kind in ("device", "cable") for move in added if move.kind == kind)
