"""Tables that are noted whole, as they follow from the intent: features, kinds of neighbours, maps and buffers.

Written anew from SONiC's own templates (`buffers_config.j2`, `qos_config.j2`); of the product's package only what the
catalogue publishes of a model is asked (pools, modes of cages), which has tests of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fabric.devices.model import LinkRole, Switch
from fabric.diagnostics import Report
from fabric.platforms.sonic import headroom, names, skus
from fabric.platforms.sonic.lower_extra import merge
from fabric.platforms.sonic.state import NOTED, note
from fabric.qos.model import PortQueueing

Rows = dict[str, dict[str, Any]]
KINDS = {
    ("leaf", LinkRole.UP): "LeafRouter",
    ("leaf", LinkRole.ACROSS): "ToRRouter",
    ("spine", LinkRole.UP): "SpineRouter",
    ("spine", LinkRole.ACROSS): "LeafRouter",
    ("spine", LinkRole.DOWN): "ToRRouter",
    ("superspine", LinkRole.ACROSS): "SpineRouter",
    ("superspine", LinkRole.DOWN): "LeafRouter",
}
"""Tier and role of a port to the type of the device at its other end; hosts are servers."""


def noted_tables(switch: Switch) -> dict[str, str]:
    """Table to its rows as one text; with the rows of overrides."""
    tables: dict[str, Rows] = {
        "FEATURE": {} if switch.services.lldp else {"lldp": {"state": "disabled"}},
        **_cages(switch),
        **_maps(switch),
        **_buffers(switch),
    }
    if (cut := switch.queueing.trimming if switch.queueing else None) is not None:
        row = {"size": cut.size_bytes, "dscp_value": cut.dscp, "queue_index": cut.queue}
        tables["SWITCH_TRIMMING"] = {"GLOBAL": {name: str(value) for name, value in row.items()}}
    merged = merge({name: rows for name, rows in tables.items() if rows}, switch, Report())
    return {name: note(rows) for name, rows in merged.items() if name in NOTED}


def _cages(switch: Switch) -> dict[str, Rows]:
    modes, kinds = Rows(), Rows()
    for port in switch.ports if names.facts(switch.hardware) else ():
        mode = names.sheet(switch.hardware).mode(port.slot)
        if port.slot.sub_port == 0 and mode:
            modes[port.name] = {"brkout_mode": mode}
        kind = "Server" if port.role is LinkRole.HOST else KINDS.get((switch.role, port.role))
        if port.peer and kind:
            kinds[port.peer] = {"type": kind}
    return {"BREAKOUT_CFG": modes, "DEVICE_NEIGHBOR_METADATA": kinds}


def _is_nvidia(switch: Switch) -> bool:
    return switch.hardware.asic.startswith("NVIDIA")


def _kinds(switch: Switch) -> tuple[PortQueueing, ...]:
    return switch.queueing.profiles if switch.queueing else ()


def _maps(switch: Switch) -> dict[str, Rows]:
    """A paused class has the priority group of its priority; all others share that of number 0."""
    if not _kinds(switch):
        return {}
    classes = _kinds(switch)[0].classes
    groups = {str(queue.traffic_class): str(queue.priority or 0) for queue in classes}
    found = {"TC_TO_PRIORITY_GROUP_MAP": {"AZURE": groups}}
    paused = [str(queue.priority) for queue in classes if queue.priority is not None]
    if paused and _is_nvidia(switch):
        found["PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"] = {"AZURE": dict(zip(paused, paused, strict=True))}
    return found


def _pools(switch: Switch) -> Mapping[str, Any] | None:
    """Those of its sku; a lossless class takes the smallest of another sku, or those of a relative, without."""
    hardware, own = switch.hardware, skus.sku(switch)
    told = {name: skus.pools(hardware, name, switch.role) for name in skus.told(hardware)}
    whole = {name: pools for name, pools in told.items() if set(pools) >= skus.LOSSLESS}
    if own in whole or not any(kind.priorities for kind in _kinds(switch)):
        return whole.get(own)
    sizes = sorted(whole.values(), key=lambda pools: pools["ingress_lossless"])
    return sizes[0] if sizes else skus.borrowed_pools(hardware, switch.role)[0] or None


def _buffers(switch: Switch) -> dict[str, Rows]:
    pools = _pools(switch) if _kinds(switch) else None
    if pools is None:
        return {}
    tables = _dynamic(switch, pools) if _is_nvidia(switch) else _traditional(pools)
    for port in switch.ports:
        for table, key, row in _of_port(switch, port.name, port.queueing) if port.queueing else ():
            tables.setdefault(table, {})[key] = row
    if "q_trim_profile" in str(tables.get("BUFFER_QUEUE")):
        lossy = tables["BUFFER_PROFILE"]["q_lossy_profile"]
        tables["BUFFER_PROFILE"]["q_trim_profile"] = lossy | {"packet_discard_action": "trim"}
    return tables


def _profile(pool: str, size: str = "0", **threshold: str) -> dict[str, str]:
    return {"pool": pool, "size": size, **threshold}


def _traditional(pools: Mapping[str, Any]) -> dict[str, Rows]:
    ingress, egress = str(pools["ingress_lossless"]), str(pools["egress_lossless"])
    mode = pools.get("egress_lossless_mode", "dynamic")
    ours = {"type": "ingress", "mode": "dynamic", "size": ingress}
    ours |= {"xoff": str(pools["ingress_lossless_xoff"])} if pools.get("ingress_lossless_xoff") else {}
    lossy = {"static_th": egress} if mode == "static" else {"dynamic_th": "0"}
    return {
        "BUFFER_POOL": {
            "ingress_lossless_pool": ours,
            "egress_lossless_pool": {"type": "egress", "mode": mode, "size": egress},
        },
        "BUFFER_PROFILE": {
            "ingress_lossy_profile": _profile("ingress_lossless_pool", static_th=ingress),
            "egress_lossless_profile": _profile("egress_lossless_pool", static_th=egress),
            "egress_lossy_profile": _profile("egress_lossless_pool", "1778", **lossy),
        },
    }


def _dynamic(switch: Switch, pools: Mapping[str, Any]) -> dict[str, Rows]:
    """Sizes are the switch's own, but for the pool that all of a lossless queue may take."""
    pattern, whole = headroom.pattern_of(switch), str(pools["egress_lossless"])
    mine = {
        "ingress_lossless_pool": "ingress",
        "ingress_lossy_pool": "ingress",
        "egress_lossy_pool": "egress",
    }
    traffic = {"mtu": str(pattern.mtu_bytes), "small_packet_percentage": str(pattern.small_percent)}
    return {
        "BUFFER_POOL": {
            **{name: {"type": way, "mode": "dynamic"} for name, way in mine.items()},
            "egress_lossless_pool": {"type": "egress", "mode": "dynamic", "size": whole},
        },
        "BUFFER_PROFILE": {
            "ingress_lossless_profile": _profile("ingress_lossless_pool", dynamic_th="7"),
            "ingress_lossy_profile": _profile("ingress_lossy_pool", dynamic_th="3"),
            "egress_lossless_profile": _profile("egress_lossless_pool", dynamic_th="7"),
            "egress_lossy_profile": _profile("egress_lossy_pool", "9216", dynamic_th="7"),
            "q_lossy_profile": _profile("egress_lossy_pool", dynamic_th="3"),
        },
        "DEFAULT_LOSSLESS_BUFFER_PARAMETER": {
            "AZURE": {"default_dynamic_th": "0", "over_subscribe_ratio": "0"}
        },
        "LOSSLESS_TRAFFIC_PATTERN": {"AZURE": traffic},
    }


