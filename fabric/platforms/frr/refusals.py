"""What a switch needs and FRR or Linux does not take, beyond what its capabilities tell: numbers, and other owners."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import Switch
from fabric.diagnostics import Origin, Report
from fabric.platforms.frr import codes
from fabric.platforms.frr.lower_bgp import MOST_PATHS
from fabric.platforms.routing.ranges import RoutingRanges, out_of_range

LONGEST_NAME = 15
"""Of a Linux interface, and a VRF is one."""


def refuse(switch: Switch, report: Report) -> None:
    """Refuse numbers and names out of range; tell what the operating system holds."""
    _numbers(switch, report)
    outside = [name for name, there in _outside(switch) if there]
    if outside:
        rule = f"not written for FRR on Linux: {', '.join(outside)}"
        report.add(codes.OUTSIDE.at(Origin(("services",)), rule, hint=codes.OUTSIDE.fix))


def _outside(switch: Switch) -> Iterator[tuple[str, bool]]:
    services = switch.services
    yield "users", bool(services.users)
    yield "ntp", bool(services.ntp.servers)
    yield "syslog", bool(services.syslog.servers)
    yield "dns", bool(services.management.dns or services.management.domain)
    yield "ssh", services.ssh != type(services.ssh)()
    yield "banner", bool(services.banner)
    yield "lldp", services.lldp


def _numbers(switch: Switch, report: Report) -> None:
    report.extend(out_of_range(switch, RoutingRanges("FRR", MOST_PATHS), codes.RANGE))
    if len(switch.management.vrf) > LONGEST_NAME:
        rule = (
            f"Linux takes names of at most {LONGEST_NAME} letters: FRR cannot use VRF {switch.management.vrf}"
        )
        origin = Origin(("services", "management", "vrf"))
        report.add(codes.RANGE.at(origin, rule, value=switch.management.vrf, hint="write a shorter name"))
