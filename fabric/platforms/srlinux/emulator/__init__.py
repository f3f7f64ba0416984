"""An emulated Nokia SR Linux switch: JSON-RPC, transactions with commit timers, checkpoints, state from both ends.

It forwards no packet. A configuration is judged by the tables of the dialect, or by what a test puts in their place:
Nokia's own models.
"""

from fabric.platforms.emulation import Emulated, Surroundings
from fabric.platforms.srlinux.emulator.server import SrlinuxEmulator


def make(spec: Emulated, surroundings: Surroundings) -> SrlinuxEmulator:
    """Switch on an emulated device. `LineRefused` if it refuses its initial configuration."""
    return SrlinuxEmulator(spec, surroundings)


__all__ = ["SrlinuxEmulator", "make"]
