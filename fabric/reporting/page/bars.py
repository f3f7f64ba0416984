"""Bars of queues, buffers and ports, as SVG with numbers in the text beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fabric.exports.network_view import View
from fabric.hardware.cage_modes import cage_count
from fabric.qos.model import PortQueueing, Queueing
from fabric.reporting.drawing.svg import number
from fabric.topology.roles import NONE, Facing, Role
from fabric.units import Bytes, Length, Speed

WIDE = 640


@dataclass(frozen=True)
class Bar:
    """One bar: its words, its pieces on a scale of `WIDE`, and what they are."""

    name: str
    pieces: tuple[tuple[float, float, str], ...]
    """Left, width and class of each rectangle."""
    wedge: tuple[float, float] | None = None
    """From where to where marking grows."""
    mark: float | None = None
    """Where PFC pauses when all ports fill at once."""
    words: str = ""

    @property
    def triangle(self) -> str:
        """The points of the wedge."""
        low, high = self.wedge or (0.0, 0.0)
        return f"{number(low)},16 {number(high)},4 {number(high)},16"


@dataclass(frozen=True)
class BarGroup:
    """Bars on one scale."""

    title: str
    bars: tuple[Bar, ...]
    scale: str = ""
    """What the whole width is."""


def size(value: int) -> str:
    """`1.2 MB` of bytes, with few digits."""
    for unit, factor in (("MB", 10**6), ("kB", 10**3)):
        if value >= factor:
            return (
                f"{value / factor:.3g} {unit}" if value < 1000 * factor else f"{value / factor:,.0f} {unit}"
            )
    return str(Bytes(value))


def queue_bars(views: Sequence[View]) -> Iterator[BarGroup]:
    """The buffer of each tier, and the queues of each kind of port on one scale."""
    for view in views:
        done: list[Queueing] = []
        for kind in view.context.kinds if view.context else ():
            queueing = kind.queueing.queueing if kind.queueing else None
            if queueing is None or queueing in done:
                continue
            done.append(queueing)
            title = f"{view.topology.name}: {kind.role}"
            if (buffer := _buffer(title, queueing)) is not None:
                yield buffer
            yield from _ports(title, queueing)


def _buffer(title: str, queueing: Queueing) -> BarGroup | None:
    budget = queueing.budget
    if budget is None:
        return None
    room = WIDE * budget.headroom_bytes / budget.buffer_bytes
    shared = budget.buffer_bytes - budget.headroom_bytes
    pieces = ((0.0, min(room, WIDE), "b-head"), (min(room, WIDE), max(WIDE - room, 0.0), "b-free"))
    share = 100 * budget.headroom_bytes / budget.buffer_bytes
    words = (
        f"headroom of all ports {size(budget.headroom_bytes)} ({share:.0f} %), queues share {size(shared)}"
    )
    return BarGroup(
        f"{title}, buffer of the ASIC", (Bar("buffer", pieces, words=words),), size(budget.buffer_bytes)
    )


def _ports(title: str, queueing: Queueing) -> Iterator[BarGroup]:
    pause = queueing.budget.ecn_first_below_bytes if queueing.budget else None
    rows = [
        (profile, c)
        for profile in queueing.profiles
        for c in profile.classes
        if c.ecn or c.priority is not None
    ]
    ends = [
        (c.ecn.kmax_bytes if c.ecn else 0, profile.headroom.headroom_bytes if profile.headroom else 0)
        for profile, c in rows
    ]
    scale = max((max(pause or 0, kmax) + room for kmax, room in ends), default=0)
    bars = (
        _queue(profile, i, pause, scale) for profile in queueing.profiles for i in range(len(profile.classes))
    )
    shown = tuple(bar for bar in bars if bar is not None)
    if shown and scale:
        yield BarGroup(f"{title}, one queue of a port", shown, size(scale))


def _queue(profile: PortQueueing, at: int, pause: int | None, scale: int) -> Bar | None:
    queue = profile.classes[at]
    room = profile.headroom.headroom_bytes if profile.headroom and queue.priority is not None else 0
    if not queue.ecn and not room:
        return None
    ecn, factor = queue.ecn, WIDE / scale if scale else 0
    start = max(ecn.kmax_bytes if ecn else 0, pause or 0)
    pieces = ((start * factor, room * factor, "b-head"),) if room else ()
    words = []
    if ecn:
        words.append(
            f"ECN marks from {size(ecn.kmin_bytes)} to {size(ecn.kmax_bytes)}, at most {ecn.pmax_percent} %"
        )
    if pause is not None and room:
        words.append(f"if all ports fill at once PFC pauses at {size(pause)}")
    if room:
        words.append(f"headroom {size(room)}")
    assumed = ", length assumed" if profile.cable_is_assumed else ""
    name = f"{queue.name}, {Speed(profile.speed_mbps)}, cable {Length(profile.cable_m)}{assumed}"
    wedge = (ecn.kmin_bytes * factor, ecn.kmax_bytes * factor) if ecn else None
    mark = pause * factor if pause is not None and room and pause <= scale else None
    return Bar(name, pieces, wedge, mark, "; ".join(words))


PORTS = ("b-used", "b-grow", "b-kept")
"""Cabled, for growth within capacity, reserved."""


@dataclass(frozen=True)
class PortFill:
    """How full the ports of one tier are."""

    network: str
    tier: str
    switches: int
    cages: int
    """Of all its switches."""
    used_cages: int
    """Cages that have a port of the design."""
    cabled: int
    growth: int
    """Declared for hosts or switches that are not installed yet."""
    reserved: int
    """Reserved for attachments, and not taken."""
    shares: tuple[float, float, float]
    """Cages that these three take: a port of four in a cage takes a quarter."""

    @property
    def bar(self) -> Bar:
        """The same as a bar."""
        x, pieces = 0.0, []
        for share, css in zip(self.shares, PORTS, strict=True):
            width = WIDE * share / self.cages if self.cages else 0.0
            pieces.append((x, width, css))
            x += width
        return Bar(f"{self.network}: {self.tier}", tuple(pieces))


def port_fill(views: Iterable[View]) -> Iterator[PortFill]:
    """Every tier of every network."""
    for view in views:
        for role in (Role.LEAF, Role.SPINE, Role.SUPERSPINE):
            if view.topology.role_start[role]:
                yield _tier_fill(view, role)


def _tier_fill(view: View, role: Role) -> PortFill:
    net, hardware = view.topology, view.intent.hardware.switches
    counts, shares = [0, 0, 0], [0.0, 0.0, 0.0]
    kinds = Counter(net.port_map[node] for node in net.role_start[role])
    cages = sum(cage_count(hardware[net.port_maps[kind].model]) * count for kind, count in kinds.items())
    used = sum(
        len({(slot.slot, slot.cage) for slot in net.port_maps[kind].slots}) * count
        for kind, count in kinds.items()
    )
    for node in net.role_start[role]:
        chosen = net.port_maps[net.port_map[node]]
        base = net.port_base[node]
        for i, (slot, facing) in enumerate(zip(chosen.slots, chosen.facing, strict=True)):
            is_kept = facing in (Facing.SPARE, Facing.OUT)
            kind = 0 if net.peer[base + i] != NONE else 2 if is_kept else 1
            counts[kind] += 1
            shares[kind] += 1 / slot.sub_ports
    cabled, growth, reserved = counts
    return PortFill(
        network=net.name,
        tier=role.name.lower(),
        switches=len(net.role_start[role]),
        cages=cages,
        used_cages=used,
        cabled=cabled,
        growth=growth,
        reserved=reserved,
        shares=(shares[0], shares[1], shares[2]),
    )
