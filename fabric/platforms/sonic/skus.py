"""Which hardware sku of a model fits the breakout of a switch, and what its files say of buffers.

Sources: `port_config.ini`, `platform.json` and `buffers_defaults_*.j2` of each sku in sonic-buildimage, kept in
`hardware/models/`. A sku whose ports are the wanted ones needs no breakout at run time, and its buffer sizes are made
for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from fabric.devices.model import Switch
from fabric.hardware import HeadroomRow, SwitchModel, load_catalogue, next_longer
from fabric.platforms.sonic import names

LOSSLESS = frozenset({"ingress_lossless", "egress_lossless"})
"""The pools that a lossless class needs."""


def sku(switch: Switch) -> str:
    """The sku with the very ports of the switch, one with lossless pools where it needs them; else the default."""
    lossless = switch.queueing is not None and any(kind.priorities for kind in switch.queueing.profiles)
    layout = frozenset(
        (port.slot.cage, port.slot.sub_ports, port.slot.speed_mbps)
        for port in switch.ports
        if port.slot.sub_port == 0
    )
    sheet = names.sheet(switch.hardware)
    key = (layout, switch.role, lossless)
    if key not in sheet.skus:
        sheet.skus[key] = _best(switch.hardware, layout, switch.role, lossless=lossless)
    return sheet.skus[key]


def _best(
    hardware: SwitchModel, layout: frozenset[tuple[int, int, int]], role: str, *, lossless: bool
) -> str:
    """Of the skus that fit: for lossless classes one with pools, then one with headroom; then the default; then few."""
    known = names.software(hardware)
    own = (known.hwsku if known else None) or ""

    def rank(fit: tuple[str, int]) -> tuple[bool, bool, bool, int, str]:
        name, cages = fit
        no_pools = lossless and not set(pools(hardware, name, role)) >= LOSSLESS
        no_table = lossless and name not in hardware.headroom_tables
        return no_pools, no_table, name != own, cages, name

    fitting = sorted(_fitting(hardware, layout).items(), key=rank)
    return fitting[0][0] if fitting else own


def told(hardware: SwitchModel) -> Mapping[str, Any]:
    """The skus of a model by name."""
    skus: Mapping[str, Any] = names.facts(hardware).get("hwskus") or {}
    return skus


def borrowed_pools(hardware: SwitchModel, role: str) -> tuple[Mapping[str, int], str]:
    """Lossless pools of another switch with the same ASIC, and whose; nothing where the catalogue has none."""
    published: Mapping[str, Any] = names.facts(hardware).get("borrowed_pools") or {}
    return _of_place(published, role) or {}, str(published.get("source", ""))


def _of_place(published: Mapping[str, Any], role: str) -> Mapping[str, int] | None:
    """The sizes for a leaf (`t0`) or what is above it (`t1`)."""
    place = "t0" if role == "leaf" else "t1"
    return next((sizes for key, sizes in published.items() if place in key.split("/")), None)


def pools(hardware: SwitchModel, name: str, role: str) -> Mapping[str, int]:
    """The sizes of the pools of a sku, in bytes, for a leaf (`t0`) or what is above it (`t1`); empty: not published."""
    published: Mapping[str, Mapping[str, int]] = (told(hardware).get(name) or {}).get("pools") or {}
    return _of_place(published, role) or next(iter(published.values()), {})


def headroom_row(switch: Switch, speed_mbps: int, cable_m: int) -> HeadroomRow | None:
    """The row of `pg_profile_lookup.ini` that a port gets: the next longer cable in the file of the switch's sku."""
    rows = load_catalogue().headroom
    own = sku(switch)
    return next_longer(rows[own], speed_mbps, cable_m) if own in rows else None


def _fitting(hardware: SwitchModel, layout: frozenset[tuple[int, int, int]]) -> dict[str, int]:
    """The skus that have every cage (number, ports, Mb/s) in the wanted mode, with the number of all their cages."""
    base = int(str(names.facts(hardware).get("index_base") or 0))
    modes = {(base + cage - 1, f"{ports}x{speed_mbps // 1000}G") for cage, ports, speed_mbps in layout}
    fitting = {}
    for name, facts in told(hardware).items():
        has = _cages(tuple((str(m), str(c)) for m, c in (facts.get("cage_index_modes") or {}).items()))
        if modes and modes <= has:
            fitting[name] = len(has)
    return fitting


@cache
def _cages(modes: tuple[tuple[str, str], ...]) -> frozenset[tuple[int, str]]:
    """`{2x400G: 1-64}` as pairs of index and mode."""
    return frozenset((number, mode) for mode, text in modes for number in _numbers(text))


def _numbers(text: str) -> list[int]:
    """`1-63/2,65`: ranges, with a step."""
    numbers: list[int] = []
    for part in text.split(","):
        spread, _, step = part.partition("/")
        first, _, last = spread.partition("-")
        numbers += range(int(first), int(last or first) + 1, int(step or 1))
    return numbers
