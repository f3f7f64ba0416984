"""Which devices an online command talks to: the real ones, or those that stand in for them on this machine."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

import click
import msgspec

from fabric.cli.command_classes import Body
from fabric.cli.common_options import remember
from fabric.cli.printing.command_output import Output
from fabric.compiler import Compiled
from fabric.deployment.connection.parallel_devices import THREADS
from fabric.deployment.workplace import JOURNAL_VARIABLE, Workplace
from fabric.planning.model import StandIns


@dataclass(frozen=True)
class Where:
    """The devices of one run, as `--sandbox` or `--lab` chose them."""

    stand_ins: StandIns = ""
    executor: str = ""
    """URL of the scheduler whose workers talk to them; empty: this process does."""

    def opened(self, site: Compiled, jobs: int = THREADS) -> tuple[Compiled, Workplace]:
        """The site as those devices play it, and where its deployment keeps its things.

        `Stop` or `Refused` if no sandbox or no lab of the site is running.
        """
        played, place = OPENERS[self.stand_ins](site, jobs)
        return played, msgspec.structs.replace(place, executor_url=self.executor)


def where_option(doing: str = "Ask", *, asks: bool = True) -> Callable[[Body], Body]:
    """`--sandbox` and `--lab`, as the argument `where`; `--executor` too if the command `asks` devices.

    `doing`: what the command does to them.
    """

    def decorated(body: Body) -> Body:
        @wraps(body)
        def run(*arguments: Any, sandbox: bool, lab: bool, executor: str = "", **options: Any) -> int | None:
            if sandbox and lab:
                message = "--sandbox and --lab are different devices: name one of them"
                raise click.UsageError(message)
            if lab and executor:
                message = "--lab and --executor: the devices of a lab are reached from this machine only"
                raise click.UsageError(message)
            where = Where("sandbox" if sandbox else "lab" if lab else "", executor)
            remember(stand_ins=where.stand_ins, executor=executor)
            if where.stand_ins and os.environ.get(JOURNAL_VARIABLE):
                Output().note(
                    f"the {where.stand_ins} has a journal of its own: {JOURNAL_VARIABLE} is not used"
                )
            return body(*arguments, where=where, **options)

        for name, whose in (("--lab", "running lab"), ("--sandbox", "running sandbox")):
            run = click.option(name, is_flag=True, help=f"{doing} the devices of the {whose}.")(run)
        if not asks:
            return run
        return click.option(
            "--executor",
            default="",
            metavar="URL",
            help=f"{doing} the devices through the workers of a Dask scheduler: `dask+tls://HOST:PORT`, or `dask://` "
            "on loopback.",
        )(run)

    return decorated


def _network(site: Compiled, jobs: int) -> tuple[Compiled, Workplace]:
    return site, Workplace(folder=site.folder, jobs=jobs, waiting=_tell_waiting)


def _tell_waiting(program: str, elapsed_s: float) -> None:
    """Say which program a secret is waited for from; stand-ins for devices ask none."""
    Output().note(f"  waiting for `{program}` ({elapsed_s:.0f} s)")


def _sandbox(site: Compiled, jobs: int) -> tuple[Compiled, Workplace]:
    from fabric.cli import open_sandbox  # most runs need none

    return site, msgspec.structs.replace(open_sandbox.workplace(site), jobs=jobs)


def _lab(site: Compiled, jobs: int) -> tuple[Compiled, Workplace]:
    from fabric.cli import open_lab  # most runs need none
    from fabric.lab import RunningLab

    lab = RunningLab(open_lab.folder_of_lab(site.folder))
    return open_lab.lab_site(site, lab), msgspec.structs.replace(open_lab.lab_workplace(site, lab), jobs=jobs)


OPENERS: dict[StandIns, Callable[[Compiled, int], tuple[Compiled, Workplace]]] = {
    "": _network,
    "sandbox": _sandbox,
    "lab": _lab,
}
