"""Storage does not stop collectives."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Origin
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted
from fabric.units import counted

STORE = """
attachments:
  store: {network: compute, kind: storage, links: 4, speed: 400G, to: {tier: leaf}CLASS}
networks: {compute: {tiers: {leaf: {reserved_ports: 4, max_oversubscription: "2:1"}}}}
"""


@rule(
    "FAB1010",
    "storage-has-its-class",
    "Storage and collectives share the one lossless class",
    why="Reading a checkpoint is an incast of many servers to every host. Where storage is in the class of the "
    "collectives, its pauses stop them too, on every port that both pass.",
    fix="Give storage a network of its own, a second lossless class with other code points, or write `lossless: "
    "false` where the storage protocol tolerates loss (NVMe over TCP, NFS over TCP).",
    source="NVIDIA DGX SuperPOD reference architecture: storage has a fabric of its own; DCQCN (SIGCOMM 2015): "
    "a pause stops all flows of its priority",
    fails=Example("two-tier", STORE.replace("CLASS", "")),
    passes=Example("two-tier", STORE.replace("CLASS", ", lossless: false")),
)
def storage_has_its_class(site: Linted) -> Iterator[Found]:
    """An attachment of kind `storage` carries the only class with `priority` that its network's policy has.

    It carries lossless classes unless `lossless: false` is written.
    """
    for name, attachment in site.intent.site.attachments.items():
        network = site.networks.get(attachment.network)
        policy = network.policy if network is not None and network.is_ethernet else None
        if policy is None or attachment.kind != "storage" or attachment.lossless is False:
            continue
        lossless = [key for key, c in policy.classes.items() if c.priority is not None]
        if len(lossless) == 1:
            yield Found(
                Origin(("attachments", name)),
                f"storage {name} has {lossless[0]} on {counted(attachment.links, 'link')}, the "
                "only lossless class of network "
                f"{attachment.network}",
            )
