"""An emulated SONiC switch: SSH, CONFIG_DB with the commands that change it, FRR in its container, systemd's timers.

It shows form and life cycle as SONiC does; it forwards no packet. What it does not know it refuses. Of programs that
are sent to it, it runs one: that of our own driver, on its own files and commands.
"""

from fabric.platforms.emulation import Emulated, Surroundings
from fabric.platforms.sonic.emulator.device import SonicEmulator


def make(spec: Emulated, surroundings: Surroundings) -> SonicEmulator:
    """Switch on an emulated device. `LineRefused` if it refuses a row or a line of its initial configuration."""
    return SonicEmulator(spec, surroundings)


__all__ = ["SonicEmulator", "make"]
