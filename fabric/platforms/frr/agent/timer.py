"""The timer that takes a change back: a transient timer of systemd, or a process of its own where there is none.

It is armed before the first line is changed and survives the loss of SSH. After a restart of the switch nothing is to
be taken back: see the package.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fabric.platforms.frr.agent.system import (
    Refused,
    alone,
    ended,
    has_systemd,
    holder,
    now,
    run,
    where,
    write,
)

NAME = "fabric-frr"
"""In the command line of each process of ours."""
LOOK_S = 0.25
PATIENCE_S = 20.0
"""So long somebody else may be at work on the switch when the time is over; then he hangs, and is ended."""


def interpreter() -> list[str]:
    """Python without the settings of whoever logs in."""
    return [where("python3") or sys.executable, "-I", "-X", "utf8"]


def armed(folder: Path, program: str, token: str, deadline: float) -> dict[str, Any]:
    """Start the timer of a change; what `is_alive` and `disarmed` need to know of it."""
    file = folder / "agent.py"
    write(file, program)
    left = max(0.0, deadline - now())
    words = [*interpreter(), str(file), NAME, "timer", token, repr(deadline)]
    if has_systemd():
        unit = f"{NAME}-{token}"
        options = [f"--unit={unit}", f"--on-active={left:.1f}s", "--timer-property=AccuracySec=100ms"]
        done = run("systemd-run", *options, "--collect", *words)
        if done.returncode:
            raise Refused("commit", f"systemd-run: {done.stderr.strip()}")
        return {"unit": unit}
    null = subprocess.DEVNULL
    process = subprocess.Popen(  # noqa: S603  # ourselves
        words, stdin=null, stdout=null, stderr=null, cwd="/", start_new_session=True
    )
    return {"process": process.pid}


def is_alive(timer: dict[str, Any]) -> bool:
    """Whether it runs."""
    if unit := timer.get("unit"):
        return run("systemctl", "is-active", "--quiet", f"{unit}.timer", f"{unit}.service").returncode == 0
    try:
        words = Path(f"/proc/{timer['process']}/cmdline").read_bytes().split(b"\0")
    except (OSError, KeyError):
        return False
    return NAME.encode() in words and b"timer" in words


def disarmed(timer: dict[str, Any]) -> None:
    """End it. One that has begun finds that nothing waits any more, and ends by itself."""
    if unit := timer.get("unit"):
        run("systemctl", "stop", f"{unit}.timer")
    elif is_alive(timer):
        ended(timer["process"])


def fire(deadline: float, waits: Callable[[], bool], take_back: Callable[[], None]) -> None:
    """What the timer's process does: wait, and take the change back unless it was confirmed meanwhile."""
    while now() < deadline:
        if not waits():
            return
        time.sleep(min(LOOK_S, max(0.0, deadline - now())))
    try:
        with alone(PATIENCE_S):
            take_back()
    except Refused:
        if (process := holder()) is not None:
            ended(process)
        with alone(PATIENCE_S):
            take_back()
