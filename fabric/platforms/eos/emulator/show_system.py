"""`show version`, interfaces, LLDP, sessions: the JSON of EOS, as NAPALM's driver and others parse it.

Shapes: NAPALM's recorded answers (napalm-automation/napalm, test/eos/mocked_data); sessions since 4.32:
https://github.com/napalm-automation/napalm/issues/2166.
"""

from __future__ import annotations

import json
from typing import Any

from fabric.platforms.eos.emulator import show_counters
from fabric.platforms.eos.emulator.device import EosSwitch
from fabric.platforms.eos.emulator.store import MAX_OPEN_SESSIONS, MAX_SAVED_SESSIONS
from fabric.platforms.eos.emulator.view_ports import Port

Answer = dict[str, Any]
MEMORY_KIB = 16_000_000
NEW_SESSIONS_SINCE = (4, 32)


def version(device: EosSwitch) -> Answer:
    """`show version`."""
    return {
        "mfgName": "Arista",
        "modelName": device.model,
        "hardwareRevision": "11.00",
        "serialNumber": device.serial,
        "systemMacAddress": device.mac,
        "hwMacAddress": device.mac,
        "configMacAddress": "00:00:00:00:00:00",
        "version": device.release,
        "architecture": "x86_64",
        "internalVersion": f"{device.release}-emulated",
        "internalBuildId": "00000000-0000-0000-0000-000000000000",
        "imageFormatVersion": "3.0",
        "imageOptimization": "Default",
        "bootupTimestamp": device.booted_at,
        "uptime": device.uptime_s(),
        "memTotal": MEMORY_KIB,
        "memFree": MEMORY_KIB // 2,
        "isIntlVersion": False,
    }


def hostname(device: EosSwitch) -> Answer:
    """`show hostname`."""
    seen = device.view()
    return {
        "hostname": seen.hostname,
        "fqdn": f"{seen.hostname}.{seen.domain}" if seen.domain else seen.hostname,
    }


def interfaces(device: EosSwitch) -> Answer:
    """`show interfaces`."""
    ports: Answer = {}
    for port in device.view().ports.values():
        up = device.link_is_up(port.name)
        ports[port.name] = {
            "name": port.name,
            "forwardingModel": "routed",
            "lineProtocolStatus": "up" if up else "down",
            "interfaceStatus": "connected" if up else "notconnect" if port.enabled else "disabled",
            "hardware": "ethernet" if port.name.startswith(("Ethernet", "Management")) else "other",
            "interfaceAddress": [],
            "physicalAddress": device.mac,
            "burnedInAddress": device.mac,
            "description": port.description,
            "bandwidth": shown_speed_mbps(device, port) * 1_000_000,
            "mtu": device.counters.fault(port.name).mtu_bytes or port.mtu_bytes,
            "l3MtuConfigured": port.mtu_bytes != 1500,
            "lastStatusChangeTimestamp": device.booted_at,
            "interfaceMembership": "",
        }
        if port.name.startswith(("Ethernet", "Management")):
            ports[port.name]["interfaceCounters"] = show_counters.of_interface(device, port.name)
    return {"interfaces": ports}


def shown_speed_mbps(device: EosSwitch, port: Port) -> int:
    """Speed that a port tells: its own, unless a fault says another."""
    return device.counters.fault(port.name).speed_mbps or port.speed_mbps or 0


def interfaces_status(device: EosSwitch) -> Answer:
    """`show interfaces status`."""
    statuses: Answer = {}
    for port in device.view().ports.values():
        up = device.link_is_up(port.name)
        statuses[port.name] = {
            "description": port.description,
            "linkStatus": "connected" if up else "notconnect" if port.enabled else "disabled",
            "lineProtocolStatus": "up" if up else "down",
            "bandwidth": shown_speed_mbps(device, port) * 1_000_000,
            "vlanInformation": {"interfaceMode": "routed", "interfaceForwardingModel": "routed"},
            "autoNegotiateActive": False,
            "duplex": "duplexFull",
        }
    return {"interfaceStatuses": statuses}


