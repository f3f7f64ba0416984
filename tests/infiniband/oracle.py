"""What the tools say of a subnet, read here once more, so that the product's own reading is not its only witness."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

import msgspec

from fabric.devices.infiniband.model import Subnet
from tests.infiniband.simulator import Simulator

End = tuple[int, int]
"""Node GUID and port."""
Cables = frozenset[frozenset[End]]

NODE = re.compile(r'^(?:Switch|Ca)\t\d+ "[SH]-([0-9a-f]{16})"\t+# "[^"]*"(.*)$')
PORT = re.compile(r'^\[(\d+)\](?:\([0-9a-f]+\))? ?\t"[SH]-([0-9a-f]{16})"\[(\d+)\].* lid (\d+) ')


class Seen(msgspec.Struct, frozen=True):
    """What ibnetdiscover found."""

    switches: int
    adapters: int
    cables: Cables
    lids: dict[End, int]
    """Of adapters by port, of switches by port 0."""


def seen(simulator: Simulator) -> Seen:
    """Nodes, cables and LIDs of a subnet, as ibnetdiscover prints them."""
    text = simulator.tool("ibnetdiscover")
    cables, lids = set(), {}
    node, switch = 0, False
    for line in text.splitlines():
        if found := NODE.match(line):
            node, switch = int(found[1], 16), line.startswith("Switch")
            if switch:
                lids[node, 0] = int(found[2].split(" lid ")[1].split(maxsplit=1)[0])
        elif found := PORT.match(line):
            cables.add(frozenset(((node, int(found[1])), (int(found[2], 16), int(found[3])))))
            if not switch:
                lids[node, int(found[1])] = _own_lid(line)
    return Seen(text.count("\nSwitch\t"), text.count("\nCa\t"), frozenset(cables), lids)


def _own_lid(line: str) -> int:
    return int(line.split("# lid ")[1].split(maxsplit=1)[0])


def cables(subnet: Subnet) -> Cables:
    """The cables that were compiled."""
    return frozenset(
        frozenset(((link.lower, link.lower_port), (link.upper, link.upper_port))) for link in subnet.links
    )


def lids(subnet: Subnet) -> dict[End, int]:
    """The LIDs that were compiled, as `Seen` says them."""
    switches = {(switch.guid, 0): switch.lid for switch in subnet.switches}
    return switches | {(end.node_guid, end.port): end.lid for end in subnet.ends}


Tables = dict[int, dict[int, int]]
"""By switch: LID to port."""


def tables(simulator: Simulator) -> Tables:
    """The forwarding tables, as dump_lfts reads them from the switches."""
    found: Tables = {}
    for line in simulator.tool("dump_lfts").splitlines():
        if line.startswith("Unicast lids"):
            own = found.setdefault(int(line.split(" guid ")[1].split()[0], 16), {})
        elif line.startswith("0x") and "portguid" in line:
            lid, port = line.split()[:2]
            own[int(lid, 16)] = int(port)
    return found


class Routes(msgspec.Struct, frozen=True):
    """What the tables do to packets between all HCA ports."""

    pairs: int
    cut: tuple[str, ...]
    """`leaf -> HCA` that do not get there."""
    uplink_lids: tuple[int, int]
    """HCAs of other leaves that one uplink leads to: least, most."""
    loads: Counter[End]
    """Pairs over each switch port that leads to a switch."""


def routes(subnet: Subnet, simulator: Simulator) -> Routes:
    """Walk from every leaf to every HCA, through the tables and over the cables that are there now."""
    found = seen(simulator)
    peers = {a: b for cable in found.cables for a, b in _ways(cable)}
    there = [end for end in subnet.ends if (end.node_guid, end.port) in peers]
    behind = Counter(peers[end.node_guid, end.port][0] for end in there)
    lft = tables(simulator)
    switches, loads, cut = set(lft), Counter[End](), []
    uplinks: defaultdict[End, int] = defaultdict(int)
    for end in there:
        home = peers[end.node_guid, end.port][0]
        for leaf, sources in behind.items():
            way = list(_walk(leaf, end.node_guid, found.lids[end.node_guid, end.port], lft, peers))
            count = sources - (leaf == home)
            loads.update({hop: count for hop in way if peers[hop][0] in switches})
            if not way or peers[way[-1]] != (end.node_guid, end.port):
                cut.append(f"{leaf:#x} -> {end.name}")
            elif leaf != home:
                uplinks[way[0]] += 1
    for port, peer in peers.items():
        if port[0] in behind and peer[0] in switches:
            uplinks[port] += 0
    pairs = len(there) * (len(there) - 1)
    return Routes(pairs, tuple(cut), (min(uplinks.values()), max(uplinks.values())), loads)


def _ways(cable: frozenset[End]) -> Iterator[tuple[End, End]]:
    a, b = cable
    yield a, b
    yield b, a


def _walk(leaf: int, adapter: int, lid: int, lft: Tables, peers: dict[End, End]) -> Iterator[End]:
    """Switch ports that a packet leaves through."""
    at = leaf
    for _ in range(16):
        hop = at, lft.get(at, {}).get(lid, 0)
        if hop not in peers:
            return
        yield hop
        at = peers[hop][0]
        if at == adapter:
            return
