"""`fabric.lock`: computing it, and honouring one that is there.

Where a lock exists its sizes take the place of every `auto`. An intent that says something else, or needs
more, is refused: `fabric resize` shows what would move.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from fabric.diagnostics import Origin, Report
from fabric.intent.default_pools import pools_of
from fabric.intent.model import Capacity, Intent, Leaf, Network, Rails, Site, Spine, Superspine, Tiers
from fabric.intent.model.lock import FORMAT, Lock, LockedAttachment, LockedLink, NetworkLock
from fabric.topology import codes
from fabric.topology.attachments.attach_links import locked_attachment
from fabric.topology.network_draft import Draft


def pin(intent: Intent, *, wholly: bool = False) -> Intent:
    """The intent with every `auto` replaced by what the lock holds.

    `wholly`: written sizes too, which is the fabric as it was locked.
    """
    lock = intent.lock
    if lock is None:
        return intent
    site = intent.site
    locked = [lock.networks[name] for name in site.networks if name in lock.networks]
    networks = {
        name: _pin_network(network, lock.networks[name], wholly=wholly) if name in lock.networks else network
        for name, network in site.networks.items()
    }
    capacity = _pin_capacity(site, locked, wholly=wholly) if locked else site.capacity
    pinned = msgspec.structs.replace(site, networks=networks, capacity=capacity)
    return msgspec.structs.replace(intent, site=pinned)


def _pin_capacity(site: Site, locks: list[NetworkLock], *, wholly: bool) -> Capacity:
    """Units as locked. Host positions are locked by network: see `seats.groups_of`."""
    units = max(lock.units for lock in locks)
    old = site.capacity
    return Capacity(
        units=units if old.units is None or wholly else old.units,
        hosts_per_unit=None if wholly else old.hosts_per_unit,
    )


def _pin_network(network: Network, lock: NetworkLock, *, wholly: bool) -> Network:
    changes: dict[str, Any] = {}
    tiers = _tiers_held(network.tiers, lock) if wholly else network.tiers
    leaf: Leaf = _ports(tiers.leaf, lock.leaf_downlinks, lock.leaf_uplinks, wholly=wholly)
    spine: Spine | None = None
    superspine: Superspine | None = None
    if tiers.spine is not None and lock.spines:
        spine = _count(tiers.spine, lock.spines, lock.links_per_leaf_spine, wholly=wholly)
        spine = _ports(spine, None, lock.spine_uplinks, wholly=wholly)
    if tiers.superspine is not None and lock.superspines:
        superspine = _count(
            tiers.superspine, lock.superspines, lock.links_per_spine_superspine, wholly=wholly
        )
        if superspine.groups == "auto" or wholly:
            superspine = msgspec.structs.replace(superspine, groups=lock.superspine_groups or "auto")
    changes["tiers"] = msgspec.structs.replace(
        tiers, leaf=leaf, spine=spine or tiers.spine, superspine=superspine or tiers.superspine
    )
    if network.rails != "none":
        rails = Rails() if network.rails == "auto" else network.rails
        changes["rails"] = msgspec.structs.replace(
            rails,
            count=lock.rails if rails.count == "auto" or wholly else rails.count,
            leaves=lock.leaves_per_unit if rails.leaves == "auto" or wholly else rails.leaves,
        )
    if wholly:
        changes["layout"] = lock.layout
        changes["planes"] = msgspec.structs.replace(network.planes, count=lock.planes)
        changes |= {key: _parts_held(getattr(network, key), lock) for key in ("pods", "zones")}
    return msgspec.structs.replace(network, **changes)


def _tiers_held(tiers: Tiers, lock: NetworkLock) -> Tiers:
    """The tiers that the locked fabric has; those of a lock without a size for them are new."""
    spine, superspine = tiers.spine if lock.spines else None, tiers.superspine if lock.superspines else None
    return msgspec.structs.replace(tiers, spine=spine, superspine=superspine)


def _parts_held(part: Any, lock: NetworkLock) -> Any:
    """Pods or zones of the locked fabric; None where it was not parted yet."""
    if part is None or part.units < lock.units == lock.units_per_pod:
        return None
    return msgspec.structs.replace(part, units=lock.units_per_pod)


def _ports(tier: Any, down: int | None, up: int, *, wholly: bool) -> Any:
    """A tier with its port counts as locked."""
    groups = {"up": (tier.up, up), **({"down": (tier.down, down)} if down else {})}
    changes = {
        key: msgspec.structs.replace(group, ports=ports or "auto")
        for key, (group, ports) in groups.items()
        if (ports and group.ports == "auto") or wholly
    }
    return msgspec.structs.replace(tier, **changes) if changes else tier


def _count(tier: Any, count: int, links: int, *, wholly: bool) -> Any:
    """A tier with its switches of a group and links per pair as locked."""
    changes: dict[str, int | str] = {}
    if tier.count == "auto" or wholly:
        changes["count"] = count
    if tier.links_per_pair == "auto" or wholly:
        changes["links_per_pair"] = links or "auto"  # 0: a slip, which the lock is then held against
    if wholly and tier.installed is not None:
        changes["installed"] = min(tier.installed, count)
    return msgspec.structs.replace(tier, **changes) if changes else tier


def lock_of(drafts: Mapping[str, Draft]) -> Lock:
    """What `fabric.lock` must hold."""
    attached = {a.name: locked_attachment(draft, a) for draft in drafts.values() for a in draft.attached}
    return Lock(
        format=FORMAT,
        networks={name: network_lock(drafts[name]) for name in sorted(drafts)},
        attachments=dict(sorted(attached.items())),
    )


def network_lock(draft: Draft) -> NetworkLock:
    """The capacities of one network."""
    sizes, (slots, slots_end) = draft.sizes, _attachment_slots(draft)
    return NetworkLock(
        units=sizes.unit_capacity,
        units_per_pod=sizes.units_per_pod,
        layout=draft.network.layout,
        host_slots=sizes.host_slots,
        group_slots={group.name: group.first_slot for group in sorted(sizes.groups, key=lambda g: g.name)},
        auto_per_unit={
            group.name: group.size.per_unit
            for group in sorted(sizes.groups, key=lambda g: g.name)
            if draft.intent.site.hosts[group.name].per_unit == "auto"
        },
        rails=sizes.rails.rails,
        leaves_per_unit=sizes.rails.leaves,
        planes=sizes.planes,
        leaf_downlinks=sizes.leaf_down,
        leaf_uplinks=sizes.leaf.uplinks,
        spines=sizes.leaf.count,
        spine_groups=sizes.spine_pods * sizes.spine_rails if sizes.leaf.count else 0,
        links_per_leaf_spine=sizes.leaf.links_per_pair,
        spine_uplinks=sizes.spine.uplinks,
        superspines=sizes.spine.count,
        superspine_groups=sizes.superspine_groups,
        links_per_spine_superspine=sizes.spine.links_per_pair,
        name_widths=dict(sorted(draft.width.items())),
        asn_bases=dict(sorted(draft.asn_bases.items())),
        attachment_slots=slots,
        attachment_slots_end=slots_end,
        spares_have_uplinks=draft.locked is None or draft.locked.spares_have_uplinks,
        pools=pools_of(draft.network.addressing) if draft.routed else {},
        port_maps=dict(sorted(draft.port_map_texts.items())),
    )


SLOTS = 16
"""Ports that an attachment is given room for at a time."""


def _attachment_slots(draft: Draft) -> tuple[dict[str, int], int]:
    """Where each attachment's ports start among those of all, and where all end: the locked ones stay, new ones follow.

    What a removed one had is in the end that was locked: a LID is not given to somebody else.
    """
    if draft.routed:
        return {}, 0
    known = draft.locked.attachment_slots if draft.locked else {}
    room = {a.name: -(-a.attachment.links // SLOTS) * SLOTS for a in draft.attached}
    slots = dict(known)
    end = max((first + room.get(name, SLOTS) for name, first in slots.items()), default=0)
    end = max(end, draft.locked.attachment_slots_end if draft.locked else 0)
    for name in sorted(room.keys() - slots.keys()):
        slots[name] = end
        end += room[name]
    return dict(sorted(slots.items())), end


PLACES = {
    "units": "capacity.units",
    "units_per_pod": "pods.units",
    "layout": "layout",
    "host_slots": "capacity.hosts_per_unit",
    "group_slots": "hosts",
    "auto_per_unit": "hosts",
    "rails": "rails.count",
    "leaves_per_unit": "rails.leaves",
    "planes": "planes.count",
    "leaf_downlinks": "tiers.leaf.down.ports",
    "leaf_uplinks": "tiers.leaf.up.ports",
    "spines": "tiers.spine.count",
    "spine_groups": "tiers.spine.group_by",
    "links_per_leaf_spine": "tiers.spine.links_per_pair",
    "spine_uplinks": "tiers.spine.up.ports",
    "superspines": "tiers.superspine.count",
    "superspine_groups": "tiers.superspine.groups",
    "links_per_spine_superspine": "tiers.superspine.links_per_pair",
    "name_widths": "capacity",
    "asn_bases": "addressing.asn",
    "attachment_slots": "attachments",
    "pools": "addressing",
    "port_maps": "tiers",
}
"""The place in the intent of each field of the lock."""
NOT_COMPARED = frozenset({"spares_have_uplinks", "attachment_slots_end"})
"""Fields that say how the lock came about, or that only grow."""
OF_THE_SITE = frozenset({"capacity", "hosts", "attachments"})
HINT = "run `fabric resize` to see what would move, or go back to the locked size"


def check_lock(lock: Lock | None, new_lock: Lock, report: Report) -> None:
    """Report every size that differs from the lock's."""
    for name, new in new_lock.networks.items():
        old = lock.networks.get(name) if lock else None
        if old is not None:
            _check_network(name, old, new, report)
    locked = lock.attachments if lock else {}
    for name in sorted(locked.keys() & new_lock.attachments.keys()):
        _check_attachment(name, locked[name], new_lock.attachments[name], report)
    if lock is not None and lock.format < FORMAT:
        _check_upgrade(lock, new_lock, report)


