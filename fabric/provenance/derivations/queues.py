"""How thresholds, headroom and rates of queues are computed."""

from __future__ import annotations

from fabric.devices.hosts.model import Host
from fabric.devices.tier_queueing import FRAME_OVERHEAD_BYTES
from fabric.hardware import Asic
from fabric.provenance.derivations.case import Case
from fabric.provenance.device_fields import value_at
from fabric.provenance.model import Derivation, Input
from fabric.qos import ecn, headroom
from fabric.qos.model import PortQueueing
from fabric.units import Length, Speed

DCTCP = "DCTCP (SIGCOMM 2010, 3.4); docs/lossless.md"


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
