"""Printing one switch."""

from __future__ import annotations

from fabric.devices.model import Switch
from fabric.platforms.nxos import PLATFORM
from fabric.rendering.render import print_switch


def printed(device: Switch) -> str:
    """Its configuration; `Invalid` if NX-OS cannot say it."""
    return print_switch(device, PLATFORM).text
