"""Buffer pools and profiles as tables of CONFIG_DB, in the traditional and in the dynamic model.

Sources: sonic-buildimage files/build_templates/buffers_config.j2, `buffers_defaults_*.j2` of the skus,
sonic-buffer-*.yang, sonic-default-lossless-buffer-parameter.yang, sonic-lossless-traffic-pattern.yang.

Headroom is the product's own: in the traditional model `buffermgrd` takes it from `pg_profile_lookup.ini` of the sku
(and makes no lossless priority group without a row: sonic-swss cfgmgr/buffermgr.cpp, doSpeedUpdateTask), in the
dynamic one it computes it; both from speed and cable length.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import groupby
from typing import Any

from fabric.devices.model import Switch
from fabric.diagnostics import Report
from fabric.hardware import load_catalogue
from fabric.platforms.sonic import codes, headroom, names, skus
from fabric.platforms.sonic.model import Row, Tables
from fabric.qos.model import PortQueueing, Queueing
from fabric.units import Length, Speed

QUEUES = 8
LOSSY, TRIMMED = "q_lossy_profile", "q_trim_profile"
"""Profiles of queues in the dynamic model; the second cuts what the first drops."""
DEFAULT = "AZURE"
"""The name by which SONiC's own templates call every row of which there is one."""
SMALLEST_QUEUE_BYTES = "1778"
"""`egress_lossy_profile` of the Tomahawk skus."""


def is_dynamic(switch: Switch) -> bool:
    """Whether the switch computes its buffers itself: all of NVIDIA, no other."""
    return names.asic_vendor(switch.hardware) == "nvidia"


def derived(switch: Switch) -> dict[str, str]:
    """Lossless quantities that SONiC computes itself, beside what our own arithmetic says of them."""
    quantities: dict[str, str] = {}
    theirs, lengths = derived_headroom(switch), cable_lengths(switch)
    for kind in switch.queueing.profiles if switch.queueing else ():
        if kind.headroom is None:
            continue
        profile = f"pg_lossless_{kind.speed_mbps}_{lengths[kind.name]}m_profile"
        table = "buffermgrd" if is_dynamic(switch) else f"pg_profile_lookup.ini of {skus.sku(switch)}"
        how = f"{'computed by' if is_dynamic(switch) else 'from'} {table}, by speed and cable length"
        ours = f"{kind.headroom.headroom_bytes} bytes a priority by our arithmetic ({kind.headroom.reason})"
        if kind.name in theirs:
            length = f" for {lengths[kind.name]} m" if lengths[kind.name] != kind.cable_m else ""
            ours = f"{theirs[kind.name]} bytes there{length}; {ours}"
        quantities[f"{kind.name} headroom"] = f"{how}: xoff of {profile}; {ours}"
        quantities[f"{kind.name} pause threshold"] = (
            f"{how}: dynamic_th of {profile}, a share of what the pool has left"
        )
        quantities[f"{kind.name} resume threshold"] = f"{how}: xon and xon_offset of {profile}"
    return quantities


def buffer_tables(switch: Switch, queueing: Queueing, report: Report) -> Tables:
    """BUFFER_*: needed by a lossless class; for lossy ones as far as the sku publishes pools, else the ASIC's own."""
    lossless = any(kind.priorities for kind in queueing.profiles)
    pools = _pools(switch, report, lossless=lossless)
    if pools is None:
        if lossless:
            rule = f"SONiC on {switch.hardware.model}: no buffer pools are published, and a lossless class needs them"
            hint = "choose the policy `roce-lossy`, or another model"
            report.add(codes.BUFFERS.at(switch.origin, rule, hint=hint))
        return {}
    dynamic = is_dynamic(switch)
    tables = _dynamic(pools, headroom.pattern_of(switch)) if dynamic else _traditional(pools)
    trimmed = queueing.trimming.queues if queueing.trimming and dynamic else ()
    if trimmed:
        tables["BUFFER_PROFILE"][TRIMMED] = {
            **tables["BUFFER_PROFILE"][LOSSY],
            "packet_discard_action": "trim",
        }
    prepared = {kind.name: _kind_buffers(kind, trimmed, dynamic=dynamic) for kind in queueing.profiles}
    tables |= {name: {} for rows in prepared.values() for name, _, _ in rows}
    placed = {
        kind: [(tables[name], suffix, row) for name, suffix, row in rows] for kind, rows in prepared.items()
    }
    for port in switch.ports:
        if port.queueing is not None:
            for table, suffix, row in placed[port.queueing.name]:
                table[port.name + suffix] = row
    _check_derived(switch, queueing, report)
    if not dynamic:
        _check_tables(switch, queueing, report)
    return tables


