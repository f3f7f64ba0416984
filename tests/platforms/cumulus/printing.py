"""From a switch to its text, as the program does it."""

from __future__ import annotations

from fabric.devices.model import Switch
from fabric.platforms.cumulus import PLATFORM
from fabric.rendering.render import print_switch


def printed(device: Switch) -> str:
    """The configuration of a switch. `Invalid` if NVUE cannot say it."""
    return print_switch(device, PLATFORM).text
