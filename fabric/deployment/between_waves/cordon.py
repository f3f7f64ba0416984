"""What is asked of others before hosts lose a path, and after: a program of the site, as one that drains them in Slurm.

It gets what is about to happen as JSON on its standard input, and runs without a shell: no name of a device or host
ever becomes part of a command line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from fabric.deployment.gates.site_commands import (
    Hide,
    ToldOfProgram,
    environment,
    how_it_ended,
    say_nothing,
    split,
)
from fabric.deployment.jobs import Job
from fabric.deployment.journal_store.journal import Journal
from fabric.deployment.permissions import is_allowed_by_name
from fabric.deployment.run_program import NOT_STARTED, NotStarted, Program, run_program
from fabric.planning import Impact

Names = Callable[[Iterable[str]], tuple[str, ...]]
"""The hosts that are reached over some devices, or the leaves of some hosts."""
WithoutPath = Callable[[Journal, Collection[str]], Mapping[str, frozenset[str]]]
"""The rails of each host of the site that no leaf carries, by what the journal knows of each device at that moment, and
while some switches carry nothing."""


def no_names(_names: Iterable[str]) -> tuple[str, ...]:
    """Nobody knows."""
    return ()


def no_hosts(_journal: Journal, _dead: Collection[str]) -> Mapping[str, frozenset[str]]:
    """Nobody knows."""
    return {}


class CordonedWave(msgspec.Struct, frozen=True, kw_only=True):
    """What the programs are told of a wave, and where they run."""

    folder: Path
    """Of the site."""
    about: Mapping[str, object]
    devices: tuple[str, ...]
    hosts: tuple[str, ...] = ()
    """Behind these devices."""
    hide: Hide
    """What they print may hold a secret that is in use: whoever runs them has to say how it is hidden."""
    told_every_s: float = 2


class Answer(NamedTuple):
    """What a program has come to."""

    problem: str = ""
    """What is wrong; empty if it has exited with 0."""
    has_begun: bool = True
    """Whether it may have done anything: not if the program is not there."""


class Cordon(msgspec.Struct, frozen=True, kw_only=True):
    """The site's programs around each wave that isolates a host."""

    before: str | None = None
    after: str | None = None
    """Run however the wave ended, but not if `before` could not be run at all: then nothing was cordoned."""
    timeout_s: float = 3600
    hosts: Names = no_names
    """Behind some devices."""
    leaves: Names = no_names
    """Of some hosts."""
    without_path: WithoutPath = no_hosts
    hidden: frozenset[str] = frozenset()
    """Environment variables that hold secrets: the programs do not see them."""

    def concerned(self, jobs: Iterable[Job], allow: Collection[str]) -> tuple[str, ...]:
        """The devices of a wave that is announced: one of them isolates a host by the plan.

        Else those that the operator has allowed to by name: as the network is now they are somebody's last path.
        """
        jobs = tuple(jobs) if self.before or self.after else ()
        if any(job.may_isolate for job in jobs):
            return tuple(job.device for job in jobs)
        names = (job.device for job in jobs if not job.services_only)
        return tuple(name for name in names if is_allowed_by_name(Impact.ISOLATING, name, allow))

    def run(self, command: str | None, about: CordonedWave, waiting: ToldOfProgram = say_nothing) -> Answer:
        """Run a program and say how it has ended; `waiting` is told meanwhile."""
        if command is None:
            return Answer()
        given = {**about.about, "devices": about.devices, "hosts": about.hosts}
        try:
            program = Program(
                words=split(command),
                folder=about.folder,
                environ=environment(self.hidden),
                given=json.dumps(given).encode(),
                limit_s=self.timeout_s,
                told_every_s=about.told_every_s,
            )
            ended = run_program(program, lambda elapsed_s: waiting(command, elapsed_s))
        except NotStarted as error:
            return Answer(f"`{command}`: it does not run: {error}", has_begun=False)
        problem = how_it_ended(ended, self.timeout_s, about.hide)
        return Answer(f"`{command}`: {problem}" if problem else "", ended.code not in NOT_STARTED)
