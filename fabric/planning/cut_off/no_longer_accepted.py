"""What switches no longer accept from their neighbours: pools that hosts still have, and what lies outside."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from ipaddress import IPv4Network, IPv6Network, ip_interface, ip_network

import msgspec

from fabric.devices.model import Device
from fabric.planning.cut_off.outside import EXTERNAL
from fabric.planning.cut_off.withdrawn import PREFIX
from fabric.planning.impact import OUT_OF_SIGHT
from fabric.planning.model import Change, Impact, Scope
from fabric.platforms.base import Facts
from fabric.topology.attachments.address_blocks import is_inside

ACCEPTED = re.compile(r"accepted|\bin-from", re.IGNORECASE)
"""In the names of the policies that say what belongs in a network, which are ours on every product."""
LENGTH = re.compile(r"\d+")

Network = IPv4Network | IPv6Network


class Accepted(msgspec.Struct, frozen=True):
    """Prefixes inside a block, up to a length."""

    block: Network
    longest: int

    @property
    def is_exact(self) -> bool:
        """Whether it is one prefix: of a router outside, or of what is attached with addresses of its own."""
        return self.longest == self.block.prefixlen

    def takes(self, network: Network) -> bool:
        """Whether a prefix is among them."""
        return network.prefixlen <= self.longest and is_inside(network, self.block)


class Narrowed(msgspec.Struct, frozen=True):
    """What a switch accepted that it no longer does, and what it goes on accepting."""

    gone: tuple[Accepted, ...] = ()
    kept: tuple[Accepted, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.gone)

    @property
    def outside(self) -> tuple[Network, ...]:
        """Single prefixes that it takes from nobody any more."""
        return tuple(one.block for one in self.gone if one.is_exact and not self.keeps(one.block))

    def drops(self, network: Network) -> bool:
        """Whether it accepted a prefix and no longer does."""
        return any(one.takes(network) for one in self.gone) and not self.keeps(network)

    def keeps(self, network: Network) -> bool:
        """Whether it goes on accepting a prefix."""
        return any(one.takes(network) for one in self.kept)


def narrowed(old: Facts, new: Facts) -> Narrowed:
    """By the sections that change, before and after."""
    before, after = (tuple(dict.fromkeys(_accepted(facts))) for facts in (old, new))
    return Narrowed(tuple(one for one in before if one not in after), after)


def _accepted(facts: Facts) -> Iterator[Accepted]:
    """Every product writes the lengths behind a prefix; without any it is that prefix alone."""
    for name, text in facts.policies.items():
        if ACCEPTED.search(name) and not EXTERNAL.search(name):
            longest: dict[Network, int] = {}
            for words in text.split(";"):
                for found in PREFIX.finditer(words):
                    with suppress(ValueError):
                        block = ip_network(found[1])
                        lengths = map(int, LENGTH.findall(words[found.end() :]))
                        longest[block] = max((longest.get(block, block.prefixlen), *lengths))
            yield from (Accepted(block, length) for block, length in longest.items())


def cut_by_filters(
    changed: Mapping[str, Narrowed], running: Iterable[tuple[Device, Facts | None]]
) -> dict[str, tuple[Change, ...]]:
    """By switch a change for what it no longer accepts. `running`: what each switch with hosts or attachments runs."""
    kinds = dict.fromkeys(changed.values())
    used = {kind: where for kind in kinds if (where := _in_use(kind, running))} if kinds else {}
    found: dict[str, tuple[Change, ...]] = {}
    for name, kind in changed.items():
        reasons = [used[kind]] if kind in used else []
        if kind.outside:
            reasons.append(f"{kind.outside[0]} is not accepted from neighbours any more: no path leads there")
        if reasons:
            found[name] = tuple(_change(reason) for reason in reasons)
    return found


def _in_use(kind: Narrowed, running: Iterable[tuple[Device, Facts | None]]) -> str:
    """Why it cuts off who has addresses that are no longer accepted; empty if nobody has."""
    for switch, facts in running:
        for network in _networks(facts or OUT_OF_SIGHT):
            if kind.drops(network):
                return (
                    f"{network}, which a port of {switch.name} has, is not accepted from neighbours any more: name its "
                    "pool in `addressing.former_host_pools` until all hosts have moved"
                )
    return ""


def _networks(facts: Facts) -> Iterator[Network]:
    """Those of links; a loopback is the switch's own. A host whose bond ends at two leaves is a route of its own."""
    has_bonds = any(interface.bond is not None for interface in facts.interfaces.values())
    for interface in facts.interfaces.values():
        for address in interface.addresses:
            with suppress(ValueError):
                own = ip_interface(address)
                if own.network.prefixlen < own.max_prefixlen:
                    yield own.network
                    yield from (ip_network(own.ip),) if has_bonds else ()


def _change(reason: str) -> Change:
    return Change("accepted prefixes", "~", Impact.ISOLATING, Scope(whole_device=True), reason)
