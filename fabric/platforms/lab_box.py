"""How a platform runs as real software in a box of `fabric.lab`: its files, its links, how it is started and asked.

A box is a machine of its own as far as the kernel goes; stock programs work on their stock paths there. A platform that
can do this has one `LabBox`, `LAB` in its module `lab`; the registry names the one that plays all others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from fabric.devices.model import Switch


class LabSession(NamedTuple):
    """One routing session as the software in the box reports it."""

    neighbor: str
    state: str
    """In the software's words."""
    is_up: bool
    prefixes: int
    """Received."""


class LabBox(NamedTuple):
    """What a lab must know of a platform."""

    hardware: str
    """Model of the catalogue that every switch of a lab is: only the names of ports come from it."""
    programs: Mapping[str, str]
    """Path of each program that a switch needs, and the Debian package that has it."""
    daemons: tuple[str, ...]
    """Programs that a fault may kill, and whose absence a status shows."""
    adapted: Callable[[Switch], Switch]
    """The switch without what this software does not support in a box. Addresses and sessions stay."""
    files: Callable[[Switch, str, bool], Mapping[str, str]]
    """(switch, its text with secrets, whether it is configured) to the files of its box by absolute path. Not
    configured: what zero-touch provisioning leaves."""
    links: Callable[[Switch, bool], tuple[str, ...]]
    """(switch, whether it is configured) to lines of `ip -batch`, in a box where its ports exist."""
    folders: Mapping[str, str]
    """Where the box sees folders of this machine, read-only, by their paths here; one that is not there is left out.
    Only by this a box sees anything below `/tmp`."""
    start: str
    """Shell commands, run once in the box, as root."""
    revive: str
    """Shell commands that start daemons which have died; those that run are left alone."""
    stop: str
    """Shell commands that end the watchdog, so that a killed daemon stays dead."""
    sessions: tuple[str, ...]
    """A command in the box."""
    parse_sessions: Callable[[str], tuple[LabSession, ...]]
    """What that command prints, read. `ValueError` if it is not what the software prints."""
