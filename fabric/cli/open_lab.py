"""A site's lab: where its state is, the site as the lab has it, and the management access to its switches."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from fabric.cli.open_sandbox import StandIns
from fabric.compiler import Compiled, derive
from fabric.deployment import SecretSource
from fabric.deployment.workplace import Workplace
from fabric.devices.site_devices import Devices
from fabric.documents.places import placed
from fabric.lab import RunningLab, lab_devices
from fabric.platforms.base import ValueOf
from fabric.resources import SCRATCH


@dataclass(frozen=True)
class LabSite(Compiled):
    """A site whose switches are those of its running lab: what is planned and applied there."""

    lab: RunningLab = field(kw_only=True)

    @cached_property
    def devices(self) -> Devices:
        """Stage 3, in the words of the lab's platform."""
        with placed(self.intent.sources):
            return lab_devices(derive(self.intent, self.topology), self.lab.management)


class LabWorkplace(Workplace, frozen=True, kw_only=True):
    """The workplace of a lab: a journal of its own, and secrets that need not exist."""

    @property
    def source(self) -> SecretSource:
        """Secrets of the site, or stand-ins."""
        return StandIns().source(self.folder)


def folder_of_lab(site: Path) -> Path:
    """Where a site's lab keeps its state and keys."""
    return site / SCRATCH / "lab"


def lab_secrets(site: Path) -> ValueOf:
    """The value of a secret's reference: the site's own where it is there, else one that is made up."""
    source = StandIns().source(site)
    return lambda reference: source.resolve([reference])[reference]


def lab_site(site: Compiled, lab: RunningLab) -> LabSite:
    """The site as its running lab has it."""
    return LabSite(site.folder, site.intent, site.jobs, lab=lab)


def lab_workplace(site: Compiled, lab: RunningLab) -> LabWorkplace:
    """Where a deployment to the lab keeps its things."""
    journal = f"sqlite:///{(lab.folder / 'journal.sqlite').resolve()}"
    return LabWorkplace(folder=site.folder, journal_url=journal, replaced=lab.targets, stand_ins="lab")
