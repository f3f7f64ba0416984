"""Topologies for Topograph: what its graph engine answers, and a model for its simulation.

Format: NVIDIA/topograph 1.0, `instances` with `network_layers` from the nearest; `switches` and `blocks` of a model.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial

from fabric.exports.placement.levels import DOMAIN, HostLevels, host_levels
from fabric.exports.printing import MADE, json_list, yaml_entries
from fabric.exports.slurm import folded
from fabric.exports.source import Kind, Lines, Source

TEST_DOMAIN = "accelerator.topology.test/domain"


def _graph(hosts: tuple[HostLevels, ...]) -> Iterator[str]:
    yield '{"instances": '
    yield from json_list(
        {
            "id": host.name,
            "network_layers": list(host.groups),
            "labels": {DOMAIN: host.domain} if host.domain else {},
        }
        for host in hosts
    )
    yield "}\n"


def _model(hosts: tuple[HostLevels, ...]) -> Iterator[str]:
    below: dict[str, dict[str, None]] = {}
    blocks: dict[tuple[str, str | None], list[str]] = {}
    for host in hosts:
        for lower, upper in zip(host.groups, host.groups[1:], strict=False):
            if lower != upper:
                below.setdefault(upper, {})[lower] = None
        blocks.setdefault((host.groups[0], host.domain), []).append(host.name)
    yield f"{MADE}---\n"
    yield "switches:\n" if below else "switches: {}\n"
    yield from yaml_entries(((upper, {"switches": list(lower)}) for upper, lower in below.items()), 2)
    yield "blocks:\n"
    for (switch, domain), members in blocks.items():
        block = {"switch": switch, "nodes": [folded(members)]}
        notes = {"annotations": {TEST_DOMAIN: domain}} if domain else {}
        yield f"- {json.dumps({**block, **notes})}\n"


def _files(source: Source) -> Iterator[tuple[str, Lines]]:
    hosts = host_levels(source)
    yield "graph.json", partial(_graph, hosts)
    yield "model.yaml", partial(_model, hosts)


KIND = Kind("topograph", "graph and model for Topograph", lambda source: bool(source.with_hosts), _files)
