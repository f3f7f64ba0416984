"""The headroom that SONiC computes on NVIDIA switches (dynamic model), and the traffic pattern that asks for ours.

A port, in our own words, of what `buffermgrd` runs for each kind of port: cfgmgr/buffer_headroom_mellanox.lua of
github yuazhe/sonic-swss @3943093, which has pull request sonic-net/sonic-swss#3235, with the two later changes of
sonic-net/sonic-swss#4757 (2 KiB more where fewer than all packets are small) and #4797 (18 KiB more on Spectrum-6).
`port_mtu` is the field `mtu` of the table PORT. Constants: platform/mellanox/asic_table.j2, sonic-net/sonic-buildimage
@4a9bf64, in KiB there. Exact arithmetic, where the script has floating point.
"""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from functools import cache
from math import ceil

import msgspec

from fabric.devices.model import Switch
from fabric.qos.headroom import PAUSE_QUANTA, SIGNAL_M_PER_S

KIB = 1024
SMALLEST_PACKET_BYTES = 64
ON_TILE_NS = 120
MAC_PHY_BYTES = Fraction(8, 10) * KIB
RESPONSE_BYTES = Fraction(38, 10) * KIB
"""Of a peer at a speed that the list below has not."""
QUANTA = {100: 1, 1000: 2, **PAUSE_QUANTA}
MOST_MTU = 9216
"""Of a lossless packet (sonic-lossless-traffic-pattern.yang)."""
ALL = 100
"""Percent."""
LONGEST_M = 2000
"""sonic-cable-length.yang."""


class Spectrum(msgspec.Struct, frozen=True):
    """One generation of the ASIC, as the script knows it."""

    cell_bytes: int
    pipeline_bytes: int
    on_tile: bool = False
    """Packets of 120 ns more are on their way inside."""
    extra_bytes: int = 0
    """Added at the end, since pull request 4797."""


GENERATIONS = {
    "NVIDIA Spectrum": Spectrum(96, 19 * KIB),
    "NVIDIA Spectrum-2": Spectrum(144, 19 * KIB),
    "NVIDIA Spectrum-3": Spectrum(144, 19 * KIB),
    "NVIDIA Spectrum-4": Spectrum(192, 19 * KIB, on_tile=True),
    "NVIDIA Spectrum-5": Spectrum(192, 19 * KIB, on_tile=True),
    "NVIDIA Spectrum-6": Spectrum(256, 42 * KIB, extra_bytes=18 * KIB),
}
"""By the ASIC of the catalogue."""


class Pattern(msgspec.Struct, frozen=True, order=True):
    """The row of `LOSSLESS_TRAFFIC_PATTERN`: one for the whole switch."""

    small_percent: int
    """Of the packets, the share that has the smallest size."""
    mtu_bytes: int
    """The largest packet of a lossless class."""


class LosslessPort(msgspec.Struct, frozen=True, order=True):
    """A kind of port, as the script is asked about it."""

    speed_mbps: int
    cable_m: int
    port_mtu_bytes: int
    lanes: int


class Derived(msgspec.Struct, frozen=True):
    """What the script answers, in bytes."""

    xoff_bytes: int
    """Headroom."""
    xon_bytes: int
    size_bytes: int
    """Both, and for eight lanes one frame more: what the pool loses."""


def derived(asic: Spectrum, port: LosslessPort, pattern: Pattern, *, compensated: bool) -> Derived:
    """What a switch derives for one lossless priority of a port, without a shared headroom pool.

    `compensated`: with pull requests 4757 and 4797 (master), else as 202511 computes.
    """
    xoff = _xoff(asic, port, pattern)
    if compensated:
        worst = _xoff(asic, port, Pattern(ALL, pattern.mtu_bytes))
        if pattern.small_percent < ALL and xoff + 2 * KIB < worst:
            xoff += 2 * KIB
        xoff += asic.extra_bytes
    wide = port.lanes == 8  # the script asks this very question
    xon = asic.pipeline_bytes * (2 if wide else 1)
    return Derived(xoff, xon, _rounded(xoff + xon + (port.port_mtu_bytes if wide else 0)))


def _xoff(asic: Spectrum, port: LosslessPort, pattern: Pattern) -> int:
    return _rounded(pattern.mtu_bytes + _on_the_way(asic, port) * occupancy(asic, pattern))


def occupancy(asic: Spectrum, pattern: Pattern) -> Fraction:
    """Buffer bytes that a byte takes: as many small packets as the pattern says, which fill cells in part."""
    small, other = pattern.small_percent, ALL - pattern.small_percent
    of_small = SMALLEST_PACKET_BYTES
    share = Fraction(ALL * of_small, small * of_small + other * pattern.mtu_bytes)
    cell = asic.cell_bytes
    worst = Fraction(cell, of_small) if cell > 2 * of_small else Fraction(2 * cell, 1 + cell)
    return 1 - share + share * ceil(worst)


