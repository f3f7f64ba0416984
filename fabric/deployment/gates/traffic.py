"""Whether traffic has left a device that is drained: rates of its ports, each from two readings of their counters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from fabric.deployment.gates.snapshot import Snapshot
from fabric.platforms.device_state import PortState

BITS_IN_MEGABYTE = 8
"""Megabits."""
BYTES_IN_MEGABYTE = 10**6


class Traffic(NamedTuple):
    """What crossed a device between two readings."""

    port: str
    """The one that carried most; empty: none was read."""
    mbps: float
    """Of that port, in its busier direction."""
    unread: tuple[str, ...]
    """Ports of which nobody tells how much they carry."""


def traffic(before: Snapshot, now: Snapshot, ports: Iterable[str]) -> Traffic | None:
    """What the ports carried meanwhile. None: counters were set back, so it is not known yet."""
    passed_s = now.read_s - before.read_s
    busiest, most, unread = "", 0.0, []
    for name in ports:
        counted = _bytes(before.ports.get(name), now.ports.get(name))
        if counted is None:
            unread.append(name)
            continue
        if min(counted) < 0:
            return None
        mbps = max(counted) * BITS_IN_MEGABYTE / BYTES_IN_MEGABYTE / passed_s
        if not busiest or mbps > most:
            busiest, most = name, mbps
    return Traffic(busiest, most, tuple(unread))


def _bytes(was: PortState | None, port: PortState | None) -> tuple[int, int] | None:
    """Received and sent meanwhile; None: the device does not tell."""
    if was is None or port is None:
        return None
    if not port.is_up:
        return (0, 0)
    known = (was.received_bytes, was.sent_bytes, port.received_bytes, port.sent_bytes)
    if None in known:
        return None
    received, sent, received_now, sent_now = (count or 0 for count in known)
    return (received_now - received, sent_now - sent)


class Drain(msgspec.Struct):
    """A device whose traffic has to leave it: what is known of that, reading by reading."""

    device: str
    ports: tuple[str, ...]
    limit_mbps: float
    counters_s: float
    """Least time between two readings of which a rate is made."""
    before: Snapshot
    """As it was before the change: who carried nothing then is drained at once."""
    last: Snapshot | None = None
    unread: tuple[str, ...] = ()
    verdict: tuple[str, ...] = ()

    def read(self, now: Snapshot) -> tuple[str, ...]:
        """Take a reading; why the device is not drained yet, empty if it is."""
        if self.last is None:
            self.verdict = (f"{self.device}: how much it carries is not known yet",)
            self._judge(self.before, now)
            self.last = now
        elif now.read_s - self.last.read_s >= self.counters_s:
            self._judge(self.last, now)
            self.last = now
        return self.verdict

    def _judge(self, before: Snapshot, now: Snapshot) -> None:
        if now.read_s - before.read_s < self.counters_s:
            return
        carried = traffic(before, now, self.ports)
        if carried is not None:
            self.unread = carried.unread
            self.verdict = tuple(busy(self.device, carried, self.limit_mbps))


def busy(device: str, carried: Traffic, limit_mbps: float) -> Iterator[str]:
    """That a device carries more than a drained one may."""
    if carried.mbps >= limit_mbps:
        rate = f"{carried.mbps:,.0f} Mbit/s, {limit_mbps:,g} is allowed when drained (`drained_below`)"
        yield f"{device} {carried.port}: still carries {rate}"
