"""The switch itself: processes, files and clocks of its Linux."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from fabric.platforms.sonic.agent.machine import STATE, Done, Refused

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
LOG_BYTES = 200_000
BUSY_S = 0.05
COMMAND_S = 60.0


class Linux:
    """Implements `Machine`."""

    def execute(self, *words: str, stdin: str = "", seconds: float | None = None) -> Done:
        """Its whole group is ended when it takes too long."""
        seconds = COMMAND_S if seconds is None else seconds
        program = shutil.which(words[0], path=PATH)
        if program is None:
            return Done(127, "", f"{words[0]}: command not found")
        with (
            subprocess.Popen(  # noqa: S603  # programs by name, words without a shell
                [program, *words[1:]],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                cwd="/",
                env={"PATH": PATH, "LC_ALL": "C.UTF-8", "TERM": "dumb", "HOME": "/root"},
                start_new_session=True,
            ) as process
        ):
            try:
                out, err = process.communicate(stdin, timeout=seconds)
            except subprocess.TimeoutExpired:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                raise Refused("command", f"{words[0]} does not end within {seconds:.0f} s") from None
            return Done(process.returncode, out, err)

    def read(self, path: str) -> str | None:
        """None for a folder as well."""
        try:
            return Path(path).read_text(encoding="utf-8", errors="replace")
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
            return None

    def write(self, path: str, text: str) -> None:
        """Owner and mode of a file that was there stay."""
        file = Path(path)
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new = file.with_name(f"{file.name}.fabric-new")
        try:
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
                with suppress(FileNotFoundError):
                    known = file.stat()
                    os.fchown(stream.fileno(), known.st_uid, known.st_gid)
                    os.fchmod(stream.fileno(), known.st_mode & 0o777)
                stream.write(text)
                stream.flush()
                os.fsync(stream.fileno())
            new.replace(file)
        except OSError:
            with suppress(OSError):
                new.unlink()
            raise
        _synced(file.parent)

    def rename(self, old: str, new: str) -> None:
        """The name is on the disk when this returns."""
        Path(new).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        Path(old).replace(new)
        _synced(Path(new).parent)

    def remove(self, path: str) -> None:
        """One file."""
        with suppress(FileNotFoundError):
            Path(path).unlink()

    def names(self, folder: str) -> list[str]:
        """Sorted."""
        try:
            return sorted(entry.name for entry in Path(folder).iterdir() if entry.is_file())
        except (FileNotFoundError, NotADirectoryError):
            return []

    def now(self) -> float:
        """By the kernel, sleep included."""
        return time.clock_gettime(time.CLOCK_BOOTTIME)

    def boot(self) -> str:
        """By the kernel."""
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()

    @contextmanager
    def alone(self, seconds: float) -> Iterator[None]:
        """Whoever dies lets go as well."""
        Path(STATE).mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(f"{STATE}/lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _acquire(descriptor, seconds)
            yield
        finally:
            os.close(descriptor)

    def login(self) -> str:
        """Process of the SSH server, and when it began: numbers of processes are used again."""
        process = os.getppid()
        while process > 1:
            fields = _fields(process)
            if not fields:
                return ""
            if fields[0].startswith("sshd"):
                return f"{process} {fields[20]}"
            process = int(fields[2])
        return ""

    def is_there(self, login: str) -> bool:
        """Whether the process is the same."""
        process, _, began = login.partition(" ")
        fields = _fields(int(process))
        return bool(fields) and fields[20] == began

    def note(self, message: str) -> None:
        """A log that cannot be written stops nothing."""
        file = Path(f"{STATE}/log")
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        with suppress(OSError):
            if file.exists() and file.stat().st_size > LOG_BYTES:
                file.replace(f"{STATE}/log.1")
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(descriptor, "a", encoding="utf-8") as log:
                log.write(f"{stamp} {' '.join(message.split())}\n")


def _synced(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _acquire(descriptor: int, seconds: float) -> None:
    end = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end:
                raise Refused("locked", "another process of ours is at work on this switch") from None
            time.sleep(BUSY_S)
        else:
            return


def _fields(process: int) -> list[str]:
    """Name, state, parent and so on, as proc(5) counts them from the second."""
    try:
        text = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    name, _, rest = text.partition("(")[2].rpartition(")")
    return [name, *rest.split()]
