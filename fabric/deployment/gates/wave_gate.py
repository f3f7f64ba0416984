"""The gate: what was up just before a wave is up after it, but for what the wave takes down on purpose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from ipaddress import ip_address, ip_interface

import msgspec

from fabric.configuration import compare, differences
from fabric.deployment.connection.device_session import Connection
from fabric.planning.texts import masked
from fabric.platforms.base import AnyPlatform, Facts


class Snapshot(msgspec.Struct, frozen=True):
    """What is up on one device."""

    sessions: frozenset[str]
    """BGP neighbours, by address."""
    neighbors: frozenset[tuple[str, str, str]]
    """Port, and host and port that LLDP sees at the other end."""


class Purpose(msgspec.Struct, frozen=True):
    """What a device's change takes down on purpose."""

    device: str
    everything: bool = False
    """It is drained: all of its sessions go down."""
    sessions: frozenset[str] = frozenset()
    """Its own neighbours that it gives up."""
    addresses: frozenset[str] = frozenset()
    """Its own addresses that others will not reach any more."""
    ports: frozenset[str] = frozenset()
    """Ports that it shuts."""


def snapshot(device: Connection) -> Snapshot:
    """Ask a device what is up."""
    bgp, lldp = device.bgp_sessions(), device.lldp_neighbors()
    sessions = {address for address, session in bgp.items() if session.is_up}
    seen = {
        (port, n["hostname"].partition(".")[0], n["port"])
        for port, neighbors in lldp.items()
        for n in neighbors
    }
    return Snapshot(frozenset(sessions), frozenset(seen))


def purpose(device: str, old: Facts, new: Facts, *, drained: bool) -> Purpose:
    """What the step from one configuration to the other takes down on purpose."""
    shut = {
        name
        for name, was in old.interfaces.items()
        if was.enabled and (name not in new.interfaces or not new.interfaces[name].enabled)
    }
    over = [ip_interface(address) for name in shut for address in old.interfaces[name].addresses]
    given_up = {key for key in old.neighbors if key not in new.neighbors or _inside(key, over)}
    kept = _addresses(new, shut)
    lost = _addresses(old, set()) - (set() if drained else kept)
    return Purpose(device, drained, frozenset(given_up), frozenset(lost), frozenset(shut))


def _addresses(facts: Facts, shut: set[str]) -> set[str]:
    ports = ((name, interface) for name, interface in facts.interfaces.items() if name not in shut)
    return {str(ip_interface(address).ip) for _, interface in ports for address in interface.addresses}


def _inside(key: str, networks: Iterable[object]) -> bool:
    try:
        address = ip_address(key)
    except ValueError:
        return False
    return any(address in interface.network for interface in networks)  # type: ignore[attr-defined]


def missing(device: str, before: Snapshot, now: Snapshot, purposes: Mapping[str, Purpose]) -> tuple[str, ...]:
    """What was up on a device and is not now, for people. Empty: the gate is open for it."""
    own = purposes.get(device, Purpose(device))
    lost = {address for other in purposes.values() for address in other.addresses if other.device != device}
    gone = frozenset() if own.everything else before.sessions - now.sessions - own.sessions - lost
    down = sorted(address for address in gone if _port_of(address) not in own.ports)
    unseen = sorted(link for link in before.neighbors - now.neighbors if not _shut(link, own, purposes))
    return (
        *(f"{device}: BGP session with {address} is down" for address in down),
        *(f"{device} {port}: LLDP does not see {host} {peer} any more" for port, host, peer in unseen),
    )


def _port_of(address: str) -> str:
    """The port of a link-local neighbour, as `fe80::1%Ethernet1`."""
    return address.partition("%")[2]


def _shut(link: tuple[str, str, str], own: Purpose, purposes: Mapping[str, Purpose]) -> bool:
    port, host, peer = link
    return port in own.ports or (host in purposes and peer in purposes[host].ports)


def sections_not_applied(
    kind: AnyPlatform, device: str, running: str, pushed: str, *, keeps: bool
) -> tuple[str, ...]:
    """The sections in which a device runs something else than was pushed; both texts in plain form.

    Kept lines that one of ours overrides are gone from the device, and that is as it should be.
    """
    dialect = kind.dialect()
    changes = compare(dialect, device, running, masked(dialect.plain(pushed))).changes
    return tuple(
        f"{device}: {change.what} is not what was pushed"
        for change in changes
        if not keeps or any(line.old is not None for line in differences(change))
    )
