"""The emulated switch as the programs on it see it: what our driver's own program asks for."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from fabric.platforms.sonic.agent.machine import Done
from fabric.platforms.sonic.emulator.shell import Shell
from fabric.platforms.sonic.emulator.switch import SonicSwitch


class EmulatedMachine:
    """Implements `Machine` over the files and commands of an emulated switch."""

    def __init__(self, switch: SonicSwitch, shell: Shell) -> None:
        self._switch, self._shell = switch, shell

    def execute(self, *words: str, stdin: str = "", seconds: float | None = None) -> Done:  # noqa: ARG002  # it answers at once
        """As root."""
        return self._shell.run(list(words), stdin)

    def read(self, path: str) -> str | None:
        """Of its disk."""
        return self._switch.disk.get(path)

    def write(self, path: str, text: str) -> None:
        """`OSError` while the disk is full."""
        if self._switch.faults.disk_full:
            raise OSError(errno.ENOSPC, "No space left on device", path)
        self._switch.disk[path] = text

    def rename(self, old: str, new: str) -> None:
        """As on a disk."""
        self._switch.disk[new] = self._switch.disk.pop(old)

    def remove(self, path: str) -> None:
        """As on a disk."""
        self._switch.disk.pop(path, None)

    def names(self, folder: str) -> list[str]:
        """Of its files."""
        start = f"{folder}/"
        below = (path.removeprefix(start) for path in self._switch.disk if path.startswith(start))
        return sorted(name for name in below if "/" not in name)

    def now(self) -> float:
        """Since it was switched on. Nobody sets this clock."""
        return self._switch.uptime_s

    def boot(self) -> str:
        """Counted."""
        return f"{self._switch.serial}-{self._switch.boots}"

    @contextmanager
    def alone(self, seconds: float) -> Iterator[None]:  # noqa: ARG002  # one request at a time is answered
        """Nobody else is at work."""
        yield

    def login(self) -> str:
        """No lease ends early."""
        return ""

    def is_there(self, login: str) -> bool:  # noqa: ARG002  # there is none
        """None."""
        return False

    def note(self, message: str) -> None:
        """Kept for who looks."""
        self._switch.log.append(message)
