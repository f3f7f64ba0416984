"""How SONiC calls and numbers ports, from the facts that the catalogue keeps of a model.

Sources: `platform.json` and `port_config.ini` of each model in sonic-buildimage, kept in `hardware/models/`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from fabric.hardware import PortSlot, SwitchModel
from fabric.hardware.cage_modes import cage_numbers
from fabric.hardware.model import Software
from fabric.platforms.other_tools import LabKind, OtherTools, SnapshotForm
from fabric.platforms.sonic.model import Row

LANE_RULE = re.compile(r"cage n uses ASIC lanes (\d+)\+\(n-1\)\*(\d+)")
FEC_LANE_MBPS = 25_000
"""From this rate of a lane on, ports need RS-FEC."""
MODE = re.compile(r"(?P<ports>\d+)x(?P<speed>\d+)G(?:\((?P<lanes>\d+)\))?(?:\[(?P<other>[^\]]*)\])?")
"""`2x400G[200G,100G]` of platform.json; `2x400G(8)` says of how many lanes in all (sonic-utilities, portconfig.py)."""


def software(hardware: SwitchModel) -> Software | None:
    """What the catalogue knows of SONiC on the model; None: nothing."""
    return next((entry for entry in hardware.software if entry.name == "sonic"), None)


def facts(hardware: SwitchModel) -> dict[str, Any]:
    """Lanes, names and breakouts; empty if not published."""
    known = software(hardware)
    return known.facts if known and known.hwsku else {}


def port_name(slot: PortSlot, hardware: SwitchModel) -> str:
    """`Ethernet16`: cages are a fixed step apart, parts of a cage count by lane."""
    known = facts(hardware)
    step = int(known.get("name_step") or slot.cage_lanes)
    return f"Ethernet{int(known.get('name_first') or 0) + (slot.cage - 1) * step + slot.first_lane}"


def announced_port(slot: PortSlot, hardware: SwitchModel) -> str:
    """The alias: lldpmgrd sends it as the port's id (sonic-buildimage, dockers/docker-lldp/lldpmgrd)."""
    return alias(slot, facts(hardware)) or ""


class Sheet:
    """What the catalogue says of each port of a model. Asked once: hundreds of switches have the same ports."""

    def __init__(self, hardware: SwitchModel) -> None:
        self.hardware = hardware
        self._known = facts(hardware)
        self._base = int(str(self._known.get("index_base") or 0))
        self._rows: dict[PortSlot, Row | None] = {}
        self._modes: dict[PortSlot, str | None] = {}
        self.skus: dict[object, str] = {}
        """The sku by breakout: `skus.sku` fills it."""

    def row(self, slot: PortSlot) -> Row | None:
        """The fields of `PORT` that the hardware decides; None if its lanes are not published."""
        if slot not in self._rows:
            self._rows[slot] = self._new_row(slot)
        return self._rows[slot]

    def mode(self, slot: PortSlot) -> str | None:
        """The breakout mode of the port's cage; None if it has none, empty if none are published."""
        if slot not in self._modes:
            known = self._known.get("breakout_modes")
            self._modes[slot] = breakout_mode(slot, self._known) if known else ""
        return self._modes[slot]

    def _new_row(self, slot: PortSlot) -> Row | None:
        lane_numbers = lanes(slot, self._known)
        if lane_numbers is None:
            return None
        row: Row = {
            "lanes": lane_numbers,
            "speed": str(slot.speed_mbps),
            "index": str(self._base + slot.cage - 1),
            "fec": fec(slot),
        }
        called = alias(slot, self._known)
        if called:
            row["alias"] = called
        if slot.sub_ports > 1:
            row["subport"] = str(slot.sub_port + 1)
        return row


_SHEETS: dict[str, Sheet] = {}


def sheet(hardware: SwitchModel) -> Sheet:
    """The sheet of a model."""
    known = _SHEETS.get(hardware.id)
    if known is None or known.hardware is not hardware:
        known = _SHEETS[hardware.id] = Sheet(hardware)
    return known


def management_port(_hardware: SwitchModel) -> str:
    """Every SONiC switch has `eth0`."""
    return "eth0"


