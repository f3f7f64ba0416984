"""Classes, queues and buffers as tables of CONFIG_DB.

Sources: sonic-buildimage files/build_templates/qos_config.j2 and buffers_config.j2, and the models sonic-*-map.yang,
sonic-scheduler.yang, sonic-queue.yang, sonic-wred-profile.yang, sonic-buffer-*.yang, sonic-pfcwd.yang.

Headroom is the product's own: in the traditional model `buffermgrd` takes it from `pg_profile_lookup.ini`, in the
dynamic one it computes it; both from speed and cable length. A priority group has the number of its priority.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from fabric.devices.model import Switch
from fabric.diagnostics import Origin, Report
from fabric.platforms.sonic import codes, names
from fabric.platforms.sonic.model import Rows, Tables
from fabric.qos.model import ClassQueueing, EcnMarking, PortQueueing, Queueing, WatchdogTimers

MAP = "AZURE"
"""The name by which SONiC's own templates call every map."""
QUEUES = 8
ACTIONS = {"drop": "drop", "forward": "forward", "notify": "alert"}
DETECT_MS, RESTORE_MS, POLL_MS = (100, 5000), (100, 60_000), (100, 1000)
"""sonic-pfcwd.yang."""
COLOURS = ("green", "yellow", "red")
SMALLEST_QUEUE_BYTES = "1778"
"""`egress_lossy_profile` of the Tomahawk skus."""


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
    queues, cables = tables["QUEUE"], tables["CABLE_LENGTH"][MAP]
    for port in switch.ports:
        kind = port.queueing
        if kind is None:
            continue
        for suffix, row in prepared[kind.name]:
            queues[port.name + suffix] = row
        port_maps[port.name] = common[kind.name]
        cables[port.name] = f"{kind.cable_m}m"
    tables["PORT_QOS_MAP"] = port_maps
    return tables | _watchdog(switch, queueing) | _buffers(switch, queueing, report)


def derived(switch: Switch) -> dict[str, str]:
    """Lossless quantities that SONiC computes itself, beside what our own arithmetic says of them."""
    if switch.queueing is None:
        return {}
    dynamic = names.asic_vendor(switch.hardware) == "nvidia"
    how = "computed by buffermgrd" if dynamic else "from pg_profile_lookup.ini of the sku"
    return {
        f"{kind.name} headroom": f"{how}, by speed and cable length; {kind.headroom.headroom_bytes} bytes a priority "
        f"by our arithmetic ({kind.headroom.reason})"
        for kind in switch.queueing.profiles
        if kind.headroom is not None
    }


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
    found = []
    for number in sorted({c.queue for c in kind.classes}):
        sharing = [c for c in kind.classes if c.queue == number]
        first = sharing[0]
        share = sum(c.share_percent or 0 for c in sharing)
        scheduler = "scheduler.strict" if first.strict else f"scheduler.{share}"
        if first.strict:
            tables["SCHEDULER"][scheduler] = {"type": "STRICT"}
        elif share:
            tables["SCHEDULER"][scheduler] = {"type": "DWRR", "weight": str(share)}
        row = {"scheduler": scheduler} if first.strict or share else {}
        if first.ecn is not None:
            name = f"ECN_{first.ecn.kmin_bytes}_{first.ecn.kmax_bytes}_{first.ecn.pmax_percent}"
            tables["WRED_PROFILE"][name] = _wred(first.ecn)
            row["wred_profile"] = name
        found.append((f"|{number}", row))
    return tuple(found)


def _wred(curve: EcnMarking) -> dict[str, str | list[str]]:
    row: dict[str, str | list[str]] = {"ecn": "ecn_all"}
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
    rows |= {port.name: row for port in switch.ports if port.queueing and port.queueing.priorities}
    return {"PFC_WD": rows}


def _pools(switch: Switch, report: Report) -> Mapping[str, int] | None:
    """The published pools of the sku for the place of the switch; else the smallest of the same model."""
    found = names.software(switch.hardware)
    skus: dict[str, Any] = names.facts(switch.hardware).get("hwskus") or {}
    place = "t0" if switch.role == "leaf" else "t1"
    fitting: dict[str, dict[str, int]] = {}
    for sku, told in skus.items():
        pools: dict[str, dict[str, int]] = told.get("pools") or {}
        mine = next((size for key, size in pools.items() if place in key.split("/")), None)
        mine = mine or next(iter(pools.values()), None)
        if mine and {"ingress_lossless", "egress_lossless"} <= set(mine):
            fitting[sku] = mine
    own = (found.hwsku if found else None) or ""
    if own in fitting or not fitting:
        return fitting.get(own)
    sku, sizes = min(fitting.items(), key=lambda item: item[1]["ingress_lossless"])
    hint = codes.OTHER_SKU.fix
    rule = f"{own} publishes no pools for SONiC; those of {sku} are used"
    report.add(codes.OTHER_SKU.at(switch.origin, rule, value=own, hint=hint))
    return sizes


