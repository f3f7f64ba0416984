"""What the starter of a lab and the process that holds it say to each other, and how both reach a box."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from fabric.lab.model import Blueprint, Cable
from fabric.lab.state import BoxState

KEEP = b"keep\n"
"""Go on without the starter."""


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """What a lab shall be."""

    blueprint: Blueprint
    authorized_key: str


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What became of it."""

    pid: int = 0
    """The supervisor's own, as this machine counts."""
    boxes: dict[str, BoxState] = {}
    failed: str = ""
    hint: str | None = None


def cable_line(cable: Cable, pids: Mapping[str, int]) -> str:
    """A line of `ip` that plugs a cable: both ends are made where they belong."""
    a, b = namespace(pids[cable.a]), namespace(pids[cable.b])
    return f"link add {cable.a_port} netns {a} type veth peer name {cable.b_port} netns {b}"


def namespace(pid: int) -> str:
    """The network namespace of a process, as `ip` takes it. A bare number would be counted as inside the lab."""
    return f"/proc/{pid}/ns/net"


def enter(pid: int) -> tuple[str, ...]:
    """Words before a command that runs it in the box of that first process."""
    return ("nsenter", f"--target={pid}", "--net", "--mount", "--uts", "--ipc", "--pid", "--root", "--wd")
