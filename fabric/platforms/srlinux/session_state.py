"""What SR Linux's state says, in neutral words, and in NAPALM's.

Source of the leaves: nokia/srlinux-yang-models v25.3.1, `srl_nokia-bgp`, `-bfd`, `-interfaces`, `-qos`,
`-ip-route-tables`, `-lldp`. Counters of 64 bits are text in JSON (RFC 7951, section 6.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from napalm.base.exceptions import CommandErrorException

from fabric.platforms.device_state import BgpSession, PortState
from fabric.platforms.srlinux.names import MANAGEMENT_INSTANCE, SPEEDS_MBPS, bare
from fabric.platforms.srlinux.session_rpc import JsonRpc

Tree = Mapping[str, Any]
FAMILIES = {"ipv4-unicast": "ipv4", "ipv6-unicast": "ipv6"}
PANEL = "ethernet-"


def plain(value: Any) -> Any:
    """A tree whose names have no module."""
    if isinstance(value, dict):
        return {bare(key): plain(inner) for key, inner in value.items()}
    return [plain(entry) for entry in value] if isinstance(value, list) else value


def rows(tree: object, *path: str) -> list[dict[str, Any]]:
    """The entries of a list; none if it is not there, or is something else."""
    here = below(tree, *path[:-1]).get(path[-1]) if path else tree
    entries = [here] if isinstance(here, dict) else here
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []


def below(tree: object, *path: str) -> dict[str, Any]:
    """The container at a path; empty if it is not there."""
    here: object = tree
    for name in path:
        here = here.get(name) if isinstance(here, dict) else None
    return here if isinstance(here, dict) else {}


def bgp_sessions(instances: Tree, bfd: Tree) -> dict[str, BgpSession]:
    """By neighbour, in all instances but that of management."""
    live = {
        str(peer.get("remote-address", "")): str(peer.get("session-state", "")).upper() == "UP"
        for instance in rows(bfd, "network-instance")
        for peer in rows(instance, "peer")
    }
    return dict(
        _session(neighbor, live)
        for instance in rows(instances, "network-instance")
        if instance.get("name") != MANAGEMENT_INSTANCE
        for neighbor in rows(instance, "protocols", "bgp", "neighbor")
        if neighbor.get("peer-address")
    )


def _session(neighbor: Tree, live: Mapping[str, bool]) -> tuple[str, BgpSession]:
    address, _, zone = str(neighbor["peer-address"]).partition("%")
    port = zone.rpartition(".")[0] or zone
    families = {
        FAMILIES[name]: family
        for family in rows(neighbor, "afi-safi")
        if (name := bare(str(family.get("afi-safi-name", "")))) in FAMILIES and "received-routes" in family
    }
    hold = number(below(neighbor, "timers").get("negotiated-hold-time"))
    is_up = neighbor.get("session-state") == "established"
    return f"{address}%{port}" if port else address, BgpSession(
        is_up=is_up,
        remote_asn=number(neighbor.get("peer-as")),
        port=port,
        hold_s=None if hold is None or not is_up else float(hold),
        bfd_is_up=live.get(str(neighbor["peer-address"]), live.get(address)),
        received={name: number(row["received-routes"]) or 0 for name, row in families.items()},
        installed={
            name: (number(row["received-routes"]) or 0) - (number(row["rejected-routes"]) or 0)
            for name, row in families.items()
            if "rejected-routes" in row
        },
    )


def port_states(interfaces: Tree, qos: Tree) -> dict[str, PortState]:
    """Of the front panel."""
    queueing = {str(row.get("interface-id", "")): row for row in rows(qos, "interface")}
    return {
        name: _port(row, queueing.get(name, {}))
        for row in rows(interfaces, "interface")
        if (name := str(row.get("name", ""))).startswith(PANEL)
    }


def _port(row: Tree, queueing: Tree) -> PortState:
    counters, ethernet = below(row, "statistics"), below(row, "ethernet")
    fec = below(ethernet, "forward-error-correction").get("operational-host-if-fec")
    pauses = rows(queueing, "pfc", "statistics", "pfc-priority")
    return PortState(
        is_up=row.get("oper-state") == "up",
        speed_mbps=SPEEDS_MBPS.get(str(ethernet.get("port-speed", ""))),
        fec=None if fec is None else str(fec),
        mtu_bytes=number(row.get("mtu")),
        received_bytes=number(counters.get("in-octets")),
        sent_bytes=number(counters.get("out-octets")),
        errors=number(counters.get("in-error-packets")),
        discards=_sum(counters.get("in-discarded-packets"), counters.get("out-discarded-packets")),
        pause_received=dict(_pauses(pauses, "pfc-pause-frames-received")),
        pause_sent=dict(_pauses(pauses, "pfc-pause-frames-generated")),
        marked=_sum(*_marked(queueing)),
    )


def _pauses(entries: list[dict[str, Any]], leaf: str) -> Iterator[tuple[int, int]]:
    for entry in entries:
        priority, frames = number(entry.get("index")), number(entry.get(leaf))
        if priority is not None and frames is not None:
            yield priority, frames


def _marked(queueing: Tree) -> Iterator[object]:
    """Of each queue that counts what it marks (feature `qos-queue-ecn-stats`)."""
    for queue in rows(queueing, "output", "queues", "queue"):
        yield below(queue, "queue-statistics", "aggregate-statistics").get("ecn-marked-packets")


def route_widths(instances: Tree) -> dict[str, int]:
    """BGP's active routes of all instances but that of management: prefix to next hops."""
    widths: dict[str, int] = {}
    for instance in rows(instances, "network-instance"):
        if instance.get("name") == MANAGEMENT_INSTANCE:
            continue
        table = below(instance, "route-table")
        hops = {str(row.get("index")): len(rows(row, "next-hop")) for row in rows(table, "next-hop-group")}
        for family, version in FAMILIES.items():
            prefix = f"{version}-prefix"
            for route in rows(table, family, "route"):
                if bare(str(route.get("route-type", ""))) == "bgp" and route.get("active") in (True, "true"):
                    widths[str(route.get(prefix))] = hops.get(str(route.get("next-hop-group")), 0)
    return widths


