"""Interfaces in SR Linux's words: ports, `system0`, `mgmt0`.

Source: nokia/srlinux-yang-models v25.3.1 (`srl_nokia-interfaces`, `srl_nokia-if-ip`,
`srl_nokia-interfaces-router-adv`). `mtu` counts the Ethernet header, `ip-mtu` does not: both are written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fabric.devices.addresses import IpInterface
from fabric.devices.model import LinkRole, Switch, SwitchPort
from fabric.diagnostics import Report
from fabric.platforms.srlinux import codes
from fabric.platforms.srlinux.model import Tree
from fabric.platforms.srlinux.names import (
    BREAKOUT_COUNTS,
    BREAKOUT_SPEEDS,
    LOOPBACK,
    MANAGEMENT,
    PORT_SPEEDS,
    connector,
)

IPV4 = 4
PORT_MTU = 9232
"""Nokia's own fabrics carry an IP MTU of 9100 under it (documentation.nokia.com)."""
FRAME_BYTES = 22
"""Ethernet header with two tags."""
LEAST_IP_MTU, MOST_IP_MTU = 1280, 9412 - FRAME_BYTES
"""srl_nokia-interfaces: `ip-mtu` from 1280; port MTU up to 9412 on 7220 IXR."""
ENABLE = "enable"
STATES = {True: ENABLE, False: "disable"}
ROUTED = "srl_nokia-interfaces:routed"
ADVERTISEMENT = "srl_nokia-interfaces-router-adv:router-advertisement"


def lower_interfaces(switch: Switch, report: Report) -> list[Tree]:
    """Connectors that are split, every port of the port map, the loopback, our way in."""
    _check(switch, report)
    found: list[Tree] = []
    split: set[str] = set()
    for port in sorted(switch.ports, key=_position):
        slot = port.slot
        if slot.sub_ports > 1 and (whole := connector(slot)) not in split:
            split.add(whole)
            speed = BREAKOUT_SPEEDS.get(slot.speed_mbps, "")
            mode = {"num-breakout-ports": str(slot.sub_ports), "breakout-port-speed": speed}
            found.append({"name": whole, "admin-state": ENABLE, "breakout-mode": mode})
        found.append(_port(port))
    found.append(_single(LOOPBACK, "", switch.loopbacks))
    found.append(_single(MANAGEMENT, "oob", switch.management.addresses))
    return found


def description(port: SwitchPort) -> str:
    """`spine-1:ethernet-1/5`: what is at the other end."""
    return f"{port.peer}:{port.peer_port}" if port.peer else str(port.role)


def is_routed(port: SwitchPort) -> bool:
    """Whether the port has a subinterface: unused ones have none."""
    return port.role is not LinkRole.UNUSED


def _port(port: SwitchPort) -> Tree:
    entry: Tree = {
        "name": port.name,
        "description": description(port),
        "admin-state": STATES[port.enabled],
        "mtu": max(PORT_MTU, port.ip_mtu_bytes + FRAME_BYTES),
    }
    if port.slot.sub_ports == 1:
        entry["ethernet"] = {"port-speed": PORT_SPEEDS.get(port.slot.speed_mbps, "")}
    if is_routed(port):
        below: Tree = {"index": 0, "type": ROUTED, "admin-state": ENABLE, "ip-mtu": port.ip_mtu_bytes}
        below.update(_families(port.addresses))
        if port.link_local:
            below.setdefault("ipv6", {"admin-state": ENABLE})[ADVERTISEMENT] = {
                "router-role": {"admin-state": ENABLE}
            }
        entry["subinterface"] = [below]
    return entry


def _families(addresses: Iterable[IpInterface]) -> Tree:
    found: Tree = {}
    for address in addresses:
        family = found.setdefault(
            "ipv4" if address.version == IPV4 else "ipv6", {"admin-state": ENABLE, "address": []}
        )
        family["address"].append({"ip-prefix": str(address)})
    return found


def _single(name: str, text: str, addresses: Iterable[IpInterface]) -> Tree:
    below: Tree = {"index": 0, "admin-state": ENABLE, **_families(addresses)}
    worded = {"description": text} if text else {}
    return {"name": name, **worded, "admin-state": ENABLE, "subinterface": [below]}


def _position(port: SwitchPort) -> tuple[int, int, int]:
    return port.slot.slot, port.slot.cage, port.slot.first_lane


def _check(switch: Switch, report: Report) -> None:
    for mbps, parts in sorted({(port.slot.speed_mbps, port.slot.sub_ports) for port in switch.ports}):
        known = PORT_SPEEDS if parts == 1 else BREAKOUT_SPEEDS
        if mbps not in known or (parts > 1 and parts not in BREAKOUT_COUNTS):
            report.add(
                codes.SPEED.at(
                    switch.origin.child("ports", f"{mbps}/{parts}"),
                    f"Nokia SR Linux has no word for {parts} x {mbps // 1000}G out of a cage",
                    value=f"{parts}x{mbps // 1000}G",
                    hint=f"choose a breakout of {', '.join(known.values())}",
                    subjects=(switch.name,),
                )
            )
    for mtu in _wrong_mtus(switch):
        report.add(
            codes.RANGE.at(
                switch.origin.child("ip_mtu"),
                f"Nokia SR Linux takes an IP MTU of {LEAST_IP_MTU} to {MOST_IP_MTU}, not {mtu}",
                value=mtu,
                hint=f"write `ip_mtu` between {LEAST_IP_MTU} and {MOST_IP_MTU}",
                subjects=(switch.name,),
            )
        )


def _wrong_mtus(switch: Switch) -> Iterator[int]:
    for mtu in sorted({port.ip_mtu_bytes for port in switch.ports if is_routed(port)}):
        if not LEAST_IP_MTU <= mtu <= MOST_IP_MTU:
            yield mtu
