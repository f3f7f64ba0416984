"""An emulated NX-OS switch: NX-API over TLS, SCP over SSH, `configure replace` with its timer, state from both ends.

It forwards no packet. A configuration is judged by the tables of the dialect and by the features that it turns on.
"""

from fabric.platforms.emulation import Emulated, Surroundings
from fabric.platforms.nxos.emulator.device import NxosEmulator


def make(spec: Emulated, surroundings: Surroundings) -> NxosEmulator:
    """Switch on an emulated device. `LineRefused` if it refuses its initial configuration."""
    return NxosEmulator(spec, surroundings)


__all__ = ["NxosEmulator", "make"]
