"""What EOS does not support, and no flag of its capabilities can say."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import Switch
from fabric.diagnostics import Diagnostic
from fabric.platforms.eos import codes
from fabric.platforms.eos.check_qos import check_qos
from fabric.platforms.eos.names import SPEED_WORDS, TITLE
from fabric.platforms.needs.table import unsupported
from fabric.platforms.port_places import speed_place
from fabric.platforms.routing.ranges import RoutingRanges, out_of_range
from fabric.platforms.service_ranges import SERVICES, most_ssh_keys, whole_minutes

SIX = 6
MOST_KEYS = 2
TAKES = RoutingRanges(TITLE, max_paths=600)
"""Arista AVD, `router_bgp.maximum_paths`."""


def refusals(switch: Switch) -> Iterator[Diagnostic]:
    """One finding for each thing that is needed and cannot be said."""
    yield from _allowed_to_gnmi(switch)
    yield from out_of_range(switch, TAKES, codes.RANGE)
    yield from _speeds(switch)
    yield from most_ssh_keys(switch, f"{TITLE} holds {MOST_KEYS} SSH keys of a user", MOST_KEYS, codes.USER)
    yield from whole_minutes(switch, TITLE, codes.GRANULARITY)
    yield from _banner((switch.services.banner or "").strip("\n"))
    yield from check_qos(switch.queueing)


def _allowed_to_gnmi(switch: Switch) -> Iterator[Diagnostic]:
    """A gNMI server would talk to more than the allowed sources."""
    services = switch.services
    has_ipv6 = any(address.version == SIX for address in switch.management.addresses)
    if services.gnmi is not None and services.management.allow and has_ipv6:
        yield unsupported(
            switch,
            TITLE,
            SERVICES.child("management", "allow"),
            "gNMI takes an access list of IPv4 only, and the management port has an IPv6 address",
            "give the switch an IPv4 management address alone, or leave `gnmi` out",
        )


def _speeds(switch: Switch) -> Iterator[Diagnostic]:
    for port in switch.ports:
        mbps, lanes = port.slot.speed_mbps, port.slot.lanes
        if not mbps or (mbps, lanes) in SPEED_WORDS:
            continue
        known = ", ".join(word for (speed_mbps, _), word in SPEED_WORDS.items() if speed_mbps == mbps)
        yield codes.SPEED.at(
            speed_place(switch, port),
            f"{TITLE} has no speed of {mbps // 1000}G over {lanes} lanes (port {port.name})",
            value=f"{mbps // 1000}g-{lanes}",
            hint=f"EOS knows {known}" if known else "choose another breakout",
            subjects=(switch.name,),
            about=f"{mbps}/{lanes}",
        )


def _banner(banner: str) -> Iterator[Diagnostic]:
    """Its lines must survive NAPALM, which strips each and drops comments."""
    for number, line in enumerate(banner.splitlines(), start=1):
        if line != line.strip() or line.startswith("!") or line == "EOF":
            yield codes.TEXT.at(
                SERVICES.child("banner"),
                f"line {number} of the banner would not arrive at {TITLE} as written: {line!r}",
                value=line,
                hint="no spaces at either end, no `!` in front, no line `EOF`",
                about=str(number),
            )
