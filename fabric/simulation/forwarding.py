"""Linear forwarding tables that a subnet manager has really computed, as next hops of a network's switches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabric.devices.infiniband.derive_subnet import port_numbers
from fabric.devices.infiniband.model import EndPort, Subnet
from fabric.diagnostics import Diagnostic, Invalid, Origin
from fabric.graph import Graph
from fabric.graph.model import Ints
from fabric.hardware import Catalogue
from fabric.simulation import codes
from fabric.topology.roles import NONE, Role
from fabric.units import counted

PORTS = 256
"""Numbers that an entry of a table may have."""
NO_PORT = 255
"""The entry of a LID that a switch has no route to (InfiniBand Architecture 1.4, 18.2.4.3.1)."""
NAMED = 4
"""So many switches or ports are named; more are counted."""


@dataclass(frozen=True, kw_only=True)
class TableFile:
    """What one file has in it."""

    name: str
    tables: Mapping[int, bytes]
    """By node GUID: output port by LID."""
    owners: Mapping[int, int]
    """LID to port GUID, where the file has them."""
    lines: Mapping[int, int]
    """By node GUID: the line on which its table begins."""
    left_out: frozenset[int] = frozenset()
    """LIDs that the tool has left out."""


@dataclass(frozen=True, kw_only=True)
class SubnetTables:
    """Files with tables, and the subnet that they are of."""

    subnet: Subnet
    files: tuple[TableFile, ...]


@dataclass(frozen=True, eq=False)
class Forwarding:
    """Where each switch sends what is for the ports of a job."""

    hops: Ints
    """Switch by column: the directed link, as `Routes` counts them, or NONE where it goes nowhere."""
    column: Ints
    """Of each link of the graph to a host: its column, or NONE."""


def forwarding_of(
    graph: Graph, hardware: Catalogue, given: SubnetTables, nic_links: NDArray[np.int32]
) -> Forwarding:
    """The tables as far as some links to hosts are concerned. `Invalid` with all that is missing or unknown."""
    net, subnet = graph.net, given.subnet
    links = np.unique(nic_links[nic_links != NONE])
    number = {net.names[node]: node for node in net.switches}
    nodes = {switch.guid: number[switch.name] for switch in subnet.switches}
    lids, found = _lids(graph, given, links)
    wrong = [*_unknown(given, nodes), *_without_table(given), *found]
    if wrong:
        raise _invalid(graph, wrong)
    tables = {nodes[guid]: table for file in given.files for guid, table in file.tables.items()}
    out = np.full((len(net.switches), len(links)), NO_PORT, np.uint8)
    for node, table in tables.items():
        known = lids < len(table)
        out[node, known] = np.frombuffer(table, np.uint8)[lids[known]]
    wrong = list(_without_entry(graph, given, out, lids))
    if wrong:
        raise _invalid(graph, wrong)
    column = np.full(graph.count, NONE, np.int32)
    column[links] = np.arange(len(links))
    hops = links_by_number(graph, hardware)[np.arange(len(net.switches))[:, None], out]
    return Forwarding(hops, column)


def links_by_number(graph: Graph, hardware: Catalogue) -> Ints:
    """Switch by number of a port: the directed link that leaves it there, or NONE."""
    net, of_port = graph.net, port_number(graph, hardware)
    table = np.full((len(net.switches), PORTS), NONE, np.int32)
    ends = ((graph.lower, graph.lower_port, 0), (graph.upper, graph.upper_port, graph.count))
    for nodes, port, first in ends:
        own = np.flatnonzero(graph.carries & (nodes < len(net.switches)))
        table[nodes[own], of_port[port[own]]] = own + first
    table[:, NO_PORT] = NONE
    return table


def port_number(graph: Graph, hardware: Catalogue) -> Ints:
    """Of each port of a switch its number as a subnet manager counts it."""
    net = graph.net
    numbers = [port_numbers(ports, hardware.switches[ports.model]) for ports in net.port_maps]
    of_port = np.full(len(net.peer), NO_PORT, np.int32)
    for node in net.switches:
        of_port[net.port_base[node] : net.port_base[node + 1]] = numbers[net.port_map[node]]
    return of_port


def _lids(graph: Graph, given: SubnetTables, links: Ints) -> tuple[Ints, list[tuple[str, str]]]:
    """The LID of each link's host port: as the files have it, else as planned; and what has none."""
    lid_of = {guid: lid for file in given.files for lid, guid in sorted(file.owners.items(), reverse=True)}
    ends = _ends(graph, given.subnet)
    lids, without = [], []
    for port in graph.lower_port[links].tolist():
        end = ends[port]
        # Under ibsim a port's GUID is its adapter's plus the port's number, whatever it really is.
        known = lid_of.get(end.port_guid, lid_of.get(end.node_guid + end.port))
        lids.append(end.lid if known is None else known)
        if known is None and lid_of:
            without.append(end)
    if not without:
        return np.array(lids, np.int32), []
    named = ", ".join(f"{end.name} (port GUID {end.port_guid:#x})" for end in without[:NAMED])
    rule = f"{_files(given)}: no LID of {counted(len(without), ('port', 'ports'))} of the job: {named}"
    return np.array(lids, np.int32), [(rule, "dump the tables anew while all hosts of the job are up")]


