"""SL2VL and arbitration tables against the classes of the intent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from fabric.devices.infiniband.model import Subnet
from fabric.verification.finding import Finding, finding, ordered, some
from fabric.verification.infiniband.check_partitions import ends_by_lid
from fabric.verification.infiniband.reading.discovery import Discovered
from fabric.verification.infiniband.reading.query_tables import Arbitration, Levels, Port, Tables
from fabric.verification.infiniband.route_audit.audit_routes import OWN_LANES

DROPPED = 15
"""Lane of an unused level."""


def has_lanes(subnet: Subnet) -> bool:
    """Whether the intent says which levels go on which lanes.

    With one class the subnet manager leaves all lanes alone; some engines choose them themselves.
    """
    return len(subnet.lanes) > 1 and subnet.engine not in OWN_LANES


def lane_findings(
    subnet: Subnet, tables: Tables, discovered: Discovered | None = None
) -> tuple[Finding, ...]:
    """Ports whose tables are not those of the intent: one finding for all that are wrong alike."""
    if not has_lanes(subnet):
        return ()
    names = _names(subnet, discovered)
    findings = [*_levels(subnet, tables.levels, names), *_weights(subnet, tables.weights, names)]
    return ordered(findings)


def _names(subnet: Subnet, seen: Discovered | None) -> dict[int, str]:
    """Switches and HCA ports by LID."""
    names = {lid: end.name for lid, end in ends_by_lid(subnet, seen).items()}
    for switch in subnet.switches:
        lid = seen.lids.get((switch.guid, 0), 0) if seen else switch.lid
        if lid:
            names[lid] = switch.name
    return names


def without_levels(subnet: Subnet, tables: Tables, seen: Discovered | None) -> list[Port]:
    """Cabled ports of switches, by LID, of which no SL2VL table is known."""
    lids = {switch.guid: switch.lid for switch in subnet.switches}
    ports = {(link.lower, link.lower_port) for link in subnet.links}
    ports |= {(link.upper, link.upper_port) for link in subnet.links}
    if seen is not None:
        lids = {guid: lid for (guid, port), lid in seen.lids.items() if not port and lid}
        ports = set(seen.links)
    known = {(lid, outside) for lid, _, outside in tables.levels}
    return sorted(
        (lids[guid], port) for guid, port in ports if guid in lids and (lids[guid], port) not in known
    )


def _levels(
    subnet: Subnet, tables: Mapping[tuple[int, int, int], Levels], names: Mapping[int, str]
) -> Iterator[Finding]:
    lanes = {lane.service_level: lane.virtual_lane for lane in subnet.lanes}
    want = tuple(lanes.get(level, DROPPED) for level in range(16))
    switches = {switch.name for switch in subnet.switches}
    wrong: dict[Levels, dict[str, int]] = defaultdict(dict)
    for (lid, inside, outside), have in tables.items():
        name = names.get(lid)
        # From and to a switch's own port 0 only management travels, on lane 15.
        manages = name in switches and 0 in (inside, outside)
        if name is not None and not manages and have != want:
            wrong[have][name] = wrong[have].get(name, 0) + 1
    for have, at in wrong.items():
        pairs = (
            f"SL {s} on VL {h}, meant VL {w}"
            for s, (h, w) in enumerate(zip(have, want, strict=False))
            if h != w
        )
        text = f"{some(sorted(at))}: {some(pairs, most=6)}"
        yield finding("sl2vl", [",".join(map(str, have))], text, sorted(at))


def _weights(
    subnet: Subnet, tables: Mapping[Port, Arbitration], names: Mapping[int, str]
) -> Iterator[Finding]:
    want = wanted_weights(subnet)
    switches = {switch.name for switch in subnet.switches}
    wrong: dict[tuple[tuple[tuple[int, int], ...], ...], set[str]] = defaultdict(set)
    for (lid, port), have in tables.items():
        name = names.get(lid)
        if name is None or (name in switches and not port) or have == want:
            continue
        wrong[tuple(sorted(have.low.items())), tuple(sorted(have.high.items()))].add(name)
    for (low, high), at in wrong.items():
        running = f"low {_weights_text(dict(low))}, high {_weights_text(dict(high))}"
        meant = f"low {_weights_text(want.low)}, high {_weights_text(want.high)}"
        text = f"{some(sorted(at))}: weights {running}; meant {meant}"
        yield finding("vlarb", [running.replace(" ", "")], text, sorted(at))


def wanted_weights(subnet: Subnet) -> Arbitration:
    """Weights by lane; the heaviest class of a lane counts."""
    low: dict[int, int] = {}
    high: dict[int, int] = {}
    for lane in subnet.lanes:
        for weights, weight in ((low, lane.weight), (high, lane.high_weight)):
            if weight:
                weights[lane.virtual_lane] = max(weights.get(lane.virtual_lane, 0), weight)
    return Arbitration(dict(sorted(low.items())), dict(sorted(high.items())))


def _weights_text(weights: Mapping[int, int]) -> str:
    return " ".join(f"VL{lane}:{weight}" for lane, weight in sorted(weights.items())) or "none"
