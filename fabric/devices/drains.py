"""Which entries of `drained` take a switch out of service: its sessions are what traffic is moved by."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Container, Iterator

from fabric.devices import codes
from fabric.diagnostics import Origin, Report
from fabric.intent.model import Intent
from fabric.topology.model import NetworkTopology
from fabric.topology.roles import NONE, Role


def drained(intent: Intent, topology: NetworkTopology) -> dict[str, str]:
    """Drained switches of a network to the step of their drain. One to which only hosts are cabled carries on."""
    modes = {entry.device: entry.mode for entry in intent.state.drained}
    found = (
        topology.names[node] for node in _named(topology, modes) if can_be_drained(intent, topology, node)
    )
    return {name: modes[name] for name in found}


def check_drains(intent: Intent, topology: NetworkTopology, report: Report) -> None:
    """Drained switches that have no session to move traffic with: their hosts send over them as before."""
    entries = {entry.device: number for number, entry in enumerate(intent.state.drained)}
    nodes = {topology.names[node]: node for node in _named(topology, entries)}
    for name, number in entries.items():
        if name in nodes and not can_be_drained(intent, topology, nodes[name]):
            rule = f"{name} has no BGP session to move traffic by: its hosts send over it as before"
            at = Origin(("drained", number, "device"), "state")
            report.add(codes.DRAINS_NO_SESSION.at(at, rule, value=name, hint=codes.DRAINS_NO_SESSION.fix))


def can_be_drained(intent: Intent, topology: NetworkTopology, node: int) -> bool:
    """Whether a switch has a BGP session, or no cable at all, and so carries nothing.

    A session is on each link to a switch, and to an attachment that has `bgp`.
    """
    if intent.site.networks[topology.name].technology != "ethernet":
        return False
    peers = [
        port
        for port in topology.peer[topology.port_base[node] : topology.port_base[node + 1]]
        if port != NONE
    ]
    return not peers or any(_is_session(intent, topology, port) for port in peers)


def _is_session(intent: Intent, topology: NetworkTopology, far_port: int) -> bool:
    far = bisect_right(topology.port_base, far_port) - 1
    role = Role(topology.role[far])
    if role is Role.ATTACHMENT:
        return intent.site.attachments[topology.names[far]].bgp is not None
    return role.is_switch


def _named(topology: NetworkTopology, names: Container[str]) -> Iterator[int]:
    """The switches that have one of these names."""
    return (node for node in topology.switches if topology.names[node] in names)
