"""Whom a plan cuts off since the site has him no longer: ports that carry traffic and shall have no cable."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from fabric.devices.model import Device, LinkRole
from fabric.planning.impact import INTERRUPTING, carries, used_ports
from fabric.planning.model import Change
from fabric.planning.options import PlanOptions
from fabric.planning.ways import FABRIC
from fabric.platforms.base import Facts
from fabric.platforms.facts import ports_of

HOSTS = "the site has nobody at this port any longer, and whoever is there is cut off"
TAKEN = "the port leads to another switch from then on, and the host that is there is cut off"
VANISHING = "the switch will not have this port any longer, and whoever is there is cut off"


def in_service(options: PlanOptions, switches: Mapping[str, Device]) -> dict[str, str]:
    """What devices run that the site has no longer, but for those that were out of service; empty: nobody knows."""
    known = options.last_applied
    if known is None:
        return dict.fromkeys(options.removed, "")
    return {name: one.text for name, one in known.items() if name not in switches and not one.drained}


def vanishing_ports(switch: Device, running: Facts, changes: Iterable[Change]) -> dict[str, bool]:
    """Ports in use that a switch will not have any more, since a cage is split otherwise; and who leads to switches.

    Each has a session then. The intent has no word of such a port: it is known by the changes that take it away.
    """
    kept = {port.name for port in switch.ports}
    named = {name for change in changes if change.impact in INTERRUPTING for name in change.scope.ports}
    over = _sessions_over(running)
    return {name: bool(over.get(name)) for name in sorted(named - kept) if carries(name, running)}


def unplugged_ports(
    switch: Device,
    running: Facts,
    gone: Mapping[str, str],
    vanishing: Mapping[str, bool],
    *,
    is_ours: bool = True,
) -> dict[str, str]:
    """The ports of a switch that carry somebody now whom the site has no longer, each with who is cut off.

    The intent knows nobody behind such a port, so none of its paths is lost; whoever is there loses his all the same.
    `gone`: what the devices run that the site has no longer. A session of the group of those upward leads to a
    spine, which takes no path of anybody away with it. Of a switch that `is_ours` we also know that hosts or storage
    are at ports without a session, whatever they shall be used for.
    """
    over, used = _sessions_over(running), used_ports(switch, running)
    unused = {port.name for port in switch.ports if port.role is LinkRole.UNUSED}
    to_switches = {port.name for port in switch.ports if port.role in FABRIC}
    taken = {name for name in used & to_switches if is_ours and not over.get(name)}
    unplugged = used & unused | taken | vanishing.keys()
    if not unplugged:
        return {}
    upward = {
        running.neighbors[key].policy
        for port in switch.ports
        if port.role in (LinkRole.UP, LinkRole.ACROSS)
        for key in over.get(port.name, ())
    }
    found = {}
    for name in sorted(unplugged):
        keys = [key for key in over.get(name, ()) if not running.neighbors[key].shut]
        if not over.get(name):
            found[name] = VANISHING if name in vanishing else TAKEN if name in taken else HOSTS
        elif any(running.neighbors[key].policy not in upward for key in keys):
            behind = _behind(keys, name, gone)
            if behind:
                more = f" and {len(behind) - 1} more" if len(behind) > 1 else ""
                found[name] = f"the links to {behind[0]}{more}, which the site has no longer, go down"
    return found


def _behind(keys: Iterable[str], port: str, gone: Mapping[str, str]) -> tuple[str, ...]:
    """Whose address a neighbour has; of one without an address, called by its port, it may be any of them."""
    addresses = [key for key in keys if key != port]
    words = [re.compile(rf"(?<![\w.:]){re.escape(address)}(?![\w.:])") for address in addresses]
    return tuple(
        name
        for name, text in gone.items()
        if not (words and text) or any(word.search(text) for word in words)
    )


def _sessions_over(running: Facts) -> dict[str, set[str]]:
    """The neighbours over each port, by address, or called by the port itself."""
    over: dict[str, set[str]] = {name: {name} for name in running.neighbors if name in running.interfaces}
    for key, (port, _) in ports_of(running.neighbors, running):
        over.setdefault(port, set()).add(key)
    return over
