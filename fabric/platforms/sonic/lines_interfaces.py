"""Tables of ports, VLANs and their addresses.

Sources: sonic-port.yang, sonic-breakout_cfg.yang, sonic-interface.yang, sonic-vlan.yang, sonic-mgmt_*.yang,
sonic-device_neighbor*.yang; sonic-swss orchagent (which fields of a port need it down).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from fabric.configuration import Effect, Parts, Reader, Statement
from fabric.configuration.syntaxes.quoting import meant
from fabric.platforms.effects import ITSELF, NO_TRAFFIC, PORT_SESSION, PORT_TEXT, on_port
from fabric.platforms.reading import Port, put
from fabric.platforms.sonic.rows import (
    NUMBER,
    field,
    free_table,
    held_row,
    kept,
    known,
    row,
    row_says,
    table,
)
from fabric.platforms.sonic.state import SonicState

SET_UP = on_port("flap", "the port is set up anew")
GATEWAY = Effect("flap", "its hosts lose their gateway while it changes")
REQUESTS = Effect("hitless", "only address requests of hosts")
MANAGEMENT = "eth0"


class Vlan(NamedTuple):
    """A VLAN whose row is read."""

    state: SonicState
    name: str


def _port(state: SonicState, parts: Parts) -> Port:
    """SONiC leaves a port down unless told otherwise."""
    state.row("PORT", parts["port"])
    port = state.port(parts["port"])
    port.enabled = False
    return port


def _interface(state: SonicState, parts: Parts) -> Port:
    return state.port(parts["port"])


def _address(state: SonicState, parts: Parts) -> None:
    state.port(parts["port"]).addresses.append(parts["address"])


def _reached(state: SonicState, parts: Parts) -> object:
    _address(state, parts)
    return row_says("management", "{address} via {gwaddr}")(state, parts)


def _vlan(state: SonicState, parts: Parts) -> Vlan:
    state.port(parts["vlan"])
    return Vlan(state, parts["vlan"])


def _of_its_port(reads: Reader) -> Reader:
    """A reader for the interface of a VLAN."""
    return lambda vlan, parts: reads(vlan.state.port(vlan.name), parts)


def _relay(vlan: Vlan, parts: Parts) -> None:
    for server in parts["value"].split():
        vlan.state.service("relay", f"{vlan.name} {server}")


def _member(state: SonicState, parts: Parts) -> Port:
    port = state.port(parts["port"])
    port.vlan, port.tagged = int(parts["vlan"]), False
    return port


def _management_vrf(state: SonicState, parts: Parts) -> None:
    if parts["value"] == "true":
        state.port(MANAGEMENT).vrf = "mgmt"


def _is(word: str) -> Callable[[str], bool]:
    return lambda value: value == word


ENABLED = put("enabled", "value", _is("up"))
MTU = put("ip_mtu_bytes", "value", int)
ADDRESS = row("<port>|<address>", reads=_address)
INTERFACE = row("<port>", reads=_interface)


def interface_tables() -> tuple[Statement, ...]:
    """Of ports, VLANs, loopbacks and management."""
    link_local = field("ipv6_use_link_local_only", put("link_local", "value", _is("enable")))
    return (
        table("PORT", row("<port>", *_port_fields(), reads=_port), effect=SET_UP),
        free_table("BREAKOUT_CFG", on_port("flap", "the ports of the cage are made anew"), "<port>"),
        table("INTERFACE", ADDRESS, row("<port>", link_local, reads=_interface), effect=PORT_SESSION),
        table(
            "LOOPBACK_INTERFACE",
            ADDRESS,
            INTERFACE,
            effect=ITSELF,
        ),
        table(
            "DEVICE_NEIGHBOR",
            row(
                "<port>",
                *kept("name", "port"),
                reads=row_says("cabling", "{line} to {name} {port}", name="", port=""),
            ),
            effect=NO_TRAFFIC,
        ),
        free_table("DEVICE_NEIGHBOR_METADATA", NO_TRAFFIC),
        *_vlan_tables(),
        *_management_tables(),
    )


def _port_fields() -> Iterator[Statement]:
    yield field("description", put("description", "value", meant), effect=PORT_TEXT)
    yield field("speed", put("speed_mbps", "value", int), form=NUMBER)
    yield field("mtu", MTU, form=NUMBER)
    yield field("admin_status", ENABLED)
    yield from known("alias", "index", effect=PORT_TEXT)
    yield from known("lanes", "fec", "subport")


def _vlan_tables() -> Iterator[Statement]:
    fields = (
        *known("vlanid"),
        field("mtu", _of_its_port(MTU), form=NUMBER),
        field("admin_status", _of_its_port(ENABLED)),
        field("dhcp_servers", _relay, effect=REQUESTS),
    )
    yield table("VLAN", row("<vlan>", *fields, reads=_vlan), effect=GATEWAY)
    yield table("VLAN_INTERFACE", ADDRESS, INTERFACE, effect=GATEWAY)
    tagging = field("tagging_mode", put("tagged", "value", _is("tagged")))
    members = row(rf"Vlan<vlan:{NUMBER}>|<port>", tagging, reads=_member)
    yield table("VLAN_MEMBER", members, effect=on_port("flap", "the port changes its VLAN"))
    relays = row(
        "<vlan>", field("dhcpv6_servers", _relay), reads=lambda state, parts: Vlan(state, parts["vlan"])
    )
    yield table("DHCP_RELAY", relays, effect=NO_TRAFFIC)


def _management_tables() -> Iterator[Statement]:
    """The address, the routing table and the port that the switch is managed by."""
    reached = held_row("<port>|<address>", *kept("gwaddr"), reads=_reached)
    yield table("MGMT_INTERFACE", reached, INTERFACE, effect=NO_TRAFFIC)
    vrf = held_row("vrf_global", field("mgmtVrfEnabled", _management_vrf), access="changed")
    yield table("MGMT_VRF_CONFIG", vrf, effect=NO_TRAFFIC)
    says = row_says("management", "{line} {admin_status}", admin_status="up")
    port = held_row("<port>", *known("alias", access="none"), *kept("admin_status"), reads=says)
    yield table("MGMT_PORT", port, effect=NO_TRAFFIC)