def lldp_neighbors(device: EosSwitch) -> Answer:
    """`show lldp neighbors`."""
    rows = [
        {"port": h.port, "neighborDevice": h.system, "neighborPort": h.peer_port, "ttl": int(h.ttl_s)}
        for h in device.lldp()
    ]
    return {
        "tablesLastChangeTime": device.booted_at,
        "tablesInserts": len(rows),
        "tablesDeletes": 0,
        "tablesDrops": 0,
        "tablesAgeOuts": 0,
        "lldpNeighbors": rows,
    }


def lldp_neighbors_detail(device: EosSwitch) -> Answer:
    """`show lldp neighbors detail`."""
    neighbors: Answer = {
        port: {"lldpNeighborInfo": []} for port in device.view().ports if port.startswith("Ethernet")
    }
    for heard in device.lldp():
        neighbors[heard.port] = {
            "lldpNeighborInfo": [
                {
                    "chassisIdType": "macAddress",
                    "systemName": heard.system,
                    "systemDescription": "",
                    "ttl": int(heard.ttl_s),
                    "neighborDiscoveryTime": device.booted_at,
                    "lastChangeTime": device.booted_at,
                    "lastContactTime": device.now(),
                    "neighborInterfaceInfo": {
                        "interfaceIdType": "interfaceName",
                        "interfaceId": f'"{heard.peer_port}"',
                        "interfaceId_v2": heard.peer_port,
                    },
                    "systemCapabilities": {"bridge": True, "router": True},
                    "managementAddresses": [],
                }
            ]
        }
    return {"lldpNeighbors": neighbors}


def sessions(device: EosSwitch) -> Answer:
    """`show configuration sessions`. Until 4.31 a waiting session says so itself, since 4.32 the top does."""
    store, new = device.store, device.release_number() >= NEW_SESSIONS_SINCE
    rows: Answer = {}
    for session in store.sessions.values():
        row: Answer = {"state": session.state, "commitUser": session.user, "description": "", "instances": {}}
        if session.state == "pendingCommitTimer" and new:
            row["state"] = "committed"
        elif session.state == "pendingCommitTimer" and store.timer is not None:
            row["commitBy"] = store.timer.expires_at - device.booted_at
        if session.completed_at:
            row["completedTime"] = session.completed_at + device.faults.clock_jump_s
        rows[session.name] = row
    answer: Answer = {
        "sessions": rows,
        "maxSavedSessions": MAX_SAVED_SESSIONS,
        "maxOpenSessions": MAX_OPEN_SESSIONS,
        "mergeOnCommit": False,
        "saveToStartupConfigOnCommit": False,
    }
    if new and store.timer is not None:
        answer["commitTimerSessionName"] = store.timer.session
        answer["commitTimerExpireTime"] = store.timer.expires_at - device.booted_at
    return answer


def sessions_detail(device: EosSwitch) -> Answer:
    """`show configuration sessions detail`."""
    return sessions(device)


def api_http(device: EosSwitch) -> Answer:
    """`show management api http-commands`."""
    return {
        "enabled": device.reachable(),
        "httpsServer": {"configured": True, "running": device.reachable(), "port": 443},
        "httpServer": {"configured": False, "running": False, "port": 80},
        "vrfs": [device.management_vrf()],
    }


def printed(command: str, shown: Answer) -> str:
    """A text form for people. EOS's own columns are not rebuilt: programs ask for JSON."""
    if command == "show version":
        return (
            f"Arista {shown['modelName']}\nHardware version: {shown['hardwareRevision']}\n"
            f"Serial number: {shown['serialNumber']}\nHardware MAC address: {shown['systemMacAddress']}\n\n"
            f"Software image version: {shown['version']}\nArchitecture: {shown['architecture']}\n"
        )
    return f"{json.dumps(shown, indent=4)}\n"
