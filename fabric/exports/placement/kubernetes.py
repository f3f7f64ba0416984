"""Labels of nodes for Kubernetes, and Kueue's topology over them. Nothing is applied by us.

Formats: Kubernetes v1 `Node`; Kueue 2026-08, `kueue.x-k8s.io/v1beta2` `Topology` (levels from coarse to fine, the
host name last) and `ResourceFlavor`. Kueue wants a label at each flavor: that of the outermost group, so each has one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from fabric.exports.placement.levels import DOMAIN, TIER, HostLevels, host_levels
from fabric.exports.printing import MADE, yaml_text
from fabric.exports.source import Kind, Lines, Source

HOST_NAME = "kubernetes.io/hostname"
API = "kueue.x-k8s.io/v1beta2"


def _nodes(hosts: tuple[HostLevels, ...]) -> Iterator[str]:
    yield MADE
    for host in hosts:
        metadata = {"name": host.name, "labels": dict(host.labels)}
        yield "---\n" + yaml_text({"apiVersion": "v1", "kind": "Node", "metadata": metadata})


def _label_files(source: Source) -> Iterator[tuple[str, Lines]]:
    yield "node-labels.yaml", partial(_nodes, host_levels(source))


def _kueue(site: str, hosts: tuple[HostLevels, ...]) -> Iterator[str]:
    depth = len(hosts[0].groups)
    levels = [f"{TIER}{level}" for level in reversed(range(depth))]
    levels += [DOMAIN] if all(host.domain for host in hosts) else []
    spec: dict[str, Any] = {"levels": [{"nodeLabel": label} for label in (*levels, HOST_NAME)]}
    yield MADE + "---\n"
    yield yaml_text({"apiVersion": API, "kind": "Topology", "metadata": {"name": site}, "spec": spec})
    for root in dict.fromkeys(host.groups[-1] for host in hosts):
        spec = {"nodeLabels": {levels[0]: root}, "topologyName": site}
        yield "---\n" + yaml_text(
            {"apiVersion": API, "kind": "ResourceFlavor", "metadata": {"name": root}, "spec": spec}
        )


def _kueue_files(source: Source) -> Iterator[tuple[str, Lines]]:
    yield "topology.yaml", partial(_kueue, source.topology.site, host_levels(source))


def _has_hosts(source: Source) -> bool:
    return bool(source.with_hosts)


LABELS = Kind(
    "k8s-labels", "labels of nodes: groups of the fabric, scale-up domain", _has_hosts, _label_files
)
KUEUE = Kind("kueue", "Topology and ResourceFlavor for Kueue", _has_hosts, _kueue_files)
