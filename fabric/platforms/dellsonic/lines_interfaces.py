"""Every line of interfaces, and of cages that are split.

Sources: Ansible dellemc.enterprise_sonic 4.1 (`sonic_interfaces`, `sonic_l3_interfaces`, `sonic_qos_interfaces`,
`sonic_port_breakout`); githedgehog/fabric, pkg/agent/dozer/bcm (`interface Management 0`, `gwaddr`). SONiC design
"ROCEv2", rev 0.5: ports that are made after the lossless buffers work after the next reboot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from fabric.configuration import Access, Effect, Parts, Reader, Section, Statement
from fabric.platforms.dellsonic.names import LOOPBACK, MANAGEMENT
from fabric.platforms.dellsonic.state import DellsonicPort, DellsonicState
from fabric.platforms.line_tables import plain, reached
from fabric.platforms.reading import Port, added, fixed, note, put

on_port = partial(Effect, scope="port")

INTERRUPTED = on_port("flap", "the port works otherwise")
UP_OR_DOWN = on_port("flap", "the port goes down or comes up")
SESSION = on_port("flap", "its BGP session is built anew")
QUEUES = on_port("buffer", "the port's queues are set up anew")
BUFFERS = on_port("buffer", "the port's buffers are set up anew")
MADE_ANEW = on_port(
    "reload", "the ports of the cage are made anew; beside lossless buffers they work after a reboot"
)
ITSELF = Effect("hitless", "only the route to the switch itself")
UNKNOWN = Effect("flap", "what this interface does is not known")
PARTS_OF_A_CAGE = 8
"""The most that one is split into."""


def _port(state: DellsonicState, parts: Parts) -> Port:
    return state.port(parts["port"])


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
    Statement("description {text*}", reads=put("description", "text"), effect=on_port("none", "text only")),
    Statement("[{on:no}] shutdown", reads=put("enabled", "on", bool), effect=UP_OR_DOWN),
    Statement(r"mtu {bytes:\d+}", reads=put("ip_mtu_bytes", "bytes", int)),
    Statement(r"speed {mbps:\d+}", reads=put("speed_mbps", "mbps", int)),
    Statement("fec {mode:RS|FC|AUTO|off|none}"),
    Statement("unreliable-los {mode}"),
    Statement(r"ip address <address:\d\S+> [gwaddr {gateway}]", reads=_address, effect=SESSION),
    Statement(
        r"ipv6 address <address:\S+:\S*> [gwaddr {gateway}]",
        reads=_address,
        effect=SESSION,
    ),
    Statement("ipv6 enable", reads=fixed("link_local", value=True), effect=SESSION),
    Statement("cable-length {length:5m|40m|300m}", reads=NOTED, effect=BUFFERS),
    Statement(r"queue <queue:\d> wred-policy {curve}", reads=_curve, effect=QUEUES),
    Statement("scheduler-policy {name}", reads=put("scheduler", "name"), effect=QUEUES),
    Statement("qos-map <kind> {name}", reads=NOTED, effect=QUEUES),
    Statement(
        r"priority-flow-control priority <priority:\d>",
        reads=added("priorities", "priority", int),
        effect=BUFFERS,
    ),
    Statement(f"{WATCHDOG} action {{action}}", reads=_timer("action", "action"), effect=BUFFERS),
    Statement(rf"{WATCHDOG} on detect-time {{ms:\d+}}", reads=_timer("detect", "ms"), effect=BUFFERS),
    Statement(rf"{WATCHDOG} restore-time {{ms:\d+}}", reads=_timer("restore", "ms"), effect=BUFFERS),
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
            ports=_parts_of_the_cage,
            effect=MADE_ANEW,
            topic="interface breakout port {cage}",
        ),
        _interface(r"Eth\S+", LINES, INTERRUPTED, is_always_there=True),
        _interface(
            MANAGEMENT,
            reached(LINES, "ip address", "ipv6 address"),
            Effect("none", "no traffic of hosts"),
            access="removed",
        ),
        _interface(LOOPBACK, plain(LINES), ITSELF),
        _interface(".+", plain(LINES), UNKNOWN),
    )


def _interface(
    name: str,
    lines: Iterable[Statement],
    effect: Effect,
    *,
    access: Access | None = None,
    is_always_there: bool = False,
) -> Statement:
    """Each port is shown, also where nothing is set of it."""
    return Statement(
        f"interface <port*:{name}>",
        reads=_port,
        below=Section(*lines, effect=effect),
        effect=effect,
        access=access,
        empty_is_absent=is_always_there,
    )


def _parts_of_the_cage(parts: Parts) -> Iterator[str]:
    yield f"Eth{parts['cage']}"
    yield from (f"Eth{parts['cage']}/{part}" for part in range(1, PARTS_OF_A_CAGE + 1))
