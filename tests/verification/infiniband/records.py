"""Recorded outputs of the real tools, and the subnet that they are of."""

from __future__ import annotations

from pathlib import Path

from fabric.devices.infiniband.model import EndKind, EndPort, Lane, Subnet, SubnetLink, SubnetSwitch
from fabric.verification.infiniband.reading.discovery import parse_ibnetdiscover

FOLDER = Path(__file__).parent / "recorded"


def recorded(name: str) -> str:
    """One output."""
    return (FOLDER / name).read_text()


def tiny() -> Subnet:
    """The subnet of the recorded outputs: what was found is what is meant."""
    seen = parse_ibnetdiscover(recorded("ibnetdiscover.txt"))
    switches = [(guid, node) for guid, node in sorted(seen.nodes.items()) if node.kind == "Switch"]
    adapters = [(guid, node) for guid, node in sorted(seen.nodes.items()) if node.kind == "Ca"]
    spines = {guid for guid, node in switches if node.name.startswith("spine")}
    links = [
        SubnetLink(*end, *link.peer, 200_000)
        for end, link in sorted(seen.links.items())
        if end[0] not in spines and (link.peer[0] in spines or seen.nodes[end[0]].kind == "Ca")
    ]
    return Subnet(
        network="tiny",
        prefix=0xFE80000000000000,
        engine="ftree",
        layout="fat_tree",
        switches=tuple(
            SubnetSwitch(
                node.name,
                "spine" if guid in spines else "leaf",
                guid,
                node.ports,
                seen.lids[guid, 0],
                "small",
            )
            for guid, node in switches
        ),
        ends=tuple(
            EndPort(
                node.name,
                node.name.split()[0],
                int(node.name[-1]),
                1,
                guid,
                guid + 1,
                seen.lids[guid, 1],
                EndKind.COMPUTE,
            )
            for guid, node in adapters
        ),
        links=tuple(links),
        roots=tuple(sorted(spines)),
        partitions=(),
        lanes=(Lane("default", 0, 0, 64, 0), Lane("storage", 3, 3, 64, 0)),
    )
