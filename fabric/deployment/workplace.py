"""Where a site's deployment keeps its things, and how its devices are reached from here."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from pathlib import Path

import msgspec

from fabric.deployment.connection.ask_secrets import Answers, say_nothing
from fabric.deployment.connection.parallel_devices import THREADS, threads
from fabric.deployment.connection.secrets import SecretSource
from fabric.deployment.connection.targets import addresses, logins, targets
from fabric.deployment.journal_store.journal import Journal
from fabric.diagnostics import Diagnostic
from fabric.intent.inventory import Inventory
from fabric.planning import LastApplied
from fabric.planning.model import StandIns
from fabric.platforms.base import Target
from fabric.resources import SCRATCH, scratch

JOURNAL_VARIABLE = "FABRIC_JOURNAL"
"""Environment variable with the URL of a shared journal, as `postgresql+psycopg://host/fabric`."""

JOURNAL_FILE = "journal.sqlite"
"""In the scratch folder of the site."""


class Workplace(msgspec.Struct, frozen=True, kw_only=True):
    """What an online command needs beside the compiled site."""

    folder: Path
    """The site's folder. `.fabric/` below it holds what is not for git."""
    journal_url: str | None = None
    """Default: `$FABRIC_JOURNAL`, else SQLite in `.fabric/journal.sqlite`."""
    replaced: Mapping[str, Target] | None = None
    """Targets that stand in for the inventory's: those of a sandbox or a lab."""
    stand_ins: StandIns = ""
    """Whose they are."""
    subnets: Mapping[str, Mapping[str, str]] = {}
    """Of a sandbox: by network, the environment that leads InfiniBand's tools to its simulated subnet."""
    has_routes: bool = True
    """Whether the devices know routes: a sandbox does not evaluate those of every product."""
    timeout_s: int = 60
    jobs: int = THREADS
    """Most devices that are talked to at once."""
    given_executor: Executor | None = None
    """Who talks to the devices. Default: as many threads as `jobs` says, for as long as they are used."""

    answers: Answers = msgspec.field(default_factory=Answers)
    """Of programs and keyrings that keep secrets, for as long as this workplace is used."""
    waiting: Callable[[str, float], None] = say_nothing
    """Told of a program that takes long to print a secret, and for how long it runs (seconds)."""
    executor_url: str = ""
    """Scheduler whose workers talk to the devices, as `dask+tls://host:8786`. Empty: this process does."""

    @property
    def source(self) -> SecretSource:
        """Where secrets are found: relative files belong to the site."""
        return SecretSource(folder=self.folder, answers=self.answers, waiting=self.waiting)

    def executor(self) -> AbstractContextManager[Executor]:
        """The executor of one command. `Refused` if its workers cannot be used."""
        if self.executor_url and self.given_executor is None:
            from fabric.deployment.fleet.dask_executor import fleet  # most commands need none

            return fleet(self.executor_url, self.folder, named=self.replaced is None)
        return threads(self.given_executor, self.jobs)

    def journal(self) -> Journal:
        """The journal, made if there is none yet."""
        url = self.journal_url or os.environ.get(JOURNAL_VARIABLE)
        return Journal(url or scratch(self.folder) / JOURNAL_FILE)

    @property
    def has_journal(self) -> bool:
        """Whether there is one, or one is named."""
        url = self.journal_url or os.environ.get(JOURNAL_VARIABLE)
        return url is not None or (self.folder / SCRATCH / JOURNAL_FILE).exists()

    def last_applied(
        self, site: str, platform_of: Callable[[str], str | None] = lambda _: None, *, offline: bool = False
    ) -> Mapping[str, LastApplied] | None:
        """What was applied last, by device. Offline, None without a journal: nobody knows.

        `platform_of`: the platform of a device, if it is known. What was of another one then has nothing of ours.
        """
        if offline and not self.has_journal:
            return None
        return self.journal().last_applied(site, platform_of)

    def targets(
        self, inventory: Inventory, names: Iterable[str], *, beside: Iterable[str] = ()
    ) -> dict[str, Target]:
        """How each device is reached. `Invalid` with everything that is missing, but of those `beside`."""
        if self.replaced is not None:
            known = (*names, *beside)
            return {name: self.replaced[name] for name in known if name in self.replaced}
        return targets(inventory, names, self.source, self.timeout_s, beside=beside)

    def addresses(
        self, inventory: Inventory, names: Iterable[str]
    ) -> tuple[dict[str, Target], tuple[Diagnostic, ...]]:
        """Where each device is reached, with no login, and what the inventory lacks; no secret is asked for."""
        if self.replaced is not None:
            return {name: self.replaced[name] for name in names if name in self.replaced}, ()
        return addresses(inventory, names, self.folder)

    def logins(self, inventory: Inventory, names: Iterable[str]) -> dict[str, str]:
        """The user that each device is reached as, where that is known."""
        if self.replaced is not None:
            return {name: self.replaced[name].username for name in names if name in self.replaced}
        return logins(inventory, names)

    def reached(self, inventory: Inventory, names: Iterable[str]) -> tuple[str, ...]:
        """Those of the names that have an address."""
        if self.replaced is not None:
            return tuple(name for name in names if name in self.replaced)
        known = inventory.devices
        return tuple(name for name in names if name in known and known[name].address is not None)
