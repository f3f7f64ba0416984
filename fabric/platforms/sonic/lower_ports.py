"""Ports, addresses and neighbours as tables of CONFIG_DB.

Sources: sonic-port.yang, sonic-breakout_cfg.yang, sonic-interface.yang, sonic-vlan.yang, sonic-device_neighbor.yang,
sonic-device_neighbor_metadata.yang. `mtu` is the largest IP packet: SONiC adds the frame's header itself
(sonic-swss portsorch.cpp, setPortMtu).
"""

from __future__ import annotations

from fabric.devices.model import LinkRole, Switch, SwitchPort
from fabric.diagnostics import Diagnostic, Report
from fabric.platforms.port_places import mtu_place
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
    interfaces: Rows = {}
    tables: Tables = {"PORT": {}, "BREAKOUT_CFG": {}, "INTERFACE": interfaces, **_neighbors(switch)}
    if not names.facts(switch.hardware):
        report.add(_unknown(switch, "no SONiC facts of this model are published"))
        return tables
    sheet = names.sheet(switch.hardware)
    for port in switch.ports:
        _port(port, switch, sheet, tables, report)
        if port.vlan:
            continue
        if port.link_local:
            interfaces[port.name] = {"ipv6_use_link_local_only": "enable"}
        elif port.addresses:
            interfaces[port.name] = {}
        for address in port.addresses:
            interfaces[f"{port.name}|{address}"] = {}
    return tables | _vlans(switch)


def description(port: SwitchPort) -> str:
    """Who is at the other end."""
    return f"{port.peer} {port.peer_port}".strip() if port.peer else "unused"


def _neighbors(switch: Switch) -> Tables:
    """DEVICE_NEIGHBOR and its METADATA: who is at the other end, and what kind of device."""
    if not names.facts(switch.hardware):
        return {}
    kinds = {role: _kind(switch.role, role) for role in LinkRole}
    names_of: Rows = {}
    metadata: Rows = {}
    for port in switch.ports:
        if port.peer and port.role is not LinkRole.UNUSED:
            names_of[port.name] = {"name": port.peer, "port": port.peer_port}
            if kinds[port.role]:
                metadata[port.peer] = {"type": kinds[port.role]}
    return {"DEVICE_NEIGHBOR": names_of, "DEVICE_NEIGHBOR_METADATA": metadata}


def _kind(tier: str, role: LinkRole) -> str:
    """`type` of the device at the other end of a port of this role; empty where nothing is known of it."""
    if role is LinkRole.HOST:
        return "Server"
    if role not in STEPS or tier not in TIERS:
        return ""
    place = TIERS.index(tier) + STEPS[role]
    return TYPES[TIERS[place]] if 0 <= place < len(TIERS) else ""


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
        report.add(codes.RANGE.at(mtu_place(switch, port), rule, value=port.ip_mtu_bytes, hint=hint))


def _vlans(switch: Switch) -> Tables:
    members: Rows = {
        f"Vlan{port.vlan}|{port.name}": {"tagging_mode": "tagged" if port.tagged else "untagged"}
        for port in switch.ports
        if port.vlan
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
