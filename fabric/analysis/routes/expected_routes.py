"""What the cabling allows: the routes of a network in which every session is up and no AS number rejects a path."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fabric.analysis.routes.evaluate import Routes, evaluate
from fabric.analysis.routes.model import ACROSS, DOWNWARD, UPWARD, Links, Passing, Sessions, Speakers

RANK = {"leaf": 0, "spine": 1, "superspine": 2}


def by_tier(role: str, other: str) -> Passing:
    """How routes pass from a switch of one tier to one of another, so that none goes up after it went down."""
    if role == other:
        return ACROSS
    return UPWARD if RANK[role] < RANK[other] else DOWNWARD


def shortest_routes(speakers: Speakers, links: Sequence[dict[int, int]], family: int) -> Routes:
    """The shortest ways over the cables that are not shut, up and down the tiers."""
    out: list[Links] = []
    for node, peers in enumerate(links):
        node_links: Links = {}
        for peer, count in peers.items():
            node_links.setdefault(by_tier(speakers.role[node], speakers.role[peer]), {})[peer] = count
        out.append(node_links)
    plain = msgspec.structs.replace(
        speakers,
        shared=[0] * speakers.count,
        common={
            family: tuple(msgspec.structs.replace(entry, asn=0) for entry in entries)
            for family, entries in speakers.common.items()
        },
        sessions={family: Sessions(out, [{} for _ in out])},
    )
    return evaluate(plain, family)
