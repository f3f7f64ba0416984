"""Hosts get their addresses although one server is away."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted


def _servers(servers: str) -> Example:
    links = f"{{mode: vlan, assignment: dhcp_relay, dhcp_servers: [{servers}]}}"
    return Example(
        "two-tier", f"networks: {{compute: {{lossless: roce-lossy, addressing: {{host_links: {links}}}}}}}"
    )


@rule(
    "FAB1706",
    "one-dhcp-server",
    "Hosts get their addresses from one server only",
    why="A host that restarts while the server is away has no address, and one that runs loses it when its lease ends: "
    "with it every rail.",
    fix="Name a second server in `host_links.dhcp_servers`; leaves relay to each of them.",
    source="RFC 2131, section 3.1, step 2: each of several servers may respond; RFC 8156: failover of DHCPv6",
    fails=_servers("192.0.2.40"),
    passes=_servers("192.0.2.40, 192.0.2.41"),
)
def one_dhcp_server(site: Linted) -> Iterator[Found]:
    """`host_links.assignment` is `dhcp_relay`, and `dhcp_servers` names one server."""
    for network in site.ethernet:
        links = network.intent.addressing.host_links
        if links.assignment == "dhcp_relay" and len(links.dhcp_servers) == 1:
            yield Found(
                network.at.child("addressing", "host_links", "dhcp_servers"),
                f"{links.dhcp_servers[0]} is the only DHCP server of network {network.name}",
                value=[str(links.dhcp_servers[0])],
            )
