"""Values that every product takes and no network stands: timers, AS numbers, addresses, lengths of cables.

One layer for all of them; what a single product takes less of is its platform's to refuse.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fabric.diagnostics import Origin, Report
from fabric.intent import codes
from fabric.intent.as_number_ranges import as_number_fault
from fabric.intent.checks.addresses import check_addresses
from fabric.intent.model.routing import Bfd
from fabric.intent.model.site import Intent
from fabric.intent.model.tiers import Network
from fabric.units import Duration, Length, Speed

SECOND_MS = 1000
LONGEST_M = {
    "dac": (7, "passive copper carries 7 m at most (802.3by; 3 m at 100G a lane, 802.3ck)"),
    "acc": (7, "active copper is made for up to 7 m"),
    "aec": (10, "active electrical cables are made for up to 10 m"),
    "aoc": (300, "active optical cables are made for up to 300 m"),
    "mmf": (550, "multi-mode fibre carries 550 m at most (802.3)"),
}
"""By kind of cable: the longest in metres, and why. `auto` and `smf` have no such bound."""


FAST_MBPS = 100_000
LONGEST_AT_100G_M = {
    "mmf": (
        150,
        "multi-mode fibre carries 100G and more for 100 m, over OM5 150 m (802.3cm, SR8 and SR4.2)",
    )
}
"""What is shorter at 100 Gb/s and more."""


class Timer(NamedTuple):
    """The bounds of a time, in milliseconds."""

    low_ms: int
    high_ms: int
    step_ms: int
    why: str


KEEPALIVE = Timer(SECOND_MS, 21_845 * SECOND_MS, SECOND_MS, "a third of the hold time (RFC 4271, section 10)")
HOLD = Timer(
    3 * SECOND_MS, 65_535 * SECOND_MS, SECOND_MS, "two octets of seconds, none below 3 (RFC 4271, 4.2)"
)
BFD_INTERVAL = Timer(50, 60_000, 1, "below 50 ms no product keeps up, above a minute it detects nothing")


def check_ranges(intent: Intent, report: Report) -> None:
    """Every value that would break a device or a session, anywhere in the intent."""
    for name, network in intent.site.networks.items():
        origin = Origin(("networks", name))
        _check_timers(network, origin.child("routing"), report)
        _check_cables(network, origin.child("cables"), report, speed_mbps=_slowest(intent, name))
    for origin, number in _as_numbers(intent):
        if (rule := as_number_fault(number)) is not None:
            hint = "choose a private one: 64512 to 65534, or 4200000000 to 4294967294"
            report.add(codes.RANGE.at(origin, rule, value=number, hint=hint))
    check_addresses(intent, report)


def _check_timers(network: Network, origin: Origin, report: Report) -> None:
    if network.technology != "ethernet":
        return
    bgp, bfd = network.routing.bgp, network.routing.bfd
    _check_timer(origin.child("bgp", "keepalive"), bgp.keepalive_ms, KEEPALIVE, report)
    _check_timer(origin.child("bgp", "hold"), bgp.hold_ms, HOLD, report)
    if bfd != "none":
        _check_timer(origin.child("bfd", "interval"), bfd.interval_ms, BFD_INTERVAL, report)
        _check_detection(bfd, bgp.hold_ms, origin.child("bfd", "interval"), report)


def _check_detection(bfd: Bfd, hold_ms: Duration, origin: Origin, report: Report) -> None:
    """BFD that is slower than BGP's own timer detects nothing."""
    detects_ms, longest_ms = bfd.interval_ms * bfd.multiplier, (hold_ms - 1) // bfd.multiplier
    if detects_ms >= hold_ms and longest_ms >= BFD_INTERVAL.low_ms:
        rule = (
            f"BFD detects a failure after {Duration(detects_ms)}, and BGP gives up after {hold_ms} by itself"
        )
        hint = f"write {Duration(longest_ms)} or less, or `bfd: none`"
        report.add(codes.BFD_SLOW.at(origin, rule, value=str(bfd.interval_ms), hint=hint))


def _check_timer(origin: Origin, value: Duration, timer: Timer, report: Report) -> None:
    low, high = Duration(timer.low_ms), Duration(timer.high_ms)
    if not low <= value <= high:
        nearest = min((low, high), key=lambda bound: abs(bound - value))
        rule = f"{value} is out of range, {low} to {high}: {timer.why}"
        report.add(codes.RANGE.at(origin, rule, value=str(value), hint=f"write {nearest}"))
    elif value % timer.step_ms:
        whole = Duration(-(-value // timer.step_ms) * timer.step_ms)
        rule = f"{value} is not a whole number of seconds, and products count in seconds"
        report.add(codes.RANGE.at(origin, rule, value=str(value), hint=f"write {whole}"))


def _slowest(intent: Intent, network: str) -> Speed:
    """The slowest port of a host: links between switches are at least as fast."""
    speeds = (group.nics[network].speed_mbps for group in intent.site.hosts.values() if network in group.nics)
    return min(speeds, default=Speed(0))


def _check_cables(network: Network, origin: Origin, report: Report, *, speed_mbps: Speed) -> None:
    known = LONGEST_M | (LONGEST_AT_100G_M if speed_mbps >= FAST_MBPS else {})
    for pair in network.cables.__struct_fields__:
        cable = getattr(network.cables, pair)
        longest, why = known.get(cable.kind, (None, ""))
        if longest is not None and cable.length_m > longest:
            rule = f"{cable.length_m} of {cable.kind}: {why}"
            hint = f"write `length: {Length(longest)}` or less, or `kind: smf`"
            place = origin.child(pair, "length")
            report.add(codes.RANGE.at(place, rule, value=str(cable.length_m), hint=hint))


def _as_numbers(intent: Intent) -> Iterator[tuple[Origin, int]]:
    for name, network in intent.site.networks.items():
        for role in ("leaf", "spine", "superspine"):
            number = getattr(network.addressing.asn, role)
            if number is not None:
                yield Origin(("networks", name, "addressing", "asn", role)), number
    for index, override in enumerate(intent.site.overrides):
        if override.asn is not None:
            yield Origin(("overrides", index, "asn")), override.asn
    for name, attachment in intent.site.attachments.items():
        if attachment.bgp is not None:
            yield Origin(("attachments", name, "bgp", "asn")), attachment.bgp.asn
