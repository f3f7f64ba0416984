"""Addresses that one switch takes over while another one still has them: what is sent there goes astray."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from ipaddress import IPv4Network, IPv6Network, ip_interface

import msgspec

from fabric.devices.model import Device, Switch
from fabric.planning.model import Change, Impact, Scope
from fabric.planning.ways import FABRIC
from fabric.platforms.base import Facts

Network = IPv4Network | IPv6Network


class Moved(msgspec.Struct, frozen=True):
    """Networks that a change gives to the ports of hosts and attachments of a switch, or takes from it."""

    network: str = ""
    """Where they are: two networks of a site may use the same addresses."""
    gained: frozenset[Network] = frozenset()
    lost: frozenset[Network] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.gained or self.lost)


def moved(switch: Device, old: Facts, new: Facts) -> Moved:
    """By the sections that change, before and after. Links between switches are not announced, and do not count."""
    if not isinstance(switch, Switch):
        return Moved()
    links = {port.name for port in switch.ports if port.role in FABRIC}
    before, after = (frozenset(_networks(facts, links)) for facts in (old, new))
    return Moved(switch.network, after - before, before - after)


def _networks(facts: Facts, links: Iterable[str]) -> Iterator[Network]:
    for name, interface in facts.interfaces.items():
        for address in interface.addresses if interface.enabled and name not in links else ():
            with suppress(ValueError):
                network = ip_interface(address).network
                if network.prefixlen < network.max_prefixlen:
                    yield network


def taken_over(
    changed: Mapping[str, Moved], left: Iterable[tuple[Switch, Facts]]
) -> dict[str, tuple[Change, ...]]:
    """By switch a change for what it takes over from another one that has it until it is changed too.

    `left`: what runs on switches that the plan leaves as they are, as far as it is not what they shall run.
    """
    if not any(one.gained for one in changed.values()):
        return {}
    owned = _Owned(changed, left)
    found: dict[str, tuple[Change, ...]] = {}
    for name, one in changed.items():
        conflicts = sorted(
            (str(prefix), owner) for prefix in one.gained for owner in owned.by(one.network, prefix, but=name)
        )
        if conflicts:
            prefix, owner = conflicts[0]
            why = f"{prefix} is still that of ports of {owner}: what is sent there is lost, at either of them"
            change = Change("addresses of others", "~", Impact.ISOLATING, Scope(whole_device=True), why)
            found[name] = (change,)
    return found


class _Owned:
    """Networks that switches have and will not have. No two of them overlap: each is one that runs."""

    def __init__(self, changed: Mapping[str, Moved], left: Iterable[tuple[Switch, Facts]]) -> None:
        owners = [(one.network, prefix, name) for name, one in changed.items() for prefix in one.lost]
        for switch, facts in left:
            links = {port.name for port in switch.ports if port.role in FABRIC}
            wanted = {a.network for port in switch.ports for a in port.addresses}
            wanted |= {a.network for gateway in switch.gateways for a in gateway.addresses}
            kept = (prefix for prefix in _networks(facts, links) if prefix not in wanted)
            owners += ((switch.network, prefix, switch.name) for prefix in kept)
        self._owners = sorted((_place(of, prefix), _last(prefix), name) for of, prefix, name in owners)

    def by(self, network: str, prefix: Network, *, but: str) -> list[str]:
        """Who else has addresses of a prefix in a network."""
        place, last = _place(network, prefix), _last(prefix)
        at = bisect_left(self._owners, (place,))
        found = []
        for begin, end, owner in self._owners[max(0, at - 1) :]:
            if begin > (*place[:2], last):
                break
            if begin[:2] == place[:2] and end >= place[2] and owner != but:
                found.append(owner)
        return found


def _place(network: str, prefix: Network) -> tuple[str, int, int]:
    return network, prefix.version, int(prefix.network_address)


def _last(prefix: Network) -> int:
    return int(prefix.broadcast_address)
