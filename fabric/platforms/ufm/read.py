"""UFM's partitions and files as facts and as their model, and every line that no table knows."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from fabric.platforms.base import Facts, Reading
from fabric.platforms.reading import fill
from fabric.platforms.ufm.dialect import DIALECT
from fabric.platforms.ufm.model import Member, Pkey, UfmConfig
from fabric.platforms.ufm.state import UfmState


class Parsed(msgspec.Struct, frozen=True):
    """What was understood, and every line that was not."""

    config: UfmConfig
    unread: tuple[tuple[int, str], ...]


def parse(text: str) -> Parsed:
    """All of one UFM, each file behind its part line. Strict: a partition with a wrong line is none."""
    state = UfmState()
    unread = fill(DIALECT, text, state)
    return Parsed(state.config(), unread)


def read(text: str) -> Reading:
    """What the partitions and files of a UFM say."""
    parsed = parse(text)
    return Reading(facts(parsed.config), parsed.unread)


def facts(config: UfmConfig) -> Facts:
    """All of it in neutral words; the order of members says nothing."""
    return Facts(policies=_policies(config), services=_services(config), partitions=_partitions(config))


def _partitions(config: UfmConfig) -> Mapping[int, Mapping[int, bool]]:
    """Who is in each partition that the REST API shows; the default one is in `gv.cfg`, which it does not show."""
    return {
        int(pkey.pkey, 16): {int(member.guid, 16): member.membership == "full" for member in pkey.members}
        for pkey in config.pkeys
    }


def _policies(config: UfmConfig) -> Mapping[str, str]:
    partitions = {f"partition {pkey.pkey}": _partition(pkey) for pkey in config.pkeys}
    levels = {f"qos-level {level.name}": str(level.service_level) for level in config.levels}
    rules = {f"qos-match-rule {rule.pkey}": f"{rule.use}: {rule.level}" for rule in config.rules}
    return partitions | levels | rules


def _partition(pkey: Pkey) -> str:
    head = f"ipoib={pkey.ip_over_ib} mtu={pkey.mtu_limit}K sl={pkey.service_level} rate={pkey.rate_limit:g}G"
    return "\n".join((head, *sorted(map(_member, pkey.members))))


def _member(member: Member) -> str:
    return f"{member.guid} {member.membership}{' index0' if member.index0 else ''}"


def _services(config: UfmConfig) -> Mapping[str, str]:
    return {
        **{
            f"gv.cfg [{section.name}] {setting.name}": setting.value
            for section in config.sections
            for setting in section.settings
        },
        **{option.name: option.value for option in config.options},
        "roots": "\n".join(config.roots),
        "names": "\n".join(f"{node.guid} {node.name}" for node in config.names),
        "links": "\n".join(
            f"{link.source} {link.source_port} {link.target} {link.target_port}" for link in config.links
        ),
    }
