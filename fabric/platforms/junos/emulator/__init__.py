"""An emulated switch with Junos Evolved: NETCONF over SSH, one candidate for all, commits with a history and a timer.

It shows form and life cycle as Junos does; it forwards no packet. What it does not know it refuses.
"""

from fabric.platforms.emulation import Emulated, Surroundings
from fabric.platforms.junos.emulator.device import JunosEmulator


def make(spec: Emulated, surroundings: Surroundings) -> JunosEmulator:
    """Switch on an emulated device. `LineRefused` if it refuses a statement of its initial configuration."""
    return JunosEmulator(spec, surroundings)


__all__ = ["JunosEmulator", "make"]
