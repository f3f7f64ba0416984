"""Classes and queues as tables of CONFIG_DB.

Sources: sonic-buildimage files/build_templates/qos_config.j2, and the models sonic-*-map.yang, sonic-scheduler.yang,
sonic-queue.yang, sonic-wred-profile.yang, sonic-pfcwd.yang. A priority group has the number of its priority.

BGP has DSCP 48 like the CNPs, but leaves by queue 7: orchagent sets that for every host interface where the ASIC
supports it (sonic-swss orchagent/portsorch.cpp, DEFAULT_HOSTIF_TX_QUEUE). So the limit of the CNPs does not hold it up.
"""

from __future__ import annotations

from typing import Any

from fabric.devices.model import Switch
from fabric.diagnostics import Origin, Report
from fabric.platforms.sonic import codes, names
from fabric.platforms.sonic.lower_buffers import DEFAULT as MAP
from fabric.platforms.sonic.lower_buffers import buffer_tables, cable_lengths
from fabric.platforms.sonic.model import Row, Rows, Tables
from fabric.qos.model import ClassQueueing, EcnMarking, PortQueueing, Queueing, WatchdogTimers

ACTIONS = {"drop": "drop", "forward": "forward", "notify": "alert"}
DETECT_MS, RESTORE_MS, POLL_MS = (100, 5000), (100, 60_000), (100, 1000)
"""sonic-pfcwd.yang."""
BYTES_OF_MBPS = 125_000
"""Bytes a second of one Mb/s."""
COLOURS = ("green", "yellow", "red")


def qos_tables(switch: Switch, report: Report) -> Tables:
    """Every table about classes; none without a policy."""
    queueing = switch.queueing
    if queueing is None or not queueing.profiles:
        return {}
    _check(queueing, report)
    classes = queueing.profiles[0].classes
    tables = _maps(classes, names.asic_vendor(switch.hardware))
    tables |= {"SCHEDULER": {}, "WRED_PROFILE": {}, "QUEUE": {}, "CABLE_LENGTH": {MAP: {}}}
    port_maps: Rows = {"global": {"dscp_to_tc_map": MAP}}
    prepared = {kind.name: _queues(kind, tables) for kind in queueing.profiles}
    common = {
        kind.name: _port_maps(kind, names.asic_vendor(switch.hardware), watched=queueing.watchdog is not None)
        for kind in queueing.profiles
    }
    queues, cables, lengths = tables["QUEUE"], tables["CABLE_LENGTH"][MAP], cable_lengths(switch)
    for port in switch.ports:
        kind = port.queueing
        if kind is None:
            continue
        for suffix, row in prepared[kind.name]:
            queues[port.name + suffix] = row
        port_maps[port.name] = common[kind.name]
        cables[port.name] = f"{lengths[kind.name]}m"
    tables["PORT_QOS_MAP"] = port_maps
    return tables | _watchdog(switch, queueing) | buffer_tables(switch, queueing, report)


def _maps(classes: tuple[ClassQueueing, ...], vendor: str) -> Tables:
    lossless = {str(c.priority): str(c.queue) for c in classes if c.priority is not None}
    tables: Tables = {
        "DSCP_TO_TC_MAP": {MAP: dict(sorted_points(classes))},
        "TC_TO_QUEUE_MAP": {MAP: {str(c.traffic_class): str(c.queue) for c in classes}},
        "TC_TO_PRIORITY_GROUP_MAP": {MAP: {str(c.traffic_class): str(c.priority or 0) for c in classes}},
    }
    if lossless:
        tables["MAP_PFC_PRIORITY_TO_QUEUE"] = {MAP: dict(lossless)}
        if vendor == "nvidia":
            tables["PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"] = {MAP: {p: p for p in lossless}}
    return tables


def sorted_points(classes: tuple[ClassQueueing, ...]) -> list[tuple[str, str]]:
    """Code point and traffic class, ascending."""
    points = sorted((point, c.traffic_class) for c in classes for point in c.dscp)
    return [(str(point), str(number)) for point, number in points]