def _kind_buffers(
    kind: PortQueueing, trimmed: Collection[int], *, dynamic: bool
) -> tuple[tuple[str, str, Any], ...]:
    """Table, what follows the port in the key, and row: the same for all ports of the kind."""
    profiles = dict.fromkeys(range(QUEUES), LOSSY if dynamic else "egress_lossy_profile")
    profiles |= dict.fromkeys(trimmed, TRIMMED)
    profiles |= {c.queue: "egress_lossless_profile" for c in kind.classes if c.priority is not None}
    entries: list[tuple[str, str, Any]] = [("BUFFER_PG", "|0", {"profile": "ingress_lossy_profile"})]
    for profile, queues in groupby(range(QUEUES), profiles.__getitem__):
        numbers = list(queues)
        word = f"|{numbers[0]}" if len(numbers) == 1 else f"|{numbers[0]}-{numbers[-1]}"
        entries.append(("BUFFER_QUEUE", word, {"profile": profile}))
    if dynamic:
        entries += [("BUFFER_PG", f"|{priority}", {"profile": "NULL"}) for priority in kind.priorities]
        for way in ("ingress", "egress"):
            row = {"profile_list": [f"{way}_lossless_profile", f"{way}_lossy_profile"]}
            entries.append((f"BUFFER_PORT_{way.upper()}_PROFILE_LIST", "", row))
    return tuple(entries)


def _traditional(pools: Mapping[str, int]) -> Tables:
    ingress, egress = str(pools["ingress_lossless"]), str(pools["egress_lossless"])
    pool: Row = {"type": "ingress", "mode": "dynamic", "size": ingress}
    if pools.get("ingress_lossless_xoff"):
        pool["xoff"] = str(pools["ingress_lossless_xoff"])
    mode = str(pools.get("egress_lossless_mode", "dynamic"))
    lossy: Row = {"pool": "egress_lossless_pool", "size": SMALLEST_QUEUE_BYTES}
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


def _dynamic(pools: Mapping[str, int], pattern: headroom.Pattern) -> Tables:
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
            LOSSY: {"pool": "egress_lossy_pool", "size": "0", "dynamic_th": "3"},
        },
        "DEFAULT_LOSSLESS_BUFFER_PARAMETER": {
            DEFAULT: {"default_dynamic_th": "0", "over_subscribe_ratio": "0"}
        },
        "LOSSLESS_TRAFFIC_PATTERN": {
            DEFAULT: {"mtu": str(pattern.mtu_bytes), "small_packet_percentage": str(pattern.small_percent)}
        },
    }


def _pools(switch: Switch, report: Report, *, lossless: bool) -> Mapping[str, int] | None:
    """The pools that are published for the sku and the place of the switch; else those of the nearest relative."""
    hardware, own = switch.hardware, skus.sku(switch)
    published = {name: skus.pools(hardware, name, switch.role) for name in skus.told(hardware)}
    fitting = {name: sizes for name, sizes in published.items() if set(sizes) >= skus.LOSSLESS}
    if own in fitting or not lossless:
        return fitting.get(own)
    if fitting:
        name, sizes = min(fitting.items(), key=lambda item: item[1]["ingress_lossless"])
    else:
        sizes, name = skus.borrowed_pools(hardware, switch.role)
        if not sizes:
            return None
    rule = f"{own} publishes no lossless pools for SONiC; used are those of {name}"
    report.add(codes.OTHER_SKU.at(switch.origin, rule, value=own, hint=codes.OTHER_SKU.fix))
    return sizes


