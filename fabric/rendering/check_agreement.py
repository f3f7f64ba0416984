"""Whether the products at both ends of a link do the same to a packet, after each has rounded in its own way."""

from __future__ import annotations

from functools import cache

from fabric.devices.site_devices import Devices
from fabric.diagnostics import Invalid, Report
from fabric.platforms.base import Facts
from fabric.platforms.meaning import Disagreement, disagreements, port_meaning
from fabric.platforms.needs.table import lowered
from fabric.platforms.registry import platform
from fabric.rendering import codes


def check_agreement(devices: Devices, report: Report) -> None:
    """Compare one link for every two kinds of switches that meet. What a device alone gets wrong is its own matter."""

    @cache
    def facts(name: str) -> Facts | None:
        switch = devices[name]
        product = platform(switch.platform)
        try:
            lowered(switch, product, own := Report())
            own.finish()
        except Invalid:
            return None  # told when the device itself is printed
        return product.port_facts(switch)

    for link in devices.mixed_links:
        one, two = facts(link.device), facts(link.peer)
        if one is None or two is None:
            continue
        ends = f"{link.device} {link.port}", f"{link.peer} {link.peer_port}"
        for found in disagreements(port_meaning(one, link.port), port_meaning(two, link.peer_port)):
            _tell(found, ends, devices, link.device, link.peer, report)


def _tell(
    found: Disagreement, ends: tuple[str, str], devices: Devices, one: str, two: str, report: Report
) -> None:
    titles = [platform(devices[name].platform).title for name in (one, two)]
    kind = codes.ENDS_DISAGREE if found.harmful else codes.ENDS_DIFFER
    rule = f"{found.what}: {found.one} on {ends[0]} ({titles[0]}), {found.other} on {ends[1]} ({titles[1]})"
    report.add(kind.at(devices[one].origin, rule, value=found.what, hint=kind.fix, subjects=(one, two)))
