"""An emulated Cumulus Linux switch: NVUE's REST API, revisions with their timers, state from both ends of its cables.

It forwards no packet. A configuration is judged by the tables of the dialect, or by what a test puts in their place:
the `openapi.json` of a switch.
"""

from fabric.platforms.cumulus.emulator.server import CumulusEmulator
from fabric.platforms.emulation import Emulated, Surroundings


def make(spec: Emulated, surroundings: Surroundings) -> CumulusEmulator:
    """Switch on an emulated device. `LineRefused` if it refuses its initial configuration."""
    return CumulusEmulator(spec, surroundings)


__all__ = ["CumulusEmulator", "make"]
