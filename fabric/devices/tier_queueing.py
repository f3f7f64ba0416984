"""The queueing of each tier: which kinds of ports it has, and what the policy means for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import msgspec

from fabric.devices import codes
from fabric.devices.model import SwitchPort
from fabric.diagnostics import Origin, Report
from fabric.hardware import Asic, Catalogue, SwitchModel
from fabric.intent.model import Intent, Network
from fabric.qos.derive_queueing import plan_queueing, round_trip_ns
from fabric.qos.model import BufferTiming, PortKind, PortQueueing, Queueing, TableRow
from fabric.topology.model import NetworkTopology, Node
from fabric.topology.roles import Facing, Role

FRAME_OVERHEAD_BYTES = 22
"""Ethernet header, one VLAN tag and check sequence around an IP packet (802.3, 802.1Q)."""


@dataclass(frozen=True, slots=True)
class TierQueueing:
    """The queueing of a tier, and its profiles by what decides them."""

    queueing: Queueing
    profiles: Mapping[tuple[int, int], PortQueueing]
    """By speed in Mb/s and cable in metres."""


def tier_queueing(
    intent: Intent,
    network: Network,
    topology: NetworkTopology,
    role: Role,
    model: SwitchModel,
    origin: Origin,
    report: Report,
) -> TierQueueing | None:
    """What the network's policy means for the switches of one model in a tier. None without a policy."""
    if network.lossless is None or network.lossless not in intent.policies:
        return None
    used = {
        chosen
        for chosen in {topology.port_map[node] for node in topology.role_start[role]}
        if topology.port_maps[chosen].model == model.id
    }
    if model.buffer is None:
        report.add(
            codes.BUFFER_UNKNOWN.at(
                origin.child("tiers", role.name.lower(), "model"),
                f"{model.model} ({model.asic}): no buffer size is published, so the headroom of all ports "
                "cannot be held against it",
                value=model.id,
                hint=codes.BUFFER_UNKNOWN.fix,
            )
        )
    queueing = plan_queueing(
        network.lossless,
        intent.policies[network.lossless],
        _kinds(intent, network, topology, role, used),
        timing=_timing(intent.hardware.asics.get(model.asic)),
        table=_table(intent.hardware, model),
        buffer_bytes=model.buffer.total_bytes if model.buffer else None,
        max_frame_bytes=network.ip_mtu_bytes + FRAME_OVERHEAD_BYTES,
        round_trip_ns=longest_round_trip_ns(intent, network),
        origin=origin.child("tiers", role.name.lower()),
        report=report,
    )
    queueing = _with_assumptions(queueing, _stated_lengths(intent, network, topology.name))
    return TierQueueing(queueing, {(p.speed_mbps, p.cable_m): p for p in queueing.profiles})


def _stated_lengths(intent: Intent, network: Network, name: str) -> frozenset[int]:
    """The cable lengths of a network, in metres, that its files state."""
    cables = Origin(("networks", name, "cables"))
    stated = {
        int(getattr(network.cables, pair).length_m)
        for pair in network.cables.__struct_fields__
        if intent.sources.states(cables.child(pair, "length"))
    }
    attached = (a for a in intent.site.attachments.values() if a.network == name)
    return frozenset(stated | {int(attachment.cable_m) for attachment in attached})


def _with_assumptions(queueing: Queueing, stated: frozenset[int]) -> Queueing:
    profiles = (
        msgspec.structs.replace(profile, cable_is_assumed=profile.cable_m not in stated)
        for profile in queueing.profiles
    )
    return msgspec.structs.replace(queueing, profiles=tuple(profiles))


def used_queueing(queueing: Queueing, ports: Iterable[SwitchPort]) -> Queueing:
    """The queueing of a tier with the profiles that the ports of one of its switches have."""
    names = {port.queueing.name for port in ports if port.queueing is not None}
    used = tuple(profile for profile in queueing.profiles if profile.name in names)
    return (
        queueing if len(used) == len(queueing.profiles) else msgspec.structs.replace(queueing, profiles=used)
    )


def cable_length(network: Network, role: Role, facing: Facing) -> int:
    """Upper bound of the cables of one side of a tier, in metres."""
    cables = network.cables
    if facing is Facing.ACROSS:
        return cables.zone.length_m
    pairs = (cables.host_leaf, cables.leaf_spine, cables.spine_superspine, cables.spine_superspine)
    return pairs[role + (facing is Facing.UP)].length_m


def _kinds(
    intent: Intent, network: Network, topology: NetworkTopology, role: Role, used: set[int]
) -> tuple[PortKind, ...]:
    """Every kind of port of a tier with the most that one switch has of it, attachments included."""
    most: Counter[tuple[int, int]] = Counter()
    for index in used:
        port_map = topology.port_maps[index]
        here = Counter(
            (slot.speed_mbps, int(cable_length(network, role, facing)))
            for slot, facing in zip(port_map.slots, port_map.facing, strict=True)
            if facing not in (Facing.OUT, Facing.SPARE)
        )
        most |= here
    most += _attached(intent, topology, role, used)
    return tuple(PortKind(speed, cable, count) for (speed, cable), count in sorted(most.items()))


def _attached(
    intent: Intent, topology: NetworkTopology, role: Role, used: set[int]
) -> Counter[tuple[int, int]]:
    """Likewise of the ports to attachments that the policy holds on."""
    on: dict[int, Counter[tuple[int, int]]] = {}
    for node in topology.role_start[Role.ATTACHMENT]:
        attachment = intent.site.attachments[topology.names[node]]
        if not attachment.is_queued or attachment.to.tier != role.name.lower():
            continue
        kind = (int(attachment.speed_mbps), int(attachment.cable_m))
        for port in Node(topology, node).ports():
            if port.peer is not None and topology.port_map[port.peer.node.id] in used:
                on.setdefault(port.peer.node.id, Counter())[kind] += 1
    most: Counter[tuple[int, int]] = Counter()
    for here in on.values():
        most |= here
    return most


def _timing(asic: Asic | None) -> BufferTiming | None:
    if asic is None or asic.mac_phy_delay_bytes is None:
        return None
    return BufferTiming(
        cell_bytes=asic.cell_bytes,
        mac_phy_delay_bytes=asic.mac_phy_delay_bytes,
        peer_response_bytes=asic.peer_response_bytes,
        extra_latency_ns=asic.extra_latency_ns,
        pipeline_latency_bytes=asic.pipeline_latency_bytes,
    )


def _table(catalogue: Catalogue, model: SwitchModel) -> tuple[TableRow, ...]:
    """The published headroom of the model, as one table."""
    return tuple(
        TableRow(row.speed_mbps, row.cable_m, row.headroom_bytes, row.resume_bytes)
        for row in catalogue.published_rows(model)
    )


def longest_round_trip_ns(intent: Intent, network: Network) -> int:
    """Base round trip between the farthest hosts in nanoseconds: the policy's own, or else that of the cables."""
    policy = intent.policies.get(network.lossless or "")
    if policy is not None and policy.round_trip_us != "auto":
        return policy.round_trip_us * 1000
    tiers = [network.cables.host_leaf]
    if network.tiers.spine:
        tiers.append(network.cables.leaf_spine)
    if network.tiers.superspine:
        tiers.append(network.cables.spine_superspine)
    lengths = [int(cable.length_m) for cable in tiers]
    return round_trip_ns((*lengths, *reversed(lengths)))
