"""What the host of a subnet manager says of it: the form in which drivers answer (`get_subnet_manager`)."""

from __future__ import annotations

from typing import Any, Literal, Protocol, runtime_checkable

import msgspec

from fabric.platforms.device_state import BgpSession, OpenCandidate, PortState

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


@runtime_checkable
class ManagerDriver(Protocol):
    """What the driver of a subnet manager's host is asked beside what every `Driver` is."""

    def get_subnet_managers(self) -> str:
        """What the tools of the host print of all managers of its subnet; empty where they cannot be asked."""

    def get_subnet_manager(self) -> dict[str, Any]:
        """What the host says of its manager: the fields of `ManagerState`."""

    def stop_subnet_manager(self) -> None:
        """End it."""

    def start_subnet_manager(self) -> None:
        """Start it, with the files that are there."""


class WithoutRouting:
    """What drivers of a subnet manager answer of Ethernet: it has neither ports of its own nor BGP nor LLDP."""

    def get_bgp_neighbors(self) -> dict[str, Any]:
        """None: a subnet has no routing protocol."""
        return {}

    def get_lldp_neighbors(self) -> dict[str, Any]:
        """None: a subnet manager has no LLDP."""
        return {}

    def get_bgp_sessions(self) -> dict[str, BgpSession]:
        """None: a subnet has no routing protocol."""
        return {}

    def get_port_states(self) -> dict[str, PortState]:
        """None: the ports of a subnet are its switches'."""
        return {}

    def get_route_widths(self) -> dict[str, int]:
        """None: a subnet manager routes by itself."""
        return {}

    def get_open_candidates(self) -> tuple[OpenCandidate, ...]:
        """None: a candidate stays in the process that loaded it."""
        return ()

    def drop_candidate(self, change: str) -> None:
        """There is none to drop."""
        message = f"no candidate {change} is open"
        raise LookupError(message)

    def lock_config(self) -> None:
        """A host has no lock for what others edit; the driver compares right before it commits."""

    def unlock_config(self) -> None:
        """Nothing was locked."""

    def save_config(self) -> None:
        """What runs is what a restart brings: the files are the configuration."""


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


__all__ = ["ManagerDriver", "ManagerState", "Role", "WithoutRouting", "manager_facts"]
