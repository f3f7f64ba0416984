"""Pools of hosts that switches no longer accept from their neighbours, while hosts still have addresses of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from ipaddress import IPv4Network, IPv6Network, ip_interface

from fabric.devices.model import Device
from fabric.planning.cut_off.outside import EXTERNAL, prefixes_in
from fabric.planning.impact import OUT_OF_SIGHT
from fabric.planning.model import Change, Impact, Scope
from fabric.platforms.base import Facts
from fabric.topology.attachments.address_blocks import is_inside

ACCEPTED = re.compile(r"accepted|\bin-from", re.IGNORECASE)
"""In the names of the policies that say what belongs in a network, which are ours on every product."""

Network = IPv4Network | IPv6Network


def narrowed(old: Facts, new: Facts) -> tuple[Network, ...]:
    """What the sections that change accepted before, and no longer do; not what is only told in smaller parts."""
    before, after = (list(_accepted(facts)) for facts in (old, new))
    gone = (p for p in before if not any(is_inside(p, kept) or is_inside(kept, p) for kept in after))
    return tuple(dict.fromkeys(gone))


def _accepted(facts: Facts) -> Iterator[Network]:
    for name, text in facts.policies.items():
        if ACCEPTED.search(name) and not EXTERNAL.search(name):
            yield from prefixes_in(text)


def cut_by_filters(
    narrowed_by: Mapping[str, tuple[Network, ...]], running: Iterator[tuple[Device, Facts | None]]
) -> dict[str, tuple[Change, ...]]:
    """By switch a change for what it no longer accepts although hosts have it. `running`: what each leaf runs now."""
    wanted = frozenset(block for blocks in narrowed_by.values() for block in blocks)
    used: dict[Network, str] = {}
    for leaf, facts in running if wanted else ():
        for address in _addresses(facts or OUT_OF_SIGHT):
            for block in wanted:
                if is_inside(address, block):
                    used.setdefault(block, leaf.name)
        if len(used) == len(wanted):
            break
    return {
        name: tuple(_change(block, used[block]) for block in blocks if block in used)
        for name, blocks in narrowed_by.items()
        if any(block in used for block in blocks)
    }


def _addresses(facts: Facts) -> Iterator[Network]:
    """Those of links; a loopback is the switch's own."""
    for interface in facts.interfaces.values():
        for address in interface.addresses:
            with suppress(ValueError):
                network = ip_interface(address).network
                if network.prefixlen < network.max_prefixlen:
                    yield network


def _change(block: Network, leaf: str) -> Change:
    reason = (
        f"{block} is no longer accepted from neighbours, and ports of {leaf} still have addresses of it: name it in "
        "`addressing.former_host_pools` until all hosts have moved"
    )
    return Change("accepted prefixes", "~", Impact.ISOLATING, Scope(whole_device=True), reason)
