"""Switches of the cases that FRR on Linux can say, compiled from intents."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from fabric.devices.model import Switch
from tests.platforms import cases
from tests.platforms.cases import Case, addressing, case, of
from tests.platforms.sites import network, override, services

REFUSED = {
    "vlan gateway", "dual ToR", "dhcp relay", "all services", "tacacs", "default vrf", "flowlets",
    "notifying watchdog",
}  # fmt: skip
"""Of the cases of all products: relays, bonds, services that Linux has not, flowlets, watchdogs."""
EXTRA = """
- device: leaf-0-0
  extra:
    paths: bgp as-path access-list MINE seq 5 permit ^65000
    interfaces: "auto dummy0\\niface dummy0\\n    link-type dummy"
    sysctl: net.ipv4.tcp_ecn = 1
"""
"""Lines of our own in each file that takes them."""
INTENTS: dict[str, Case] = {
    **{name: one for name, one in cases.CASES.items() if name not in REFUSED},
    "vlan gateway": case(addressing("host_family: dual, host_links: {mode: vlan}")),
    "default vrf": case(services("management: {vrf: default}")),
    "hashed": case(
        network("routing: {max_paths: 256, hashing: {fields: [src_ip, dst_ip, src_port], seed: per_tier}}")
    ),
    "extended": case(override(EXTRA)),
}


@cache
def device(name: str) -> Switch:
    """The switch of a case."""
    return of("frr", INTENTS[name])


CASES: dict[str, Callable[[], Switch]] = {name: (lambda name=name: device(name)) for name in INTENTS}
leaf, spine = CASES["leaf"], CASES["spine"]
