"""An emulated Arista EOS switch: eAPI, the command line's modes, configuration sessions with commit timers.

It shows form and life cycle as EOS does; it forwards no packet. What it does not know it refuses.
"""

from fabric.platforms.emulation import Emulated, Surroundings
from fabric.platforms.eos.emulator.grammar import CliError
from fabric.platforms.eos.emulator.server import EosEmulator


def make(spec: Emulated, surroundings: Surroundings) -> EosEmulator:
    """Switch on an emulated device. `CliError` if it refuses a line of its initial configuration."""
    return EosEmulator(spec, surroundings)


__all__ = ["CliError", "EosEmulator", "make"]
