"""What the host of a subnet manager says of it: the form in which drivers answer (`get_subnet_manager`)."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Role = Literal["master", "standby", "discovering", "not active", "silent"]
"""States of a subnet manager (InfiniBand Architecture 1.4, 14.4.1); `silent`: it does not answer."""


class ManagerState(msgspec.Struct, frozen=True, kw_only=True):
    """One subnet manager, asked on its own host."""

    role: Role
    priority: int = -1
    """Which it runs with; -1: it has not said."""
    guid: int = 0
    """Of the port through which it manages; 0: it has not said."""
    master: int = 0
    """GUID of the port of the master that the host's own port knows; 0: none answers there."""
    swept: bool = False
    """The subnet came up at least once since it became the master."""
    quiet_s: float = 0
    """So long one that works may say nothing: it grows with the subnet."""
    wrong: str = ""
    """What its files ask for and the subnet does not have; empty: nothing, or not looked at."""


class WithoutRouting:
    """What drivers of a subnet manager answer of Ethernet: it has neither BGP nor LLDP."""

    def get_bgp_neighbors(self) -> dict[str, Any]:
        """None: a subnet has no routing protocol."""
        return {}

    def get_lldp_neighbors(self) -> dict[str, Any]:
        """None: a subnet manager has no LLDP."""
        return {}


def manager_facts(name: str, vendor: str, model: str, release: str) -> dict[str, Any]:
    """NAPALM's facts of a subnet manager, which has no ports of its own."""
    return {
        "hostname": name,
        "fqdn": name,
        "vendor": vendor,
        "model": model,
        "os_version": release,
        "serial_number": "",
        "uptime": -1.0,
        "interface_list": [],
    }


__all__ = ["ManagerState", "Role", "WithoutRouting", "manager_facts"]