def derived_headroom(switch: Switch) -> dict[str, int]:
    """Bytes of headroom that the switch itself will have, by kind of port, where that is known."""
    if is_dynamic(switch):
        return {name: offer.xoff_bytes for name, (_, offer) in headroom.of_switch(switch).items()}
    kinds = switch.queueing.profiles if switch.queueing else ()
    rows = {
        kind.name: skus.headroom_row(switch, kind.speed_mbps, kind.cable_m) for kind in kinds if kind.headroom
    }
    return {name: row.headroom_bytes for name, row in rows.items() if row is not None}


def cable_lengths(switch: Switch) -> dict[str, int]:
    """What CABLE_LENGTH says of each kind of port, in metres.

    In the traditional model `buffermgrd` looks for a row with these very words (sonic-swss cfgmgr/buffermgr.cpp,
    doSpeedUpdateTask), so that a length between two rows has to be written as the longer one. In the dynamic one it
    is the true length, or a longer one that makes the switch derive what the policy needs.
    """
    kinds = switch.queueing.profiles if switch.queueing else ()
    lengths = {kind.name: kind.cable_m for kind in kinds}
    if is_dynamic(switch):
        return lengths | {name: cable_m for name, (cable_m, _) in headroom.of_switch(switch).items()}
    for kind in kinds:
        row = skus.headroom_row(switch, kind.speed_mbps, kind.cable_m) if kind.headroom else None
        lengths[kind.name] = kind.cable_m if row is None else int(row.cable_m)
    return lengths


def _check_derived(switch: Switch, queueing: Queueing, report: Report) -> None:
    """Tell where the switch will have less headroom than the policy needs: by no traffic pattern, or by its table."""
    headrooms = derived_headroom(switch)
    for kind in queueing.profiles:
        if (
            kind.headroom is None
            or headrooms.get(kind.name, kind.headroom.headroom_bytes) >= kind.headroom.headroom_bytes
        ):
            continue
        rule = (
            f"SONiC on {switch.hardware.model} gives {Speed(kind.speed_mbps)} at {Length(kind.cable_m)} a headroom of "
            f"{headrooms[kind.name]} bytes: the policy needs {kind.headroom.headroom_bytes}"
        )
        hint = codes.LESS_HEADROOM.fix
        report.add(codes.LESS_HEADROOM.at(switch.origin, rule, value=kind.name, hint=hint, about=kind.name))


def _check_tables(switch: Switch, queueing: Queueing, report: Report) -> None:
    """Tell which ports may be left without a lossless priority group: no table, or no row for their cable."""
    own = skus.sku(switch)
    lossless = [kind for kind in queueing.profiles if kind.headroom is not None]
    hint = codes.NO_HEADROOM_TABLE.fix
    known = own in load_catalogue().headroom
    if lossless and not known:
        rule = f"SONiC on {switch.hardware.model}: no pg_profile_lookup.ini of {own} is published"
        report.add(codes.NO_HEADROOM_TABLE.at(switch.origin, rule, value=own, hint=hint))
    for kind in lossless:
        if known and skus.headroom_row(switch, kind.speed_mbps, kind.cable_m) is None:
            rule = f"SONiC on {switch.hardware.model}: no row for {kind.speed_mbps} Mb/s, {kind.cable_m} m"
            finding = codes.NO_HEADROOM_TABLE.at(
                switch.origin, rule, value=kind.name, hint=hint, about=kind.name
            )
            report.add(finding)


def trimming(switch: Switch) -> Tables:
    """`SWITCH_TRIMMING`: what becomes of packets that would be dropped.

    Source: sonic-net/SONiC doc/packet_trimming/packet-trimming-design.md.
    """
    cut = switch.queueing.trimming if switch.queueing else None
    if cut is None:
        return {}
    row: Row = {"size": str(cut.size_bytes), "dscp_value": str(cut.dscp), "queue_index": str(cut.queue)}
    return {"SWITCH_TRIMMING": {"GLOBAL": row}}
