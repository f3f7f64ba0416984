"""Cases of all products that Dell Enterprise SONiC supports, and those that it refuses."""

from __future__ import annotations

from fabric.devices.model import Switch
from tests.platforms.cases import CASES, of

REFUSED = {
    "all services",
    "default vrf",
    "dhcp relay",
    "dual ToR",
    "flowlets",
    "slaac",
    "static gateway",
    "tacacs",
    "vlan gateway",
}
"""Of the cases of all products: VLANs, SNMP, gNMI, TACACS+, dynamic balancing."""
INTENTS = {name: case for name, case in CASES.items() if name not in REFUSED}


def device(case: str) -> Switch:
    """The switch of a case."""
    return of("dellsonic", CASES[case])