def lanes(slot: PortSlot, known: dict[str, Any]) -> str | None:
    """The ASIC lanes of a port, `17,18,19,20`; None if the catalogue does not say."""
    rule = known.get("lanes") or {}
    first, by_cage = rule.get("first_lane_by_cage"), rule.get("lanes_by_cage")
    if by_cage:
        if slot.cage > len(by_cage):
            return None
        if slot.sub_ports == 1:  # a gearbox may stand between the lanes of the cage and those of the ASIC
            return str(by_cage[slot.cage - 1])
        mine = str(by_cage[slot.cage - 1]).split(",")[slot.first_lane : slot.first_lane + slot.lanes]
        return ",".join(mine) if len(mine) == slot.lanes else None
    if first:
        if slot.cage > len(first):
            return None
        start = int(first[slot.cage - 1])
    else:
        match = LANE_RULE.match(str(rule.get("rule", "")))
        if match is None:
            return None
        start = int(match[1]) + (slot.cage - 1) * int(match[2])
    start += slot.first_lane
    return ",".join(map(str, range(start, start + slot.lanes)))


def alias(slot: PortSlot, known: dict[str, Any]) -> str | None:
    """The name printed on the device; None if no rule is published."""
    rule = str(known.get("alias_rule") or "")
    split = slot.sub_ports > 1
    if rule.startswith("etp<cage>"):
        return f"etp{slot.cage}{'abcdefgh'[slot.sub_port] if split else ''}"
    if rule.startswith("Ethernet<cage>/<first lane"):
        return f"Ethernet{slot.cage}/{slot.first_lane + 1}"
    if rule.startswith("Eth<p>(Port<p>)"):
        part = f"/{slot.sub_port + 1}" if split else ""
        return f"Eth{slot.cage - 1}{part}(Port{slot.cage - 1})"
    match = re.match(r"(Eth|Port)<cage> or \1<cage>([/-])<sub-port from 1>", rule)
    if match is None:
        return None
    return f"{match[1]}{slot.cage}" + (f"{match[2]}{slot.sub_port + 1}" if split else "")


def breakout_mode(slot: PortSlot, known: dict[str, Any]) -> str | None:
    """The mode of `platform.json`, verbatim, that splits the cage like this; None if it has none."""
    ports, speed, lanes = slot.sub_ports, f"{slot.speed_mbps // 1000}G", slot.sub_ports * slot.lanes
    second = None
    for group in known.get("breakout_modes") or ():
        if (slot.slot, slot.cage) not in _cages(group["cages"]):
            continue
        mode, rank = _mode(tuple(group["modes"]), ports, speed, lanes)
        if rank == 1:
            return mode
        second = second or mode
    return second


@cache
def _cages(text: str) -> frozenset[tuple[int, int]]:
    return frozenset(cage_numbers(text))


@cache
def _mode(modes: tuple[str, ...], ports: int, speed: str, lanes: int) -> tuple[str | None, int]:
    """The mode that has the speed of its own (1), or among the slower ones in brackets (2)."""
    second = None
    for mode in modes:
        match = MODE.fullmatch(mode)
        if match is None or int(match["ports"]) != ports or int(match["lanes"] or lanes) != lanes:
            continue
        if f"{match['speed']}G" == speed:
            return mode, 1
        if second is None and speed in (match["other"] or "").replace(" ", "").split(","):
            second = mode
    return second, 2


def fec(slot: PortSlot) -> str:
    """`rs` where the rate of a lane demands it."""
    return "rs" if slot.speed_mbps // slot.lanes >= FEC_LANE_MBPS else "none"


def asic_vendor(hardware: SwitchModel) -> str:
    """`nvidia` (buffers computed on the switch), `broadcom` (from tables), or empty: not known how."""
    for vendor in ("NVIDIA", "Broadcom"):
        if hardware.asic.startswith(vendor):
            return "" if "DNX" in hardware.asic else vendor.lower()
    return ""


TRIMMING = ("NVIDIA Spectrum-4", "NVIDIA Spectrum-5", "NVIDIA Spectrum-6")
"""ASICs that trim by a public source (Cumulus Linux 5.14, Packet Trimming: Spectrum-4 and later). On others orchagent
takes the table and does nothing, which would be silent."""


def trims(hardware: SwitchModel) -> bool:
    """Whether the ASIC is known to trim packets."""
    return hardware.asic.startswith(TRIMMING)


OTHER_TOOLS = OtherTools(
    loopback="Loopback0",
    netmiko="linux",
    lab=LabKind(
        kind="sonic-vm",
        image="vrnetlab/sonic_sonic-vm",
        startup="config_db.json",
        caution="its ports are Ethernet0, Ethernet4, ... in the order of the links; frr.conf is copied by hand",
    ),
    snapshot=SnapshotForm(folder="sonic_configs", files=("config_db.json", "frr.conf")),
)
"""Sources: containerlab, manual of the kind `sonic-vm` (eth1 is Ethernet0, each further one four up);
Batfish, formats of pybatfish 0.36 (`sonic_configs`)."""