def _of_port(switch: Switch, name: str, kind: PortQueueing) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Table, key and row of what a port is bound to."""
    yield "BUFFER_PG", f"{name}|0", {"profile": "ingress_lossy_profile"}
    is_nvidia = _is_nvidia(switch)
    cut = switch.queueing.trimming.queues if switch.queueing and switch.queueing.trimming else ()
    lossy = "q_lossy_profile" if is_nvidia else "egress_lossy_profile"
    lossless = {queue.queue for queue in kind.classes if queue.priority is not None}
    profiles = [
        "egress_lossless_profile" if queue in lossless
        else "q_trim_profile" if queue in cut and is_nvidia
        else lossy
        for queue in range(8)
    ]  # fmt: skip
    first = 0
    for last in range(8):
        if last == 7 or profiles[last + 1] != profiles[first]:
            numbers = f"{first}" if first == last else f"{first}-{last}"
            yield "BUFFER_QUEUE", f"{name}|{numbers}", {"profile": profiles[first]}
            first = last + 1
    if is_nvidia:
        for priority in kind.priorities:
            yield "BUFFER_PG", f"{name}|{priority}", {"profile": "NULL"}
        for way in ("ingress", "egress"):
            names_of = [f"{way}_lossless_profile", f"{way}_lossy_profile"]
            yield f"BUFFER_PORT_{way.upper()}_PROFILE_LIST", name, {"profile_list": names_of}
