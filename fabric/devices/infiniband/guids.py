"""GUIDs and LIDs of a subnet: read from the inventory, or invented by position for design work."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from fabric.devices import codes
from fabric.devices.infiniband.model import LAST_LID
from fabric.diagnostics import Origin, Report
from fabric.intent.inventory import Hca, Inventory
from fabric.intent.model import Intent
from fabric.topology.model import NetworkTopology
from fabric.topology.roles import Role
from fabric.units import counted

ROOM = 16
"""Ports that an attachment is given room for at a time."""
SWITCHES, HCAS = 0x0200_FAB0_0000_0000, 0x0200_FAB0_8000_0000
"""Where invented GUIDs start: EUI-64s with the local bit set, so that no vendor has them."""
PLACE_BITS = 24
"""Below them LID and port; above them the place of the subnet among those of the site, so that each GUID is one."""


@dataclass(frozen=True, slots=True)
class Adapter:
    """The GUIDs of one HCA."""

    node_guid: int
    port_guids: tuple[int, ...]


class Guids:
    """The GUIDs of one network by node. `place`: of its subnet among those of the site."""

    def __init__(self, inventory: Inventory, network: str, place: int = 0) -> None:
        self.inventory, self.network = inventory, network
        self._first = place << PLACE_BITS
        self.missing: list[str] = []
        """Devices whose GUIDs are invented."""

    def switch(self, name: str, lid: int) -> int:
        """Node GUID of a switch."""
        facts = self.inventory.devices.get(name)
        if facts is not None and facts.guid is not None:
            return int(facts.guid, 16)
        self.missing.append(name)
        return SWITCHES + self._first + (lid << 8)

    def adapter(self, name: str, nic: int, ports: int, lid: int) -> Adapter:
        """One HCA of a host or attachment, of whose ports the first cabled one has this LID."""
        facts = self.inventory.hosts.get(name)
        known = facts.hcas.get(self.network, ()) if facts else ()
        if nic < len(known) and len(known[nic].port_guids) >= ports:
            return _read(known[nic])
        self.missing.append(name)
        return _invented(HCAS + self._first + (lid << 8), ports)


def _read(hca: Hca) -> Adapter:
    return Adapter(int(hca.node_guid, 16), tuple(int(guid, 16) for guid in hca.port_guids))


def _invented(guid: int, ports: int) -> Adapter:
    """As ibsim numbers them: the GUID of port p is the adapter's plus p."""
    return Adapter(guid, tuple(guid + 1 + port for port in range(ports)))


class Lids:
    """LIDs by position: switches by their ordinal, HCA ports by the leaf port that they are plugged into.

    A replaced switch or adapter keeps its place, and so its LID; growth within capacity moves none.
    """

    def __init__(self, topology: NetworkTopology, lmc: int, first: int) -> None:
        self.topology, self.lmc, self.first = topology, lmc, first
        sizes = topology.sizes
        leaves = sizes.units * sizes.leaves_per_unit * sizes.planes
        spines = sizes.spines * sizes.spine_groups * (sizes.planes if sizes.spine_groups else 0)
        superspines = sizes.superspines * sizes.superspine_groups
        self.before = (0, leaves, leaves + spines)
        step = 1 << lmc
        self.ends = -(-(first + leaves + spines + superspines) // step) * step
        self.others = self.ends + leaves * sizes.leaf_downlinks * step
        base = topology.port_base
        ports = {topology.names[n]: base[n + 1] - base[n] for n in topology.role_start[Role.ATTACHMENT]}
        ends = (first + max(ROOM, ports.get(name, 0)) for name, first in sizes.attachment_slots.items())
        slots = max(sizes.attachment_slots_end, *ends, 0)
        self.highest = self.others + (slots << lmc) - 1

    def switch(self, node: int) -> int:
        """The LID of a switch."""
        return self.first + self.before[self.topology.role[node]] + self.topology.ordinal[node]

    def end(self, leaf: int, index: int) -> int:
        """The first LID of the HCA port at downlink `index` of a leaf."""
        place = self.topology.ordinal[leaf] * self.topology.sizes.leaf_downlinks + index
        return self.ends + (place << self.lmc)

    def attachment(self, name: str, link: int) -> int:
        """The first LID of an attachment's port that has no host position."""
        return self.others + ((self.topology.sizes.attachment_slots[name] + link) << self.lmc)


def check_lids(highest: int, origin: Origin, report: Report) -> None:
    """Whether the highest LID is one."""
    if highest > LAST_LID:
        report.add(
            codes.LIDS_BEYOND.at(
                origin,
                f"the last LID by capacity is {highest}, {LAST_LID} is the last there is",
                value=highest,
                hint="lower `capacity`, `lmc` or `first_lid`, or make two subnets",
            )
        )


def check_rooms(intent: Intent, topology: NetworkTopology, report: Report) -> None:
    """Whether every attachment's LIDs end before the next one's start: those of a grown one may not."""
    slots = sorted(topology.sizes.attachment_slots.items(), key=lambda item: item[1])
    for (name, first), (other, after) in pairwise(slots):
        attachment = intent.site.attachments.get(name)
        if attachment is not None and attachment.links > after - first:
            rule = (
                f"{name} has room for the LIDs of {counted(after - first, 'link')}; those of {other} follow"
            )
            hint = "make the new links a separate attachment: then no LID moves"
            at = Origin(("attachments", name, "links"))
            report.add(codes.LIDS_TAKEN.at(at, rule, value=attachment.links, hint=hint))
