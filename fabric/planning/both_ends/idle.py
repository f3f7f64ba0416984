"""Links that carry nothing while a change goes on that takes several phases, though they will in the end.

A port that is shut, or a session that waits for its other end, is opened by one of the phases. Until then the ways of
everybody go over the other links.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fabric.devices.model import Device
from fabric.planning.both_ends.coupling import Ends
from fabric.planning.both_ends.ends import LinkEnd, same_asn, same_subnet, sessions_with
from fabric.planning.ways import FABRIC, End


def idle(devices: Iterable[str], switches: Mapping[str, Device], ends: Ends) -> frozenset[End]:
    """Both ends of the links between these devices, or with others, that carry nothing as their ends run.

    A link with an end that nobody knows carries traffic, as far as this goes.
    """
    links = (
        ((name, port.name), (port.peer, port.peer_port))
        for name in devices
        for port in switches[name].ports
        if port.role in FABRIC and port.peer in switches
    )
    return frozenset(end for link in links if not _carries(*link, ends) for end in link)


def _carries(a: End, b: End, ends: Ends) -> bool:
    here, there = ends.end(*a, 0), ends.end(*b, 0)
    if here is None or there is None:
        return True
    return (
        here.in_use
        and there.in_use
        and same_subnet(here, there)
        and same_asn(here, there)
        and not (_is_shut(a[0], here, there, ends) or _is_shut(b[0], there, here, ends))
    )


def _is_shut(device: str, here: LinkEnd, there: LinkEnd, ends: Ends) -> bool:
    """Whether a device has shut its sessions over a link, as one that is drained does."""
    facts = ends.facts(device, 0)
    sessions = [] if facts is None else [facts.neighbors[key] for key in sessions_with(here, there)]
    return bool(sessions) and all(session.shut for session in sessions)