def _queues(kind: PortQueueing, tables: Tables) -> tuple[tuple[str, Any], ...]:
    rows = []
    for number in sorted({c.queue for c in kind.classes}):
        sharing = [c for c in kind.classes if c.queue == number]
        first = sharing[0]
        share = sum(c.share_percent or 0 for c in sharing)
        scheduler = "scheduler.strict" if first.strict else f"scheduler.{share}"
        rate_mbps = first.max_rate_mbps(kind.speed_mbps)
        if first.strict and rate_mbps:
            scheduler = f"scheduler.strict.{rate_mbps}"
            tables["SCHEDULER"][scheduler] = _limited(rate_mbps)
        elif first.strict:
            tables["SCHEDULER"][scheduler] = {"type": "STRICT"}
        elif share:
            tables["SCHEDULER"][scheduler] = {"type": "DWRR", "weight": str(share)}
        row = {"scheduler": scheduler} if first.strict or share else {}
        if first.ecn is not None:
            name = f"ECN_{first.ecn.kmin_bytes}_{first.ecn.kmax_bytes}_{first.ecn.pmax_percent}"
            tables["WRED_PROFILE"][name] = _wred(first.ecn)
            row["wred_profile"] = name
        rows.append((f"|{number}", row))
    return tuple(rows)


def _limited(rate_mbps: int) -> Row:
    """A strict scheduler with a peak rate; the model takes none without a committed rate that is not above it."""
    rate = str(rate_mbps * BYTES_OF_MBPS)
    return {"type": "STRICT", "meter_type": "bytes", "cir": rate, "pir": rate}


def _wred(curve: EcnMarking) -> Row:
    row: Row = {"ecn": "ecn_all"}
    for colour in COLOURS:
        row[f"wred_{colour}_enable"] = "true"
        row[f"{colour}_min_threshold"] = str(curve.kmin_bytes)
        row[f"{colour}_max_threshold"] = str(curve.kmax_bytes)
        row[f"{colour}_drop_probability"] = str(curve.pmax_percent)
    return row


def _port_maps(kind: PortQueueing, vendor: str, *, watched: bool) -> Any:
    row = {"dscp_to_tc_map": MAP, "tc_to_queue_map": MAP, "tc_to_pg_map": MAP}
    if kind.priorities:
        paused = ",".join(map(str, kind.priorities))
        row |= {"pfc_to_queue_map": MAP, "pfc_enable": paused}
        if vendor == "nvidia":
            row["pfc_to_pg_map"] = MAP
        if watched:
            row["pfcwd_sw_enable"] = paused
    return row


def _watchdog(switch: Switch, queueing: Queueing) -> Tables:
    timers = queueing.watchdog
    if timers is None:
        return {}
    row: Any = {
        "action": ACTIONS[timers.action],
        "detection_time": str(timers.detect_ms),
        "restoration_time": str(timers.restore_ms),
    }
    rows: Rows = {"GLOBAL": {"POLL_INTERVAL": str(timers.poll_ms)}}
    paused = {kind.name for kind in queueing.profiles if kind.priorities}
    rows |= {port.name: row for port in switch.ports if port.queueing and port.queueing.name in paused}
    return {"PFC_WD": rows}


def _check(queueing: Queueing, report: Report) -> None:
    place = Origin(("classes",), f"policy:{queueing.policy}")
    for kind in queueing.profiles:
        if 0 in kind.priorities:
            rule = "SONiC: priority 0 would share its priority group with all lossy traffic"
            report.add(codes.RANGE.at(place, rule, value=0, hint="use a priority from 1 to 7"))
        for number in {c.queue for c in kind.classes}:
            share = sum(c.share_percent or 0 for c in kind.classes if c.queue == number)
            if share > 100:
                rule = f"SONiC: queue {number} has a weight of {share}, at most 100"
                report.add(codes.RANGE.at(place, rule, value=share, hint="lower the shares of its classes"))
    if queueing.watchdog is not None:
        _check_watchdog(queueing.watchdog, Origin(("watchdog",), f"policy:{queueing.policy}"), report)


def _check_watchdog(timers: WatchdogTimers, place: Origin, report: Report) -> None:
    limits = (
        ("detect", timers.detect_ms, DETECT_MS),
        ("restore", timers.restore_ms, RESTORE_MS),
        ("poll", timers.poll_ms, POLL_MS),
    )
    for key, value, (least, most) in limits:
        if not least <= value <= most:
            rule = f"SONiC takes {least} to {most} ms for the watchdog's {key}, not {value} ms"
            hint = f"write {least}ms to {most}ms"
            report.add(codes.RANGE.at(place.child(key), rule, value=value, hint=hint))
    if timers.poll_ms > min(timers.detect_ms, timers.restore_ms):
        rule = f"SONiC polls every {timers.poll_ms} ms, which is more than the shorter timer"
        hint = "write a `poll` of at most half the shorter timer"
        report.add(codes.RANGE.at(place.child("poll"), rule, value=timers.poll_ms, hint=hint))