def _check_upgrade(lock: Lock, new_lock: Lock, report: Report) -> None:
    """Warn that an older lock cannot tell where attachments landed: they are placed as on the first day."""
    new = [name for name, attachment in new_lock.attachments.items() if attachment.network in lock.networks]
    if new:
        rule = f"format {lock.format} does not hold where attachments land ({', '.join(new)}): taken from the units "
        rule += "that are installed now"
        hint = "run `fabric compile` before units are added, and commit the lock"
        at = Origin(("format",), "lock")
        report.add(codes.LOCK_WITHOUT_PLACES.at(at, rule, value=lock.format, hint=hint))


def _check_attachment(name: str, old: LockedAttachment, new: LockedAttachment, report: Report) -> None:
    """Report the first link of an attachment that lands elsewhere. New links, and links that are gone, move none."""
    at = Origin(("attachments", name))
    if old.network != new.network:
        _broken(report, at.child("network"), f"{name}: network", old.network, new.network)
        return
    pairs = zip(old.links, new.links, strict=False)
    moved = [(i, was, now) for i, (was, now) in enumerate(pairs) if was != now]
    if moved:
        link, was, now = moved[0]
        more = f" and {len(moved) - 1} more" if len(moved) > 1 else ""
        _broken(report, at.child("to"), f"{name}: link {link}{more}", port_words(was), port_words(now))


