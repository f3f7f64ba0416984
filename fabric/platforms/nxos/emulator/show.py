"""What the switch says of its state, as NX-API gives it: tables, of which one with one row is an object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fabric.platforms.nxos.emulator.switch import BgpState, NxosSwitch
from fabric.platforms.ports import SLOWEST_WITH_FEC_MBPS

FAMILIES = {4: ("1", "IPv4 Unicast"), 6: ("2", "IPv6 Unicast")}
HOST_BITS = 32
LLDP = """Chassis id: {system}
Port id: {port}
Local Port id: {local}
Port Description: {port}
System Name: {system}
System Description: emulated
Time remaining: {ttl} seconds
System Capabilities: B, R
Enabled Capabilities: B, R
Management Address: not advertised
Vlan ID: not advertised

"""
FEC_RULE = f"{'-' * 80}\n"
FEC_ROW = "{:<14}{:<14}{:<10}{:<10}{:<10}{:<8}{}\n"
"""Columns as in genieparser's recorded answer."""
FEC_HEAD = ("Name", "Ifindex", "Admin-fec", "Oper-fec", "Status", "Speed", "Type")
FIRST_IFINDEX, NEXT_IFINDEX = 0x1A000000, 0x200
Body = dict[str, Any]


def table(name: str, rows: list[Body]) -> Body:
    """A table; nothing at all of one without rows."""
    if not rows:
        return {}
    return {f"TABLE_{name}": {f"ROW_{name}": rows[0] if len(rows) == 1 else rows}}


