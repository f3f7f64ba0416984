"""Traffic classes, ECN, PFC, headroom: where their values come from."""

from __future__ import annotations

from fabric.provenance.stems.ports import SPEEDS
from fabric.provenance.stems.row import PRODUCT, row

LENGTHS = ("NET.cables.*.length", "attachments.*.cable")
BUFFER = (
    "policy:classes.*.priority",
    "policy:headroom",
    "policy:headroom.**",
    "NET.ip_mtu",
    "NET.lossless",
    "attachments.*.lossless",
    *SPEEDS.split(),
    *LENGTHS,
)
"""What decides how much of the buffer is left, so that ECN acts before PFC."""
ROUND_TRIP = "policy:round_trip_us {cables_on_the_way}"
PORT = "{speed_of_profile} {cable_of_profile}"
CLASS = "policy:classes.{class}."
P = "queueing_profiles.*."
C = f"{P}classes.*."

ROWS = (
    row("queueing", "there is a policy of queues", "NET.lossless"),
    row("queueing.policy", "name of the policy", "NET.lossless"),
    row(
        f"{P}name",
        "name of the queueing of {profile} ports",
        PORT,
        ("NET.lossless", "policy:classes.*.priority", *SPEEDS.split(), *LENGTHS),
        cabling=True,
        derive="profile_name",
    ),
    row(f"{P}speed_mbps", "speed of {profile} ports", PORT, tuple(SPEEDS.split()), unit="Mb/s", cabling=True),
    row(f"{P}cable_m", "cable length of {profile} ports", PORT, LENGTHS, unit="m", cabling=True),
    row(f"{P}cable_is_assumed", "nobody stated the cable length of {profile} ports", PORT, LENGTHS),
    row(
        f"{C}dscp {C}is_rest",
        "code points of class {class}",
        f"{CLASS}dscp",
        ("policy:classes.*.dscp", "NET.lossless"),
    ),
    row(f"{C}name", "name of class {class}", CLASS + "**", ("NET.lossless",)),
    row(
        f"{C}traffic_class",
        "traffic class of {class}",
        f"{CLASS}traffic_class",
        ("policy:classes.*.traffic_class", "NET.lossless"),
    ),
    row(f"{C}priority", "PFC priority of class {class}", f"{CLASS}priority", ("NET.lossless",)),
    row(
        f"{C}queue",
        "egress queue of class {class}",
        f"{CLASS}queue",
        ("policy:classes.*.queue", "NET.lossless"),
    ),
    row(
        f"{C}share_percent",
        "share of class {class}",
        f"{CLASS}share",
        ("policy:classes.*.share", "NET.lossless"),
        unit="%",
    ),
    row(
        f"{C}strict",
        "class {class} is served first",
        f"{CLASS}strict",
        ("policy:classes.*.share", "NET.lossless"),
    ),
    row(
        f"{C}max_rate_percent",
        "most that class {class} may take",
        f"{CLASS}max_rate",
        ("NET.lossless",),
        unit="%",
        derive="max_rate",
    ),
    row(f"{C}is_cnp", "class {class} carries congestion notifications", "policy:cnp", ("NET.lossless",)),
    row(f"{C}ecn", "class {class} is marked by ECN", f"{CLASS}ecn", ("NET.lossless",)),
    row(
        f"{C}ecn.kmin_bytes",
        "ECN of class {class} on {profile} ports: kmin",
        f"{CLASS}ecn {CLASS}ecn.kmin {PORT} {ROUND_TRIP}",
        (*BUFFER, *PRODUCT),
        unit="B",
        cabling=True,
        derive="kmin",
    ),
    row(
        f"{C}ecn.kmax_bytes",
        "ECN of class {class} on {profile} ports: kmax",
        f"{CLASS}ecn {CLASS}ecn.kmax {PORT} {ROUND_TRIP}",
        (*BUFFER, *PRODUCT),
        unit="B",
        cabling=True,
        derive="kmax",
    ),
    row(
        f"{C}ecn.pmax_percent",
        "ECN of class {class}: pmax",
        f"{CLASS}ecn {CLASS}ecn.pmax",
        ("NET.lossless",),
        unit="%",
        derive="pmax",
    ),
    row(f"{C}ecn.computed", "the ECN curve of class {class} is computed", f"{CLASS}ecn", ("NET.lossless",)),
    row(
        f"{P}headroom {P}headroom.*",
        "PFC headroom of {profile} ports",
        f"policy:headroom policy:headroom.** NET.ip_mtu {PORT}",
        (*BUFFER, *PRODUCT),
        unit="B",
        cabling=True,
        derive="headroom",
    ),
    row(
        "queueing.watchdog queueing.watchdog.action",
        "PFC watchdog: action",
        "policy:watchdog policy:watchdog.action",
        ("policy:classes.*.priority", "NET.lossless"),
        narrow=True,
    ),
    row(
        "queueing.watchdog.detect_ms",
        "PFC watchdog: detect",
        "policy:watchdog.detect",
        ("NET.lossless",),
        unit="ms",
    ),
    row(
        "queueing.watchdog.restore_ms",
        "PFC watchdog: restore",
        "policy:watchdog.restore",
        ("NET.lossless",),
        unit="ms",
    ),
    row(
        "queueing.watchdog.poll_ms",
        "PFC watchdog: poll",
        "policy:watchdog.poll policy:watchdog.detect policy:watchdog.restore",
        ("NET.lossless",),
        unit="ms",
        derive="poll",
    ),
    row(
        "queueing.trimming queueing.trimming.*",
        "packet trimming",
        "policy:trim.** policy:classes.**",
        ("NET.lossless",),
    ),
    row(
        "queueing.marking_depth_bytes",
        "what counts as a full queue",
        "policy:marking_depth",
        ("NET.lossless",),
        unit="B",
    ),
    row(
        "queueing.budget queueing.budget.*",
        "what the headroom takes of the buffer",
        "NET.tiers.{role}.model",
        (*BUFFER, *PRODUCT, "policy:incast", "policy:round_trip_us", "policy:classes.**"),
        cabling=True,
        derive="budget",
    ),
)
