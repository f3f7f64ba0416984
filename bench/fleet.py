"""A thousand emulated switches: planned, applied, confirmed, planned again to nothing.

    python -m bench.fleet [PODS]        28 pods are 1,008 switches

TACACS+, SNMPv3 and BGP secrets included. The sandbox is a process of its own on the same machine.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from ipaddress import IPv4Address
from pathlib import Path
from typing import TypeVar

from fabric import api, planning, sandbox
from fabric.deployment import Workplace
from fabric.platforms.base import Target
from fabric.sandbox.site_devices import emulated_switches

T = TypeVar("T")

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
  ntp: {{servers: [192.0.2.20]}}
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
PASSWORD = "login-for-the-bench"  # noqa: S105  # of devices that end with this process


def main() -> None:
    """Walk the whole way and print what each step took."""
    pods = int(sys.argv[1]) if len(sys.argv) > 1 else 28
    os.environ.update(SECRETS)
    with tempfile.TemporaryDirectory(prefix="fabric-fleet-") as work:
        site = Path(work)
        (site / "site.yaml").write_text(SITE.format(units=2 * pods), encoding="utf-8")
        compiled = timed("compile", lambda: inventoried(site))
        devices = tuple(emulated_switches(compiled.devices.values(), lambda _name: ("fabric", PASSWORD)))
        state = timed("sandbox up", lambda: sandbox.up(devices, site, port=18443))
        try:
            walk(compiled, Workplace(folder=site, replaced=targets(state)), site)
            if (now := sandbox.status(site)) is not None:
                print(f"sandbox memory {now.memory_bytes / 2**20:,.0f} MiB, {len(devices)} switches")
        finally:
            sandbox.down(site)
    print(f"own peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MiB")


def targets(state: sandbox.State) -> dict[str, Target]:
    """The emulated devices, in place of the inventory's."""
    return {
        name: Target(
            name=name,
            address=place.address,
            port=place.port,
            username=place.username,
            password=PASSWORD,
            trust=place.trust,
            ports=place.ports,
        )
        for name, place in state.targets.items()
    }


def inventoried(site: Path) -> api.Compiled:
    """Compile the site once for its names, write an inventory, and compile it with that."""
    names = list(api.compile(site).devices)
    base = int(IPv4Address("198.18.0.10"))
    rows = "".join(f"  {name}: {{address: {IPv4Address(base + i)}/15}}\n" for i, name in enumerate(names))
    (site / "inventory.yaml").write_text(f"devices:\n{rows}", encoding="utf-8")
    return api.compile(site)


def walk(compiled: api.Compiled, place: Workplace, site: Path) -> None:
    """Plan, apply, plan again."""
    made, texts = timed("plan", lambda: api.plan(compiled, place, adopt=True))
    print(
        f"  {len(made.changed)} of {len(made.devices)} change, {len(made.groups)} groups, {len(made.waves)} waves"
    )
    planning.save(made, texts, site / "plan")
    allowed = ("lockout:*", "isolating")  # the first apply brings AAA and every link
    result = timed("apply", lambda: api.apply(site / "plan", compiled, place, allow=allowed))
    print(f"  {result.outcome}, {len(result.devices)} devices confirmed")
    again, _ = timed("plan again", lambda: api.plan(compiled, place))
    print(f"  {len(again.changed)} of {len(again.devices)} change")
    if again.changed or result.outcome != "done":
        sys.exit(1)


def timed(what: str, call: Callable[[], T]) -> T:
    """Run a step and print its wall and CPU time."""
    wall, cpu = time.perf_counter(), time.process_time()
    made = call()
    print(f"{what}: {time.perf_counter() - wall:.1f} s, {time.process_time() - cpu:.1f} CPU s", flush=True)
    return made


if __name__ == "__main__":
    main()
