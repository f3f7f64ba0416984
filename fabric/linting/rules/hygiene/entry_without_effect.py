"""What an entry takes out of service is not out of service anyway."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from fabric.diagnostics import Severity
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted

PORT = "{device: spine-0-0, port: Ethernet1/1, reason: optic is replaced, owner: ben, expires: '{today+60}'}"
OTHER = "{device: spine-0-0, peer: leaf-0-0-0, port: Ethernet1/1, reason: errors, owner: ann, expires: '{today+60}'}"


@rule(
    "FAB1810",
    "entry-without-effect",
    "An entry of state.yaml shuts ports that another one shuts",
    severity=Severity.INFO,
    why="Who removes one of the two entries expects the link to come back, and it does not.",
    fix="Remove the one whose reason is gone.",
    source="docs/intent.md, section on state.yaml: an entry has a reason, an owner, and its last day",
    fails=Example("two-tier", files={"state.yaml": f"shut_ports: [{PORT}]\nexcluded_links: [{OTHER}]\n"}),
    passes=Example("two-tier", files={"state.yaml": f"shut_ports: [{PORT}]\n"}),
)
def entry_without_effect(site: Linted) -> Iterator[Found]:
    """All ports of an entry of `shut_ports` or `excluded_links` are shut by other entries too."""
    for network in site.ethernet:
        context = network.context
        if context is None:
            continue
        times = Counter(chain.from_iterable(context.shut_by.values()))
        for at, ports in context.shut_by.items():
            if at.document == "state" and ports and all(times[port] > 1 for port in ports):
                yield Found(at, f"what it shuts in network {network.name} stays shut without it")
