"""Any site as real software on this machine: a box, for each switch and host, a veth for each cable.

Whatever platform a switch has, FRR plays it, with the site's addresses, AS numbers, sessions and policies; lldpd and
sshd run in every box. Linux and root needed.

    from fabric.lab import Lab

    with Lab(fabric.compile(path).devices, configured=True) as lab:
        lab.wait_for_sessions()
        lab.access("leaf-0-0")          # address, port, username, key_file, host_key for SSH
        lab.output("leaf-0-0", "vtysh", "-c", "show bgp summary")

As a user's tool, outliving the command: `up`, `down`, and `RunningLab(folder)` for a lab that runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.late_names import late_names

if TYPE_CHECKING:  # for checkers of types, which do not see the table
    from fabric.lab.faults import clear as clear
    from fabric.lab.faults import inject as inject
    from fabric.lab.lab import Lab as Lab
    from fabric.lab.lab import down as down
    from fabric.lab.lab import made_up as made_up
    from fabric.lab.lab import up as up
    from fabric.lab.lower_to_lab import lab_devices as lab_devices
    from fabric.lab.running_lab import Access as Access
    from fabric.lab.running_lab import RunningLab as RunningLab
    from fabric.lab.state import Fault as Fault
    from fabric.lab.state import LabState as LabState

_HOMES = {
    "Access": "fabric.lab.running_lab",
    "Fault": "fabric.lab.state",
    "Lab": "fabric.lab.lab",
    "LabState": "fabric.lab.state",
    "RunningLab": "fabric.lab.running_lab",
    "clear": "fabric.lab.faults",
    "down": "fabric.lab.lab",
    "inject": "fabric.lab.faults",
    "lab_devices": "fabric.lab.lower_to_lab",
    "made_up": "fabric.lab.lab",
    "up": "fabric.lab.lab",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605  # computed from the table above
if not TYPE_CHECKING:  # the process that holds a lab needs little of it
    __getattr__ = late_names(__name__, _HOMES)
