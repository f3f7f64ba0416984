"""Each NIC serves as many GPUs as the others."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Origin
from fabric.intent.default_pools import PRIMARY
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted
from fabric.units import counted


def _gpus(gpus: int) -> Example:
    return Example("two-tier", f"hosts: {{gpu: {{gpus: {gpus}}}}}")


@rule(
    "FAB1705",
    "gpus-share-unevenly",
    "Some NICs serve more GPUs than others",
    why="A collective waits for its slowest rank. GPUs that share a NIC with one more have less bandwidth, and all "
    "others wait for them.",
    fix="Choose NICs and GPUs of which one number divides the other.",
    source="NCCL, src/graph/topo.cc: each GPU uses the NICs nearest to it; HPN (SIGCOMM 2024): a NIC a GPU",
    fails=_gpus(12),
    passes=_gpus(8),
)
def gpus_share_unevenly(site: Linted) -> Iterator[Found]:
    """GPUs of a host are not a multiple of its NICs in `compute`, nor its NICs a multiple of its GPUs."""
    for name, group in site.intent.site.hosts.items():
        nics = group.nics.get(PRIMARY)
        if nics is None or not group.gpus:
            continue
        if group.gpus % nics.count and nics.count % group.gpus:
            yield Found(
                Origin(("hosts", name, "gpus")),
                f"{counted(group.gpus, 'GPU')} for {counted(nics.count, 'NIC')}",
                value=group.gpus,
            )
