"""The subnet as integers: switches, the ports between them, and the ends with their LIDs."""

from __future__ import annotations

from array import array
from collections.abc import Mapping

from fabric.devices.infiniband.model import Subnet
from fabric.verification.infiniband.reading.discovery import Discovered, End
from fabric.verification.infiniband.reading.forwarding_tables import ForwardingTables

PORTS = 256
"""Room for each switch's ports: port p of switch s is channel s * PORTS + p."""
DARK = -(1 << 30)
"""What a channel reaches that reaches nothing."""


class Wiring:
    """Where packets really go: as discovered, or as planned where nothing was discovered."""

    def __init__(self, subnet: Subnet, lfts: ForwardingTables, seen: Discovered | None = None) -> None:
        self.switches = [switch.guid for switch in subnet.switches]
        if seen is not None:
            known = set(self.switches)
            strange = (guid for guid, node in seen.nodes.items() if node.kind == "Switch")
            self.switches = [guid for guid in self.switches if guid in seen.nodes]
            self.switches += sorted(guid for guid in strange if guid not in known)
        self.number = {guid: at for at, guid in enumerate(self.switches)}
        self.peers = _peers(subnet, seen)
        self.far = array("l", [DARK]) * (len(self.switches) * PORTS)
        """By channel: the switch it reaches, or -1 - the end."""
        self.ends: list[End] = []
        self.lids: list[int] = []
        """Base LID of each end."""
        self.leaf = array("l")
        """The switch of each end."""
        self._wire(_lids(subnet, lfts, seen))
        self.tables = [lfts.tables.get(guid, b"") for guid in self.switches]
        self.without_table = [guid for guid in self.switches if guid not in lfts.tables]

    def _wire(self, lids: Mapping[End, int]) -> None:
        for end, peer in sorted(self.peers.items()):
            if end[0] in self.number:
                channel = self.number[end[0]] * PORTS + end[1]
                if peer[0] in self.number:
                    self.far[channel] = self.number[peer[0]]
                elif peer in lids:
                    self.far[channel] = -1 - len(self.ends)
                    self.ends.append(peer)
                    self.lids.append(lids[peer])
                    self.leaf.append(self.number[end[0]])

    @property
    def sources(self) -> list[int]:
        """How many ends each switch has."""
        counts = [0] * len(self.switches)
        for switch in self.leaf:
            counts[switch] += 1
        return counts

    def end_of(self, channel: int) -> End:
        """Node GUID and port of a channel's near end."""
        at, port = divmod(channel, PORTS)
        return self.switches[at], port


def _peers(subnet: Subnet, seen: Discovered | None) -> dict[End, End]:
    if seen is not None:
        return {end: link.peer for end, link in seen.links.items()}
    peers: dict[End, End] = {}
    for link in subnet.links:
        lower, upper = (link.lower, link.lower_port), (link.upper, link.upper_port)
        peers[lower], peers[upper] = upper, lower
    return peers


def _lids(subnet: Subnet, lfts: ForwardingTables, seen: Discovered | None) -> dict[End, int]:
    """Base LID of each HCA port: as discovered, else as in the dump of the tables, else as planned."""
    if seen is not None and any(port for _, port in seen.lids):
        return {end: lid for end, lid in seen.lids.items() if end[1] and lid}
    lid_of = {guid: lid for lid, guid in sorted(lfts.owners.items(), reverse=True)}
    lids: dict[End, int] = {}
    for end in subnet.ends:
        # Under ibsim a port's GUID is its adapter's plus the port's number, whatever it really is.
        known = lid_of.get(end.port_guid, lid_of.get(end.node_guid + end.port))
        if known is not None or not lid_of:
            lids[end.node_guid, end.port] = end.lid if known is None else known
    return lids
