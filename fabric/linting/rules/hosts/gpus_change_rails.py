"""GPUs of one number are on one rail."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Origin
from fabric.intent.default_pools import PRIMARY
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted


def _first(first: str) -> Example:
    extra = f"{{per_unit: 4, gpus: 4, nics: {{compute: {{count: 4, ports: 2, speed: 400G, first_rail: {first}}}}}}}"
    return Example("two-tier", f"hosts: {{small: {extra}}}")


@rule(
    "FAB1704",
    "gpus-change-rails",
    "GPUs of one number are on different rails from host to host",
    why="Collectives join GPUs of the same number of each host, and rails are there to keep that on one leaf. Where "
    "hosts take turns every second pair meets above the leaves.",
    fix="Write `first_rail: zero`, or leave it out.",
    source="HPN (SIGCOMM 2024): rail-optimised tier 1; NCCL, environment variables: NCCL_CROSS_NIC",
    fails=_first("alternate"),
    passes=_first("zero"),
)
def gpus_change_rails(site: Linted) -> Iterator[Found]:
    """A host group with GPUs has `first_rail: alternate` in `compute`, and fewer NICs there than the network rails."""
    for name, group in site.intent.site.hosts.items():
        nics = group.nics.get(PRIMARY)
        if nics is None or nics.first_rail != "alternate" or group.gpus == 0 or PRIMARY not in site.networks:
            continue
        rails = site.networks[PRIMARY].topology.sizes.rails
        if nics.count < rails:
            yield Found(
                Origin(("hosts", name, "nics", PRIMARY, "first_rail")),
                f"{nics.count} NICs of hosts of {name} begin at one of several of {rails} rails",
                value=nics.first_rail,
                fix="zero",
            )
