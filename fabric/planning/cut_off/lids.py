"""Ports that get another LID: what runs over them addresses the old one, and ends."""

from __future__ import annotations

from fabric.devices.model import SubnetManager
from fabric.planning.cut_off.few_names import few
from fabric.planning.model import Change, Impact, Scope
from fabric.platforms.base import Facts


def renumbering(manager: SubnetManager, running: Facts, wanted: Facts) -> tuple[Change, ...]:
    """A change for the ports that have a LID and get another one, if there are any. Those of switches carry no data."""
    moved = {port for port, lid in wanted.lids.items() if running.lids.get(port, lid) != lid}
    names = [end.name for end in manager.subnet.ends if end.port_guid in moved]
    if not names:
        return ()
    reason = f"all connections of ports that get another LID are lost: {few(names)}"
    return (Change("LIDs", "~", Impact.ISOLATING, Scope(whole_device=True), reason),)
