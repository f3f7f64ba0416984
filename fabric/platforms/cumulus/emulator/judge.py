"""Whether a configuration is one that NVUE takes, by the tables of the dialect: what no table knows is refused."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from fabric.platforms.cumulus.read import read
from fabric.platforms.cumulus.session_documents import below, text_of

Tree = dict[str, Any]
KEPT = 64
"""Texts whose judgement is remembered."""
PROFILES = ("egress-scheduler", "congestion-control", "egress-shaper", "pfc")


def refused(tree: Tree) -> tuple[str, ...]:
    """Paths and values that a PATCH may not carry."""
    return _refused(text_of(tree))


@lru_cache(maxsize=KEPT)
def _refused(text: str) -> tuple[str, ...]:
    return tuple(f"'{line}' is not a valid setting" for _, line in read(text).unread) if text else ()


def invalid(tree: Tree) -> tuple[str, ...]:
    """What only an apply finds: names that nothing defines, shares of more than all, an account that is in use."""
    return (*_groups(tree), *_profiles(tree), *_shares(tree))


def _groups(tree: Tree) -> Iterator[str]:
    for name, vrf in below(tree, "vrf").items():
        bgp = below(vrf, "router", "bgp")
        for peer, row in below(bgp, "neighbor").items():
            group = below(row, "peer-group")
            if isinstance(group, str) and group not in below(bgp, "peer-group"):
                yield f"vrf {name} router bgp neighbor {peer}: peer-group {group} does not exist"


def _profiles(tree: Tree) -> Iterator[str]:
    for port, row in below(tree, "interface").items():
        for sort in PROFILES:
            profile = below(row, "qos", sort, "profile")
            if isinstance(profile, str) and profile not in below(tree, "qos", sort):
                yield f"interface {port} qos {sort}: profile {profile} does not exist"


def _shares(tree: Tree) -> Iterator[str]:
    for name, scheduler in below(tree, "qos", "egress-scheduler").items():
        rows = below(scheduler, "traffic-class").values()
        total = sum(int(below(row, "bw-percent") or 0) for row in rows)
        if total > 100:
            yield f"qos egress-scheduler {name}: bandwidth of {total} percent"
