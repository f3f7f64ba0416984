"""AS numbers: ranges by capacity, one a role, so that growth renumbers nothing.

A switch drops a route in whose path its own AS number stands. So switches may share a number only where no route
crosses two of them: the spines of one group, and all superspines (RFC 7938, 5.2.1).
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping

import msgspec

from fabric.diagnostics import Origin, Report
from fabric.intent.as_number_ranges import as_range_fault
from fabric.intent.codes import RANGE
from fabric.intent.model import Intent
from fabric.topology import codes
from fabric.topology.network_draft import Draft
from fabric.topology.override_scope import covered
from fabric.topology.roles import Role

FIRST_PRIVATE = 4_200_000_000
"""First four-byte AS number for private use. Source: RFC 6996."""
SMALLEST_BLOCK = 1000
"""Default ranges start at multiples of a power of ten, so that people see the role in the number."""

PLURALS = {"leaf": "leaves", "spine": "spines", "superspine": "superspines"}
TIERS = (Role.LEAF, Role.SPINE, Role.SUPERSPINE)


class AsRange(msgspec.Struct, frozen=True):
    """The AS numbers of one role of one network."""

    first: int
    count: int
    at: Origin
    what: str
    is_written: bool = False
    """Whether the intent says where it starts."""

    @property
    def numbers(self) -> range:
        """All of them."""
        return range(self.first, self.first + self.count)


def number(drafts: Mapping[str, Draft], report: Report) -> None:
    """Give every Ethernet switch its AS number and refuse collisions."""
    ranges: list[AsRange] = []
    networks = [draft for draft in drafts.values() if draft.routed]
    networks.sort(key=lambda d: (d.name not in _locked(d), d.name))
    start = FIRST_PRIVATE
    for draft in networks:
        start = _ranges(draft, start, ranges)
    for draft in drafts.values():
        draft.net.asn = array("q", [0]) * len(draft.net.role)
    for draft in networks:
        _fill(draft)
    _check(drafts, ranges, report)


def _locked(draft: Draft) -> Mapping[str, dict[str, int]]:
    lock = draft.intent.lock
    return (
        {name: locked.asn_bases for name, locked in lock.networks.items() if locked.asn_bases} if lock else {}
    )


def as_count(draft: Draft, role: Role) -> int:
    """AS numbers that a role needs at full capacity."""
    sizes, policy = draft.sizes, draft.network.addressing.asn.policy
    devices = (sizes.leaf_capacity, sizes.spine_capacity, sizes.superspine_capacity)[role]
    if role is Role.LEAF:
        return min(devices, _leaf_numbers(draft))
    if policy == "unique":
        return devices
    return min(devices, _spine_numbers(draft) if role is Role.SPINE else 1)


def _leaf_numbers(draft: Draft) -> int:
    """AS numbers of leaves at full capacity: of one pod, where every pod uses the same."""
    sizes = draft.sizes
    per_pod = draft.network.addressing.asn.leaf_numbers == "per_pod"
    units = sizes.units_per_pod if per_pod else sizes.unit_capacity
    return units * sizes.rails.leaves * sizes.planes


def _spine_numbers(draft: Draft) -> int:
    """Shared AS numbers of spines at full capacity: one for every group that a route may cross beside another."""
    sizes = draft.sizes
    rails = sizes.spine_rails if _rails_meet(draft) else 1
    return sizes.spine_pods * rails * (sizes.spine_planes if _planes_meet(draft) else 1)


def _rails_meet(draft: Draft) -> bool:
    """Whether superspines join the spines of several rail groups: a route between rails then crosses two of them."""
    sizes = draft.sizes
    spines = sizes.spine_rails * sizes.leaf.count
    return sizes.spine_rails > 1 and sizes.spine.count > 0 and sizes.superspine_groups < spines


def _planes_meet(draft: Draft) -> bool:
    """Whether superspines join the spines of several planes."""
    sizes = draft.sizes
    return sizes.spine_planes > 1 and sizes.spine.count > 0 and sizes.superspine_planes < sizes.spine_planes


def _spine_number(draft: Draft, group: int) -> int:
    """Which of the shared AS numbers a group of spines has, from its number by capacity."""
    sizes = draft.sizes
    rest, plane = divmod(group, sizes.spine_planes)
    number, rail = divmod(rest, sizes.spine_rails)
    if _rails_meet(draft):
        number = number * sizes.spine_rails + rail
    return number * sizes.spine_planes + plane if _planes_meet(draft) else number


def _ranges(draft: Draft, start: int, ranges: list[AsRange]) -> int:
    """Choose the first number of each role; returns where the next network's defaults start.

    That depends on the lock and on sizes, never on what the intent writes: who moves the numbers of one network moves
    those of no other.
    """
    written, locked = draft.network.addressing.asn, _locked(draft).get(draft.name, {})
    counts = {role: as_count(draft, role) for role in TIERS}
    block = SMALLEST_BLOCK
    while block < max(counts.values()):
        block *= 10
    for i, role in enumerate(TIERS):
        key = role.name.lower()
        asked: int | None = getattr(written, key)
        first = asked if asked is not None else locked.get(key, start + i * block)
        draft.asn_bases[key] = first
        if counts[role]:
            at = draft.at.child("addressing", "asn", *([key] if asked is not None else []))
            if asked is None and key in locked:
                at = Origin(("networks", draft.name, "asn_bases", key), "lock")
            ranges.append(AsRange(first, counts[role], at, f"{draft.name} {PLURALS[key]}", asked is not None))
    if locked:
        end = max([start, *(first for first in locked.values() if first >= FIRST_PRIVATE)])
    else:
        end = start + (len(TIERS) - 1) * block
    return -(-(end + block) // block) * block


def with_written_numbers(intent: Intent) -> Intent | None:
    """The intent with the AS numbers that it writes in its lock; None if the lock has them, or there is none."""
    lock = intent.lock
    if lock is None:
        return None
    networks = {
        name: msgspec.structs.replace(locked, asn_bases=_written_over(intent, name, locked.asn_bases))
        for name, locked in lock.networks.items()
    }
    if networks == lock.networks:
        return None
    return msgspec.structs.replace(intent, lock=msgspec.structs.replace(lock, networks=networks))


def _written_over(intent: Intent, name: str, bases: dict[str, int]) -> dict[str, int]:
    network = intent.site.networks.get(name)
    if network is None or not bases:
        return bases
    written = {key: getattr(network.addressing.asn, key) for key in PLURALS}
    return {**bases, **{key: first for key, first in written.items() if first is not None}}


def _fill(draft: Draft) -> None:
    net, policy = draft.net, draft.network.addressing.asn.policy
    for role in TIERS:
        first = draft.asn_bases[role.name.lower()]
        for node in net.role_start[role]:
            if role is Role.LEAF:
                net.asn[node] = first + net.ordinal[node] % _leaf_numbers(draft)
            elif policy == "unique":
                net.asn[node] = first + net.ordinal[node]
            elif role is Role.SPINE:
                net.asn[node] = first + _spine_number(draft, net.group[node])
            else:
                net.asn[node] = first
    for override in draft.intent.site.overrides:
        if override.asn is not None:
            for node in covered(draft.net, override):
                net.asn[node] = override.asn


def _check(drafts: Mapping[str, Draft], ranges: list[AsRange], report: Report) -> None:
    for asn_range in ranges:
        if (fault := as_range_fault(asn_range.first, asn_range.count)) is not None:
            rule, hint = fault
            if asn_range.at.document == "lock":
                hint = "restore `fabric.lock` as it was committed"
            report.add(RANGE.at(asn_range.at, f"{asn_range.what}: {rule}", value=asn_range.first, hint=hint))
    _check_overlaps(sorted(ranges, key=lambda r: r.first), report)
    _check_written(drafts, ranges, report)


def _check_overlaps(ranges: list[AsRange], report: Report) -> None:
    for i, asn_range in enumerate(ranges):
        for other in ranges[i + 1 :]:
            if other.first < asn_range.first + asn_range.count:
                is_earlier = asn_range.is_written and not other.is_written
                wrong, taken = (asn_range, other) if is_earlier else (other, asn_range)
                rule = (
                    f"{wrong.what} from {wrong.first} run into {taken.what}, "
                    f"{taken.first} to {taken.first + taken.count - 1} by capacity"
                )
                hint = f"start at {taken.first + taken.count} or later"
                report.add(codes.ASN_TAKEN.at(wrong.at, rule, value=wrong.first, hint=hint))


def _check_written(drafts: Mapping[str, Draft], ranges: list[AsRange], report: Report) -> None:
    """AS numbers of overrides and of routers that are not ours."""
    for draft in drafts.values():
        for i, override in enumerate(draft.intent.site.overrides):
            nodes = covered(draft.net, override) if override.asn is not None and draft.routed else []
            at = Origin(("overrides", i, "asn"))
            others = [r for r in ranges if override.asn in r.numbers]
            if nodes and others and draft.net.asn[nodes[0]] == override.asn:
                _taken(report, at, override.asn, others[0].what)
        for attached in draft.attached:
            bgp = attached.attachment.bgp
            others = [r for r in ranges if bgp is not None and bgp.asn in r.numbers]
            if bgp is not None and others:
                _taken(report, attached.at.child("bgp", "asn"), bgp.asn, others[0].what)


def _taken(report: Report, at: Origin, asn: int | None, what: str) -> None:
    rule = f"AS {asn} lies in the range of {what}"
    report.add(codes.ASN_TAKEN.at(at, rule, value=asn, hint="choose a number outside the ranges by capacity"))
