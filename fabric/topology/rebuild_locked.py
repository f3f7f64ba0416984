"""The fabric as `fabric.lock` holds it, rebuilt for `resize` from the lock and what the intent still has of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from fabric.diagnostics import Diagnostic, Invalid
from fabric.intent.model import Attachment, AttachTo, HostGroup, HostNics, Intent
from fabric.intent.model.lock import Lock, NetworkLock
from fabric.topology.compute_lock import pin
from fabric.topology.expand import expand_pinned
from fabric.topology.model import Topology
from fabric.topology.oversubscription import without_ceilings


class Rebuilt(msgspec.Struct, frozen=True):
    """The locked fabric, as far as it can be rebuilt."""

    topology: Topology | None
    """None: the intent has changed too much."""
    attachments: bool
    """Whether its attachments are in it."""
    why: Diagnostic | None = None
    """The first thing that stood in the way of all of it."""


def rebuilt(intent: Intent, lock: Lock) -> Rebuilt:
    """The fabric of the lock: with its attachments, or without them, or none at all."""
    why: Diagnostic | None = None
    for whole in (True, False):
        try:
            kept_lock = lock if whole else msgspec.structs.replace(lock, attachments={})
            topology = expand_pinned(_within(intent, kept_lock, whole=whole), kept_lock)
        except Invalid as invalid:
            why = why or next(finding for finding in invalid.diagnostics if finding.is_error)
        else:
            return Rebuilt(topology, whole, why)
    return Rebuilt(None, attachments=False, why=why)


def renamed_group(intent: Intent, lock: Lock) -> dict[str, str]:
    """The new name of a host group and the locked one, where one of each is left over: it is the same group."""
    locked = {name for locked_network in lock.networks.values() for name in locked_network.group_slots}
    gone, new = locked - intent.site.hosts.keys(), intent.site.hosts.keys() - locked
    return dict(zip(new, gone, strict=True)) if len(gone) == len(new) == 1 else {}


def _within(intent: Intent, lock: Lock, *, whole: bool) -> Intent:
    """The part of the intent that the lock has room for, with sizes as locked."""
    pinned = pin(msgspec.structs.replace(intent, lock=lock), wholly=True)
    site = pinned.site
    most = site.capacity.units or 1
    cut = site.units != "auto" and site.units > most
    renamed = renamed_group(intent, lock)
    groups = {
        name: _group_within(name, group, most, lock, cut=cut)
        for new, group in site.hosts.items()
        if (name := renamed.get(new, new))
        and any(name in locked_network.group_slots for locked_network in lock.networks.values())
    }
    smaller = msgspec.structs.replace(
        site,
        units=most if cut else site.units,
        hosts=groups,
        networks={name: without_ceilings(n) for name, n in site.networks.items() if name in lock.networks},
        attachments=dict(_attachments(site.attachments, lock)) if whole else {},
    )
    return msgspec.structs.replace(pinned, site=smaller)


def _group_within(name: str, group: HostGroup, units: int, lock: Lock, *, cut: bool) -> HostGroup:
    """As many hosts of a group as the locked units have positions for, with NICs for the locked planes."""
    nics = {key: _nics_within(nic, lock.networks.get(key)) for key, nic in group.nics.items()}
    group = msgspec.structs.replace(group, nics=nics, last_unit=None if cut else group.last_unit)
    slots = min(_span(name, locked) for locked in lock.networks.values() if name in locked.group_slots)
    if group.per_unit == "auto":
        locked = max((net.auto_per_unit.get(name, 0) for net in lock.networks.values()), default=0)
        return msgspec.structs.replace(group, total=min(group.total or 1, units * (locked or slots)))
    if group.per_unit + group.spare_per_unit <= slots:
        return group
    spare = min(group.spare_per_unit, slots - 1)
    return msgspec.structs.replace(group, per_unit=slots - spare, spare_per_unit=spare, last_unit=None)


def _nics_within(nics: HostNics, network: NetworkLock | None) -> HostNics:
    return nics if network is None else msgspec.structs.replace(nics, ports=network.planes)


def _span(name: str, network: NetworkLock) -> int:
    """Host positions of a unit from a group's first to the next group's."""
    first = network.group_slots[name]
    return (
        min(
            (s for s in network.group_slots.values() if s > first), default=max(network.host_slots, first + 1)
        )
        - first
    )


def _attachments(attachments: dict[str, Attachment], lock: Lock) -> Iterator[tuple[str, Attachment]]:
    """Attachments with as many links as locked, each free to land where the lock has it, with its addresses."""
    for name, attachment in attachments.items():
        locked = lock.attachments.get(name)
        if locked is not None and locked.links and locked.network in lock.networks:
            to = AttachTo(
                tier=locked.links[0].tier, cages=attachment.to.cages, host_slot=attachment.to.host_slot
            )
            changes: dict[str, Any] = {"network": locked.network, "links": len(locked.links), "to": to}
            changes |= {key: getattr(locked, key) for key in ("vlan", "prefix_length", "lacp", "addresses")}
            yield name, msgspec.structs.replace(attachment, **changes)
        elif locked is None and lock.format < 2 and attachment.network in lock.networks:
            yield name, attachment