def _buffers(switch: Switch, queueing: Queueing, report: Report) -> Tables:
    if not any(kind.priorities for kind in queueing.profiles):
        return {}
    pools = _pools(switch, report)
    if pools is None:
        rule = f"SONiC on {switch.hardware.model}: no buffer pools are published, and a lossless class needs them"
        report.add(
            codes.BUFFERS.at(switch.origin, rule, hint="choose the policy `roce-lossy`, or another model")
        )
        return {}
    dynamic = names.asic_vendor(switch.hardware) == "nvidia"
    tables = _dynamic(pools) if dynamic else _traditional(pools)
    prepared = {kind.name: _kind_buffers(kind, dynamic=dynamic) for kind in queueing.profiles}
    tables |= {name: {} for rows in prepared.values() for name, _, _ in rows}
    for port in switch.ports:
        if port.queueing is not None:
            for name, suffix, row in prepared[port.queueing.name]:
                tables[name][port.name + suffix] = row
    if not dynamic:
        _check_tables(switch, queueing, report)
    return tables


def _kind_buffers(kind: PortQueueing, *, dynamic: bool) -> tuple[tuple[str, str, Any], ...]:
    """Table, what follows the port in the key, and row: the same for all ports of the kind."""
    lossy = "q_lossy_profile" if dynamic else "egress_lossy_profile"
    lossless = {c.queue for c in kind.classes if c.priority is not None}
    found: list[tuple[str, str, Any]] = [("BUFFER_PG", "|0", {"profile": "ingress_lossy_profile"})]
    for is_lossless, queues in groupby(range(QUEUES), lossless.__contains__):
        numbers = list(queues)
        word = f"|{numbers[0]}" if len(numbers) == 1 else f"|{numbers[0]}-{numbers[-1]}"
        found.append(("BUFFER_QUEUE", word, {"profile": "egress_lossless_profile" if is_lossless else lossy}))
    if dynamic:
        found += [("BUFFER_PG", f"|{priority}", {"profile": "NULL"}) for priority in kind.priorities]
        for way in ("ingress", "egress"):
            row = {"profile_list": [f"{way}_lossless_profile", f"{way}_lossy_profile"]}
            found.append((f"BUFFER_PORT_{way.upper()}_PROFILE_LIST", "", row))
    return tuple(found)


def _traditional(pools: Mapping[str, int]) -> Tables:
    ingress, egress = str(pools["ingress_lossless"]), str(pools["egress_lossless"])
    pool: dict[str, str | list[str]] = {"type": "ingress", "mode": "dynamic", "size": ingress}
    if pools.get("ingress_lossless_xoff"):
        pool["xoff"] = str(pools["ingress_lossless_xoff"])
    mode = str(pools.get("egress_lossless_mode", "dynamic"))
    lossy: dict[str, str | list[str]] = {"pool": "egress_lossless_pool", "size": SMALLEST_QUEUE_BYTES}
    lossy |= {"dynamic_th": "0"} if mode == "dynamic" else {"static_th": egress}
    return {
        "BUFFER_POOL": {
            "ingress_lossless_pool": pool,
            "egress_lossless_pool": {"type": "egress", "mode": mode, "size": egress},
        },
        "BUFFER_PROFILE": {
            "ingress_lossy_profile": {"pool": "ingress_lossless_pool", "size": "0", "static_th": ingress},
            "egress_lossless_profile": {"pool": "egress_lossless_pool", "size": "0", "static_th": egress},
            "egress_lossy_profile": lossy,
        },
    }


def _dynamic(pools: Mapping[str, int]) -> Tables:
    egress = str(pools["egress_lossless"])
    names_of = ("ingress_lossless", "ingress_lossy", "egress_lossy")
    return {
        "BUFFER_POOL": {
            **{f"{name}_pool": {"type": name.partition("_")[0], "mode": "dynamic"} for name in names_of},
            "egress_lossless_pool": {"type": "egress", "mode": "dynamic", "size": egress},
        },
        "BUFFER_PROFILE": {
            "ingress_lossless_profile": {"pool": "ingress_lossless_pool", "size": "0", "dynamic_th": "7"},
            "ingress_lossy_profile": {"pool": "ingress_lossy_pool", "size": "0", "dynamic_th": "3"},
            "egress_lossless_profile": {"pool": "egress_lossless_pool", "size": "0", "dynamic_th": "7"},
            "egress_lossy_profile": {"pool": "egress_lossy_pool", "size": "9216", "dynamic_th": "7"},
            "q_lossy_profile": {"pool": "egress_lossy_pool", "size": "0", "dynamic_th": "3"},
        },
        "DEFAULT_LOSSLESS_BUFFER_PARAMETER": {MAP: {"default_dynamic_th": "0", "over_subscribe_ratio": "0"}},
        "LOSSLESS_TRAFFIC_PATTERN": {MAP: {"mtu": "1024", "small_packet_percentage": "50"}},
    }


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


def _check_tables(switch: Switch, queueing: Queueing, report: Report) -> None:
    for kind in queueing.profiles:
        if kind.headroom is not None and kind.headroom.table_bytes is None:
            rule = f"SONiC on {switch.hardware.model}: no row for {kind.speed_mbps} Mb/s, {kind.cable_m} m"
            hint = codes.NO_HEADROOM_TABLE.fix
            report.add(
                codes.NO_HEADROOM_TABLE.at(switch.origin.child(kind.name), rule, value=kind.name, hint=hint)
            )
