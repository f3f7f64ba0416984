"""Programs of the site that have a say at the gate: they exit with 0 if all is well."""

from __future__ import annotations

import os
import shlex
import shutil
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

import msgspec

from fabric.deployment import codes
from fabric.deployment.refusal_message import refusal
from fabric.deployment.run_program import Ended, NotStarted, Program, run_program

LONGEST_S = 300
"""A program that says nothing for so long has not said that all is well."""
LONGEST_WORDS = 200
OURS = frozenset({"FABRIC_JOURNAL", "FABRIC_SECRET_COMMAND"})
"""Variables that are for this process alone: an address with a password, and how secrets are asked for."""


def environment(hidden: Collection[str]) -> dict[str, str]:
    """That of this process without what holds a secret: a program of the site is not a keeper of passwords."""
    return {name: value for name, value in os.environ.items() if name not in hidden and name not in OURS}


Hide = Callable[[str], str]
"""Takes secrets out of a text."""


class CommandsAsked(msgspec.Struct, frozen=True, kw_only=True):
    """The programs of a site that are asked at a gate, and what they hear."""

    commands: Sequence[str]
    folder: Path
    """Of the site: they run there."""
    about: Mapping[str, str]
    """What the wave is: they find it in `FABRIC_…`."""
    hide: Hide
    """What they print may hold a secret that is in use: whoever asks them has to say how it is hidden."""
    hidden: Collection[str] = ()
    """Environment variables that they do not see."""
    limit_s: float = LONGEST_S
    """All of them have to have ended then."""
    told_every_s: float = 2


ToldOfProgram = Callable[[str, float], None]
"""Told of a program that has not ended yet, and for how long it runs (seconds)."""


def say_nothing(_command: str, _elapsed_s: float) -> None:
    """Tell nobody."""


def check_programs(commands: Sequence[str], folder: Path) -> None:
    """`Refused` if one of the programs is not there, or not executable."""
    for command in commands:
        try:
            word = next(iter(split(command)), "")
        except NotStarted as error:
            raise refusal(codes.NO_PROGRAM, f"`{command}` does not run: {error}") from None
        if shutil.which(str(folder.absolute() / word) if "/" in word else word) is None:
            raise refusal(
                codes.NO_PROGRAM, f"`{command}` does not run: {word!r} is not there or not executable"
            )


def complaints(asked: CommandsAsked, waiting: ToldOfProgram = say_nothing) -> tuple[str, ...]:
    """What the programs object to, one after the other. Each is ended in time for all of them."""
    variables_of_wave = {f"FABRIC_{name.upper()}": value for name, value in asked.about.items()}
    variables = {**environment(asked.hidden), **variables_of_wave}
    until = time.monotonic() + asked.limit_s
    problems: list[str] = []
    for command in asked.commands:
        limit_s = min(LONGEST_S, until - time.monotonic())
        problem = _problem(command, asked, (variables, limit_s), waiting)
        problems += [f"`{command}`: {problem}"] if problem else []
    return tuple(problems)


def _problem(
    command: str, asked: CommandsAsked, given: tuple[dict[str, str], float], waiting: ToldOfProgram
) -> str:
    variables, limit_s = given
    if limit_s <= 0:
        return "there was no time left to ask it"
    try:
        words = split(command)
        program = Program(
            words=words,
            folder=asked.folder,
            environ=variables,
            limit_s=limit_s,
            told_every_s=asked.told_every_s,
        )
        ended = run_program(program, lambda elapsed_s: waiting(command, elapsed_s))
    except NotStarted as error:
        return f"it does not run: {error}"
    return how_it_ended(ended, limit_s, asked.hide)


def split(command: str) -> list[str]:
    """The words of a command. `NotStarted` if a quote is open."""
    try:
        return shlex.split(command)
    except ValueError as error:
        raise NotStarted(str(error)) from None


def how_it_ended(ended: Ended, limit_s: float, hide: Hide) -> str:
    """What is wrong with how a program has ended; empty if it says that all is well."""
    if ended.code is None:
        return f"no answer within {limit_s:.0f} s; it was ended{_printed_words(ended.printed, hide)}"
    if ended.code == 0:
        return ""
    how = f"ended by signal {-ended.code}" if ended.code < 0 else f"exit code {ended.code}"
    return f"{how}{_printed_words(ended.printed, hide)}"


def _printed_words(output: bytes, hide: Hide) -> str:
    words = printable(output, hide)
    return f": {words}" if words else ""


def printable(output: bytes, hide: Hide) -> str:
    """The end of what a program has printed, on one line, without secrets and what a terminal would obey."""
    # Whole first: of a secret that is cut in two nobody would know the rest.
    words = " ".join(hide(output.decode(errors="replace")).split())
    return "".join(letter if letter.isprintable() else "?" for letter in words)[-LONGEST_WORDS:]
