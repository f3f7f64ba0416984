"""Time and memory of labs: `python -m bench.lab 8 32 128`, as root. A JSON object for each number of switches.

Three tiers of numbered eBGP, a host of one NIC a rail in each unit. `up_s` counts from the derived site until every
daemon was started, `sessions_s` from then until every session is up; memory is what the machine has less of, over the
number of switches. Each figure is one run.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path

from fabric import compiler
from fabric.lab import Lab
from fabric.lab.status import lab_memory_bytes
from fabric.lab.traffic import flows_between_hosts, ping

SITE = """
site: lab-bench
units: {units}
hosts:
  gpu: {{per_unit: 1, gpus: 8, nics: {{compute: {{count: 8, speed: 400G}}}}}}
networks:
  compute:
    rails: {{leaves: {leaves}}}
    pods: {{units: 1}}
    addressing: {{family: ipv4}}
    tiers:
      leaf: {{model: arista-7060x6-64pe, platform: eos, max_oversubscription: "8:1"}}
      spine: {{model: arista-7060x6-64pe, platform: eos, count: {spines}, max_oversubscription: "8:1"}}
      superspine: {{model: arista-7060x6-64pe, platform: eos, count: {superspines}, groups: {spines}}}
    lossless: null
"""
SHAPES = {8: (2, 2, 1, 2), 32: (4, 4, 2, 4), 64: (4, 8, 4, 4), 128: (8, 8, 4, 8)}
"""Switches to units, leaves and spines of a unit, and superspines of a group."""
MIB = 2**20
SESSIONS_WITHIN_S = 600.0


def main() -> None:
    """Measure each size that is named, or 8."""
    for size in map(int, sys.argv[1:] or ["8"]):
        print(json.dumps(measured(size)), flush=True)


def measured(size: int) -> dict[str, float | int]:
    """The figures of one lab."""
    units, leaves, spines, superspines = SHAPES[size]
    with tempfile.TemporaryDirectory(prefix="fabric-bench-") as folder:
        text = SITE.format(units=units, leaves=leaves, spines=spines, superspines=superspines)
        (Path(folder) / "site.yaml").write_text(text)
        devices = compiler.compile(Path(folder)).devices
        load, before, began = os.getloadavg()[0], available_bytes(), time.monotonic()
        with Lab(devices, configured=True) as lab:
            up = time.monotonic()
            lab.wait_for_sessions(SESSIONS_WITHIN_S)
            ready = time.monotonic()
            answers = ping(lab, flows_between_hosts(devices, all_pairs=True), timeout_s=30)
            taken, private = before - available_bytes(), lab_memory_bytes(lab)
            ends = sum(len(lab.sessions(name)) for name in lab.switches)
            boxes, cables, down = len(lab.state.boxes), len(lab.state.cables), time.monotonic()
        ended = time.monotonic()
    return {
        "switches": size,
        "boxes": boxes,
        "cables": cables,
        "sessions": ends // 2,
        "up_s": round(up - began, 1),
        "sessions_s": round(ready - up, 1),
        "down_s": round(ended - down, 1),
        "mib_a_switch": round(taken / MIB / size, 1),
        "private_mib": private // MIB,
        "pings": len(answers),
        "answered": sum(answer.is_answered for answer in answers),
        "load_before": round(load, 1),
    }


def available_bytes() -> int:
    """What the machine could still give."""
    lines = Path("/proc/meminfo").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))


if __name__ == "__main__":
    main()
