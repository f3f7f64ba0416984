"""Every line of interfaces, and of cages that are split.

Sources: Ansible dellemc.enterprise_sonic 4.1 (`sonic_interfaces`, `sonic_l3_interfaces`, `sonic_qos_interfaces`,
`sonic_port_breakout`); githedgehog/fabric, pkg/agent/dozer/bcm (`interface Management 0`, `gwaddr`). SONiC design
"ROCEv2", rev 0.5: ports that are made after the lossless buffers work after the next reboot.
"""

from __future__ import annotations

from fabric.configuration import Effect, Parts, Reader, Statement
from fabric.platforms.dellsonic.names import LOOPBACK, MANAGEMENT
from fabric.platforms.dellsonic.state import DellsonicPort
from fabric.platforms.effects import (
    INTERRUPTED,
    ITSELF,
    NO_TRAFFIC,
    PORT_BUFFERS,
    PORT_QUEUES,
    PORT_SESSION,
    PORT_TEXT,
    UNKNOWN,
    UP_OR_DOWN,
    on_port,
)
from fabric.platforms.line_tables import interface, parts_of_the_cage, plain, reached
from fabric.platforms.reading import Port, added, fixed, note, put

MADE_ANEW = on_port(
    "reload", "the ports of the cage are made anew; beside lossless buffers they work after a reboot"
)


def _curve(port: DellsonicPort, parts: Parts) -> None:
    port.curves[int(parts["queue"])] = parts["curve"]


def _address(port: Port, parts: Parts) -> None:
    port.addresses.append(parts["address"])
    port.notes += [f"gwaddr {parts['gateway']}"] if parts["gateway"] else []


def _timer(name: str, part: str) -> Reader:
    def keep(port: DellsonicPort, parts: Parts) -> None:
        port.timers[name] = parts[part]

    return keep


NOTED = added("notes", "line")
WATCHDOG = "priority-flow-control watchdog"
LINES: tuple[Statement, ...] = (
    Statement("description {text*}", reads=put("description", "text"), effect=PORT_TEXT),
    Statement("[{on:no}] shutdown", reads=put("enabled", "on", bool), effect=UP_OR_DOWN),
    Statement(r"mtu {bytes:\d+}", reads=put("ip_mtu_bytes", "bytes", int)),
    Statement(r"speed {mbps:\d+}", reads=put("speed_mbps", "mbps", int)),
    Statement("fec {mode:RS|FC|AUTO|off|none}"),
    Statement("unreliable-los {mode}"),
    Statement(r"ip address <address:\d\S+> [gwaddr {gateway}]", reads=_address, effect=PORT_SESSION),
    Statement(
        r"ipv6 address <address:\S+:\S*> [gwaddr {gateway}]",
        reads=_address,
        effect=PORT_SESSION,
    ),
    Statement("ipv6 enable", reads=fixed("link_local", value=True), effect=PORT_SESSION),
    Statement("cable-length {length:5m|40m|300m}", reads=NOTED, effect=PORT_BUFFERS),
    Statement(r"queue <queue:\d> wred-policy {curve}", reads=_curve, effect=PORT_QUEUES),
    Statement("scheduler-policy {name}", reads=put("scheduler", "name"), effect=PORT_QUEUES),
    Statement("qos-map <kind> {name}", reads=NOTED, effect=PORT_QUEUES),
    Statement(
        r"priority-flow-control priority <priority:\d>",
        reads=added("priorities", "priority", int),
        effect=PORT_BUFFERS,
    ),
    Statement(f"{WATCHDOG} action {{action}}", reads=_timer("action", "action"), effect=PORT_BUFFERS),
    Statement(rf"{WATCHDOG} on detect-time {{ms:\d+}}", reads=_timer("detect", "ms"), effect=PORT_BUFFERS),
    Statement(rf"{WATCHDOG} restore-time {{ms:\d+}}", reads=_timer("restore", "ms"), effect=PORT_BUFFERS),
)
"""What has no effect of its own interrupts what is behind the port."""


def interface_lines() -> tuple[Statement, ...]:
    """`interface NAME`, `interface breakout`, and how ports are called."""
    return (
        Statement(
            "interface-naming {how}",
            reads=note("ports"),
            effect=Effect(
                "reload", "all ports are called otherwise, after a confirmation and in a new session"
            ),
        ),
        Statement(
            "interface breakout port <cage> mode {mode}",
            reads=note("ports"),
            ports=lambda parts: parts_of_the_cage(f"Eth{parts['cage']}"),
            effect=MADE_ANEW,
            topic="interface breakout port {cage}",
        ),
        interface(r"<port*:Eth\S+>", LINES, INTERRUPTED, is_always_there=True),
        interface(
            f"<port*:{MANAGEMENT}>",
            reached(LINES, "ip address", "ipv6 address"),
            NO_TRAFFIC,
            access="removed",
        ),
        interface(f"<port*:{LOOPBACK}>", plain(LINES), ITSELF),
        interface("<port*:.+>", plain(LINES), UNKNOWN),
    )
