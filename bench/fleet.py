"""Hundreds of emulated switches: planned, applied, planned again to nothing, changed by one line, planned and applied.

    python -m bench.fleet [--keep] [PODS …]        8 pods are 292 switches, 28 pods 1,008

TACACS+, SNMPv3 and BGP secrets included. The sandbox is a process of its own on the same machine, and is not counted:
each step is a `fabric` command, of which CPU time and peak memory of process and children are read. Wall time says
little: the sandbox takes most of the machine, and a gate watches for as long as a session may look alive.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from ipaddress import IPv4Address
from pathlib import Path

from bench.measure import Figures, run
from bench.results import FLEET, RESULTS, Row, is_fleet, row, store, table
from fabric import api

FABRIC = Path(sys.executable).with_name("fabric")
"""How the cases of its rows begin."""

SITE = """
site: fleet
units: {units}
hosts:
  gpu: {{per_unit: 16, gpus: 8, nics: {{compute: {{count: 8, speed: 400G}}}}}}
networks:
  compute:
    pods: {{units: 2}}
    tiers:
      leaf: {{model: arista-7060dx4-32, platform: eos}}
      spine: {{model: arista-7060dx4-32, platform: eos}}
      superspine: {{model: arista-7060dx5-64s, platform: eos}}
    routing: {{bgp: {{password: "env:BGP_KEY"}}}}
services:
  management: {{vrf: MGMT, gateway: 198.18.0.1}}
  ntp: {{servers: [{ntp}]}}
  syslog: {{servers: [192.0.2.10]}}
  snmp: {{users: {{monitor: {{auth_secret: "env:SNMP_AUTH", privacy_secret: "env:SNMP_PRIVACY"}}}}}}
  tacacs: {{servers: [192.0.2.30], secret: "env:TACACS_KEY"}}
  users: {{fabric: {{role: admin, password_secret: "env:USER_HASH"}}}}
"""
SECRETS = {
    "BGP_KEY": "bgp-for-the-bench",
    "SNMP_AUTH": "snmp-auth-for-the-bench",
    "SNMP_PRIVACY": "snmp-privacy-for-the-bench",
    "TACACS_KEY": "tacacs-for-the-bench",
    "USER_HASH": "$6$fleetfleet$0123456789abcdefghijklmnopqrstuvwxyz",
}
CASES = (
    ("first plan", ("plan", "--adopt"), ""),
    ("first apply", ("apply",), ""),
    ("plan, nothing to do", ("plan",), "5 CPU s"),
    ("plan of one line on all", ("plan",), "10 CPU s"),
    ("apply of one line on all", ("apply",), "20 CPU s"),
)
"""What is measured, by which command, and the target of 1,024 switches."""
CHANGED = "plan of one line on all"
ALLOWED = ("--yes", "--allow", "lockout:*", "--allow", "isolating", "--timer", "30min")
"""The first apply brings AAA and every link."""


def main() -> None:
    """Walk the whole way for each size, print the rows, and keep them if asked to."""
    options = argparse.ArgumentParser(prog="bench.fleet", description=__doc__)
    options.add_argument("pods", nargs="*", type=int, default=[8])
    options.add_argument("--keep", action="store_true", help="write the rows into bench/results.*")
    chosen = options.parse_args()
    os.environ.update(SECRETS)
    rows = []
    for pods in chosen.pods:
        with tempfile.TemporaryDirectory(prefix="fabric-fleet-") as work:
            for row in walked(Path(work), pods):
                rows.append(row)
                print(row, flush=True)
    print(table(rows))
    if chosen.keep:
        earlier = json.loads(RESULTS.read_text(encoding="utf-8"))
        sizes = {row["switches"] for row in rows}
        kept = [row for row in earlier if not is_fleet(row) or row["switches"] not in sizes]
        store(kept + rows)


def walked(site: Path, pods: int) -> Iterator[Row]:
    """A row for each step of a site of so many pods."""
    count = written(site, pods, "192.0.2.20")
    run([FABRIC, "sandbox", "up", "-C", site, "--port", "19443"])
    try:
        for case, command, target in CASES:
            if case == CHANGED:
                written(site, pods, "192.0.2.21")
            figures = step(site, command)
            plan = site / ".fabric" / "plan" / "plan.json"
            size = (
                f"plan.json {plan.stat().st_size / 1000:,.0f} kB"
                if command[0] == "plan" and plan.exists()
                else ""
            )
            told = "; ".join(filter(None, (target and f"{target} for 1,024", size)))
            yield row(f"{FLEET}: {case}", figures, count, target=told)
    finally:
        run([FABRIC, "sandbox", "down", "-C", site])


def step(site: Path, command: tuple[str, ...]) -> Figures:
    """One command on the sandbox."""
    more = (site / ".fabric" / "plan", *ALLOWED) if command[0] == "apply" else ()
    return run([FABRIC, *command, "-C", site, "--sandbox", "-q", *more])


def written(site: Path, pods: int, ntp: str) -> int:
    """Write the site with an inventory of its names; returns how many switches it has."""
    (site / "site.yaml").write_text(SITE.format(units=2 * pods, ntp=ntp), encoding="utf-8")
    names = list(api.compile(site).devices)
    base = int(IPv4Address("198.18.0.10"))
    rows = "".join(f"  {name}: {{address: {IPv4Address(base + i)}/15}}\n" for i, name in enumerate(names))
    (site / "inventory.yaml").write_text(f"devices:\n{rows}", encoding="utf-8")
    return len(names)


if __name__ == "__main__":
    main()
