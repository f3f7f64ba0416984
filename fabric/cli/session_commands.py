"""Commands that messages name, as they are to be typed in this session.

Any package may name a command in a hint or a finding: in backquotes, from the word `fabric` on, with its numbers and
its own options. Which folder the site is in, and which devices this run talks to, only the session knows: that is
written here, into every text on its way to whoever reads it.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import click

from fabric.cli.app import fabric
from fabric.cli.common_options import Settings, current

COMMAND = re.compile(r"`fabric (?!-)([^`]+)`")
WITHOUT_SITE = frozenset({"completion", "explain", "init", "schema"})
"""Commands that read no site."""


def complete(text: str, settings: Settings | None = None) -> str:
    """The text; each command in it names the site, and the devices, of this session.

    What it names already stays: `--sandbox` is never added to `--lab`, nor a folder to another.
    """
    if "`fabric " not in text:
        return text
    session = settings or current()
    return COMMAND.sub(lambda found: f"`{_typed(found[1], session)}`", text)


def complete_all(value: Any, settings: Settings | None = None) -> Any:
    """The same of every text in a record for machines."""
    if isinstance(value, str):
        return complete(value, settings)
    if isinstance(value, dict):
        return {key: complete_all(one, settings) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [complete_all(one, settings) for one in value]
    return value


def for_site(words: str, site: Path) -> str:
    """`fabric plan -C site`: a command for a site that need not be that of this session."""
    return _typed(words, Settings(site=site))


def _typed(words: str, session: Settings) -> str:
    given = words.split()
    verb, dashes, options = words.partition(" --")
    known = _options(given) if session.stand_ins or session.executor else frozenset()
    if session.stand_ins and "--sandbox" in known and not {"--sandbox", "--lab"}.intersection(given):
        verb = f"{verb} --{session.stand_ins}"
    line = f"fabric {verb}{dashes}{options}"
    if session.executor and "--executor" in known and "--executor" not in given:
        line += f" --executor {shlex.quote(session.executor)}"
    if session.site == Path() or given[0] in WITHOUT_SITE or {"-C", "--site"}.intersection(given):
        return line
    return f"{line} -C {shlex.quote(str(session.site))}"


def _options(words: list[str]) -> frozenset[str]:
    """The options of a command; none if there is no such command."""
    found: click.Command | None = fabric
    for word in words:
        if not isinstance(found, click.Group):
            break
        found = found.get_command(click.Context(found), word)
    return frozenset(option for one in found.params for option in one.opts) if found else frozenset()
