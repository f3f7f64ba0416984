"""pyavd on a pod of the same shape: eBGP, no overlay. Runs in pyavd's own environment.

    python pyavd_case.py LEAVES SPINES HOST_PORTS

prints the number of devices and lines that it made.
"""

from __future__ import annotations

import sys
from typing import Any

import pyavd


def inputs(leaves: int, spines: int, host_ports: int) -> dict[str, dict[str, Any]]:
    """Variables of every device, as AVD wants them: one pod, every leaf to every spine."""
    uplinks = [f"Ethernet{64 + i}" for i in range(1, spines + 1)]
    spine_names = [f"spine{i}" for i in range(1, spines + 1)]
    shared: dict[str, Any] = {
        "fabric_name": "BENCH",
        "underlay_routing_protocol": "ebgp",
        "overlay_routing_protocol": "none",
        "p2p_uplinks_mtu": 9000,
        "mgmt_gateway": "192.0.2.1",
        "spine": {
            "defaults": {"platform": "7060X6", "loopback_ipv4_pool": "10.255.0.0/24", "bgp_as": "65000"},
            "nodes": [{"name": name, "id": i} for i, name in enumerate(spine_names, 1)],
        },
        "l3leaf": {
            "defaults": {
                "platform": "7060X6",
                "loopback_ipv4_pool": "10.254.0.0/16",
                "vtep": False,
                "uplink_switches": spine_names,
                "uplink_interfaces": uplinks,
                "uplink_ipv4_pool": "10.128.0.0/12",
            },
            "nodes": [
                {
                    "name": f"leaf{i}",
                    "id": i,
                    "bgp_as": str(65000 + i),
                    "uplink_switch_interfaces": [f"Ethernet{i}"] * spines,
                }
                for i in range(1, leaves + 1)
            ],
        },
    }
    hosts = {name: {**shared, "type": "spine"} for name in spine_names}
    for i in range(1, leaves + 1):
        hosts[f"leaf{i}"] = {
            **shared,
            "type": "l3leaf",
            "custom_structured_configuration_ethernet_interfaces": _host_ports(i, host_ports),
        }
    return hosts


def _host_ports(leaf: int, count: int) -> list[dict[str, Any]]:
    """The ports to hosts, given as structured configuration: routed, with an address each."""
    return [
        {
            "name": f"Ethernet{port}",
            "description": f"host{port}",
            "mtu": 9000,
            "switchport": {"enabled": False},
            "ip_address": f"10.{leaf}.{port // 128}.{port * 2 % 256}/31",
        }
        for port in range(1, count + 1)
    ]


def main() -> None:
    """Validate, derive and print every device."""
    leaves, spines, host_ports = map(int, sys.argv[1:4])
    everything = inputs(leaves, spines, host_ports)
    for name, variables in everything.items():
        result = pyavd.validate_inputs(variables)
        if result.validation_result.violations:
            sys.exit(f"{name}: {result.validation_result.violations[:3]}")
    facts = pyavd.get_avd_facts(everything)
    lines = 0
    for name, variables in everything.items():
        structured = pyavd.get_device_structured_config(name, variables, facts)
        pyavd.validate_structured_config(structured)
        lines += pyavd.get_device_config(structured).count("\n")
    print(len(everything), lines)


if __name__ == "__main__":
    main()
