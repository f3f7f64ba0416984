"""A wrong clock is found by a majority of right ones."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Origin
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted

MAJORITY = 3
"""Of two servers that differ nobody can say which one is wrong."""


@rule(
    "FAB1802",
    "too-few-time-servers",
    "Fewer than three time servers",
    why="With one server a switch follows it wherever it goes; with two that differ it cannot tell which one is wrong. "
    "Logs of several switches are then put in a wrong order, and certificates are refused or taken too long.",
    fix="Name at least three servers in `services.ntp.servers`, four to stay safe while one is away.",
    source="RFC 8633 (BCP 223), section 3.2: how many time sources to use",
    fails=Example("two-tier", "services: {ntp: {servers: [192.0.2.20]}}"),
    passes=Example("two-tier"),
)
def too_few_time_servers(site: Linted) -> Iterator[Found]:
    """The site has Ethernet switches that are configured, and `services.ntp.servers` names fewer than three servers."""
    servers = site.intent.site.services.ntp.servers
    if len(servers) < MAJORITY and any(network.context for network in site.ethernet):
        yield Found(
            Origin(("services", "ntp", "servers")),
            f"switches take the time from {len(servers)} of at least {MAJORITY} servers",
            value=[str(server) for server in servers],
        )
