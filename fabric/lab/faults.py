"""Faults of a running lab, set and cleared: cables, ports, daemons, whole boxes.

| kind | effect | cleared by |
| --- | --- | --- |
| `down` | the port is down, its other end loses carrier; without a port: every port of the box | up again |
| `silent` | every packet is dropped both ways, carrier stays; without a port: every port of the box | passing again |
| `swapped` | two cables have their second ends exchanged | exchanged again |
| `moved` | a cable's end is in another, free port | put back |
| `killed` | a daemon gets SIGKILL; its watchdog starts it again | nothing to do |
| `stopped` | a daemon and its watchdog get SIGKILL: it stays dead | started again |
| `dead` | every process of the box is killed, every port is down, that of management too | started again |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple, get_args

import msgspec

from fabric.diagnostics import Refused
from fabric.lab import box_scripts
from fabric.lab.lower_to_lab import lab_product
from fabric.lab.model import MANAGEMENT, Cable
from fabric.lab.plugging import End, cable_at, is_free, remove_port, replug, restore_routes
from fabric.lab.running_lab import RunningLab
from fabric.lab.state import Fault

TABLE = "fabric-lab"
"""Of nftables, in a box."""
Kind = Literal["down", "silent", "swapped", "moved", "killed", "stopped", "dead"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class Action(NamedTuple):
    """How a kind of fault is set and cleared."""

    set: Callable[[RunningLab, Fault], None]
    clear: Callable[[RunningLab, Fault], None]


def inject(lab: RunningLab, fault: Fault) -> None:
    """Set a fault. `Refused` if it names what is not there, is set already, or the box is dead."""
    if fault in lab.state.faults:
        message = f"this fault of {fault.box} is set already"
        raise Refused(message, "clear it with `fabric lab fault --clear`")
    lab.pid(fault.box)
    ACTIONS[fault.kind].set(lab, fault)
    if fault.kind != "killed":
        lab.write(msgspec.structs.replace(lab.state, faults=(*lab.state.faults, fault)))


def clear(lab: RunningLab, box: str = "", port: str = "") -> tuple[Fault, ...]:
    """Clear all faults, or those of a box or of one of its ports, the last one first. Returns what was cleared."""
    if box:
        lab.box(box)
    cleared = [fault for fault in lab.state.faults[::-1] if _concerns(fault, box, port)]
    for fault in cleared:
        ACTIONS[fault.kind].clear(lab, fault)
        rest = tuple(other for other in lab.state.faults if other != fault)
        lab.write(msgspec.structs.replace(lab.state, faults=rest))
    return tuple(cleared)


def _concerns(fault: Fault, box: str, port: str) -> bool:
    ends = ((fault.box, fault.port), (fault.other_box, fault.other_port))
    return not box or any(own == box and port in ("", end) for own, end in ends)


def ends_of(lab: RunningLab, fault: Fault) -> Iterator[End]:
    """The port of a fault; of one without, every port of the box that has a cable. `Refused` if there is no cable."""
    if fault.port:
        cable_at(lab, (fault.box, fault.port))
        yield fault.box, fault.port
    else:
        yield from (end for cable in lab.state.cables for end in cable.ends if end[0] == fault.box)


def _down(lab: RunningLab, fault: Fault) -> None:
    for box, port in ends_of(lab, fault):
        lab.output(box, "ip", "link", "set", port, "down")


def _up(lab: RunningLab, fault: Fault) -> None:
    for box, port in ends_of(lab, fault):
        lab.output(box, "ip", "link", "set", port, "up")
    if lab.box(fault.box).kind == "host":
        restore_routes(lab, fault.box)


def _both(lab: RunningLab, fault: Fault) -> Iterator[End]:
    """Both ends of each cable: what is dropped is what a port sends."""
    for end in ends_of(lab, fault):
        yield end
        yield cable_at(lab, end).other_end(*end)


def _silence(lab: RunningLab, fault: Fault) -> None:
    for box, port in _both(lab, fault):
        hook = f'{{ type filter hook egress device "{port}" priority 0; policy drop; }}'
        rules = f"add table netdev {TABLE}\nadd chain netdev {TABLE} {port} {hook}\n"
        lab.output(box, "nft", "-f", "-", stdin=rules)


def _speak(lab: RunningLab, fault: Fault) -> None:
    """A port may be silent for two reasons: as one of a box, and by itself."""
    others = [other for other in lab.state.faults if other.kind == "silent" and other != fault]
    kept = {end for other in others for end in _both(lab, other)}
    for box, port in _both(lab, fault):
        if (box, port) not in kept:
            lab.run(box, "nft", "delete", "chain", "netdev", TABLE, port)


def _swap(lab: RunningLab, fault: Fault) -> None:
    first = cable_at(lab, (fault.box, fault.port))
    second = cable_at(lab, (fault.other_box, fault.other_port))
    if first == second:
        message = "a cable cannot be swapped with itself"
        raise Refused(message, "name ports of two cables")
    here, there = (fault.box, fault.port), (fault.other_box, fault.other_port)
    exchanged = (_cable(here, second.other_end(*there)), _cable(there, first.other_end(*here)))
    replug(lab, (first, second), exchanged)


def _cable(first: End, second: End) -> Cable:
    return Cable(*first, *second)


def _move(lab: RunningLab, fault: Fault) -> None:
    here, there = (fault.box, fault.port), (fault.other_box, fault.other_port)
    cable = cable_at(lab, here)
    if not is_free(lab, there):
        message = f"the port {there[1]} of {there[0]} has a cable"
        raise Refused(message, "name a port without one, or swap both cables")
    replug(lab, (cable,), (_cable(cable.other_end(*here), there),))


def _move_back(lab: RunningLab, fault: Fault) -> None:
    here, there = (fault.box, fault.port), (fault.other_box, fault.other_port)
    cable = cable_at(lab, there)
    replug(lab, (cable,), (_cable(cable.other_end(*there), here),))
    remove_port(lab, there)


def _daemon(lab: RunningLab, fault: Fault) -> str:
    """The daemon of a fault. `Refused` if the box has none of that name."""
    daemons = lab_product().box.daemons if lab.box(fault.box).kind == "switch" else ()
    if fault.daemon not in (*daemons, *box_scripts.DAEMONS):
        message = f"{fault.box} has no daemon {fault.daemon!r}"
        raise Refused(message, f"it has {', '.join((*daemons, *box_scripts.DAEMONS))}")
    return fault.daemon


def _kill(lab: RunningLab, fault: Fault) -> None:
    lab.output(fault.box, "sh", "-c", box_scripts.KILL, "sh", _daemon(lab, fault))


def _stop(lab: RunningLab, fault: Fault) -> None:
    every_box = _daemon(lab, fault) in box_scripts.DAEMONS
    stop = box_scripts.stopped(fault.daemon) if every_box else lab_product().box.stop
    lab.run(fault.box, "sh", "-c", stop)
    _kill(lab, fault)


def _revive(lab: RunningLab, fault: Fault) -> None:
    every_box = fault.daemon in box_scripts.DAEMONS
    revive = box_scripts.started(fault.daemon) if every_box else lab_product().box.revive
    lab.output(fault.box, "sh", "-c", box_scripts.LOGGED, "sh", revive)


def _die(lab: RunningLab, fault: Fault) -> None:
    """The namespaces stay, held by the first process: ports of neighbours would vanish with them."""
    lab.run(fault.box, "sh", "-c", box_scripts.KILL_ALL)
    _down(lab, fault)
    lab.output(fault.box, "ip", "link", "set", MANAGEMENT, "down")


def _boot(lab: RunningLab, fault: Fault) -> None:
    lab.output(fault.box, "ip", "link", "set", MANAGEMENT, "up")
    _up(lab, fault)
    start = lab_product().box.start if lab.box(fault.box).kind == "switch" else ""
    script = box_scripts.DAEMONS_START + start
    lab.output(fault.box, "sh", "-c", box_scripts.LOGGED, "sh", script)


def _nothing(_lab: RunningLab, _fault: Fault) -> None:
    """Nothing is left to clear."""


ACTIONS: dict[str, Action] = {
    "down": Action(_down, _up),
    "silent": Action(_silence, _speak),
    "swapped": Action(_swap, _swap),
    "moved": Action(_move, _move_back),
    "killed": Action(_kill, _nothing),
    "stopped": Action(_stop, _revive),
    "dead": Action(_die, _boot),
}
