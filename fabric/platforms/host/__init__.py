"""Hosts: the NICs at the other end of every leaf port. No switch, so no row of the registry.

A host has an owner for the settings of its NICs; everything is derived from the same queueing as the leaf's port.
Not shown by any source we know, so not written: Broadcom Thor2, virtual functions of mlx5.
"""

from fabric.platforms.host.files import FILES, HostFile, host_files
from fabric.platforms.host.lower import lower
from fabric.platforms.host.model import HostConfig
from fabric.platforms.host.settings import HostSettings, NicKind, NicPort, Owner, PciPlace

__all__ = [
    "FILES",
    "HostConfig",
    "HostFile",
    "HostSettings",
    "NicKind",
    "NicPort",
    "Owner",
    "PciPlace",
    "host_files",
    "lower",
]