def _on_the_way(asic: Spectrum, port: LosslessPort) -> Fraction:
    quanta = QUANTA.get(port.speed_mbps)
    response = RESPONSE_BYTES if quanta is None else Fraction(quanta * 64)
    on_cable = Fraction(2 * port.cable_m * port.speed_mbps * 10**6, 8 * SIGNAL_M_PER_S)
    on_tile = Fraction(port.speed_mbps * ON_TILE_NS, 8000) if asic.on_tile else Fraction(0)
    return port.port_mtu_bytes + on_cable + MAC_PHY_BYTES + response + on_tile


def _rounded(amount: Fraction | int) -> int:
    return ceil(Fraction(amount) / KIB) * KIB


Needs = tuple[tuple[LosslessPort, int], ...]
"""Kinds of ports with the headroom that each must have at least, in bytes."""


@cache
def pattern_for(asic: Spectrum, needs: Needs, *, compensated: bool) -> Pattern:
    """The pattern by which each kind of port derives what it must have, and as little more as can be.

    If no pattern gives as much, the one that comes nearest. Of equal ones the most small packets, as they are the
    worst case.
    """

    def cost(pattern: Pattern) -> tuple[int, int, int, int]:
        headrooms = [
            (derived(asic, port, pattern, compensated=compensated).xoff_bytes, least) for port, least in needs
        ]
        missing, given = (
            sum(max(least - xoff, 0) for xoff, least in headrooms),
            sum(xoff for xoff, _ in headrooms),
        )
        return missing, given, -pattern.small_percent, pattern.mtu_bytes

    return min((Pattern(small, mtu) for small in PERCENTS for mtu in MTUS), key=cost)


def of_switch(switch: Switch) -> dict[str, tuple[int, Derived]]:
    """What the switch derives for each kind of lossless port, by the kind's name, and the cable that is told it.

    The cable is the true one, or the shortest longer one by which enough is derived where the pattern alone cannot:
    the script counts packets where we count frames, and asks for less on Spectrum-6.
    """
    asic, needs = GENERATIONS.get(switch.hardware.asic), headrooms_needed(switch)
    if asic is None or not needs:
        return {}
    pattern = pattern_of(switch)
    by_kind: dict[str, tuple[int, Derived]] = {}
    for (name, _), (port, least) in needs.items():
        offer = _offer(asic, port, least, pattern, compensated=is_compensated(switch))
        by_kind[name] = max(offer, by_kind.get(name, offer), key=lambda row: row[0])
    return by_kind


@cache
def _offer(
    asic: Spectrum, port: LosslessPort, least: int, pattern: Pattern, *, compensated: bool
) -> tuple[int, Derived]:
    def given(cable_m: int) -> int:
        longer = msgspec.structs.replace(port, cable_m=cable_m)
        return derived(asic, longer, pattern, compensated=compensated).xoff_bytes

    cables = range(port.cable_m, max(port.cable_m, LONGEST_M) + 1)
    cable_m = cables[min(bisect_left(cables, least, key=given), len(cables) - 1)]
    longer = msgspec.structs.replace(port, cable_m=cable_m)
    return cable_m, derived(asic, longer, pattern, compensated=compensated)


def pattern_of(switch: Switch) -> Pattern:
    """The traffic pattern of a switch: by its lossless ports; without any, that of SONiC's own template."""
    asic, needs = GENERATIONS.get(switch.hardware.asic), headrooms_needed(switch)
    if asic is None or not needs:
        return Pattern(50, 1024)  # files/build_templates/buffers_config.j2
    return pattern_for(asic, tuple(sorted(set(needs.values()))), compensated=is_compensated(switch))


def headrooms_needed(switch: Switch) -> dict[tuple[str, LosslessPort], tuple[LosslessPort, int]]:
    """The kinds of lossless ports of a switch with the headroom of each, by name and what the script is asked."""
    asked_by_kind = {}
    for port in switch.ports:
        kind = port.queueing
        if kind is not None and kind.headroom is not None:
            asked = LosslessPort(kind.speed_mbps, kind.cable_m, port.ip_mtu_bytes, port.slot.lanes)
            asked_by_kind[kind.name, asked] = asked, kind.headroom.headroom_bytes
    return asked_by_kind


def is_compensated(switch: Switch) -> bool:
    """Whether the release has the two later changes of the script."""
    return (switch.release or "").startswith("master")


MTUS = (*range(512, MOST_MTU, 512), MOST_MTU)
PERCENTS = (*range(0, ALL, 5), ALL)
