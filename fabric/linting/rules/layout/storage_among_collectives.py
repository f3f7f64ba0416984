"""Storage has a network of its own."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Origin, Severity
from fabric.intent.default_pools import PRIMARY
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted
from fabric.units import counted

STORAGE = """
networks: {compute: {tiers: {leaf: {reserved_ports: 1, max_oversubscription: "2:1"}}}}
attachments:
  store: {network: compute, kind: KIND, links: 4, speed: 400G, to: {tier: leaf}}
"""


@rule(
    "FAB1407",
    "storage-among-collectives",
    "Storage shares the network of collectives",
    severity=Severity.INFO,
    why="Checkpoints are bursts of all hosts towards a few ports: incast, in the class and on the links where each "
    "step of training waits for its slowest flow.",
    fix="Give hosts NICs in a network `storage`, and attach storage there.",
    source="NVIDIA DGX SuperPOD reference architecture: compute and storage fabrics are apart; HPN (SIGCOMM 2024): "
    "storage is on the frontend network",
    fails=Example("two-tier", STORAGE.replace("KIND", "storage")),
    passes=Example("two-tier", STORAGE.replace("KIND", "other")),
)
def storage_among_collectives(site: Linted) -> Iterator[Found]:
    """An attachment of kind `storage` is in the network `compute`, and there are hosts with GPUs."""
    groups = site.intent.site.hosts.values()
    for name, attachment in site.intent.site.attachments.items():
        if attachment.kind != "storage" or attachment.network != PRIMARY:
            continue
        if any(group.gpus != 0 for group in groups):
            yield Found(
                Origin(("attachments", name, "network")),
                f"{name} takes, on {counted(attachment.links, 'link')}, from the bandwidth of collectives",
                value=attachment.network,
            )
