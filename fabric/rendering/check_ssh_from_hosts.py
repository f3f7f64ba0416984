"""Where hosts reach the SSH server of their switches, because the product has no way to keep it from them."""

from __future__ import annotations

from ipaddress import IPv4Network

from msgspec.structs import replace

from fabric.devices.model import Switch
from fabric.devices.site_devices import Devices
from fabric.diagnostics import Origin, Report
from fabric.platforms.base import AnyPlatform
from fabric.platforms.needs.table import lowered
from fabric.platforms.registry import platform
from fabric.rendering import codes
from fabric.rendering.check_rounding import alike, representatives

ALLOW = "add `management: {allow: [PREFIX]}` to `services`, with the prefixes that operators come from"
FILTER = "filter SSH to the addresses of switches on the hosts or their ports, and accept the finding"
"""Of products that are not known to have such a list."""
PLACE = Origin(("services", "management", "allow"))
PLACES = (PLACE, Origin(("services", "ssh", "allow")))
ANYBODY = (IPv4Network("192.0.2.0/24"),)
"""Stands for the prefixes of operators."""


def check_access(devices: Devices, report: Report) -> None:
    """Tell of each product whose SSH server answers where hosts are, while nothing is said about who may use it."""
    for switch in representatives(devices):
        product = platform(switch.platform)
        can = product.capabilities(switch.release, switch.hardware)
        shared = switch.management.vrf == "default"
        if switch.services.ssh.allow or (can.ssh_apart and not shared):
            continue
        why = "management shares their VRF, with its APIs" if shared else "it serves SSH in every VRF"
        hint = _how_to_allow(switch, product) if can.ssh_allow or "ssh" in can.outside else FILTER
        report.add(
            codes.SSH_OPEN.at(
                PLACE,
                f"hosts reach SSH of {product.title}: {why}",
                hint=hint,
                subjects=alike(devices, switch),
            )
        )


def _how_to_allow(switch: Switch, product: AnyPlatform) -> str:
    """What to write, and where the product refuses a list beside what else the site has, what to do about that."""
    ssh, management = (
        replace(part, allow=ANYBODY) for part in (switch.services.ssh, switch.services.management)
    )
    report = Report()
    lowered(
        replace(switch, services=replace(switch.services, ssh=ssh, management=management)), product, report
    )
    refused = next((finding for finding in report if finding.is_error and finding.origin in PLACES), None)
    if refused is None:
        return ALLOW
    return f"{FILTER}; or {ALLOW}, which is refused as the site is: {refused.rule} ({refused.hint})"
