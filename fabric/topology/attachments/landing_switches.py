"""Which switch each link of an attachment lands on: as `fabric.lock` holds it, and new links in turn.

At first a link goes to the chosen switches that are installed, one after the other, on superspines to another group
each time, on spines to another plane. From then on the lock holds its switch and port, so that neither more units nor
another attachment move it. `unit: last` is the last unit of that first day. Only a link whose switch is gone, or no
longer one that `to` allows, is placed anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from heapq import heapify, heapreplace

import msgspec

from fabric.intent.model import Attachment, AttachTo
from fabric.intent.model.lock import Lock, LockedLink
from fabric.topology.place_nodes import Position, positions
from fabric.topology.roles import NONE, Role
from fabric.topology.sizing.sizes import Sizes


class Landed(msgspec.Struct):
    """A link with its switch."""

    position: Position
    held: LockedLink | None = None
    """Switch and port as locked; None: a new link, or one that cannot stay."""


def locked_link(position: Position, sizes: Sizes, cage: str = "0", part: int = 0) -> LockedLink:
    """A port as `fabric.lock` names it."""

    def known(number: int) -> int | None:
        return None if number == NONE else number

    role = position.role
    return LockedLink(
        tier=role.name.lower(),  # type: ignore[arg-type]  # the names of the switch roles
        unit=known(position.unit),
        pod=known(position.pod) if role is Role.SPINE else None,
        rail=known(position.rail) if role is Role.SPINE else None,
        group=position.group // sizes.superspine_planes if role is Role.SUPERSPINE else None,
        plane=known(position.plane),
        index=position.index,
        cage=cage,
        part=part,
    )


def held_links(lock: Lock | None, name: str, network: str) -> tuple[LockedLink, ...]:
    """The links of an attachment as locked, if it hung on this network."""
    locked = lock.attachments.get(name) if lock else None
    return locked.links if locked is not None and locked.network == network else ()


def uses_reserved(to: AttachTo) -> bool:
    """Whether the links take reserved ports: neither named cages nor a host position."""
    return not to.cages and to.host_slot is None


def is_one_bundle(attachment: Attachment) -> bool:
    """Whether its links are one LACP bundle to one leaf; on a host position they go where the host's go."""
    return attachment.lacp and attachment.to.host_slot is None


def land(
    attachments: Mapping[str, Attachment],
    network: str,
    role: Role,
    sizes: Sizes,
    reserved: int,
    lock: Lock | None,
) -> dict[str, list[Landed]]:
    """The switches of every link that a network's attachments have on one tier, with `reserved` ports a switch.

    An attachment that finds no switch has no links.
    """
    tier = role.name.lower()
    names = sorted(n for n, a in attachments.items() if a.network == network and a.to.tier == tier)
    if not names:
        return {}
    stands = list(positions(sizes, role))
    by_place = {locked_link(stand, sizes): stand for stand in stands}
    places: dict[str, list[Landed | None]] = {}
    for name in names:
        attachment = attachments[name]
        locked = held_links(lock, name, network)[: attachment.links]
        kept = [_kept(link, attachment.to, by_place, sizes) for link in locked]
        places[name] = [*kept, *([None] * (attachment.links - len(kept)))]
    taken: Counter[Position] = Counter()
    for name in names:
        if uses_reserved(attachments[name].to):
            taken.update(link.position for link in places[name] if link)
    landed: dict[str, list[Landed]] = {}
    for name in names:
        to = attachments[name].to
        counted, most = (taken, reserved) if uses_reserved(to) else (Counter[Position](), None)
        allowed = _allowed(to, stands, sizes)
        if is_one_bundle(attachments[name]):
            landed[name] = _bundled(places[name], allowed, counted, most)
        else:
            landed[name] = _filled(places[name], allowed, counted, most, sizes)
    return landed


def _kept(
    link: LockedLink, to: AttachTo, by_place: Mapping[LockedLink, Position], sizes: Sizes
) -> Landed | None:
    """A locked link on its switch; None if that is not there or not one that `to` allows."""
    place = msgspec.structs.replace(link, cage="0", part=0)
    stand = by_place.get(place)
    return Landed(stand, link) if stand and _allows(to, stand, sizes, None) else None


