"""What is connected to what, read from the output of `ibnetdiscover`."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

End = tuple[int, int]
"""Node GUID and port."""

_NODE = re.compile(r'(Switch|Ca|Rt)\s+(\d+)\s+"[SHR]-([0-9a-f]{16})"\s+#\s*"(.*?)"(.*)$')
_PORT = re.compile(
    r'\[(\d+)\](?:\[ext \d+\])?(?:\([0-9a-f]+\))?\s+"[SHR]-([0-9a-f]{16})"\[(\d+)\](?:\[ext \d+\])?(.*)$'
)
_LID = re.compile(r"\blid (\d+)")
_RATE = re.compile(r"(\d+)x(\w+)\s*$")

LANE_MBPS: Mapping[str, int] = {
    "SDR": 2_500,
    "DDR": 5_000,
    "QDR": 10_000,
    "FDR10": 10_000,
    "FDR": 14_000,
    "EDR": 25_000,
    "HDR": 50_000,
    "NDR": 100_000,
    "XDR": 200_000,
}
"""Data rate of one lane (InfiniBand Trade Association, roadmap; SDR to QDR are signalling rates as always quoted)."""


LAST_PORT = 254
"""Of a switch (InfiniBand Architecture 1.4, 18.2.4.3): 255 means none."""


class SeenNode(msgspec.Struct, frozen=True, gc=False):
    """A node as it describes itself."""

    kind: str
    """`Switch`, `Ca` or `Rt`."""
    ports: int
    name: str
    """Its NodeDescription, or what a name map says."""


class SeenLink(msgspec.Struct, frozen=True, gc=False):
    """What a port reaches."""

    peer: End
    width: int
    speed: str
    """`NDR`; empty: not reported."""


class Discovered(msgspec.Struct, frozen=True):
    """A subnet as it was found."""

    nodes: Mapping[int, SeenNode]
    """By node GUID."""
    links: Mapping[End, SeenLink]
    """By own end: every cable twice."""
    lids: Mapping[End, int]
    """Base LIDs: of a switch at port 0, of an HCA at its port."""


def parse_ibnetdiscover(text: str) -> Discovered:
    """Read the whole output of `ibnetdiscover`. Other lines do no harm."""
    nodes: dict[int, SeenNode] = {}
    links: dict[End, SeenLink] = {}
    lids: dict[End, int] = {}
    guid, is_switch = 0, False
    for line in text.splitlines():
        if line.startswith("["):
            port = _PORT.match(line)
            if port and guid and 0 < int(port[1]) <= LAST_PORT:
                _add(links, lids, guid, port, has_lid=not is_switch)
        elif line.startswith(("Switch", "Ca", "Rt")):
            node = _NODE.match(line)
            if node:
                guid, is_switch = int(node[3], 16), node[1] == "Switch"
                nodes[guid] = SeenNode(node[1], int(node[2]), printable(node[4]))
                lid_match = _LID.search(node[5])
                if is_switch and lid_match:
                    lids[guid, 0] = int(lid_match[1])
    return Discovered(nodes, links, lids)


def printable(name: str) -> str:
    """What a node calls itself, fit for a terminal: it may call itself anything."""
    return "".join(letter if letter.isprintable() else "?" for letter in name)


def _add(
    links: dict[End, SeenLink], lids: dict[End, int], guid: int, port: re.Match[str], *, has_lid: bool
) -> None:
    own = (guid, int(port[1]))
    rate = _RATE.search(port[4])
    width, speed = (int(rate[1]), rate[2]) if rate else (0, "")
    links[own] = SeenLink((int(port[2], 16), int(port[3])), width, speed)
    lid_match = _LID.search(port[4]) if has_lid else None
    if lid_match:
        lids[own] = int(lid_match[1])


def rate_mbps(link: SeenLink) -> int:
    """Data rate of a link; 0 where it is not known."""
    return link.width * LANE_MBPS.get(link.speed, 0)
