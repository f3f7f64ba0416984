"""Ports, addresses and neighbours as tables of CONFIG_DB.

Sources: sonic-port.yang, sonic-breakout_cfg.yang, sonic-interface.yang, sonic-vlan.yang, sonic-device_neighbor.yang,
sonic-device_neighbor_metadata.yang. `mtu` is the largest IP packet: SONiC adds the frame's header itself
(sonic-swss portsorch.cpp, setPortMtu).
"""

from __future__ import annotations

from fabric.devices.model import LinkRole, Switch, SwitchPort
from fabric.diagnostics import Diagnostic, Report
from fabric.platforms.sonic import codes, names
from fabric.platforms.sonic.model import Row, Rows, Tables

MTU = (1312, 9216)
"""sonic-port.yang takes 68 to 9216; 1312 is the least that SONiC's command line takes."""
TYPES = {"leaf": "ToRRouter", "spine": "LeafRouter", "superspine": "SpineRouter"}
"""Our roles to `DEVICE_METADATA.type`."""
TIERS = tuple(TYPES)
STEPS = {LinkRole.UP: 1, LinkRole.ACROSS: 0, LinkRole.DOWN: -1}
"""How far up the tiers the other end of a link is."""


def port_tables(switch: Switch, report: Report) -> Tables:
    """PORT, BREAKOUT_CFG, INTERFACE, VLAN*, DEVICE_NEIGHBOR*."""
    tables: Tables = {"PORT": {}, "BREAKOUT_CFG": {}, "INTERFACE": {}, "DEVICE_NEIGHBOR": {}}
    tables["DEVICE_NEIGHBOR_METADATA"] = {}
    if not names.facts(switch.hardware):
        report.add(_unknown(switch, "no SONiC facts of this model are published"))
        return tables
    sheet = names.sheet(switch.hardware)
    for port in switch.ports:
        _port(port, switch, sheet, tables, report)
        if port.peer and port.role is not LinkRole.UNUSED:
            tables["DEVICE_NEIGHBOR"][port.name] = {"name": port.peer, "port": port.peer_port}
            kind = kind_of_peer(switch, port)
            if kind:
                tables["DEVICE_NEIGHBOR_METADATA"][port.peer] = {"type": kind}
        if port.vlan:
            continue
        if port.link_local:
            tables["INTERFACE"][port.name] = {"ipv6_use_link_local_only": "enable"}
        elif port.addresses:
            tables["INTERFACE"][port.name] = {}
        for address in port.addresses:
            tables["INTERFACE"][f"{port.name}|{address}"] = {}
    return tables | _vlans(switch)


def description(port: SwitchPort) -> str:
    """Who is at the other end."""
    return f"{port.peer} {port.peer_port}".strip() if port.peer else "unused"


def kind_of_peer(switch: Switch, port: SwitchPort) -> str:
    """`DEVICE_NEIGHBOR_METADATA.type` of the other end; empty where nothing is known of it."""
    if port.role is LinkRole.HOST:
        return "Server"
    if port.role not in STEPS or switch.role not in TIERS:
        return ""
    tier = TIERS.index(switch.role) + STEPS[port.role]
    return TYPES[TIERS[tier]] if 0 <= tier < len(TIERS) else ""


def _port(port: SwitchPort, switch: Switch, sheet: names.Sheet, tables: Tables, report: Report) -> None:
    slot = port.slot
    fixed = sheet.row(slot)
    if fixed is None:
        report.add(_unknown(switch, f"no lanes of cage {slot.cage} are published"))
        return
    tables["PORT"][port.name] = {
        **fixed,
        "mtu": str(port.ip_mtu_bytes),
        "admin_status": "up" if port.enabled else "down",
        "description": description(port),
    }
    if slot.sub_port == 0:
        mode = sheet.mode(slot)
        if mode is None:
            split = f"{slot.sub_ports}x{slot.speed_mbps // 1000}G"
            report.add(_unknown(switch, f"{split} of cage {slot.cage} is not in its platform.json"))
        elif mode:
            tables["BREAKOUT_CFG"][port.name] = {"brkout_mode": mode}
    if not MTU[0] <= port.ip_mtu_bytes <= MTU[1]:
        rule = f"SONiC takes an MTU from {MTU[0]} to {MTU[1]}, not {port.ip_mtu_bytes}"
        hint = "write an `ip_mtu` in that range, the same at both ends"
        report.add(codes.RANGE.at(switch.origin, rule, value=port.ip_mtu_bytes, hint=hint))


def _vlans(switch: Switch) -> Tables:
    members: Rows = {
        f"Vlan{port.vlan}|{port.name}": {"tagging_mode": "untagged"} for port in switch.ports if port.vlan
    }
    if not switch.gateways and not members:
        return {}
    tables: Tables = {"VLAN": {}, "VLAN_MEMBER": members, "VLAN_INTERFACE": {}, "DHCP_RELAY": {}}
    relay = switch.host_addressing.assignment == "dhcp_relay"
    servers = switch.host_addressing.dhcp_servers if relay else ()
    for number in sorted({port.vlan for port in switch.ports if port.vlan}):
        tables["VLAN"][f"Vlan{number}"] = {"vlanid": str(number)}
    for gateway in switch.gateways:
        name = f"Vlan{gateway.vlan}"
        row: Row = {
            "vlanid": str(gateway.vlan),
            "mtu": str(gateway.ip_mtu_bytes),
            "admin_status": "up",
        }
        four = [str(server) for server in servers if server.version == 4]
        six = [str(server) for server in servers if server.version == 6]
        if four:
            row["dhcp_servers"] = four
        if six:
            tables["DHCP_RELAY"][name] = {"dhcpv6_servers": six}
        tables["VLAN"][name] = row
        tables["VLAN_INTERFACE"][name] = {}
        for address in gateway.addresses:
            tables["VLAN_INTERFACE"][f"{name}|{address}"] = {}
    return tables


def _unknown(switch: Switch, text: str) -> Diagnostic:
    return codes.HARDWARE.at(
        switch.origin,
        f"SONiC on {switch.hardware.model}: {text}",
        hint="choose a model or breakout that its platform.json has",
        subjects=(switch.name,),
    )
