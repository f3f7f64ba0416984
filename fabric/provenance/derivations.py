"""How values are computed: the formula, its inputs and its source, with the numbers of one device."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fabric.compiler import Compiled
from fabric.devices import bgp_limits
from fabric.devices.hosts.model import Host
from fabric.devices.tier_queueing import FRAME_OVERHEAD_BYTES, longest_round_trip_ns
from fabric.hardware import Asic
from fabric.provenance.device_fields import Path, profiles_of, value_at
from fabric.provenance.model import Derivation, Input
from fabric.qos import ecn, headroom
from fabric.qos.model import PortQueueing
from fabric.units import Length, Speed

Names = Mapping[str, str]
Deriver = Callable[["Case"], Derivation | None]
DCTCP = "DCTCP (SIGCOMM 2010, 3.4); docs/lossless.md"


class Case:
    """One field of one device."""

    def __init__(self, compiled: Compiled, device: Any, place: Path, names: Names) -> None:
        self.compiled, self.device, self.place, self.names = compiled, device, place, names
        self.value = value_at(device, place)
        self.network = compiled.intent.site.networks[names["network"]]

    @property
    def profile(self) -> PortQueueing:
        """The queueing that the field is part of."""
        return profiles_of(self.device)[str(self.place[1])]

    @property
    def first_below_bytes(self) -> int | None:
        """ECN acts first below it."""
        queueing = getattr(self.device, "queueing", None)
        budget = queueing.budget if queueing is not None else None
        return budget.ecn_first_below_bytes if budget is not None else None

    @property
    def round_trip_ns(self) -> int:
        """Base round trip between the farthest hosts."""
        return longest_round_trip_ns(self.compiled.intent, self.network)


def derivation(name: str, case: Case) -> Derivation | None:
    """How a value is computed; None if it is taken as it is written."""
    return DERIVERS[name](case) if name in DERIVERS else None


def round_trip(case: Case) -> Derivation:
    """The base round trip, of the cables or as the policy writes it."""
    policy = case.compiled.intent.policies[case.names["policy"]]
    trip = f"{case.round_trip_ns:,} ns"
    if policy.round_trip_us != "auto":
        return Derivation(what="round trip", value=trip, formula="as the policy writes it")
    tiers = [
        ("host_leaf", True),
        ("leaf_spine", case.network.tiers.spine),
        ("spine_superspine", case.network.tiers.superspine),
    ]
    cables = [(key, getattr(case.network.cables, key).length_m) for key, is_there in tiers if is_there]
    return Derivation(
        what="round trip",
        value=trip,
        formula="2 x (2 x cables / signal speed + switches x delay + delay of a NIC), rounded up",
        inputs=(
            *(Input(f"cable {key}", str(Length(int(length_m)))) for key, length_m in cables),
            Input("signal speed", f"{headroom.SIGNAL_M_PER_S:,} m/s"),
            Input("switches", f"{2 * len(cables) - 1} x {ecn.SWITCH_DELAY_NS:,} ns"),
            Input("NIC", f"{ecn.HOST_DELAY_NS:,} ns"),
        ),
        source="docs/lossless.md",
    )


def kmin(case: Case) -> Derivation | None:
    """Kmin of a curve that is computed."""
    curve = value_at(case.device, case.place[:-1])
    if not curve.computed:
        return None
    speed, trip = case.profile.speed_mbps, case.round_trip_ns
    flight, below = ecn.in_flight_bytes(speed, trip), case.first_below_bytes
    inputs = [Input("speed", str(Speed(speed))), Input("round trip", f"{trip:,} ns")]
    formula = f"speed x round trip = {flight:,} B in flight, rounded up to {ecn.STEP_BYTES:,} B"
    if below is not None and curve.kmin_bytes < flight:
        least = ecn.least_kmin_bytes(speed, trip)
        formula = (
            f"{flight:,} B in flight (speed x round trip), lowered to where ECN acts before PFC, "
            f"not below in flight / {ecn.DCTCP_DIVISOR} = {least:,} B"
        )
        inputs.append(Input("ECN before PFC below", f"{below:,} B"))
    return Derivation(
        what="kmin", value=f"{curve.kmin_bytes:,} B", formula=formula, inputs=tuple(inputs), source=DCTCP
    )


def kmax(case: Case) -> Derivation | None:
    """Kmax of a curve that is computed."""
    curve = value_at(case.device, case.place[:-1])
    if not curve.computed:
        return None
    wanted = ecn.KMAX_RATIO * curve.kmin_bytes
    formula = f"{ecn.KMAX_RATIO} x kmin"
    if curve.kmax_bytes < wanted:
        formula += f" = {wanted:,} B, lowered below the pause threshold of a single port"
    return Derivation(
        what="kmax",
        value=f"{curve.kmax_bytes:,} B",
        formula=formula,
        inputs=(Input("kmin", f"{curve.kmin_bytes:,} B"),),
        source="SimAI.conf (aliyun/SimAI); docs/lossless.md",
    )


def pmax(case: Case) -> Derivation | None:
    """Pmax of a curve that is computed."""
    if not value_at(case.device, case.place[:-1]).computed:
        return None
    value = f"{ecn.PMAX_PERCENT} %"
    return Derivation(
        what="pmax",
        value=value,
        formula="all packets at kmax: the curve has no step",
        source="docs/lossless.md",
    )


def headroom_of_port(case: Case) -> Derivation | None:
    """Headroom of one lossless priority of one port."""
    profile = case.profile
    room = profile.headroom
    if room is None or isinstance(case.device, Host):
        return None
    asic = case.compiled.intent.hardware.asics.get(case.device.hardware.asic)
    frame = case.network.ip_mtu_bytes + FRAME_OVERHEAD_BYTES
    return Derivation(
        what="headroom",
        value=f"{room.headroom_bytes:,} B",
        formula=f"frame + occupancy x (frame + cable, both ways + MAC and PHY + peer's response + latency); "
        f"{room.reason}",
        inputs=(
            Input("speed", str(Speed(profile.speed_mbps))),
            Input("cable", str(Length(profile.cable_m))),
            Input("frame", f"{frame:,} B (IP MTU + {FRAME_OVERHEAD_BYTES} B)"),
            Input(
                "peer's response",
                f"{headroom.pause_quanta(profile.speed_mbps)} quanta of {headroom.QUANTUM_BYTES} B",
            ),
            Input("cell", _cell(asic)),
        ),
        source="802.3 annex 31B; docs/lossless.md",
    )


def _cell(asic: Asic | None) -> str:
    if asic is None or asic.mac_phy_delay_bytes is None:
        return f"{headroom.UNKNOWN.cell_bytes} B (of an ASIC without published constants)"
    return f"{asic.cell_bytes} B"


def profile_name(case: Case) -> Derivation:
    """The name of the queueing of a kind of port."""
    profile = case.profile if case.place[0] != "ports" else case.value
    if not isinstance(profile, PortQueueing):
        return Derivation(what="queueing", value="none", formula="no class of the policy on this port")
    return Derivation(
        what="queueing",
        value=profile.name,
        formula="one for each kind of port: lossless or lossy, speed, cable length",
        inputs=(Input("speed", str(Speed(profile.speed_mbps))), Input("cable", str(Length(profile.cable_m)))),
    )


def max_rate(case: Case) -> Derivation | None:
    """The rate that a class may take, of the speed of its port."""
    if case.value is None:
        return None
    rate = case.profile.speed_mbps * case.value // 100
    inputs = (Input("speed", str(Speed(case.profile.speed_mbps))),)
    return Derivation(
        what="maximum rate",
        value=f"{rate:,} Mb/s",
        formula="percent of the speed, rounded down",
        inputs=inputs,
    )


def poll(case: Case) -> Derivation | None:
    """The polling interval of the watchdog."""
    policy = case.compiled.intent.policies[case.names["policy"]]
    if policy.watchdog == "none" or policy.watchdog.poll_ms is not None:
        return None
    timers = (
        Input("detect", f"{int(policy.watchdog.detect_ms)} ms"),
        Input("restore", f"{int(policy.watchdog.restore_ms)} ms"),
    )
    return Derivation(
        what="poll", value=f"{case.value} ms", formula="half of the shorter timer", inputs=timers
    )


def budget(case: Case) -> Derivation | None:
    """What the headroom of all ports takes of the buffer."""
    whole = case.device.queueing.budget
    if whole is None:
        return None
    return Derivation(
        what="headroom of all ports",
        value=f"{whole.headroom_bytes:,} B",
        formula="headroom of each port and lossless class, summed up",
        inputs=(Input("buffer", f"{whole.buffer_bytes:,} B"),),
        source="docs/lossless.md",
    )


def max_paths(case: Case) -> Derivation | None:
    """The ECMP width, where it is not written."""
    if case.network.routing.max_paths != "auto" or case.device.widened_by is not None:
        return None
    sizes = case.compiled.topology.networks[case.names["network"]].sizes
    return Derivation(
        what="ECMP width",
        value=str(case.value),
        formula="the most equal paths at full capacity, rounded up to a power of two",
        inputs=(
            Input("uplinks of a leaf", str(sizes.leaf_uplinks)),
            Input("uplinks of a spine", str(sizes.spine_uplinks)),
            Input("links of a leaf and a spine", str(sizes.links_per_leaf_spine)),
        ),
    )


def max_prefixes(case: Case) -> Derivation | None:
    """The limit of prefixes of a session between switches."""
    context = next((c for c in case.compiled.devices.contexts if c.name == case.names["network"]), None)
    if context is None or case.network.routing.bgp.max_prefixes != "auto" or case.value is None:
        return None
    expected = bgp_limits.expected_prefixes(context)
    formula = (
        f"{bgp_limits.PREFIX_MARGIN} x expected prefixes, rounded up to a power of two, "
        f"at least {bgp_limits.LEAST_PREFIXES}"
    )
    inputs = (Input("expected at full capacity", str(expected)),)
    return Derivation(
        what="limit of prefixes",
        value=str(case.value),
        formula=formula,
        inputs=inputs,
        source="RFC 7454, 6.5",
    )


def as_number(case: Case) -> Derivation | None:
    """The AS number of the switch itself."""
    return _as_number(case, case.device.role, case.value)


def peer_as_number(case: Case) -> Derivation | None:
    """The AS number of a neighbour."""
    topology = case.compiled.topology.networks[case.names["network"]]
    if case.names["peer"] not in topology.names:
        return None
    node = list(topology.names).index(case.names["peer"])
    role = next((role.name.lower() for role in topology.role_start if node in topology.role_start[role]), "")
    return _as_number(case, role, case.value)


def _as_number(case: Case, role: str, number: int) -> Derivation | None:
    first = case.compiled.topology.networks[case.names["network"]].sizes.asn_bases.get(role)
    if first is None or number < first:
        return None
    policy = case.network.addressing.asn.policy
    return Derivation(
        what="AS number",
        value=str(number),
        formula=f"the first one of this tier + {number - first}; policy `{policy}`",
        inputs=(Input(f"first of {role}", str(first)),),
        source="RFC 6996, RFC 7938",
    )


def _place_in_pool(what: str, key: str) -> Deriver:
    def derive(case: Case) -> Derivation | None:
        first = case.value[0] if isinstance(case.value, tuple) and case.value else case.value
        version = getattr(first, "version", 4)
        name = key.format_map(case.names) if "{" in key else key
        pool = getattr(
            case.network.addressing, name if version == 4 or name.endswith("6") else f"{name}6", None
        )
        if not first or pool is None:
            return None
        offset = int(getattr(first, "value", 0)) - int(pool.network_address)
        if not 0 <= offset < pool.num_addresses:
            return None
        return Derivation(
            what=what,
            value=str(first),
            formula=f"address {offset:,} of the pool, by unit, rail, plane and position at full capacity",
            inputs=(Input("pool", str(pool)),),
        )

    return derive


def port_name(case: Case) -> Derivation | None:
    """The name of a port, by its place on the front panel."""
    slot = case.device.ports[int(case.place[1])].slot
    part = f", port {slot.sub_port} of {slot.sub_ports}" if slot.sub_ports > 1 else ""
    return Derivation(
        what="port", value=str(case.value), formula=f"cage {slot.cage}{part}, as the product numbers them"
    )


def host_block(case: Case) -> Derivation | None:
    """The block of a leaf's hosts."""
    if not case.value:
        return None
    pool = case.network.addressing.host_pool
    text = ", ".join(str(getattr(prefix, "prefix", prefix)) for prefix in case.value)
    formula = (
        "the leaf's own block of the pool, by capacity"
        if case.place[-1] == "aggregates"
        else "prefixes of its ports"
    )
    return Derivation(
        what="prefixes of hosts", value=text, formula=formula, inputs=(Input("pool", str(pool)),)
    )


