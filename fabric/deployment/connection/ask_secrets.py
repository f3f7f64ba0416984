"""Secrets that others keep: a program of the operator's (`pass`, `vault`, `sops`), and the keyring.

The site names a secret (`cmd:bgp/leaves`), and never the program: that stands in the environment of whoever runs this.
So neither an intent nor an inventory from somebody else decides what is started here.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock

from fabric.deployment.run_program import NotStarted, Program, run_program
from fabric.diagnostics import with_extra

COMMAND_VARIABLE = "FABRIC_SECRET_COMMAND"
"""Environment variable with the program that prints a secret. `{}` stands for the name; else it is the last word."""
SERVICE = "fabric"
"""Under which the keyring has our secrets: a site can name none that was put there for another program."""
PATIENCE_S = 60
"""For one secret: a person may have to touch a key."""
TOLD_EVERY_S = 2.0
"""Between two words about a program that has not answered yet."""
NO_KEYRING = f"the package `keyring` is not installed: {with_extra('keyring')}"


class Unanswered(Exception):  # becomes a diagnostic
    """There is no value; the text says why, and holds nothing that a program or a keyring has said."""


class Answers:
    """What was asked before in this process, in memory: nobody is asked twice, and each waits for the one before."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"Answers({len(self._known)})"

    def __reduce__(self) -> tuple[type[Answers], tuple[()]]:
        return Answers, ()  # another process asks for itself

    def of(self, reference: str, ask: Callable[[], str]) -> str:
        """The value, asked for once. `Unanswered` is not kept."""
        with self._lock:
            if reference not in self._known:
                self._known[reference] = ask()
            return self._known[reference]


def say_nothing(_program: str, _elapsed_s: float) -> None:
    """Tell nobody."""


def ask_command(
    name: str,
    environ: Mapping[str, str],
    folder: Path,
    longest_bytes: int,
    waiting: Callable[[str, float], None] = say_nothing,
) -> bytes:
    """What the operator's program prints for a name. `Unanswered` if there is none, or it fails.

    `waiting` hears which program takes long, and for how long it runs (seconds), once in `TOLD_EVERY_S`.
    It runs without a shell, in the site's folder, where a relative path of it starts too. What it says on its standard
    error is thrown away: it may hold the secret.
    """
    words = _words(name, environ.get(COMMAND_VARIABLE, ""))
    place = f"{COMMAND_VARIABLE}: {words[0]}"
    program = Program(
        words=words,
        folder=folder,
        limit_s=PATIENCE_S,
        hears_errors=False,
        longest_bytes=longest_bytes,
        told_every_s=TOLD_EVERY_S,
    )
    try:
        ended = run_program(program, lambda elapsed_s: waiting(words[0], elapsed_s))
    except NotStarted as error:
        raise Unanswered(f"{place} does not run: {error}") from None
    if len(ended.printed) > longest_bytes:
        raise Unanswered(f"{place} prints more than {longest_bytes:,} bytes")
    if ended.code is None:
        raise Unanswered(f"{place} did not end within {PATIENCE_S} s")
    if ended.code:
        how = f"was ended by signal {-ended.code}" if ended.code < 0 else f"exited with {ended.code}"
        raise Unanswered(f"{place} {how}; what it says may hold the secret and is not shown")
    return ended.printed


def _words(name: str, command: str) -> list[str]:
    if not command:
        raise Unanswered(f"the environment variable {COMMAND_VARIABLE} is not set")
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise Unanswered(f"{COMMAND_VARIABLE} cannot be split into words: {error}") from None
    if not words:
        raise Unanswered(f"the environment variable {COMMAND_VARIABLE} is blank")
    if any("{}" in word for word in words[1:]):
        return [words[0], *(word.replace("{}", name) for word in words[1:])]
    return [*words, name]


def ask_keyring(name: str) -> str:
    """What the keyring has for a name under our service. `Unanswered` if there is no keyring, or no such entry."""
    try:
        import keyring  # an extra, and slow
    except ImportError:
        raise Unanswered(NO_KEYRING) from None
    why = ""
    try:
        value = keyring.get_password(SERVICE, name)
    except Exception as error:  # noqa: BLE001  # backends raise what their libraries raise; it may quote what they got
        value, why = None, type(error).__name__
    if why:  # outside of `except`, so that the backend's exception is not chained
        what = "there is no backend for it" if why == "NoKeyringError" else f"it failed ({why})"
        raise Unanswered(f"the keyring cannot be asked: {what}; `keyring diagnose` says more")
    if value is None:
        raise Unanswered(f"the keyring has no entry {name}: `keyring set {SERVICE} {name}` makes it")
    return str(value)
