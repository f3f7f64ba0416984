"""`fabric sandbox status`: whether a sandbox runs, and which faults are set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fabric import sandbox
from fabric.cli.command_classes import command
from fabric.cli.common_options import current
from fabric.cli.open_sandbox import folder_of_sandbox
from fabric.cli.printing.command_output import Output
from fabric.cli.run import ERROR, OK
from fabric.tables.table import DEVICES, Column, Row, Table
from fabric.units import counted


@command(
    "status",
    examples=("fabric sandbox status", "fabric sandbox status --format csv"),
    formats=("text", "json", "csv"),
)
def run() -> int:
    """Show whether a sandbox runs, and which faults are set.

    The exit code is 0 if one runs and 1 if none does.
    """
    output = Output()
    state = sandbox.status(folder_of_sandbox(current().site))
    head = {"running": state is not None, "pid": state.state.pid if state else None}
    output.tables([_table(state)] if state else [], head)
    if state is None:
        output.summary("no sandbox is running")
        output.next("Run `fabric sandbox up` to start one.")
        return ERROR
    memory = state.memory_bytes // 2**20
    count = counted(len(state.state.targets), DEVICES)
    output.summary(f"{count} in process {state.state.pid}, {memory:,} MiB, {len(state.faults):,} with faults")
    return OK


def _table(status: sandbox.Status) -> Table:
    def rows() -> Iterator[Row]:
        for name, place in status.state.targets.items():
            faults = status.faults.get(name, {})
            yield name, place.address, place.port, tuple(_in_words(faults))

    columns = (
        Column(key="device", heading="DEVICE", style=lambda _v: "bold"),
        Column(key="address", heading="ADDRESS"),
        Column(key="port", heading="PORT", right=True),
        Column(key="faults", heading="FAULTS", style=lambda _v: "yellow"),
    )
    return Table(name="devices", columns=columns, rows=rows, noun=DEVICES)


def _in_words(faults: Mapping[str, Any], of: str = "") -> Iterator[str]:
    """Each fault as it is set; behind the port that it is of, where it is that of one."""
    for key, value in faults.items():
        if isinstance(value, Mapping):
            yield from _in_words(value, f"{of}{key} ")
        else:
            yield f"{of}{key}={value}"
