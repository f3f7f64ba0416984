"""Whom a rollback cuts off: judged on what the devices will run again, which no intent describes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from fabric.devices.model import Device, LinkRole
from fabric.planning.impact import Paths, used_ports
from fabric.planning.ways import End, Ways, is_out
from fabric.platforms.base import Facts


class Step(msgspec.Struct, frozen=True):
    """What a rollback does to a device."""

    before: Facts
    after: Facts
    is_drained: bool
    """Afterwards."""


def brought_back(switches: Mapping[str, Device], steps: Mapping[str, Step]) -> dict[str, Device]:
    """The switches that the site has out of service now, and that carry traffic after a rollback, as they are then."""
    return {
        name: msgspec.structs.replace(switches[name], drained=False)
        for name, step in steps.items()
        if switches[name].drained and not step.is_drained and not is_out(step.after)
    }


def cut_off_by(switches: Mapping[str, Device], steps: Mapping[str, Step]) -> dict[str, str]:
    """The devices that will carry less than now, where nobody else carries it then either; each with what is lost.

    `switches` are those of the site as it is now, `steps` those that the rollback changes.
    """
    later = {name: _later(switches[name], step) for name, step in steps.items()}
    less = [name for name, device in sorted(later.items()) if device != switches[name]]
    if not less:
        return {}
    paths = Paths.of({**switches, **later})
    above = [name for name in less if switches[name].role != "leaf"]
    parted = _parted(switches, later, above)
    found = [(name, _lost(switches[name], later[name], paths)) for name in less if name not in above]
    found += [(name, parted) for name in above]
    return {name: f"{_how(later[name], steps[name])}, it cuts off {what}" for name, what in found if what}


def _how(later: Device, step: Step) -> str:
    return "drained again" if step.is_drained else "out of service again" if later.drained else "taken back"


def _later(switch: Device, step: Step) -> Device:
    """A device after the rollback: drained if it has no session left, and without the ports that it gives up."""
    loses_all = bool(step.before.neighbors) and not is_out(step.before) and not _has_sessions(step.after)
    kept, used = used_ports(switch, step.after), used_ports(switch, step.before)
    ports = tuple(
        port if port.name in kept or port.name not in used else msgspec.structs.replace(port, enabled=False)
        for port in switch.ports
    )
    drained = switch.drained or step.is_drained or loses_all
    return msgspec.structs.replace(switch, drained=drained, ports=ports)


def _has_sessions(facts: Facts) -> bool:
    return bool(facts.neighbors) and not is_out(facts)


def _lost(switch: Device, later: Device, paths: Paths) -> str:
    """Who is reached over no leaf any more; empty: nobody."""
    if later.drained and switch.drained:
        return ""
    hosts = ((switch.network, p.peer, p.rail) for p in switch.ports if p.role is LinkRole.HOST and p.enabled)
    return next((f"{rail[1]} in {rail[0]}" for rail in sorted(hosts) if rail not in paths.rails), "")


def _parted(switches: Mapping[str, Device], later: Mapping[str, Device], names: Sequence[str]) -> str:
    """Whom switches above the leaves part together by what they carry no more; empty: nobody."""
    if not names:
        return ""
    ways = Ways.of(switches)
    gone = [end for name in names for end in _ends_that_go(switches[name], later[name], ways)]
    parted = ways.parted(gone)
    return f"{parted.leaf} from {parted.other}{parted.more}" if parted else ""


def _ends_that_go(switch: Device, later: Device, ways: Ways) -> Iterator[End]:
    is_gone = later.drained and not switch.drained
    open_ports = {port.name for port in later.ports if port.enabled}
    yield from (end for end in ways.ends([switch.name]) if is_gone or end[1] not in open_ports)
