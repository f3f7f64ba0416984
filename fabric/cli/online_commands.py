"""What the commands that talk to devices share: their options, progress from events, and JSON lines."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from functools import cache
from typing import Any

import click
import msgspec

from fabric.cli import codes
from fabric.cli.command_classes import Body
from fabric.cli.common_options import MOST_JOBS, Settings, stdin_is_a_person
from fabric.cli.printing.command_output import Output
from fabric.cli.printing.progress import progress
from fabric.cli.printing.styled_lines import Line
from fabric.cli.printing.write_tables import FORMAT_VERSION, as_json, printable
from fabric.cli.run import ERROR
from fabric.cli.session_commands import complete_all
from fabric.cli.stop import Stop
from fabric.cli.views.apply_events import Reported, event_lines
from fabric.cli.views.plan import names
from fabric.deployment import Workplace, check_unfinished
from fabric.deployment.connection.parallel_devices import THREADS
from fabric.deployment.events import DeviceObserved, DevicesSilent, Event, OnEvent
from fabric.diagnostics import Refused

WORD = "yes"


def jobs_option(body: Body) -> Body:
    """`--jobs`, of every command that talks to devices."""
    return click.option(
        "--jobs",
        type=click.IntRange(1, MOST_JOBS),
        default=THREADS,
        show_default=True,
        metavar="N",
        help="Devices talked to at once. What needs none takes as many processes, at most one a processor.",
    )(body)


def skip_option(body: Body) -> Body:
    """`--skip-unreachable`, of the commands that only ask."""
    return click.option(
        "--skip-unreachable", is_flag=True, help="A device that does not answer is a warning, not an error."
    )(body)


@contextmanager
def observing(total: int, settings: Settings) -> Iterator[OnEvent]:
    """Count the devices that answered, from the first on: processes may be forked before, and a bar has a thread."""
    answered = 0
    with ExitStack() as shown:
        tick = cache(lambda: shown.enter_context(progress("asking devices", settings)))

        def on_event(event: Event) -> None:
            nonlocal answered
            if isinstance(event, DeviceObserved):
                answered += 1
                tick()(answered, total)
            elif isinstance(event, DevicesSilent):
                tick()(answered, total, f"no answer from {names(event.devices)} for {event.waited_s:.0f} s")

        yield on_event


def tell_of_run_under_way(output: Output, place: Workplace, site: str) -> None:
    """Say that a run is changing the site, or did not finish, to whoever looks at devices: what it pushed shows too."""
    if not place.has_journal:
        return
    try:
        journal = place.journal()
    except Refused as failed:
        output.note(f"{failed}. So it is not known whether a run is under way.")
        return
    try:
        check_unfinished(journal, site)
    except Refused as under_way:
        output.note(f"{under_way}. What it has not confirmed yet shows as well, as if somebody had typed it.")


def event_printer(output: Output) -> OnEvent:
    """Tell people or machines what happens: a line each for people, one JSON object a line for machines."""
    if not output.is_text:
        write_json_line({"type": "version", "format_version": FORMAT_VERSION})
        return lambda event: write_json_line(msgspec.to_builtins(event))
    if output.settings.quiet:
        return lambda _event: None
    reported: Reported = {}
    return lambda event: _flushed(output, event_lines(event, output.settings.verbose, reported))


def _flushed(output: Output, lines: Iterator[Line]) -> None:
    output.lines(lines)
    sys.stdout.flush()


def asked(question: str) -> bool:
    """Whether a person says yes. `Stop` without a terminal to answer at."""
    if not stdin_is_a_person():
        raise Stop(codes.NOBODY_TO_ASK, "no terminal to confirm at", "review what is shown, then give --yes")
    sys.stdout.flush()
    answer = click.prompt(
        f"{printable(question)}Only '{WORD}' is accepted", default="no", show_default=False, err=True
    )
    return bool(answer == WORD)


def declined(output: Output) -> int:
    """What is left to say if nobody says yes."""
    output.summary("nothing was changed")
    return ERROR


def write_json_line(record: dict[str, Any]) -> None:
    """One object of a stream, with the time."""
    stamped = {"@timestamp": datetime.now(UTC).isoformat(timespec="milliseconds"), **complete_all(record)}
    sys.stdout.write(as_json(stamped) + "\n")
    sys.stdout.flush()
