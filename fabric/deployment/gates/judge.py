"""The gate's judgement: what was there just before a wave is there after it, but for what it takes down on purpose."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from fabric.deployment.gates.purpose import Purpose
from fabric.deployment.gates.snapshot import Neighbor, Snapshot
from fabric.deployment.gates.thresholds import Thresholds
from fabric.platforms.device_state import BgpSession, PortState
from fabric.platforms.ports import SLOWEST_WITH_FEC_MBPS
from fabric.units import counted, noun_of

PortNames = Callable[[str], Mapping[str, str]]
"""Of a device to what LLDP may call its ports, in small letters, and what they are called here."""


def nobody_knows(_device: str) -> Mapping[str, str]:
    """No names but those that LLDP tells."""
    return {}


def missing(
    device: str,
    before: Snapshot,
    now: Snapshot,
    purposes: Mapping[str, Purpose],
    thresholds: Thresholds,
    port_names: PortNames = nobody_knows,
) -> tuple[str, ...]:
    """What was there on a device and is not now, for people. Empty: the gate is open for it.

    Each begins with its place, as `spine-0 Ethernet1/1:`, which tells one break from another.
    """
    own = purposes.get(device, Purpose(device))
    return (
        *_sessions(device, before, now, own, purposes),
        *_neighbors(device, before, now, purposes, port_names),
        *_ports(device, before, now, purposes, port_names),
        *(() if any(purposes.values()) else _routes(device, before, now, thresholds)),
    )


def _sessions(
    device: str, before: Snapshot, now: Snapshot, own: Purpose, purposes: Mapping[str, Purpose]
) -> Iterator[str]:
    lost = {address for other in purposes.values() for address in other.addresses if other.device != device}
    gone = frozenset() if own.everything else before.up - now.up - own.sessions - lost
    for address in sorted(gone):
        if address.partition("%")[2] not in own.ports:  # of a link-local neighbour, as `fe80::1%Ethernet1`
            yield f"{device} BGP session with {address}: is down"
    for address, old in sorted(own.replaced.items()):
        if old in before.up and address not in now.up:
            yield f"{device} BGP session with {address}: is not up, as that with {old} was"


def _named(neighbor: Neighbor, port_names: PortNames) -> Neighbor:
    """With the far port as the intent calls it."""
    port, host, peer = neighbor
    return port, host, port_names(host).get(peer.lower(), peer)


def _neighbors(
    device: str, before: Snapshot, now: Snapshot, purposes: Mapping[str, Purpose], port_names: PortNames
) -> Iterator[str]:
    """Neighbours that have gone. One that calls its port otherwise than before is the same one."""
    own = purposes.get(device, Purpose(device))
    if own.without_lldp:
        return
    renamed = {purpose.former for purpose in purposes.values()} - {""}
    gone = _lost_neighbors(before, now)
    seen = {_named(neighbor, port_names) for neighbor in now.neighbors} if gone else set()
    for port, host, peer in sorted({_named(neighbor, port_names) for neighbor in gone} - seen):
        far = purposes.get(host, Purpose(host))
        shut = port in own.ports or peer in far.ports or far.without_lldp
        if not shut and host not in renamed and not _is_replaced(port, host, peer, seen, port_names):
            instead = sorted(f"{other} {far}" for mine, other, far in seen if mine == port)
            sees = f", but {instead[0]}" if instead else ""
            yield f"{device} {port}: LLDP does not see {host} {peer} any more{sees}"


def _is_replaced(port: str, host: str, peer: str, seen: set[Neighbor], port_names: PortNames) -> bool:
    """Whether a device of another product, which calls its ports otherwise, has taken a neighbour's place."""
    known = {*port_names(host).values()}
    return peer not in known and any(
        (mine, other) == (port, host) and far in known for mine, other, far in seen
    )


def _lost_neighbors(before: Snapshot, now: Snapshot) -> set[Neighbor]:
    """Neighbours that are not seen any more, without those whose cable was gone before.

    An entry outlives its cable by its time to live: at a port without a link, or beside that of who is there now.
    """
    down = {name for name, port in before.ports.items() if not port.is_up}
    kept = {port for port, _, _ in before.neighbors & now.neighbors}
    return {neighbor for neighbor in before.neighbors - now.neighbors if neighbor[0] not in down | kept}


def _ports(
    device: str, before: Snapshot, now: Snapshot, purposes: Mapping[str, Purpose], port_names: PortNames
) -> Iterator[str]:
    """Ports that were up. One whose far end is shut on purpose goes down with it."""
    own = purposes.get(device, Purpose(device))
    shutting = {host for host, purpose in purposes.items() if purpose.ports}
    near = (_named(neighbor, port_names) for neighbor in before.neighbors if neighbor[1] in shutting)
    far = {port for port, host, peer in near if peer in purposes[host].ports}
    for name, was in before.ports.items():
        port = now.ports.get(name)
        if not was.is_up or name in own.ports or name in far:
            continue
        if port is None or not port.is_up:
            yield f"{device} {name}: is down"
        elif name not in own.retimed:
            yield from _rate(f"{device} {name}", was, port)


