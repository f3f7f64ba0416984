"""The journal of a site, for commands that must work whatever state its intent is in: nothing of it is compiled."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from fabric.cli import codes
from fabric.cli.stop import Stop
from fabric.cli.where import Where
from fabric.compiler import open_site
from fabric.deployment import Journal
from fabric.deployment.workplace import JOURNAL_FILE, Workplace
from fabric.diagnostics import Refused
from fabric.intent.load import SITE_FILE
from fabric.planning.model import StandIns

NAME = re.compile(
    r"""^site[ \t]*:[ \t]*(["']?)([a-z](?:[a-z0-9-]{0,61}[a-z0-9])?)\1[ \t]*(?:\#.*)?\r?$""", re.MULTILINE
)
"""The line that names a site, whatever is wrong with the others."""


class SiteJournal(NamedTuple):
    """A journal, and the name that the site has in it."""

    site: str
    journal: Journal


def site_journal(folder: Path, where: Where) -> SiteJournal:
    """The journal of a site's folder. `Stop` or `Refused` if its sandbox or lab has none.

    `Invalid` with what is wrong with the site where neither its first file nor the journal tells its name.
    """
    name = _written(folder)
    if not name and not where.stand_ins and not Workplace(folder=folder).has_journal:
        name = open_site(folder).intent.site.site  # before a journal is made in a folder of something else
    journal = _journal(folder, where.stand_ins)
    known = () if name else journal.sites()
    if not name:
        name = known[0] if len(known) == 1 else open_site(folder).intent.site.site
    return SiteJournal(name, journal)


def _written(folder: Path) -> str:
    """The name in the first file of a site; empty if it cannot be read."""
    with suppress(OSError, UnicodeDecodeError):
        if match := NAME.search((folder / SITE_FILE).read_text(encoding="utf-8-sig")):
            return match[2]
    return ""


def _journal(folder: Path, stand_ins: StandIns) -> Journal:
    if not stand_ins:
        return Workplace(folder=folder).journal()
    from fabric.cli.open_lab import folder_of_lab  # most runs need none
    from fabric.cli.open_sandbox import folder_of_sandbox

    place = folder_of_sandbox(folder) if stand_ins == "sandbox" else folder_of_lab(folder)
    if not (place / JOURNAL_FILE).exists() and not _is_running(place, stand_ins):
        reason, hint = (
            f"no {stand_ins} of this site is running",
            f"run `fabric {stand_ins} up`",
        )
        raise Stop(codes.NO_SANDBOX, reason, hint) if stand_ins == "sandbox" else Refused(reason, hint)
    return Journal((place / JOURNAL_FILE).resolve())


def _is_running(place: Path, stand_ins: StandIns) -> bool:
    """Whether a sandbox runs, so that a journal without a run is the truth: nothing was applied to it yet."""
    from fabric import sandbox  # most runs need none

    return stand_ins == "sandbox" and sandbox.status(place) is not None
