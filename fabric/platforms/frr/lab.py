"""FRR in a box of `fabric.lab`: Debian's package, started by its own script, so that watchfrr looks after the daemons.

Sources: Debian's frr 8.4.4 (/usr/lib/frr/frrinit.sh and frrcommon.sh, run); ip(8) (`-batch`).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from fabric.devices.model import LinkRole, Switch, SwitchPort
from fabric.intent.model import Services
from fabric.platforms.base import split_parts
from fabric.platforms.frr.agent.parts import PARTS
from fabric.platforms.frr.lower_bgp import MOST_PATHS
from fabric.platforms.frr.names import MANAGEMENT, vlan_name
from fabric.platforms.lab_box import LabBox, LabSession

PLACES = {name: str(part.path) for name, part in PARTS.items()}
"""Where the parts of a switch go. The script of queues needs the ASIC: it is there, and nobody runs it."""
UNPACKED = Path(sys.prefix) / "ifupdown2"
"""Debian's package, unpacked: to install it would take the place of what sets up this machine's own interfaces."""
SEEN_AT = "/usr/local/lib/ifupdown2"
"""In a box, wherever this program stands."""
IFRELOAD = f"""
if [ ! -e /usr/sbin/ifreload ] && [ -e {SEEN_AT}/usr/share/ifupdown2 ]; then
    share={SEEN_AT}/usr/share own=/usr/local/share/ifupdown2
    mkdir -p $own /etc/network /run/network
    cp $share/ifupdown2/__main__.py $own/ifreload
    cp -r {SEEN_AT}/etc/network/ifupdown2 /etc/network/
    printf '#!/bin/sh\nPYTHONPATH=%s exec /usr/bin/python3 %s "$@"\n' \
        "$share:$share/ifupdown2" $own/ifreload >/usr/local/sbin/ifreload
    chmod +x /usr/local/sbin/ifreload
fi
"""
DAEMONS_START = """
before=
[ "$(nice -n -10 nice 2>/dev/null)" != -10 ] || before="nice -n -10"
$before /usr/lib/frr/frrinit.sh start
"""
"""Before most of what else this machine does: a switch has processors of its own, and BFD waits for 0.9 s. Not in real
time: many daemons at once would keep the kernel from bringing them their packets, and no session would ever come up.
"""
START = f"""
{IFRELOAD}
install -d -o frr -g frr -m 0755 /run/frr
chown -R frr:frr /etc/frr
chmod 0640 /etc/frr/*
sysctl -q -e -p {PLACES["sysctl.conf"]}
{DAEMONS_START}
"""
SESSIONS = ("vtysh", "-d", "bgpd", "-c", "show bgp summary json")


def adapted(switch: Switch) -> Switch:
    """Without queues, services, bundles and lines of another product; with no more equal paths than FRR has."""
    routing = msgspec.structs.replace(
        switch.routing,
        max_paths=min(switch.routing.max_paths, MOST_PATHS),
        load_balancing="ecmp",
        hash_seed=None,
    )
    return msgspec.structs.replace(
        switch,
        routing=routing,
        queueing=None,
        services=Services(lldp=False),  # the lab's own lldpd
        bond_system=0,
        gateways=tuple(msgspec.structs.replace(gateway, arp_hosts=False) for gateway in switch.gateways),
        extra=(),
        widened_by=None,
    )


def files(switch: Switch, text: str, configured: bool) -> dict[str, str]:  # noqa: FBT001  # a field of `LabBox`
    """The files of a box by path; not configured: no session, and no interface but those of management."""
    parts = split_parts(text)
    if not configured:
        parts["frr.conf"] = (
            f"frr defaults datacenter\nhostname {switch.name}\nservice integrated-vtysh-config\n"
        )
        parts["interfaces"] = "".join(_first_stanzas(switch))
    return {path: parts[part] for part, path in PLACES.items() if part in parts}


def _first_stanzas(switch: Switch) -> Iterator[str]:
    yield f"auto lo\niface lo inet loopback\n\nauto {MANAGEMENT}\niface {MANAGEMENT}\n"
    yield from (f"    address {address}\n" for address in switch.management.addresses)


def links(switch: Switch, configured: bool) -> tuple[str, ...]:  # noqa: FBT001  # a field of `LabBox`
    """What ifupdown2 would do with `interfaces`; not configured: every cabled port up, without addresses."""
    ports = [port for port in switch.ports if port.peer]
    if not configured:
        return tuple(f"link set {port.name} up" for port in ports)
    lines = [f"addr add {address} dev lo" for address in switch.loopbacks]
    return (*lines, *(line for port in ports for line in _port_lines(port)), *_vlan_lines(switch, ports))


def _port_lines(port: SwitchPort) -> Iterator[str]:
    yield from (f"addr add {address} dev {port.name}" for address in port.addresses)
    mtu = "" if port.role is LinkRole.UNUSED else f" mtu {port.ip_mtu_bytes}"
    yield f"link set {port.name} {'up' if port.enabled else 'down'}{mtu}"


def _vlan_lines(switch: Switch, ports: list[SwitchPort]) -> Iterator[str]:
    """A bridge for each VLAN, with its gateway: the kernel of a lab often has no VLAN filter."""
    for gateway in switch.gateways:
        name = vlan_name(gateway.vlan)
        yield f"link add {name} type bridge stp_state 0"
        yield from (f"link set {port.name} master {name}" for port in ports if port.vlan == gateway.vlan)
        yield from (f"addr add {address} dev {name}" for address in gateway.addresses)
        yield f"link set {name} up mtu {gateway.ip_mtu_bytes}"


def parse_sessions(output: str) -> tuple[LabSession, ...]:
    """The sessions of `show bgp summary json`, each once: a session of two families counts the prefixes of both."""
    sessions: dict[str, LabSession] = {}
    for family in _table(output).values():
        for neighbor, facts in _table(_table(family).get("peers", {})).items():
            state, prefixes = str(_table(facts).get("state", "")), int(_table(facts).get("pfxRcd", 0))
            if known := sessions.get(neighbor):
                prefixes += known.prefixes
            sessions[neighbor] = LabSession(neighbor, state, state == "Established", prefixes)
    return tuple(sessions.values())


def _table(value: Any) -> dict[str, Any]:
    table = json.loads(value or "{}") if isinstance(value, str) else value
    if not isinstance(table, dict):
        message = "bgpd prints no table of sessions"
        raise ValueError(message)  # noqa: TRY004  # a text of the device, not a mistake of ours
    return table


LAB = LabBox(
    hardware="nvidia-sn5600",
    programs={
        "/usr/lib/frr/frrinit.sh": "frr",
        "/usr/lib/frr/zebra": "frr",
        "/usr/lib/frr/bgpd": "frr",
        "/usr/lib/frr/bfdd": "frr",
        "/usr/lib/frr/staticd": "frr",
        "/usr/lib/frr/watchfrr": "frr",
        "/usr/bin/vtysh": "frr",
        "/usr/lib/frr/frr-reload.py": "frr-pythontools",
    },
    daemons=("zebra", "bgpd", "staticd", "bfdd", "watchfrr"),
    adapted=adapted,
    files=files,
    links=links,
    folders={str(UNPACKED): SEEN_AT},
    start=START,
    revive=DAEMONS_START,
    stop="kill -9 $(cat /run/frr/watchfrr.pid)",
    sessions=SESSIONS,
    parse_sessions=parse_sessions,
)


def lab_box() -> LabBox:
    """How FRR runs in a box."""
    return LAB
