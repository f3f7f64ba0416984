"""Whether the products at both ends of a link do the same to a packet, after each has rounded in its own way."""

from __future__ import annotations

from functools import cache

from fabric.devices.model import Devices
from fabric.diagnostics import Invalid, Report
from fabric.platforms.base import Facts
from fabric.platforms.meaning import Disagreement, disagreements, port_meaning
from fabric.platforms.registry import platform
from fabric.rendering import codes


def check_agreement(devices: Devices, report: Report) -> None:
    """Compare one link for every two kinds of switches that meet. What a device alone gets wrong is its own matter."""

    @cache
    def facts(name: str) -> Facts | None:
        switch = devices[name]
        product = platform(switch.platform)
        try:
            product.lower(switch, own := Report())
            own.finish()
        except Invalid:
            return None  # told when the device itself is printed
        return product.port_facts(switch)

    for meeting in devices.meetings:
        one, two = facts(meeting.device), facts(meeting.peer)
        if one is None or two is None:
            continue
        ends = f"{meeting.device} {meeting.port}", f"{meeting.peer} {meeting.peer_port}"
        for found in disagreements(port_meaning(one, meeting.port), port_meaning(two, meeting.peer_port)):
            _tell(found, ends, devices, meeting.device, meeting.peer, report)


def _tell(
    found: Disagreement, ends: tuple[str, str], devices: Devices, one: str, two: str, report: Report
) -> None:
    titles = [platform(devices[name].platform).title for name in (one, two)]
    kind = codes.ENDS_DISAGREE if found.harmful else codes.ENDS_DIFFER
    rule = f"{found.what}: {found.one} on {ends[0]} ({titles[0]}), {found.other} on {ends[1]} ({titles[1]})"
    report.add(kind.at(devices[one].origin, rule, value=found.what, hint=kind.fix, subjects=(one, two)))
