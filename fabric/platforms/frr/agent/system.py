"""Processes, files and clocks of the switch."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

STATE = Path("/var/lib/fabric-frr")
"""Only root may read it: candidates, what waits, what ran before the last commits, and the log."""
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/lib/frr"
LOG_BYTES = 200_000
LOCK_WAIT_S = 15.0
BUSY_S = 0.05
LIMITS = {"command_s": 20.0}
"""Longest time for a program: who asked waits no longer than his own timeout."""


class Refused(Exception):
    """What the one who asked is told: a kind that his side knows, and a text without secrets."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def run(*words: str, seconds: float | None = None, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run a program to its end; its whole group is ended when it takes too long. Never raises for its exit status."""
    seconds = LIMITS["command_s"] if seconds is None else seconds
    with subprocess.Popen(  # noqa: S603  # programs by name, words without a shell
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        cwd="/",
        env={"PATH": PATH, "LC_ALL": "C", "TERM": "dumb"},
        start_new_session=True,
    ) as process:
        try:
            out, err = process.communicate(stdin, timeout=seconds)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            raise Refused("command", f"{words[0]} does not answer within {seconds:.0f} s") from None
        return subprocess.CompletedProcess(words, process.returncode, out, err)


def where(program: str) -> str:
    """Whole path of a program; empty if it is not installed."""
    return shutil.which(program, path=PATH) or ""


def has_systemd() -> bool:
    """Whether systemd runs this machine."""
    return Path("/run/systemd/system").is_dir() and bool(where("systemd-run"))


def boot_id() -> str:
    """Changes with each start of the machine."""
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def now() -> float:
    """Seconds since the machine has started: nobody sets this clock."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def write(path: Path, text: str, mode: int = 0o600, owner: tuple[int, int] | None = None) -> None:
    """A whole file that is on the disk when this returns, or the old one as it was."""
    new = path.with_name(f"{path.name}.fabric-new")
    try:
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "w") as file:
            if owner is not None:
                os.fchown(file.fileno(), *owner)
            os.fchmod(file.fileno(), mode)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError:
        with suppress(OSError):
            new.unlink()
        raise
    synced(path.parent)


def synced(folder: Path) -> None:
    """Names in a folder are on the disk, too."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_json(path: Path, value: object) -> None:
    """`write` of a value."""
    write(path, json.dumps(value, indent=1, sort_keys=True) + "\n")


def read_json(path: Path) -> dict[str, Any]:
    """The value of a file; empty if there is none, or it is not ours."""
    try:
        value = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def new_folder(path: Path) -> Path:
    """An empty folder that only root may read."""
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(mode=0o700, parents=True)
    return path


def note(message: str) -> None:
    """A line of the log. A log that cannot be written stops nothing."""
    file = STATE / "log"
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    with suppress(OSError):
        if file.exists() and file.stat().st_size > LOG_BYTES:
            file.replace(STATE / "log.1")
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "a") as log:
            log.write(f"{stamp} {' '.join(message.split())}\n")


@contextmanager
def alone(seconds: float = LOCK_WAIT_S) -> Iterator[None]:
    """Nobody else of ours reads or changes this switch meanwhile. Names who does, if he takes too long."""
    STATE.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(STATE / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _acquire(descriptor, seconds)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        yield
    finally:
        os.close(descriptor)  # whoever dies lets go as well


def _acquire(descriptor: int, seconds: float) -> None:
    end = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end:
                waits = read_json(STATE / "pending" / "meta.json")
                change = f": change {waits['change']} of {waits['owner']}" if waits else ""
                raise Refused(
                    "locked", f"another process of ours is at work on this switch{change}"
                ) from None
            time.sleep(BUSY_S)
        else:
            return


def holder() -> int | None:
    """Process that works on the switch, as it has written down itself; None if that is not ours."""
    try:
        pid = int((STATE / "lock").read_text())
        words = Path(f"/proc/{pid}/cmdline").read_bytes()
    except (OSError, ValueError):
        return None
    return pid if b"fabric-frr" in words else None


def ended(process: int) -> None:
    """End a process at once."""
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def first_line(texts: Sequence[str]) -> str:
    """The first line that says something."""
    lines = [line.strip() for text in texts for line in text.splitlines() if line.strip()]
    return lines[0] if lines else ""
