"""Management access is for who manages."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network

from msgspec.structs import replace

from fabric.diagnostics import Origin, Report
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import KindOfSwitch, Linted
from fabric.platforms.needs.table import lowered
from fabric.platforms.registry import platform

ANYBODY = (IPv4Network("192.0.2.0/24"),)
"""Stands for the networks of operators."""
PLACES = (Origin(("services", "management", "allow")), Origin(("services", "ssh", "allow")))
SSH_ALONE = (
    "Write the networks of your operators in `services.ssh.allow`; a product here has no list for gNMI: filter that in "
    "the management network."
)


@rule(
    "FAB1813",
    "management-open",
    "Everybody in the management network may try to log in to the switches",
    why="One BMC or PDU that somebody has taken over is enough to try passwords and defects of every switch.",
    fix="Write the networks of your operators and collectors in `services.management.allow`.",
    source="Cisco, Network Security Baseline: only accept access attempts to authorized "
    "ports and services from authorized originators",
    fails=Example("two-tier", "services: {management: {allow: null}}"),
    passes=Example("two-tier"),
)
def management_open(site: Linted) -> Iterator[Found]:
    """Nobody is named in `management.allow` or `ssh.allow`, and every product that is configured takes such a list.

    Where one does not, a list would be refused, and the management network has to filter.
    """
    services = site.intent.site.services
    kinds = [kind for network in site.ethernet for kind in network.kinds]
    if services.management.allow or services.ssh.allow or not kinds:
        return
    for is_for_apis, hint in ((True, ""), (False, SSH_ALONE)):
        if all(_is_taken(kind, is_for_apis=is_for_apis) for kind in kinds):
            rule = "SSH and the management APIs answer everybody in the management network"
            yield Found(PLACES[0], rule, hint=hint)
            return


def _is_taken(kind: KindOfSwitch, *, is_for_apis: bool) -> bool:
    """Whether the product would take a list for SSH, and with `is_for_apis` for its management APIs too."""
    switch = kind.example
    services = replace(switch.services, ssh=replace(switch.services.ssh, allow=ANYBODY))
    if is_for_apis:
        services = replace(services, management=replace(services.management, allow=ANYBODY))
    report = Report()
    lowered(replace(switch, services=services), platform(switch.platform), report)
    return not any(finding.is_error and finding.origin in PLACES for finding in report)