def tells_no_fec(before: Snapshot, now: Snapshot) -> bool:
    """Whether ports stayed up whose error correction could be judged, and that of none is told both before and now."""
    comparable = [
        None not in (was.fec, port.fec)
        for name, was in before.ports.items()
        if was.is_up and (port := now.ports.get(name)) is not None and port.is_up and _may_have_fec(port)
    ]
    return bool(comparable) and not any(comparable)


def _may_have_fec(port: PortState) -> bool:
    return port.speed_mbps is None or port.speed_mbps >= SLOWEST_WITH_FEC_MBPS


def _rate(where: str, was: PortState, port: PortState) -> Iterator[str]:
    if None not in (was.speed_mbps, port.speed_mbps) and was.speed_mbps != port.speed_mbps:
        yield f"{where}: runs at {port.speed_mbps:,} Mbit/s, before at {was.speed_mbps:,}"
    if None not in (was.fec, port.fec) and was.fec != port.fec:
        yield f"{where}: error correction is {port.fec}, before {was.fec}"


def _routes(device: str, before: Snapshot, now: Snapshot, thresholds: Thresholds) -> Iterator[str]:
    """Of a wave that gives nothing up: as many prefixes from each neighbour, as many next hops for each prefix."""
    allowed = thresholds.lost_prefixes_percent
    if allowed is None:
        return
    for address in sorted(before.up & now.up):
        yield from _prefixes(
            f"{device} BGP session with {address}", before.sessions[address], now.sessions[address], allowed
        )
    kept = [prefix for prefix in before.widths if prefix in now.widths]
    if len(before.widths) - len(kept) > len(before.widths) * allowed / 100:
        lost = sorted(before.widths.keys() - now.widths.keys())
        yield f"{device} route to {lost[0]}: is gone{_more(len(lost))}"
    narrow = sorted(prefix for prefix in kept if now.widths[prefix] < before.widths[prefix])
    if narrow:
        was, is_now = before.widths[narrow[0]], now.widths[narrow[0]]
        yield f"{device} route to {narrow[0]}: has {counted(is_now, 'next hop')}, before {was}{_more(len(narrow))}"


def _prefixes(who: str, was: BgpSession, session: BgpSession, allowed: float) -> Iterator[str]:
    for what, old, new in (
        ("sent", was.received, session.received),
        ("accepted", was.installed, session.installed),
    ):
        for family, count in old.items():
            left = new.get(family, 0)
            if count - left > count * allowed / 100:
                are = noun_of(left, ("is", "are"))
                yield f"{who}: {counted(left, 'prefix')} of {family} {are} {what}, before {count:,}"
                return  # what is not sent is not accepted either


def worse(device: str, first: Snapshot, now: Snapshot, thresholds: Thresholds) -> tuple[str, ...]:
    """What has gone wrong on the ports of a device since the gate began to watch."""
    return tuple(
        complaint
        for name, was in first.ports.items()
        if (port := now.ports.get(name)) is not None and port != was  # most have counted nothing since
        for complaint in _counted(f"{device} {name}", was, port, thresholds)
    )


def not_counted(now: Snapshot, thresholds: Thresholds) -> tuple[str, ...]:
    """What is to be judged and stands at no port that is up: the product does not tell it."""
    ports = [port for port in now.ports.values() if port.is_up]
    kinds = [[row for row in _counts(port, thresholds) if row[1] is not None] for port in ports]
    return tuple(
        rows[0][0] for rows in zip(*kinds, strict=True) if all(count is None for _, _, count in rows)
    )


def _counted(where: str, was: PortState, port: PortState, thresholds: Thresholds) -> Iterator[str]:
    old_and_new = zip(_counts(was, thresholds), _counts(port, thresholds), strict=True)
    for (what, allowed, old), (_, _, new) in old_and_new:
        if allowed is not None and old is not None and new is not None and new - old > allowed:
            yield f"{where}: {new - old:,} {what} since the change, {allowed:,} are allowed"


def _counts(port: PortState, thresholds: Thresholds) -> tuple[tuple[str, int | None, int | None], ...]:
    """What is counted at a port, how much of it is allowed, and how much there is; None: it is not told."""
    return (
        ("frames with errors", thresholds.errors, port.errors),
        ("packets dropped", thresholds.discards, port.discards),
        ("PFC frames", thresholds.pause_frames, _pauses(port)),
        ("packets marked with ECN", thresholds.marked, port.marked),
    )


def _pauses(port: PortState) -> int | None:
    counted = (*port.pause_received.values(), *port.pause_sent.values())
    return sum(counted) if counted else None


def _more(count: int) -> str:
    return f" (and {count - 1:,} more)" if count > 1 else ""