def hash_seed(case: Case) -> Derivation | None:
    """The seed of the hash."""
    seed = case.network.routing.hashing.seed
    words = {
        "per_tier": "the number of the tier",
        "per_device": "4 x number of the switch + number of the tier",
    }
    return Derivation(what="seed", value=str(case.value), formula=words[seed]) if seed in words else None


def _constant(formula: str, source: str) -> Deriver:
    return lambda case: Derivation(
        what="community", value=":".join(map(str, case.value)), formula=formula, source=source
    )


DERIVERS: Mapping[str, Deriver] = {
    "as_number": as_number,
    "budget": budget,
    "from_above": _constant("a private number of this program", "RFC 6996"),
    "graceful_shutdown": _constant("the well-known community", "RFC 8326"),
    "hash_seed": hash_seed,
    "headroom": headroom_of_port,
    "host_block": host_block,
    "kmax": kmax,
    "kmin": kmin,
    "loopback": _place_in_pool("loopback", "loopback_pool"),
    "max_paths": max_paths,
    "max_prefixes": max_prefixes,
    "max_rate": max_rate,
    "peer_as_number": peer_as_number,
    "pmax": pmax,
    "poll": poll,
    "port_address": _place_in_pool("address", "{pool_of_port}"),
    "port_name": port_name,
    "profile_name": profile_name,
    "router_id": _place_in_pool("router id", "loopback_pool"),
}
"""By the names that rows of the table have."""
