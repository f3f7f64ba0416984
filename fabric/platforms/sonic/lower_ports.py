"""Ports, addresses and neighbours as tables of CONFIG_DB.

Sources: sonic-port.yang, sonic-breakout_cfg.yang, sonic-interface.yang, sonic-vlan.yang, sonic-device_neighbor.yang.
`mtu` is the largest IP packet: SONiC adds the frame's header itself.
"""

from __future__ import annotations

from fabric.devices.model import LinkRole, Switch, SwitchPort
from fabric.diagnostics import Diagnostic, Report
from fabric.platforms.sonic import codes, names
from fabric.platforms.sonic.model import Rows, Tables

MTU = (1312, 9216)
"""sonic-port.yang takes 68 to 9216; 1312 is the least that SONiC's command line takes."""


def port_tables(switch: Switch, report: Report) -> Tables:
    """PORT, BREAKOUT_CFG, INTERFACE, VLAN*, DEVICE_NEIGHBOR."""
    known = names.facts(switch.hardware)
    tables: Tables = {"PORT": {}, "BREAKOUT_CFG": {}, "INTERFACE": {}, "DEVICE_NEIGHBOR": {}}
    if not known:
        report.add(_unknown(switch, "no SONiC facts of this model are published"))
        return tables
    for port in switch.ports:
        _port(port, switch, known, tables, report)
        if port.peer and port.role is not LinkRole.UNUSED:
            tables["DEVICE_NEIGHBOR"][port.name] = {"name": port.peer, "port": port.peer_port}
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


def _port(port: SwitchPort, switch: Switch, known: dict[str, object], tables: Tables, report: Report) -> None:
    slot = port.slot
    lanes = names.lanes(slot, known)
    if lanes is None:
        report.add(_unknown(switch, f"no lanes of cage {slot.cage} are published"))
        return
    row: dict[str, str | list[str]] = {
        "lanes": lanes,
        "speed": str(slot.speed_mbps),
        "index": str(int(str(known.get("index_base") or 0)) + slot.cage - 1),
        "fec": names.fec(slot),
        "mtu": str(port.ip_mtu_bytes),
        "admin_status": "up" if port.enabled else "down",
        "description": description(port),
    }
    alias = names.alias(slot, known)
    if alias:
        row["alias"] = alias
    if slot.sub_ports > 1:
        row["subport"] = str(slot.sub_port + 1)
    tables["PORT"][port.name] = row
    if slot.sub_port == 0 and known.get("breakout_modes"):
        mode = names.breakout_mode(slot, known)
        if mode is None:
            text = (
                f"{slot.sub_ports}x{slot.speed_mbps // 1000}G of cage {slot.cage} is not in its platform.json"
            )
            report.add(_unknown(switch, text))
        else:
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
        row: dict[str, str | list[str]] = {
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
