"""What is asked of others before hosts lose a path, and after: a program of the site, as one that drains them in Slurm.

It gets what is about to happen as JSON on its standard input, and runs without a shell: no name of a device or host
ever becomes part of a command line.
"""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from fabric.deployment.gates.site_commands import environment, printable
from fabric.planning.model import Impact

Hosts = Callable[[Iterable[str]], tuple[str, ...]]
"""The hosts that are reached over some devices."""


def no_hosts(_devices: Iterable[str]) -> tuple[str, ...]:
    """Nobody knows."""
    return ()


class Cordon(msgspec.Struct, frozen=True, kw_only=True):
    """The site's programs around each wave that isolates a host."""

    before: str | None = None
    after: str | None = None
    """Run as soon as `before` was begun, however the wave ended."""
    timeout_s: float = 3600
    hosts: Hosts = no_hosts
    hidden: frozenset[str] = frozenset()
    """Environment variables that hold secrets: the programs do not see them."""

    def concerns(self, impact: Impact) -> bool:
        """Whether a wave of that impact is told of."""
        return bool(self.before or self.after) and impact.rank >= Impact.ISOLATING.rank

    def run(self, command: str | None, folder: Path, wave: dict[str, object], devices: Iterable[str]) -> str:
        """Run a program; empty if it exits with 0, else what is wrong."""
        if command is None:
            return ""
        names = tuple(devices)
        about = {**wave, "devices": names, "hosts": self.hosts(names)}
        try:
            done = subprocess.run(  # noqa: S603  # the site's own program, written in its intent
                shlex.split(command),
                cwd=folder,
                env=environment(self.hidden),
                input=json.dumps(about).encode(),
                capture_output=True,
                timeout=self.timeout_s,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"`{command}`: no answer within {self.timeout_s:.0f} s"
        except (OSError, ValueError) as error:
            return f"`{command}`: it does not run: {error}"
        if done.returncode == 0:
            return ""
        return f"`{command}`: exit code {done.returncode}: {printable(done.stdout + done.stderr)}"
