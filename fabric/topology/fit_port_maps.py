"""Ports of every node: each tier has one map, overrides and attachments add more. Then ports get their ids."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

import msgspec

from fabric.diagnostics import Origin
from fabric.intent.model import Override, Tier
from fabric.topology import codes
from fabric.topology.network_draft import Draft
from fabric.topology.override_scope import covered
from fabric.topology.port_maps import (
    Demand,
    Panel,
    Shortage,
    allocate,
    cage_text,
    describe,
    named_cages,
    port_map,
)
from fabric.topology.roles import NONE, Facing, PortMap, Role
from fabric.topology.sizing.sizing_findings import complain


class Change(msgspec.Struct, frozen=True):
    """How the ports of one switch differ from those of its tier."""

    model: str | None = None
    platform: str | None = None
    """Another product calls the same ports by other names: it has a map of its own."""
    down_cages: str | None = None
    up_cages: str | None = None
    out: tuple[Demand, ...] = ()
    """Ports in cages that attachments name."""
    reserved_held: tuple[tuple[str, int], ...] = ()
    """Cages, and parts of them, of the reserved ports that attachments have by `fabric.lock`."""
    reserved_new: int = 0
    """Links that take the first reserved ports left."""


NO_CHANGE = Change()

OVERRIDDEN = ("model", "platform", "down_cages", "up_cages")
"""What an override may say about ports."""


def fit_ports(draft: Draft) -> None:
    """Give every switch its port map and every port its id."""
    net = draft.net
    maps: list[PortMap] = []
    known: dict[tuple[Role, tuple[Demand, ...], Change], int] = {}
    changes = _changes(draft)
    column = draft.blank("i", len(net.role))
    for role, tier, demands in _tiers(draft):
        texts = dict.fromkeys(_text(draft, role, tier, each) for each in demands)
        draft.port_map_texts[role.name.lower()] = " | ".join(texts)
        for node in net.role_start[role]:
            base = demands[net.index[node] if role is Role.LEAF else 0]
            key = (role, base, changes.get(node, NO_CHANGE))
            if key not in known:
                known[key] = len(maps)
                maps.append(_map(draft, role, tier, base, key[2]))
            column[node] = known[key]
    net.port_map, net.port_maps = column, tuple(maps)
    counts = [len(maps[i].slots) if i != NONE else 0 for i in column]
    _host_counts(draft, counts)
    net.port_base = array("i", accumulate(counts, initial=0))
    ports = net.port_base[-1]
    net.peer, net.cable = draft.blank("i", ports), draft.blank("i", ports)


def _tiers(draft: Draft) -> list[tuple[Role, Tier, tuple[tuple[Demand, ...], ...]]]:
    tiers = draft.network.tiers
    roles = ((Role.LEAF, tiers.leaf), (Role.SPINE, tiers.spine), (Role.SUPERSPINE, tiers.superspine))
    return [(role, tier, draft.sizes.demands[role]) for role, tier in roles if tier is not None]


def _text(draft: Draft, role: Role, tier: Tier, demands: Sequence[Demand]) -> str:
    allocated = allocate(draft.panels[tier.model], demands, sorted(draft.named_cages[role]))
    return describe(allocated) if isinstance(allocated, list) else ""


def _map(draft: Draft, role: Role, tier: Tier, demands: tuple[Demand, ...], change: Change) -> PortMap:
    cages = {Facing.DOWN: change.down_cages, Facing.UP: change.up_cages}
    if draft.sizes.across is not None and draft.sizes.across_role is role:
        cages[Facing.ACROSS] = change.up_cages  # `up` of its tier says how they are split, too
    changed = [
        msgspec.structs.replace(d, cages=cages[d.facing]) if cages.get(d.facing) else d
        for d in (_of_model(demands) if change.model else demands)
    ]
    own = {cage for d in change.out for cage in named_cages(d.cages)}
    taken = sorted(draft.named_cages[role] - own)
    panel = _panel(draft, change.model or tier.model)
    allocated = allocate(panel, [*changed, *change.out], taken)
    if not isinstance(allocated, list):
        name = role.name.lower()
        at = draft.at.child("tiers", name)
        complain(draft.report, at, panel, changed, allocated, name, _blamed(draft, change, allocated))
        draft.is_short = True
        allocated = []
    fitted = port_map(panel, allocated)
    facing = list(fitted.facing)
    spare = fitted.range_of(Facing.SPARE)
    for i in spare[: _reserved_used(fitted, change)]:
        facing[i] = Facing.OUT
    return PortMap(fitted.model, fitted.slots, tuple(facing))


def _reserved_used(fitted: PortMap, change: Change) -> int:
    """Reserved ports up to the last one that an attachment takes: ports that face out are contiguous."""
    spare = [fitted.slots[i] for i in fitted.range_of(Facing.SPARE)]
    order = {(cage_text((slot.slot, slot.cage)), slot.sub_port): i for i, slot in enumerate(spare)}
    kept = {order[port] for port in change.reserved_held if port in order}
    new = change.reserved_new + len(change.reserved_held) - len(kept)
    free = [i for i in range(len(spare)) if i not in kept]
    return max((*kept, *free[:new]), default=-1) + 1


def _of_model(demands: Sequence[Demand]) -> list[Demand]:
    """What another model must offer: as many ports of these speeds, in its own cages and splits."""
    return [msgspec.structs.replace(demand, cages=None, breakout=None) for demand in demands]


def _panel(draft: Draft, model: str) -> Panel:
    return draft.panels.setdefault(model, Panel(draft.intent.hardware.switches[model]))


def _blamed(draft: Draft, change: Change, shortage: Shortage) -> Origin | None:
    """The place of the cages that an attachment or an override names; None: the tier's own."""
    cages = shortage.demand.cages
    for attached in draft.attached if cages in [d.cages for d in change.out] else ():
        if attached.attachment.to.cages == cages:
            return attached.at.child(
                *(("to", "cages") if shortage.kind in ("cages", "ports") else ("speed",))
            )
    for i, override in enumerate(draft.intent.site.overrides):
        for key, asked in (("up_cages", override.up_cages), ("down_cages", override.down_cages)):
            if cages is not None and cages == asked and asked in (change.up_cages, change.down_cages):
                return Origin(("overrides", i, key))
        if override.model is not None and override.model == change.model:
            return Origin(("overrides", i, "model"))
    return None


