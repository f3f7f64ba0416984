"""Hosts: the NICs at the other end of every leaf port. No switch, so no row of the registry.

A host has an owner for the settings of its NICs; everything is derived from the same queueing as the leaf's port.
Not shown by any source we know, so not written: Broadcom Thor2, virtual functions of mlx5, sizes of a NIC's headroom.
"""

from fabric.platforms.host.files import FILES, HostFile, Press, PrintedFile, Render, host_files
from fabric.platforms.host.lower import lower
from fabric.platforms.host.model import HEADROOM, HostConfig

__all__ = [
    "FILES",
    "HEADROOM",
    "HostConfig",
    "HostFile",
    "Press",
    "PrintedFile",
    "Render",
    "host_files",
    "lower",
]
