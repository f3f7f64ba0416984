"""What EOS does not support, and no flag of its capabilities can say."""

from __future__ import annotations

from fabric.devices.model import Switch
from fabric.diagnostics import Origin, Report
from fabric.platforms.needs.table import unsupported

SIX = 6


def refuse(switch: Switch, report: Report) -> None:
    """Refuse a gNMI server that would talk to more than the allowed sources."""
    services = switch.services
    has_ipv6 = any(one.version == SIX for one in switch.management.addresses)
    if services.gnmi is not None and services.management.allow and has_ipv6:
        report.add(
            unsupported(
                switch,
                "Arista EOS",
                Origin(("services", "management", "allow")),
                "gNMI takes an access list of IPv4 only, and the management port has an IPv6 address",
                "give the switch an IPv4 management address alone, or leave `gnmi` out",
            )
        )
