"""What lines of an override may say beside ours to the routing daemon of several products, in frr.conf.

Sources: FRR user manual: "BGP" (`bgp graceful-shutdown`, `table-map`, `distance`), "Zebra" (`ip protocol`,
`ip forwarding`, `zebra`), "BFD", "Basic commands" (`log`, `service`, `password`).
"""

from __future__ import annotations

ALSO_CONFIGURED = frozenset({"debug", "exit"})
"""Commands that are lines of frr.conf too: `exit` closes a section there, `debug bgp updates` stays in it."""
HARMLESS = (
    "bfd profile *",
    "bgp as-path",
    "bgp community-list",
    "bgp extcommunity-list",
    "bgp large-community-list",
    "router bgp * bgp log-neighbor-changes",
)
WHOLE = (
    "agentx",
    "allow-external-route-update",
    "bgp fast-convergence",
    "bgp graceful-restart",
    "bgp graceful-shutdown",
    "bgp input-queue-limit",
    "bgp ipv6-auto-ra",
    "bgp no-rib",
    "bgp output-queue-limit",
    "bgp route-map delay-timer",
    "bgp send-extra-data",
    "bgp session-dscp",
    "bgp shutdown",
    "bgp suppress-fib-pending",
    "bgp update-delay",
    "enable",
    "fpm",
    "hostname",
    "ip forwarding",
    "ip protocol",
    "ip import-table",
    "ipv6 forwarding",
    "ipv6 protocol",
    "line",
    "log",
    "mpls",
    "netns",
    "password",
    "pbr",
    "segment-routing",
    "service",
    "username",
    "vrf default",
    "watchfrr",
    "zebra",
)
