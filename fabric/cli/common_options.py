"""What the common options say, wherever on the line they stand: `fabric -v plan` and `fabric plan -v`."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import click

from fabric.file_access import denied
from fabric.units import Duration

META = "fabric.cli.common_options"
MOST_JOBS = 1024
"""Of `--jobs`: each takes a process, or a thread and a few open files."""


@dataclass(frozen=True)
class Settings:
    """The common options of one run."""

    format: str = "text"
    quiet: bool = False
    verbose: int = 0
    color: bool | None = None
    """True: always, False: never, None: where the stream is a terminal."""
    columns: tuple[str, ...] = ()
    """Keys of the columns that tables are to have; none: all."""
    has_tables: bool = False
    """Whether this run has printed tables."""
    site: Path = Path()
    debug: bool = False
    stand_ins: str = ""
    """`sandbox` or `lab`: the devices that this run talks to; empty: the real ones."""
    executor: str = ""
    """URL of the scheduler whose workers talk to them."""

    def colored(self, stream: TextIO) -> bool:
        """Whether text to `stream` is in colour: `--no-color`, then NO_COLOR, FORCE_COLOR, CI, then the terminal."""
        if self.color is not None:
            return self.color
        if os.environ.get("NO_COLOR"):
            return False
        if os.environ.get("FORCE_COLOR"):
            return True
        return interactive(stream)


def interactive(stream: TextIO) -> bool:
    """Whether somebody sits in front of `stream`. A CI runner is nobody, even with a pseudo terminal."""
    return stream.isatty() and not os.environ.get("CI") and os.environ.get("TERM") != "dumb"


def terminal_width(stream: TextIO) -> int | None:
    """Columns of the terminal behind `stream`; None if there is none."""
    return shutil.get_terminal_size().columns if interactive(stream) else None


def current() -> Settings:
    """The settings of the command that runs."""
    context = click.get_current_context(silent=True)
    return Settings(**(context.meta.get(META, {}) if context else {}))


def remember(**chosen: Any) -> None:
    """Keep what a command's own arguments say of the session: its site, the devices that it talks to."""
    click.get_current_context().meta.setdefault(META, {}).update(chosen)


def _store(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    source = context.get_parameter_source(parameter.name or "")
    chosen = context.meta.setdefault(META, {})
    if source is click.core.ParameterSource.DEFAULT_MAP:  # a file: what stood before the command wins
        chosen.setdefault(parameter.name, value)
    elif source is not click.core.ParameterSource.DEFAULT:
        chosen[parameter.name] = value


def _no_color(context: click.Context, _parameter: click.Parameter, value: object) -> None:
    if value:
        context.meta.setdefault(META, {})["color"] = False


def columns_option() -> click.Option:
    """`--columns`, of the commands that print tables."""
    return click.Option(
        ["--columns"],
        metavar="A,B,...",
        expose_value=False,
        callback=_columns,
        help="Only these columns of tables, in this order: keys as json and csv have them.",
    )


def _columns(_context: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    if value is not None:
        keys = tuple(dict.fromkeys(key.strip() for key in value.split(",")))
        remember(columns=keys)


class ExistingPath(click.Path):
    """A file or folder that is there. One that another user keeps to himself is not called missing."""

    def __init__(self, *, file_okay: bool = True, dir_okay: bool = True, path_type: type[Any] = str) -> None:
        super().__init__(exists=True, file_okay=file_okay, dir_okay=dir_okay, path_type=path_type)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        """The path. `click.BadParameter` with what is wrong with it."""
        try:
            os.stat(value)  # noqa: PTH116  # as click has it
        except PermissionError:
            known = denied(Path(os.fsdecode(value)))
            self.fail(f"{value}: permission denied{f': {known.reason}' if known else ''}", param, ctx)
        except OSError:
            pass  # told below
        return super().convert(value, param, ctx)


def common_options(formats: Iterable[str]) -> list[click.Option]:
    """Fresh copies of the options that every command has."""
    shared: dict[str, Any] = {"expose_value": False, "callback": _store}
    folder = ExistingPath(file_okay=False, path_type=Path)
    return [
        click.Option(
            ["-C", "--site"], type=folder, metavar="DIR", help="Folder of the site. Default: here.", **shared
        ),
        click.Option(
            ["--format"], type=click.Choice(tuple(formats)), help="How results are printed.", **shared
        ),
        click.Option(["-q", "--quiet"], is_flag=True, help="Results and errors only.", **shared),
        click.Option(["-v", "--verbose"], count=True, help="More detail; twice for all of it.", **shared),
        click.Option(
            ["--no-color"],
            is_flag=True,
            expose_value=False,
            callback=_no_color,
            help="No colour (as NO_COLOR does).",
        ),
        click.Option(["--debug"], is_flag=True, hidden=True, help="Print the traceback of a bug.", **shared),
    ]


def processes_option(body: Callable[..., int | None]) -> Callable[..., int | None]:
    """`--jobs`, of every command that prints all devices and talks to none."""
    return click.option(
        "--jobs",
        type=click.IntRange(1, MOST_JOBS),
        metavar="N",
        help="Processes, where there are many devices. Default: one for each processor.",
    )(body)


def stdin_is_a_person() -> bool:
    """Whether a question would be answered."""
    return interactive(sys.stdin)


def milliseconds(option: str, text: str) -> int:
    """A time that an option says (`200ms`, `3s`, `10min`, `2h`). `click.UsageError` if it is none."""
    try:
        return int(Duration.parse(text))
    except ValueError as error:
        message = f"{option}: {error}"
        raise click.UsageError(message) from None


def whole_seconds(option: str, text: str) -> int:
    """A time that an option says and devices count in seconds. `click.UsageError` if it is none, or has a fraction."""
    seconds, fraction = divmod(milliseconds(option, text), 1000)
    if fraction:
        message = f"{option}: {text!r} is not a whole number of seconds: write it like 30s, 10min or 2h"
        raise click.UsageError(message)
    return seconds
