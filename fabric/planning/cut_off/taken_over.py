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
    return Moved(after - before, before - after)


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
            (str(network), owner) for network in one.gained for owner in owned.by(network, name)
        )
        if conflicts:
            network, owner = conflicts[0]
            why = (
                f"{network} is still that of ports of {owner}: what is sent there is lost, at either of them"
            )
            change = Change("addresses of others", "~", Impact.ISOLATING, Scope(whole_device=True), why)
            found[name] = (change,)
    return found


class _Owned:
    """Networks that switches have and will not have. No two of them overlap: each is one that runs."""

    def __init__(self, changed: Mapping[str, Moved], left: Iterable[tuple[Switch, Facts]]) -> None:
        owners = [(network, name) for name, one in changed.items() for network in one.lost]
        for switch, facts in left:
            links = {port.name for port in switch.ports if port.role in FABRIC}
            wanted = {a.network for port in switch.ports for a in port.addresses}
            wanted |= {a.network for gateway in switch.gateways for a in gateway.addresses}
            owners += ((network, switch.name) for network in _networks(facts, links) if network not in wanted)
        self._owners = sorted((*_place(network), name) for network, name in owners)

    def by(self, network: Network, but: str) -> list[str]:
        """Who else has addresses of a network."""
        version, first, last = _place(network)
        at = bisect_left(self._owners, (version, first))
        found = []
        for of, begin, end, owner in self._owners[max(0, at - 1) :]:
            if (of, begin) > (version, last):
                break
            if of == version and end >= first and owner != but:
                found.append(owner)
        return found


def _place(network: Network) -> tuple[int, int, int]:
    return network.version, int(network.network_address), int(network.broadcast_address)
