"""From arguments to exit code: nothing that goes wrong reaches the user as a traceback."""

from __future__ import annotations

import gc
import io
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TextIO

import click
from click.shell_completion import shell_complete

from fabric.cli.common_options import META, Settings

OK, ERROR, CHANGES, FIRST_SIGNAL, BROKEN_PIPE = 0, 1, 2, 128, 141

COMPLETE = "_FABRIC_COMPLETE"
"""Set by the shell's completion script, which `fabric completion` prints."""

FEWER_COLLECTIONS = 20_000
"""New objects before garbage is looked for, by itself 700. What is made of a switch has few cycles: looking for them so
often took 8 % of the time of `compile`."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line `arguments` (default: those of the process) and return the exit code."""
    from fabric.cli.app import fabric

    _fill_closed_streams()
    _hear_of_children()
    gc.set_threshold(FEWER_COLLECTIONS, 10, 10)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without the letter shows a question mark
    seen: dict[str, object] = {}
    try:
        if instruction := os.environ.get(COMPLETE):
            return shell_complete(fabric, {}, "fabric", COMPLETE, instruction)
        with fabric.make_context("fabric", list(sys.argv[1:] if arguments is None else arguments)) as context:
            seen = context.meta.setdefault(META, {})
            code = fabric.invoke(context)
            sys.stdout.flush()
            return code if isinstance(code, int) else OK
    except BrokenPipeError:
        return _broken_pipe()
    except (KeyboardInterrupt, EOFError, click.Abort) as error:
        return _interrupted(error)
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except BaseException as error:  # noqa: BLE001  # the last net: whatever it is becomes one line
        from fabric.cli.failure_messages import report

        code = report(error, Settings(**seen))  # type: ignore[arg-type]  # written by our own options
        try:
            sys.stdout.flush()
        except OSError:  # that was it: a full disk, and it has been told
            _write_no_more(sys.stdout)
        return code


def _hear_of_children() -> None:
    """How a program of the site ends is known. Whoever ignores SIGCHLD passes that on, and then the system forgets."""
    if signal.getsignal(signal.SIGCHLD) == signal.SIG_IGN:
        with suppress(ValueError):  # of another thread's: it is that of its process
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def _fill_closed_streams() -> None:
    """A stream that whoever starts us has closed (`<&-`, a daemon) leads nowhere from here on.

    Its number would be that of the next file which is opened: the journal, into which messages would be written.
    """
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is not None:
            continue
        try:
            os.fstat(number)
        except OSError:
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
        setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  # as long as we run


def _interrupted(error: BaseException) -> int:
    """As a shell says it: 128 and the signal's number, whose name comes with it if it was none of the keyboard's."""
    number = getattr(error, "number", signal.SIGINT)
    name = "" if number == signal.SIGINT else f" by {signal.Signals(number).name}"
    try:
        sys.stdout.flush()
        sys.stderr.write(f"\ninterrupted{name}\n")
        sys.stderr.flush()
    except OSError:  # the terminal has gone
        _write_no_more(sys.stdout, sys.stderr)
    return FIRST_SIGNAL + int(number)


def _broken_pipe() -> int:
    """The reader has gone (`| head`): leave quietly."""
    _write_no_more(sys.stdout)
    return BROKEN_PIPE


def _write_no_more(*streams: TextIO) -> None:
    """Nothing more goes to these streams, at the interpreter's end neither: it would end with 120 there."""
    for stream in streams:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
