"""A manager's files as facts: every option, partition, rule and LID under its own name."""

from __future__ import annotations

from collections.abc import Mapping

from fabric.platforms.base import Facts
from fabric.platforms.opensm.model import OpensmConfig


def facts(config: OpensmConfig) -> Facts:
    """The files in neutral words; the order of members says nothing."""
    return Facts(policies=_policies(config), services=_services(config))


def _policies(config: OpensmConfig) -> Mapping[str, str]:
    partitions = {
        f"partition {one.pkey}": "\n".join((one.head, *sorted(one.members))) for one in config.partitions
    }
    groups = {f"port-group {one.name}": "\n".join(one.ports) for one in config.groups}
    levels = {f"qos-level {one.name}": str(one.service_level) for one in config.levels}
    rules = {
        f"qos-match-rule {i}": f"{one.use}: {one.pkey} {one.source} {one.destination} {one.level}"
        for i, one in enumerate(config.rules)  # OpenSM takes the first that matches
    }
    return partitions | groups | levels | rules


def _services(config: OpensmConfig) -> Mapping[str, str]:
    return {
        **{option.name: option.value for option in config.options},
        "roots": "\n".join(config.roots),
        "storage": "\n".join(config.storage),
        "names": "\n".join(f"{node.guid} {node.name}" for node in config.names),
        "torus": str(config.torus or ""),
        "lids": "\n".join(f"{lid.guid} {lid.first} {lid.last}" for lid in config.lids),
    }
