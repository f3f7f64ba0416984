"""`fabric lab status`: boxes, daemons, sessions and faults."""

from __future__ import annotations

from collections.abc import Iterator

import click

from fabric.cli.command_classes import command
from fabric.cli.common_options import current
from fabric.cli.open_lab import folder_of_lab
from fabric.cli.printing.command_output import Output
from fabric.cli.run import ERROR, OK
from fabric.diagnostics import Refused
from fabric.lab import Fault, RunningLab
from fabric.lab.model import Cable
from fabric.lab.status import BoxStatus, lab_memory_bytes, status
from fabric.tables.table import CABLES, FAULTS, Column, Row, Table
from fabric.units import counted

BOXES = ("box", "boxes")
MIB = 2**20


@command(
    "status",
    examples=("fabric lab status", "fabric lab status --format json"),
    formats=("text", "json", "csv"),
)
@click.option("--cables", is_flag=True, help="Show the cables instead, as they are plugged now.")
def run(*, cables: bool) -> int:
    """Show boxes, daemons, sessions and faults.

    The exit code is 0 if a lab runs and 1 if none does.
    """
    output, folder = Output(), folder_of_lab(current().site)
    try:
        lab = RunningLab(folder)
    except Refused:
        output.tables([], {"running": False})
        output.summary("no lab is running")
        output.next("Run `fabric lab up` to start one.")
        return ERROR
    state = lab.state
    head = {
        "running": True,
        "pid": state.process.pid,
        "cables": len(state.cables),
        "key": str(folder / "id_ed25519"),
    }
    if cables:
        output.tables([_cable_table(state.cables)], head)
        return OK
    boxes = status(lab)
    output.tables([_table(boxes, state.faults)], head)
    up, total = sum(box.sessions_up for box in boxes), sum(len(box.sessions) for box in boxes)
    memory = lab_memory_bytes(lab) // MIB
    output.summary(
        f"{counted(len(boxes), BOXES)}, {counted(len(state.cables), CABLES)}, {up:,} of {total:,} ends of sessions up, "
        f"{counted(len(state.faults), FAULTS)}, {memory:,} MiB (process {state.process.pid})"
    )
    return OK


def _table(boxes: tuple[BoxStatus, ...], faults: tuple[Fault, ...]) -> Table:
    def rows() -> Iterator[Row]:
        for box in boxes:
            sessions = f"{box.sessions_up}/{len(box.sessions)}" if box.sessions else ""
            own = tuple(_words(fault) for fault in faults if fault.box == box.name)
            yield box.name, box.kind, box.address, box.pid, box.daemons, sessions, own

    columns = (
        Column(key="box", heading="BOX", style=lambda _v: "bold"),
        Column(key="kind", heading="KIND"),
        Column(key="address", heading="ADDRESS"),
        Column(key="pid", heading="PROCESS", right=True),
        Column(key="daemons", heading="DAEMONS"),
        Column(key="sessions", heading="SESSIONS", right=True),
        Column(key="faults", heading="FAULTS", style=lambda _v: "yellow"),
    )
    return Table(name="boxes", columns=columns, rows=rows, noun=BOXES)


def _cable_table(cables: tuple[Cable, ...]) -> Table:
    def rows() -> Iterator[Row]:
        return ((cable.a, cable.a_port, cable.b, cable.b_port) for cable in cables)

    columns = (
        Column(key="a", heading="BOX", style=lambda _v: "bold"),
        Column(key="a_port", heading="PORT"),
        Column(key="b", heading="BOX", style=lambda _v: "bold"),
        Column(key="b_port", heading="PORT"),
    )
    return Table(name="cables", columns=columns, rows=rows, noun=("cable", "cables"))


def _words(fault: Fault) -> str:
    where = f"{fault.other_box}:{fault.other_port}" if fault.other_box else fault.daemon
    return " ".join(word for word in (fault.kind, fault.port, where) if word)
