"""Moving the cables of a running lab. A port keeps its name, hardware address, MTU, addresses and bridge.

A veth cannot be taken apart: it is made anew between the new ends, and what its ports had is put back.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable
from typing import Any

import msgspec

from fabric.diagnostics import Refused
from fabric.lab.management_network import batch
from fabric.lab.model import LINKS_FILE, Cable
from fabric.lab.protocol import enter, namespace
from fabric.lab.running_lab import RunningLab

End = tuple[str, str]
"""A box and one of its ports."""


class PortState(msgspec.Struct, frozen=True, kw_only=True):
    """What a port has, as the kernel shows it."""

    mac: str = ""
    mtu: int = 0
    is_up: bool = True
    bridge: str = ""
    addresses: tuple[str, ...] = ()
    """Without those that the kernel gives by itself."""


def port_state(lab: RunningLab, end: End) -> PortState | None:
    """What a port has; None if the box has no such port."""
    box, port = end
    done = lab.run(box, "ip", "-j", "addr", "show", "dev", port)
    if done.returncode:
        return None
    link: dict[str, Any] = json.loads(done.stdout)[0]
    rows = [row for row in link.get("addr_info", []) if row.get("scope") != "link"]
    return PortState(
        mac=link["address"],
        mtu=link["mtu"],
        is_up="UP" in link["flags"],
        bridge=link.get("master", ""),
        addresses=tuple(f"{row['local']}/{row['prefixlen']}" for row in rows),
    )


def cable_at(lab: RunningLab, end: End) -> Cable:
    """The cable that is plugged into a port. `Refused` if there is none."""
    lab.box(end[0])
    for cable in lab.state.cables:
        if end in cable.ends:
            return cable
    ports = sorted(port for cable in lab.state.cables for box, port in cable.ends if box == end[0])
    message = f"{end[0]} has no cable in its port {end[1]!r}"
    raise Refused(message, f"its ports with cables are {', '.join(ports[:12])}")


def is_free(lab: RunningLab, end: End) -> bool:
    """Whether a port of a box has no cable."""
    lab.box(end[0])
    return all(end not in cable.ends for cable in lab.state.cables)


def replug(lab: RunningLab, out: Iterable[Cable], into: Iterable[Cable]) -> None:
    """Take some cables out and put others in. A port that is left without one stays, without carrier.

    `Refused` if a box is dead.
    """
    old, new = tuple(out), tuple(into)
    filled = {end for cable in new for end in cable.ends}
    emptied = sorted({end for cable in old for end in cable.ends} - filled)
    states = {end: port_state(lab, end) for end in (*filled, *emptied)}
    model = next(state for state in states.values() if state is not None)
    for end in states:
        lab.run(end[0], "ip", "link", "del", end[1])  # gone already, where its other end was taken
    kept = {end: state or PortState(mtu=model.mtu) for end, state in states.items()}
    batch(
        [_link(lab, cable, kept) for cable in new] + [_loose(lab, end, kept[end]) for end in emptied],
        *enter(lab.state.process.pid)[:2],
    )
    for (box, port), state in kept.items():
        _restore(lab, box, port, state)
    cables = tuple(sorted({*lab.state.cables} - {*old} | {*new}))
    lab.write(msgspec.structs.replace(lab.state, cables=cables))


def remove_port(lab: RunningLab, end: End) -> None:
    """Take away a port that has no cable."""
    lab.run(end[0], "ip", "link", "del", end[1])


def _link(lab: RunningLab, cable: Cable, states: dict[End, PortState]) -> str:
    first, second = (_side(lab, end, states[end]) for end in cable.ends)
    return f"link add {first} type veth peer {second}"


def _loose(lab: RunningLab, end: End, state: PortState) -> str:
    """A port whose other end is in the lab's own namespace, and down: it has no carrier."""
    other = f"name x{secrets.token_hex(4)} netns {namespace(lab.state.process.pid)}"
    return f"link add {_side(lab, end, state)} type veth peer {other}"


def _side(lab: RunningLab, end: End, state: PortState) -> str:
    mac = f"address {state.mac} " if state.mac else ""
    return f"name {end[1]} {mac}netns {namespace(lab.pid(end[0]))}"


def _restore(lab: RunningLab, box: str, port: str, state: PortState) -> None:
    lines = [f"link set {port} mtu {state.mtu}"]
    lines += [f"link set {port} master {state.bridge}"] if state.bridge else []
    # The routes of a host bring the addresses of its other NICs with them: they may be there already.
    lines += [f"addr replace {address} dev {port}" for address in state.addresses]
    lines += [f"link set {port} up"] if state.is_up else []
    batch(lines, *enter(lab.pid(box)))
    if lab.box(box).kind == "host":
        restore_routes(lab, box)


def restore_routes(lab: RunningLab, host: str) -> None:
    """Routes of a host's rails, which go with a NIC that goes down: what is there already is left as it is."""
    lab.run(host, "ip", "-force", "-batch", LINKS_FILE)