def _host_counts(draft: Draft, counts: list[int]) -> None:
    net = draft.net
    ports = {group.name: group.nics.count * group.nics.ports for group in draft.sizes.groups}
    for node, group in net.host_group.items():
        counts[node] = ports[group]
    for node, attached in zip(net.role_start[Role.ATTACHMENT], draft.attached, strict=True):
        counts[node] = attached.attachment.links


def _changes(draft: Draft) -> dict[int, Change]:
    changes: dict[int, Change] = {}
    for i, override in enumerate(draft.intent.site.overrides):
        changed = {key: value for key in OVERRIDDEN if (value := getattr(override, key)) is not None}
        for node in covered(draft.net, override) if changed and _fits(draft, i, override) else ():
            old = changes.get(node, NO_CHANGE)
            changes[node] = msgspec.structs.replace(old, **changed)
    _claimed(draft, changes)
    return changes


def _fits(draft: Draft, index: int, override: Override) -> bool:
    """Whether the model of an override supports the network's technology; with a finding if not."""
    if override.model is None or not covered(draft.net, override):
        return True
    model, network = draft.intent.hardware.switches[override.model], draft.net.technology
    if model.technology != network:
        at = Origin(("overrides", index, "model"))
        rule = f"{model.model} is {model.technology}, the network {network}"
        hint = "choose another model, or name the `network` that is meant"
        draft.report.add(codes.WRONG_TECHNOLOGY.at(at, rule, value=override.model, hint=hint))
    return model.technology == network


def _claimed(draft: Draft, changes: dict[int, Change]) -> None:
    """The ports that attachments take of each switch."""
    for attached in draft.attached:
        to = attached.attachment.to
        if to.host_slot is not None:
            continue
        for node, links in Counter(attached.switches).items():
            old = changes.get(node, NO_CHANGE)
            if to.cages:
                demand = Demand(Facing.OUT, links, int(attached.attachment.speed_mbps), None, to.cages)
                changes[node] = msgspec.structs.replace(old, out=(*old.out, demand))
                continue
            here = [place for on, place in zip(attached.switches, attached.held, strict=True) if on == node]
            kept = tuple(sorted((place.cage, place.part) for place in here if place))
            changes[node] = msgspec.structs.replace(
                old,
                reserved_held=(*old.reserved_held, *kept),
                reserved_new=old.reserved_new + links - len(kept),
            )
