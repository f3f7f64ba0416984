"""Management access is for who manages."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Origin
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted


@rule(
    "FAB1813",
    "management-open",
    "Everybody in the management network may try to log in to the switches",
    why="One BMC or PDU that somebody has taken over is enough to try passwords and defects of every switch.",
    fix="Write the networks of your operators and collectors in `services.management.allow`.",
    source="Cisco, Network Security Baseline (OL-17300-01), appendix D: only accept access attempts to authorized "
    "ports and services from authorized originators",
    fails=Example("two-tier", "services: {management: {allow: null}}"),
    passes=Example("two-tier"),
)
def management_open(site: Linted) -> Iterator[Found]:
    """The site has Ethernet switches that are configured, and nobody is named in `management.allow` or `ssh.allow`."""
    services = site.intent.site.services
    if services.management.allow or services.ssh.allow:
        return
    if any(network.context for network in site.ethernet):
        yield Found(
            Origin(("services", "management", "allow")),
            "SSH and the management APIs answer everybody in the management network",
        )
