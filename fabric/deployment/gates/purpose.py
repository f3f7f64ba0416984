"""What a change takes down on purpose, what may die later than at once, and whether a device runs what was pushed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from ipaddress import ip_address, ip_interface

import msgspec

from fabric.configuration import compare
from fabric.deployment.gates.differing_lines import differing_lines, printable_line
from fabric.deployment.gates.snapshot import Snapshot
from fabric.deployment.gates.thresholds import Thresholds
from fabric.planning.model import Drain
from fabric.planning.texts import masked
from fabric.planning.ways import is_out
from fabric.platforms.base import AnyPlatform, Facts, InterfaceFacts
from fabric.platforms.facts import ports_of

QUIET = re.compile(r"\b(off|disabled?)\b")
"""In a service that is turned off, as products word it."""
TURNED_OFF = re.compile(r"(?:(?:admin-)?state )?(?:off|disabled?)|")
"""A service that is turned off as a whole, or removed."""
UNSET = InterfaceFacts()
"""A port of which a configuration says nothing: products that print every lane of a cage have many."""


class Purpose(msgspec.Struct, frozen=True):
    """What a device's change takes down on purpose."""

    device: str
    everything: bool = False
    """It is drained: all of its sessions go down."""
    reroutes: bool = False
    """It is drained with its sessions up: others choose other routes."""
    sessions: frozenset[str] = frozenset()
    """Its own neighbours that it gives up."""
    replaced: Mapping[str, str] = {}
    """New neighbours over ports that had others: each with the one that it takes the place of."""
    addresses: frozenset[str] = frozenset()
    """Its own addresses that others will not reach any more."""
    ports: frozenset[str] = frozenset()
    """Ports that it shuts."""
    retimed: frozenset[str] = frozenset()
    """Ports that it gives another speed."""
    former: str = ""
    """Host name that it gives up; empty: none."""
    touches_sessions: bool = False
    """It may break a session that is noticed by its hold time only."""
    touches_lldp: bool = False
    """It may make neighbours forget the device, each when its time has run out."""
    returns: bool = False
    """All of its sessions were shut, and are not any more: it goes back into service."""
    without_lldp: bool = False
    """It turns LLDP off: the device sees nobody by it any more, and nobody sees the device."""

    def __bool__(self) -> bool:
        """Whether anything is given up."""
        return bool(self.everything or self.reroutes or self.sessions or self.addresses or self.ports)

    def watch_s(self, seen: Snapshot, thresholds: Thresholds) -> float:
        """So long what this change has broken may look sound."""
        hold_s = max(seen.hold_s, thresholds.hold_s) if self.touches_sessions and seen.up else 0
        lldp_s = thresholds.lldp_s if self.touches_lldp and seen.neighbors else 0
        return max(thresholds.watch_s, hold_s, lldp_s)


def purpose(device: str, old: Facts, new: Facts, *, drains: Drain) -> Purpose:
    """What the step from one configuration to the other takes down on purpose."""
    shut = {name for name, was in old.interfaces.items() if was.enabled and _is_shut(new, name, was)}
    over = [ip_interface(address) for name in shut for address in old.interfaces[name].addresses]
    given_up = {key for key in old.neighbors if key not in new.neighbors or _inside(key, over)}
    kept = _addresses(new, shut)
    lost = _addresses(old, set()) - (set() if drains == "shut" else kept)
    was_told, is_told = (facts.services.get("lldp", "") for facts in (old, new))
    is_off = TURNED_OFF.fullmatch(is_told) is not None and TURNED_OFF.fullmatch(was_told) is None
    return Purpose(
        device,
        drains == "shut",
        drains == "graceful",
        frozenset(given_up),
        dict(_replaced(old, new)),
        frozenset(lost),
        frozenset(shut),
        retimed=frozenset(
            name
            for name, port in new.interfaces.items()
            if name in old.interfaces and old.interfaces[name].speed_mbps != port.speed_mbps
        ),
        touches_sessions=_without_services(old) != _without_services(new),
        former=old.hostname if old.hostname != new.hostname else "",
        touches_lldp=was_told != is_told and QUIET.search(is_told) is not None and not is_off,
        without_lldp=is_off,
        returns=is_out(old) and not is_out(new),
    )


def _is_shut(new: Facts, name: str, was: InterfaceFacts) -> bool:
    """Whether a port that was up is not any more; one of which nothing was said stays as it is."""
    port = new.interfaces.get(name)
    return was != UNSET if port is None else not port.enabled


def _replaced(old: Facts, new: Facts) -> Iterator[tuple[str, str]]:
    """Each neighbour that is new, and the one of the same address family that was there over its port."""
    gone = {key for key in old.neighbors if key not in new.neighbors}
    if not gone:
        return
    before = {over: key for key, over in ports_of(gone, old)}
    come = {key for key, session in new.neighbors.items() if key not in old.neighbors and not session.shut}
    yield from ((key, before[over]) for key, over in ports_of(come, new) if over in before)


def _without_services(facts: Facts) -> Facts:
    """All that traffic depends on: descriptions and management services are nothing to a session."""
    ports = {name: msgspec.structs.replace(port, description="") for name, port in facts.interfaces.items()}
    set_ones = {name: port for name, port in ports.items() if port != UNSET}
    return msgspec.structs.replace(facts, interfaces=set_ones, services={}, hostname="")


def _addresses(facts: Facts, shut: set[str]) -> set[str]:
    ports = ((name, interface) for name, interface in facts.interfaces.items() if name not in shut)
    return {_host(address) for _, interface in ports for address in interface.addresses}


@lru_cache(maxsize=4096)
def _host(address: str) -> str:
    """An address without its length, in canonical form. Most are the same before a change and after it."""
    return str(ip_interface(address).ip)


def _inside(key: str, networks: Iterable[object]) -> bool:
    try:
        address = ip_address(key)
    except ValueError:
        return False
    return any(address in interface.network for interface in networks)  # type: ignore[attr-defined]


def sections_not_applied(
    kind: AnyPlatform, device: str, running: str, pushed: str, *, keeps: bool
) -> tuple[str, ...]:
    """The sections in which a device runs something else than was pushed; both texts in plain form.

    Kept lines that one of ours overrides are gone from the device, and that is as it should be.
    """
    dialect = kind.dialect()
    changes = compare(dialect, device, running, masked(dialect.plain(pushed))).changes
    wrong = ((change.what, differing_lines(change, keeps=keeps)) for change in changes)
    return tuple(
        f"{device}: {printable_line(what)} is not what was pushed{words}" for what, words in wrong if words
    )
