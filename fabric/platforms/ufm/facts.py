"""UFM's partitions and files as facts: each setting, partition and link under its own name."""

from __future__ import annotations

from collections.abc import Mapping

from fabric.platforms.base import Facts
from fabric.platforms.ufm.model import Member, Pkey, UfmConfig


def facts(config: UfmConfig) -> Facts:
    """All of it in neutral words; the order of members says nothing."""
    return Facts(policies=_policies(config), services=_services(config))


def _policies(config: UfmConfig) -> Mapping[str, str]:
    partitions = {f"partition {one.pkey}": _partition(one) for one in config.pkeys}
    levels = {f"qos-level {one.name}": str(one.service_level) for one in config.levels}
    rules = {f"qos-match-rule {one.pkey}": f"{one.use}: {one.level}" for one in config.rules}
    return partitions | levels | rules


def _partition(one: Pkey) -> str:
    head = f"ipoib={one.ip_over_ib} mtu={one.mtu_limit}K sl={one.service_level} rate={one.rate_limit:g}G"
    return "\n".join((head, *sorted(map(_member, one.members))))


def _member(member: Member) -> str:
    return f"{member.guid} {member.membership}{' index0' if member.index0 else ''}"


def _services(config: UfmConfig) -> Mapping[str, str]:
    return {
        **{
            f"gv.cfg [{section.name}] {one.name}": one.value
            for section in config.sections
            for one in section.settings
        },
        **{option.name: option.value for option in config.options},
        "roots": "\n".join(config.roots),
        "names": "\n".join(f"{node.guid} {node.name}" for node in config.names),
        "links": "\n".join(
            f"{one.source} {one.source_port} {one.target} {one.target_port}" for one in config.links
        ),
    }
