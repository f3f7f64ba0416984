"""What a switch needs and NX-OS does not support, beyond what its capabilities tell: place, feature and fix."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import Switch
from fabric.diagnostics import Diagnostic, Origin, Report
from fabric.platforms.needs.table import unsupported
from fabric.platforms.nxos.names import BREAKOUTS, breakout
from fabric.platforms.port_places import speed_place

TITLE = "Cisco NX-OS"


def refuse(switch: Switch, report: Report) -> None:
    """One finding for each thing that is needed and cannot be said."""
    report.extend(_balancing(switch))
    report.extend(_slow_cages(switch))
    report.extend(_breakouts(switch))


def _balancing(switch: Switch) -> Iterator[Diagnostic]:
    others = sorted({port.peer for port in switch.ports if port.peer_platform not in ("", switch.platform)})
    if switch.routing.load_balancing != "ecmp" and others:
        yield unsupported(
            switch,
            TITLE,
            Origin(("networks", switch.network, "routing", "load_balancing")),
            f"a port of DLB sends to a MAC address that {others[0]}, of another product, does not own",
            "use `load_balancing: ecmp`, or one product in all tiers of the network",
            about="another product",
        )


def _slow_cages(switch: Switch) -> Iterator[Diagnostic]:
    fastest = max((group.max_mbps for group in switch.hardware.cages), default=0)
    for port in switch.ports:
        slot = port.slot
        if slot.sub_ports == 1 and slot.cage_lanes > 1 and slot.speed_mbps < fastest:
            yield unsupported(
                switch,
                TITLE,
                speed_place(switch, port),
                f"no source shows `speed` for a whole cage at {slot.speed_mbps // 1000}G (cage {slot.cage})",
                "use the cage at its full speed, or split it",
                about="a whole cage",
            )
            return


def _breakouts(switch: Switch) -> Iterator[Diagnostic]:
    split = {breakout(port.slot): port for port in switch.ports if port.slot.sub_ports != 1}
    for word in sorted(split.keys() - BREAKOUTS):
        yield unsupported(
            switch,
            TITLE,
            speed_place(switch, split[word]),
            f"no source shows a breakout map {word or 'for this speed'!r}",
            f"use one of {', '.join(sorted(BREAKOUTS))}",
            value=word,
            about=word,
        )