def port_words(link: LockedLink) -> str:
    """A locked port for people: `leaf of unit 0, plane 0, index 2, cage 33`."""
    keys = ("unit", "pod", "rail", "group", "plane", "index")
    where = ", ".join(f"{key} {getattr(link, key)}" for key in keys if getattr(link, key) is not None)
    return f"{link.tier} of {where}, cage {link.cage}" + (f" part {link.part}" if link.part else "")


def _check_network(name: str, old: NetworkLock, new: NetworkLock, report: Report) -> None:
    for place, what, was, now in size_changes(old, new):
        at = Origin(place if place[0] in OF_THE_SITE else ("networks", name, *place))
        _broken(report, at, f"{name}: {what}", was, now)


def size_changes(old: NetworkLock, new: NetworkLock) -> Iterator[tuple[tuple[str, ...], str, object, object]]:
    """Every size that differs: where the intent decides it, what it is, as locked, as it would be."""
    for key, text in PLACES.items():
        was, now, place = getattr(old, key), getattr(new, key), tuple(text.split("."))
        if not isinstance(was, dict):
            if was != now:
                yield place, _key_path(key), was, now
            continue
        for item in sorted(was):
            # A group that now writes its hosts per unit has no `auto` to hold; likewise a pool that is now written.
            written = key in ("auto_per_unit", "pools") and item not in now
            if was[item] != now.get(item) and not written:
                here = place if key == "name_widths" else (*place, item)
                yield here, f"{_key_path(key)} of {item}", was[item], now.get(item)


def size_words(size: object) -> str:
    """A size of the lock for people: `none`, `8`, or `torus 3x3`."""
    return "none" if size in (None, "") else str(size)


def _key_path(key: str) -> str:
    text = key.replace("_", " ")
    return text.removesuffix("s") if key in ("port_maps", "name_widths", "asn_bases", "group_slots") else text


def _broken(report: Report, at: Origin, what: str, was: object, now: object) -> None:
    rule = f"{what}: {size_words(was)} in fabric.lock, {size_words(now)} here"
    value = str(now) if isinstance(now, msgspec.Struct) else now
    report.add(codes.LOCK_BROKEN.at(at, rule, value=value, hint=HINT))
