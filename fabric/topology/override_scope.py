"""Which switches an override is about."""

from __future__ import annotations

from fabric.intent.model import Override
from fabric.topology.model import NetworkTopology
from fabric.topology.roles import Role


def covered(network: NetworkTopology, override: Override) -> list[int]:
    """Node ids of the switches of a network that an override names, in id order. Needs names and units only."""
    if override.network not in (None, network.name):
        return []
    return [
        node
        for node in network.switches
        if override.device in (None, network.names[node])
        and override.role in (None, Role(network.role[node]).name.lower())
        and override.unit in (None, network.unit[node])
    ]