def _ends(graph: Graph, subnet: Subnet) -> dict[int, EndPort]:
    """By port of the topology: the ports of hosts."""
    net = graph.net
    first = {net.names[node]: net.port_base[node] for node in net.role_start[Role.HOST]}
    each = net.sizes.planes
    return {first[end.host] + end.nic * each + end.port - 1: end for end in subnet.ends if end.host in first}


def _unknown(given: SubnetTables, nodes: Mapping[int, int]) -> Iterator[tuple[str, str]]:
    """Tables of switches that the subnet does not have."""
    for file in given.files:
        strange = [guid for guid in file.tables if guid not in nodes]
        if strange:
            guid = strange[0]
            more = f", and {len(strange) - 1} more" if len(strange) > 1 else ""
            rule = f"{file.name}:{file.lines.get(guid, 1)}: no switch of {given.subnet.network} has the GUID {guid:#x}"
            hint = "write the GUIDs of all switches into the inventory: `devices: NAME: {guid: ...}`"
            yield rule + more, hint


def _without_table(given: SubnetTables) -> Iterator[tuple[str, str]]:
    there = {guid for file in given.files for guid in file.tables}
    missing = [switch for switch in given.subnet.switches if switch.guid not in there]
    if missing:
        named = ", ".join(f"{switch.name} ({switch.guid:#x})" for switch in missing[:NAMED])
        rule = f"{_files(given)}: no table of {counted(len(missing), ('switch', 'switches'))}: {named}"
        yield rule, f"add the output of `ibroute -G {missing[0].guid:#x}`, or name the output of `dump_lfts`"


def _without_entry(
    graph: Graph, given: SubnetTables, out: NDArray[np.uint8], lids: Ints
) -> Iterator[tuple[str, str]]:
    """LIDs of the job that a switch has no route to."""
    missing = out == NO_PORT
    if not missing.any():
        return
    node, column = (int(each[0]) for each in np.nonzero(missing))
    of_switches = counted(int(missing.any(axis=1).sum()), ("switch", "switches"))
    guid = next(s.guid for s in given.subnet.switches if s.name == graph.net.names[node])
    file = next(file for file in given.files if guid in file.tables)
    lid = int(lids[column])
    rule = f"{file.name}:{file.lines.get(guid, 1)}: {graph.net.names[node]} has no entry for LID {lid}"
    rule += f"; {of_switches} lack {counted(int(missing.any(axis=0).sum()), ('LID', 'LIDs'))} of the job"
    if lid in set().union(*(each.left_out for each in given.files)):
        yield rule, "`dump_lfts` leaves this LID out: name OpenSM's opensm-lfts.dump instead"
    else:
        yield rule, "is the file whole? Dump it anew while all hosts of the job are up"


def _files(given: SubnetTables) -> str:
    return ", ".join(file.name for file in given.files)


def _invalid(graph: Graph, wrong: Sequence[tuple[str, str]]) -> Invalid:
    origin = Origin(("networks", graph.net.name))
    found: tuple[Diagnostic, ...] = tuple(
        codes.NOT_ITS_TABLES.at(origin, rule, hint=hint, about=rule) for rule, hint in wrong
    )
    return Invalid(found)
