"""What a switch needs and SR Linux does not support, beyond what its capabilities tell."""

from __future__ import annotations

from fabric.devices.model import Switch
from fabric.diagnostics import Origin, Report
from fabric.platforms.srlinux import codes

SECOND_MS = 1000


def refuse(switch: Switch, report: Report) -> None:
    """Refuse an idle timeout that SR Linux would have to round."""
    idle = int(switch.services.ssh.idle_timeout_ms)
    if idle % SECOND_MS:
        report.add(
            codes.RANGE.at(
                Origin(("services", "ssh", "idle_timeout")),
                "Nokia SR Linux counts the idle timeout in whole seconds",
                value=idle,
                hint="write whole seconds",
                subjects=(switch.name,),
            )
        )
