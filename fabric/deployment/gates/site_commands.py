"""Programs of the site that have a say at the gate: they exit with 0 if all is well."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Collection, Iterable
from pathlib import Path

LONGEST_S = 300
"""A program that says nothing for so long has not said that all is well."""
LONGEST_WORDS = 200


OURS = frozenset({"FABRIC_JOURNAL", "FABRIC_SECRET_COMMAND"})
"""Variables that are for this process alone: an address with a password, and how secrets are asked for."""


def environment(hidden: Collection[str]) -> dict[str, str]:
    """That of this process without what holds a secret: a program of the site is no keeper of passwords."""
    return {name: value for name, value in os.environ.items() if name not in hidden and name not in OURS}


def complaints(
    commands: Iterable[str], folder: Path, about: dict[str, str], hidden: Collection[str] = ()
) -> tuple[str, ...]:
    """What the programs object to. Each runs in the site's folder, and hears what the wave is in `FABRIC_…`.

    They do not see the environment variables that are `hidden`.
    """
    variables = {**environment(hidden), **{f"FABRIC_{name.upper()}": value for name, value in about.items()}}
    problems = ((command, _problem(command, folder, variables)) for command in commands)
    return tuple(f"`{command}`: {problem}" for command, problem in problems if problem)


def _problem(command: str, folder: Path, environment: dict[str, str]) -> str:
    try:
        done = subprocess.run(  # noqa: S603  # the site's own program, written in its intent
            shlex.split(command),
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=LONGEST_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"no answer within {LONGEST_S} s"
    except (OSError, ValueError) as error:
        return f"it does not run: {error}"
    if done.returncode == 0:
        return ""
    return f"exit code {done.returncode}: {printable(done.stdout + done.stderr)}"


def printable(output: bytes) -> str:
    """The end of what a program has printed, on one line and without what a terminal would obey."""
    words = " ".join(output.decode(errors="replace").split())
    return "".join(letter if letter.isprintable() else "?" for letter in words)[-LONGEST_WORDS:]
