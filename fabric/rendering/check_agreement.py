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
        near, far = facts(link.device), facts(link.peer)
        if near is None or far is None:
            continue
        ends = f"{link.device} {link.port}", f"{link.peer} {link.peer_port}"
        for disagreement in disagreements(port_meaning(near, link.port), port_meaning(far, link.peer_port)):
            _tell(disagreement, ends, devices, link.device, link.peer, report)


def _tell(
    disagreement: Disagreement, ends: tuple[str, str], devices: Devices, near: str, far: str, report: Report
) -> None:
    titles = [platform(devices[name].platform).title for name in (near, far)]
    kind = codes.ENDS_DISAGREE if disagreement.harmful else codes.ENDS_DIFFER
    rule = f"{disagreement.what}: {disagreement.near} on {ends[0]} ({titles[0]}), "
    rule += f"{disagreement.far} on {ends[1]} ({titles[1]})"
    report.add(
        kind.at(devices[near].origin, rule, value=disagreement.what, hint=kind.fix, subjects=(near, far))
    )
