"""Secrets that others keep: a program of the operator's (`pass`, `vault`, `sops`), and the keyring.

The site names a secret (`cmd:bgp/leaves`), and never the program: that stands in the environment of whoever runs this.
So neither an intent nor an inventory from somebody else decides what is started here.
"""

from __future__ import annotations

import os
import select
import shlex
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import IO

COMMAND_VARIABLE = "FABRIC_SECRET_COMMAND"
"""Environment variable with the program that prints a secret. `{}` stands for the name; else it is the last word."""
SERVICE = "fabric"
"""Under which the keyring has our secrets: a site can name none that was put there for another program."""
PATIENCE_S = 60
"""For one secret: a person may have to touch a key."""
NO_KEYRING = "the package `keyring` is not installed: `pip install 'fabric-as-code[keyring]'`"


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


def ask_command(name: str, environ: Mapping[str, str], folder: Path, longest_bytes: int) -> bytes:
    """What the operator's program prints for a name. `Unanswered` if there is none, or it fails.

    It runs without a shell, in the site's folder, where a relative path of it starts too. What it says on its standard
    error is thrown away: it may hold the secret.
    """
    words = _words(name, environ.get(COMMAND_VARIABLE, ""))
    program = words[0]
    try:
        process = subprocess.Popen(  # noqa: S603  # the operator's own program
            words,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is not the name of a program"
        raise Unanswered(f"{COMMAND_VARIABLE}: {program} does not run: {why}") from None
    code: int | None = None
    with process:
        assert process.stdout is not None  # noqa: S101  # it is a pipe
        try:
            printed = _printed(process.stdout, longest_bytes, time.monotonic() + PATIENCE_S)
            if printed is not None and len(printed) > longest_bytes:
                raise Unanswered(f"{COMMAND_VARIABLE}: {program} prints more than {longest_bytes:,} bytes")
            code = process.wait(PATIENCE_S) if printed is not None else None
        except subprocess.TimeoutExpired:
            pass
        finally:
            if code is None:  # once it was waited for, its number may be another's
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
    if printed is None or code is None:
        raise Unanswered(f"{COMMAND_VARIABLE}: {program} did not end within {PATIENCE_S} s")
    if code:
        how = f"was ended by signal {-code}" if code < 0 else f"exited with {code}"
        raise Unanswered(
            f"{COMMAND_VARIABLE}: {program} {how}; what it says may hold the secret and is not shown"
        )
    return printed


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


def _printed(stream: IO[bytes], longest_bytes: int, end: float) -> bytes | None:
    """Everything, or one byte more than the limit; None if time runs out."""
    printed = bytearray()
    while len(printed) <= longest_bytes:
        left = end - time.monotonic()
        if left <= 0 or not select.select([stream], [], [], left)[0]:
            return None
        some = os.read(stream.fileno(), longest_bytes + 1 - len(printed))
        if not some:
            break
        printed += some
    return bytes(printed)


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