def _filled(
    links: Sequence[Landed | None],
    allowed: Sequence[Position],
    taken: Counter[Position],
    reserved: int | None,
    sizes: Sizes,
) -> list[Landed]:
    """All links of one attachment: new ones in turn, on switches that have a reserved port left where there are any.

    Superspines of a group are above the same spines: groups, and planes, are taken in turn first, so that none that is
    out of service takes all links with it.
    """
    own = Counter(link.position for link in links if link)
    together = Counter(_column(link.position, sizes) for link in links if link)

    def wish(stand: Position, order: int) -> tuple[bool, int, int, Position]:
        full = reserved is not None and taken[stand] >= reserved
        return full, own[stand], order, stand

    queues: dict[tuple[int, int], list[tuple[bool, int, int, Position]]] = {}
    for order, stand in enumerate(allowed):
        queues.setdefault(_column(stand, sizes), []).append(wish(stand, order))
    for queue in queues.values():
        heapify(queue)
    landed: list[Landed] = []
    for link in links:
        if link is None and queues:
            column = min(queues, key=lambda key: (queues[key][0][0], together[key], queues[key][0][1:3]))
            *_, order, stand = queues[column][0]
            own[stand] += 1
            together[column] += 1
            taken[stand] += 1
            heapreplace(queues[column], wish(stand, order))
            landed.append(Landed(stand))
        elif link is not None:
            landed.append(link)
    return landed


def _column(stand: Position, sizes: Sizes) -> tuple[int, int]:
    """What links are spread over first: groups of superspines; planes and rails of spines that meet nowhere.

    Such planes would else be without the attachment. Over other groups spines are not spread: those of a pod may share
    an AS number (RFC 7938), and some pods would reach a border through another one.
    """
    if stand.role is Role.SUPERSPINE:
        return stand.group, NONE
    if stand.role is Role.LEAF or (sizes.superspine_groups and sizes.superspine_planes < sizes.planes):
        return NONE, NONE
    return stand.plane, NONE if sizes.superspine_groups else stand.rail


def _bundled(
    links: Sequence[Landed | None],
    allowed: Sequence[Position],
    taken: Counter[Position],
    reserved: int | None,
) -> list[Landed]:
    """All links on one leaf with room for them: the one that the first link has, or the first one."""
    locked = [link.position for link in links if link][:1]
    own = Counter(link.position for link in links if link)
    fits = (
        position
        for position in (*locked, *allowed)
        if reserved is None or taken[position] - own[position] + len(links) <= reserved
    )
    stand = next(fits, None) or next(iter((*locked, *allowed)), None)
    if stand is None:
        return []
    bundled = [link if link and link.position == stand else Landed(stand) for link in links]
    taken[stand] += sum(link.held is None for link in bundled)
    return bundled


def _allowed(to: AttachTo, stands: Iterable[Position], sizes: Sizes) -> list[Position]:
    """The installed switches that `to` names, in order."""
    unit = sizes.units - 1 if to.unit == "last" else to.unit
    return [stand for stand in stands if _allows(to, stand, sizes, unit)]


def _allows(to: AttachTo, stand: Position, sizes: Sizes, unit: int | None) -> bool:
    """Whether `to` names this switch; `unit`: the required one, None for any."""
    if to.unit != "last":
        unit = to.unit
    leaves = {sizes.rails.leaf_of(rail) for rail in to.rails if rail < sizes.rails.rails}
    on_rail = not to.rails or stand.role is not Role.LEAF or stand.index in leaves
    return (
        unit in (None, stand.unit)
        and on_rail
        and (not to.planes or stand.plane in to.planes)
        and to.pod in (None, stand.pod)
        and (not to.index or stand.index in to.index)
    )


def storage_mbps(attachments: Mapping[str, Attachment], landed: Mapping[str, Sequence[Landed]]) -> int:
    """Most bandwidth that storage brings to one switch of a tier.

    What a router brings goes to and from outside, and a subnet manager sends next to nothing. On a host position
    storage takes the place of a host, which counts.
    """
    total_mbps: Counter[Position] = Counter()
    for name, links in landed.items():
        attachment = attachments[name]
        if attachment.kind == "storage" and attachment.to.host_slot is None:
            for link in links:
                total_mbps[link.position] += int(attachment.speed_mbps)
    return max(total_mbps.values(), default=0)