def lldp_neighbors(lldp: Tree) -> dict[str, list[dict[str, str]]]:
    """By port, in NAPALM's form."""
    heard = {
        str(row.get("name", "")): [
            {"hostname": str(n.get("system-name", "")), "port": str(n.get("port-id", ""))}
            for n in rows(row, "neighbor")
        ]
        for row in rows(lldp, "interface")
    }
    return {port: neighbors for port, neighbors in heard.items() if neighbors}


def number(value: object) -> int | None:
    """A number of JSON, or its text; None if it is neither."""
    if isinstance(value, bool):
        return None
    try:
        return int(str(value))
    except ValueError:
        return None


def moment(text: object) -> datetime | None:
    """A date and time of the device; None if it is none."""
    try:
        known = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return known if known.tzinfo else known.replace(tzinfo=UTC)


def _sum(*values: object) -> int | None:
    """Of those that the device tells; None if it tells none."""
    known = [count for count in map(number, values) if count is not None]
    return sum(known) if known else None


GLOBAL = "global"
"""NAPALM's name of the network instance `default`."""


class Getters:
    """Reads the state datastore of one device."""

    rpc: JsonRpc

    def get_facts(self) -> dict[str, Any]:
        """Model, version, host name, uptime."""
        chassis, information, name, interfaces = self._get(
            "/platform/chassis", "/system/information", "/system/name/host-name", "/interface[name=*]"
        )
        now, booted = moment(information.get("current-datetime")), moment(information.get("last-booted"))
        host = name if isinstance(name, str) else ""
        return {
            "uptime": (now - booted).total_seconds() if now and booted else -1.0,
            "vendor": "Nokia",
            "model": str(chassis.get("type", "")),
            "hostname": host,
            "fqdn": host,
            "os_version": str(information.get("version", "")),
            "serial_number": str(chassis.get("serial-number", "")),
            "interface_list": [str(row.get("name")) for row in rows(interfaces, "interface")],
        }

    def get_lldp_neighbors(self) -> dict[str, list[dict[str, str]]]:
        """Neighbours by port."""
        (lldp,) = self._get("/system/lldp")
        return lldp_neighbors(lldp)

    def get_bgp_neighbors(self) -> dict[str, dict[str, Any]]:
        """By instance and neighbour."""
        (instances,) = self._get("/network-instance[name=*]/protocols/bgp")
        sessions: dict[str, dict[str, Any]] = {GLOBAL: {"router_id": "", "peers": {}}}
        for instance in rows(instances, "network-instance"):
            bgp = below(instance, "protocols", "bgp")
            if bgp:
                name = GLOBAL if instance.get("name") == "default" else str(instance.get("name"))
                peers = {
                    str(row.get("peer-address")): _peer(row, number(bgp.get("autonomous-system")))
                    for row in rows(bgp, "neighbor")
                }
                sessions[name] = {"router_id": str(bgp.get("router-id", "")), "peers": peers}
        return sessions

    def get_bgp_sessions(self) -> dict[str, BgpSession]:
        """By neighbour; BFD from its own sessions."""
        (instances,) = self._get("/network-instance[name=*]/protocols/bgp")
        return bgp_sessions(instances, self._optional("/bfd/network-instance[name=*]"))

    def get_port_states(self) -> dict[str, PortState]:
        """Of the front panel; PFC and ECN where the product counts them."""
        (interfaces,) = self._get("/interface[name=*]")
        return port_states(interfaces, self._optional("/qos/interfaces/interface[interface-id=*]"))

    def get_route_widths(self) -> dict[str, int]:
        """Of the route tables."""
        (instances,) = self._get("/network-instance[name=*]/route-table")
        return route_widths(instances)

    def _get(self, *paths: str) -> list[Any]:
        return [plain(answer) if answer is not None else {} for answer in self.rpc.get(*paths)]

    def _optional(self, path: str) -> Any:
        """What a product may not have: then nothing."""
        try:
            (answer,) = self._get(path)
        except CommandErrorException:
            return {}
        return answer


def _peer(row: dict[str, Any], own_asn: int | None) -> dict[str, Any]:
    families = {
        word.partition("-")[0]: {
            "received_prefixes": _count(family, "received-routes"),
            "accepted_prefixes": _count(family, "received-routes")
            - max(0, _count(family, "rejected-routes")),
            "sent_prefixes": _count(family, "sent-routes"),
        }
        for family in rows(row, "afi-safi")
        if (word := bare(str(family.get("afi-safi-name", "")))) in FAMILIES
    }
    return {
        "local_as": number(below(row, "local-as").get("as-number")) or own_asn or -1,
        "remote_as": number(row.get("peer-as")) or -1,
        "remote_id": str(row.get("peer-router-id", "")),
        "is_up": row.get("session-state") == "established",
        "is_enabled": row.get("admin-state", "enable") == "enable",
        "description": str(row.get("description", "")),
        "uptime": -1,
        "address_family": families,
    }


def _count(family: dict[str, Any], leaf: str) -> int:
    known = number(family.get(leaf))
    return -1 if known is None else known