def version(switch: NxosSwitch) -> Body:
    """`show version`."""
    minutes, seconds = divmod(int(switch.uptime_s), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    return {
        "nxos_ver_str": switch.release,
        "sys_ver_str": switch.release,
        "chassis_id": switch.hardware,
        "host_name": switch.view().hostname,
        "kern_uptm_days": days,
        "kern_uptm_hrs": hours,
        "kern_uptm_mins": minutes,
        "kern_uptm_secs": seconds,
        "rr_ctime": switch.time(switch.booted_at - switch.faults.clock_jump_s),
        "rr_reason": "Reset Requested by CLI command reload",
        "manufacturer": "Cisco Systems, Inc.",
    }


def inventory(switch: NxosSwitch) -> Body:
    """`show inventory`."""
    return table("inv", [{"name": "Chassis", "productid": switch.hardware, "serialnum": switch.serial}])


def hostname(switch: NxosSwitch) -> Body:
    """`show hostname`."""
    return {"hostname": switch.view().hostname}


def interfaces(switch: NxosSwitch) -> Body:
    """`show interface`."""
    return table("interface", [_interface(switch, name) for name in switch.view().ports])


def _interface(switch: NxosSwitch, name: str) -> Body:
    port = switch.view().ports[name]
    is_own = name.startswith(("loopback", "mgmt", "Vlan"))
    is_up = port.enabled if is_own else switch.neighbors.has_carrier(name)
    row = {
        "interface": name,
        "state": "up" if is_up else "down",
        "admin_state": "up" if port.enabled else "down",
    }
    if is_own:
        return row
    counted, fault = switch.counters.port(name), switch.counters.fault(name)
    speed = fault.speed_mbps or port.speed_mbps
    return row | {
        "eth_mtu": str(fault.mtu_bytes or port.mtu_bytes),
        **({"eth_bw": speed * 1000} if speed else {}),
        "eth_inbytes": int(counted.received_bytes),
        "eth_outbytes": int(counted.sent_bytes),
        "eth_inerr": str(int(counted.errors)),
        "eth_outerr": "0",
        "eth_indiscard": "0",
        "eth_outdiscard": str(int(counted.discards)),
    }


def paused(switch: NxosSwitch) -> Body:
    """`show interface priority-flow-control`."""
    rows = []
    for name in switch.view().ports:
        if name.startswith("Ethernet"):
            counted = switch.counters.port(name)
            frames = {"rx-stats": str(int(counted.pause_received)), "tx-stats": str(int(counted.pause_sent))}
            is_on = switch.view().ports[name].has_pfc
            words = {"admin": _on(is_on), "oper": _on(is_on and not switch.counters.fault(name).without_pfc)}
            rows.append({"if_name_str": name, **words, **frames})
    return table("module", [{"module": "1", **table("pfc_interface", rows)}])


def corrections(switch: NxosSwitch) -> str:
    """`show interface fec`, as text: every port is left to itself, as none of ours says anything."""
    names = [name for name in switch.view().ports if name.startswith("Ethernet")]
    rows = (_correction(switch, name, number) for number, name in enumerate(names))
    return f"{FEC_RULE}{FEC_ROW.format(*FEC_HEAD)}{FEC_RULE}{''.join(rows)}"


def _correction(switch: NxosSwitch, name: str, number: int) -> str:
    own, fault, is_up = (
        switch.view().ports[name],
        switch.counters.fault(name),
        switch.neighbors.has_carrier(name),
    )
    speed = fault.speed_mbps or own.speed_mbps
    has_fec = is_up and (own.speed_mbps or SLOWEST_WITH_FEC_MBPS) >= SLOWEST_WITH_FEC_MBPS
    return FEC_ROW.format(
        name.replace("Ethernet", "Eth"),
        f"{FIRST_IFINDEX + number * NEXT_IFINDEX:#x}",
        "auto",
        fault.fec or ("Rs-fec" if has_fec else "auto"),
        "connected" if is_up else "notconnec" if own.enabled else "disabled",
        f"{speed // 1000}G" if is_up and speed else "auto",
        "--",
    )


def _on(is_on: bool) -> str:  # noqa: FBT001  # a word of it
    return "On" if is_on else "Off"


def bgp_summary(switch: NxosSwitch) -> Body:
    """`show bgp all summary vrf all`."""
    seen = switch.view()
    families = []
    for number, (family, name) in FAMILIES.items():
        rows = [_neighbor(switch, state, number) for state in switch.bgp() if number in state.ours.families]
        if rows:
            inner = {"safi": "1", "af-name": name, **table("neighbor", rows)}
            families.append({"af-id": family, **table("saf", [inner])})
    head = {"vrf-name-out": "default", "vrf-router-id": seen.router_id, "vrf-local-as": str(seen.asn)}
    return table("vrf", [{**head, **table("af", families)}])


def _neighbor(switch: NxosSwitch, state: BgpState, family: int) -> Body:
    theirs = state.live.theirs if state.live else None
    prefixes = theirs.prefixes[0 if family == 4 else 1] if theirs and family in theirs.families else 0
    known = (
        f"{state.live.address}%{state.live.port}" if state.peer.is_port and state.live else state.peer.name
    )
    return {
        "neighborid": known,
        "neighborversion": "4",
        "neighboras": str(theirs.local_asn if theirs else state.peer.remote_asn),
        "time": f"PT{int(switch.around.now() - state.live.since_s)}S" if state.live else "never",
        "state": "Established" if theirs else "Shut (Admin)" if state.peer.shutdown else "Active",
        "prefixreceived": str(prefixes),
    }


def routes(switch: NxosSwitch, family: int) -> Body:
    """`show ip route bgp`: the loopback of each neighbour. What lies behind it, the sandbox does not compute."""
    hops: dict[str, list[Body]] = {}
    for state in switch.bgp():
        theirs = state.live.theirs if state.live else None
        if family == 4 and state.live and theirs and 4 in theirs.families and theirs.prefixes[0]:
            path = {
                "ipnexthop": state.live.address,
                "ifname": state.live.port.replace("Ethernet", "Eth"),
                "pref": "20",
                "metric": "0",
                "clientname": f"bgp-{switch.view().asn}",
                "type": "external",
                "ubest": "true",
            }
            hops.setdefault(f"{theirs.router_id}/{HOST_BITS}", []).append(path)
    prefixes = [
        {"ipprefix": name, "ucast-nhops": str(len(paths)), "mcast-nhops": "0", "attached": "false"}
        | table("path", paths)
        for name, paths in hops.items()
    ]
    inner = table("addrf", [{"addrf": f"ipv{family}", **table("prefix", prefixes)}])
    return table("vrf", [{"vrf-name-out": "default", **inner}])


def lldp(switch: NxosSwitch) -> str:
    """`show lldp neighbors detail`, as text."""
    heard = switch.neighbors.lldp()
    entries = [
        LLDP.format(
            system=each.system,
            port=each.peer_port,
            local=each.port.replace("Ethernet", "Eth"),
            ttl=int(each.ttl_s),
        )
        for each in heard
    ]
    return f"Capability codes:\n  (R) Router, (B) Bridge\n\n{''.join(entries)}Total entries displayed: {len(heard)}\n"


TABLES: dict[str, Callable[[NxosSwitch], Body]] = {
    "show version": version,
    "show inventory": inventory,
    "show hostname": hostname,
    "show interface": interfaces,
    "show interface priority-flow-control": paused,
    "show bgp all summary vrf all": bgp_summary,
    "show ip route bgp": lambda switch: routes(switch, 4),
    "show ipv6 route bgp": lambda switch: routes(switch, 6),
}
"""Commands of which NX-API gives tables."""
TEXTS: dict[str, Callable[[NxosSwitch], str]] = {
    "show lldp neighbors detail": lldp,
    "show interface fec": corrections,
}
"""Commands that are asked for as text."""
