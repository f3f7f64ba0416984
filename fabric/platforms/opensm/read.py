"""OpenSM's files as facts and as their model, and every line that no table knows."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from fabric.devices.model import SubnetManager
from fabric.diagnostics import Diagnostic
from fabric.platforms.base import Facts, Reading
from fabric.platforms.facts import EVERY_PORT
from fabric.platforms.opensm import codes
from fabric.platforms.opensm.dialect import DIALECT
from fabric.platforms.opensm.lower_policies import MANAGEMENT_PKEY
from fabric.platforms.opensm.model import Member, OpensmConfig
from fabric.platforms.opensm.state import OpensmState
from fabric.platforms.reading import fill


class Parsed(msgspec.Struct, frozen=True):
    """What was understood, and every line that was not."""

    config: OpensmConfig
    unread: tuple[tuple[int, str], ...]


def parse(text: str) -> Parsed:
    """All files of one manager, each behind its part line. Strict: OpenSM forgives, and opens partitions when it does.

    What it would take for something else is unread: a file, a name or a number that is there twice, a wrong word with
    all that it makes senseless, the line ends of other systems.
    """
    state = OpensmState()
    unread = fill(DIALECT, text, state)
    return Parsed(state.config(), unread)


def read(text: str) -> Reading:
    """What the files of a manager say."""
    parsed = parse(text)
    return Reading(facts(parsed.config), parsed.unread)


def proof(manager: SubnetManager, config: OpensmConfig, text: str) -> tuple[Diagnostic, ...]:
    """Whether files that were just printed say what they shall, and nothing else. Not one of them is written else."""
    parsed = parse(text)
    hint = "correct the site's own templates; without any it is a bug of this program"
    if parsed.unread:
        number, line = parsed.unread[0]
        more = f" (and {len(parsed.unread) - 1} more)" if len(parsed.unread) > 1 else ""
        rule = f"OpenSM's files for {manager.name}: line {number} cannot be read back{more}"
        return (codes.FILE.at(manager.origin, rule, value=line[:100], hint=hint),)
    differ = [
        name for name in config.__struct_fields__ if getattr(config, name) != getattr(parsed.config, name)
    ]
    if differ:
        rule = f"OpenSM's files for {manager.name} do not say what they shall: {', '.join(differ)}"
        return (codes.FILE.at(manager.origin, rule, value=differ[0], hint=hint),)
    return ()


def facts(config: OpensmConfig) -> Facts:
    """The files in neutral words; the order of members says nothing."""
    return Facts(
        policies=_policies(config),
        services=_services(config),
        partitions=_partitions(config),
        port_names=_port_names(config),
        lids={int(lid.guid, 16): int(lid.first, 16) for lid in config.lids},
    )


def _partitions(config: OpensmConfig) -> Mapping[int, Mapping[int, bool]]:
    """Who is in each partition.

    Without a file all ports are full members of the default one, and limited ones where it says nothing of that; those
    with one key are one partition (opensm(8), "Partition configuration").
    """
    found: dict[int, dict[int, bool]] = {}
    for partition in config.partitions:
        ports = (
            (EVERY_PORT if m.port == "ALL" else int(m.port, 16), m.full)
            for m in partition.ports
            if _is_end(m)
        )
        found.setdefault(int(partition.pkey, 16), {}).update(ports)
    found.setdefault(int(MANAGEMENT_PKEY, 16), {EVERY_PORT: not config.partitions})
    return found


def _port_names(config: OpensmConfig) -> Mapping[int, str]:
    members = (member for partition in config.partitions for member in partition.ports)
    return {int(m.port, 16): m.name for m in members if m.name and m.port.startswith("0x")}


def _is_end(member: Member) -> bool:
    """Whether a member is a port of hosts, or all of them."""
    return member.port == "ALL" or member.port.startswith("0x")


def _policies(config: OpensmConfig) -> Mapping[str, str]:
    partitions = {
        f"partition {partition.pkey}": "\n".join((partition.head, *sorted(partition.members)))
        for partition in config.partitions
    }
    groups = {f"port-group {group.name}": "\n".join(group.ports) for group in config.groups}
    levels = {f"qos-level {level.name}": str(level.service_level) for level in config.levels}
    rules = {
        f"qos-match-rule {i}": f"{rule.use}: {rule.pkey} {rule.source} {rule.destination} {rule.level}"
        for i, rule in enumerate(config.rules)  # OpenSM takes the first that matches
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
