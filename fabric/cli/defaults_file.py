"""Defaults of options from a file: `fabric.toml` of the site, and `config.toml` of whoever runs the program.

A table a command, a key an option: `[show]` with `format = "csv"`, `[lab.status]` with `quiet = true`. The
command line wins, then the site's file, then the user's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from fabric.cli.common_options import current

SITE_DEFAULTS = "fabric.toml"
DISPLAY = frozenset({"format", "quiet", "verbose", "no-color", "columns", "jobs"})
"""How results are shown, and how many processes make them."""
CHANGING = frozenset({"apply", "rollback", "unlock", "trust", "resize", "identify", "init"})
"""Commands that change the network, the journal or the site: of those a file sets nothing else."""
UNSAFE = frozenset(
    {"yes", "allow", "adopt", "rotate-secrets", "record", "fix", "write", "write-baseline", "no-baseline"}
    | {"anew", "replace", "site", "sandbox", "lab", "debug", "help"}
)
"""Somebody has to type these: they permit, write, or choose what the run is about."""


def defaults(
    command: click.Command, context: click.Context, arguments: Sequence[str]
) -> dict[str, Any] | None:
    """What the files say of a command's options, by parameter; None if there is no file. `Stop` where one is wrong."""
    made: dict[str, Any] = {}
    has_file = False
    for path, is_sites in _files(_site(arguments)):
        has_file = True
        options = _options_of(path, context)
        made |= dict(_checked(path, is_sites, command, context, options))
    return made if has_file else None


def _site(arguments: Sequence[str]) -> Path:
    """The site's folder as the arguments of the command say it, or what stood before the command."""
    folder = str(current().site)
    for at, word in enumerate(arguments):
        if word in ("-C", "--site"):
            folder = arguments[at + 1] if at + 1 < len(arguments) else folder
        elif word.startswith("--site="):
            folder = word.partition("=")[2]
        elif word.startswith("-C"):
            folder = word[2:]
    return Path(folder)


def _files(site: Path) -> Iterator[tuple[Path, bool]]:
    """The user's file, then the site's, and whether it is the site's: later ones win."""
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")  # noqa: PTH111  # no home is no error
    own = Path(home) / "fabric" / "config.toml"
    if own.is_file():
        yield own, False
    folder = site.absolute()
    repository = next((parent for parent in (folder, *folder.parents) if (parent / ".git").exists()), folder)
    for parent in (folder, *folder.parents):
        if (parent / SITE_DEFAULTS).is_file():
            yield parent / SITE_DEFAULTS, True
            return
        if parent == repository:  # what lies above belongs to others
            return


def _options_of(path: Path, context: click.Context) -> Mapping[str, Any]:
    """The table of the running command; the names of all tables are checked on the way."""
    import tomllib  # few runs have a file

    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        _stop(path, "", str(error), "write it as TOML: a table a command, a key an option")
    words = context.command_path.split()[1:]
    group = context.find_root()
    for at, word in enumerate(words):
        known = group.command.list_commands(group)  # type: ignore[attr-defined]  # all but the last are groups
        for name, value in table.items():
            place = ".".join((*words[:at], name))
            if name not in known:
                _unknown(path, place, f"there is no command {name!r}", name, known)
            if not isinstance(value, dict):
                _stop(
                    path,
                    place,
                    f"{name} is a command, and {value!r} no table",
                    f"write `[{place}]` above its options",
                )
        table = table.get(word, {})
        group = _child(context, len(words) - at - 1)
    return table


def _child(context: click.Context, above: int) -> click.Context:
    for _ in range(above):
        context = context.parent or context
    return context


def _checked(
    path: Path,
    is_sites: bool,  # noqa: FBT001  # as the files come
    command: click.Command,
    context: click.Context,
    options: Mapping[str, Any],
) -> Iterator[tuple[str, Any]]:
    """Parameter and value of each option. `Stop` for one that does not exist, may not be set, or has another type."""
    known = {max(p.opts, key=len).lstrip("-"): p for p in command.params if isinstance(p, click.Option)}
    words = context.command_path.split()[1:]
    for name, value in options.items():
        place = ".".join((*words, name))
        if name not in known:
            _unknown(path, place, f"{context.command_path} has no option --{name}", name, sorted(known))
        _check_safe(path, place, words[0], known[name], is_sites=is_sites)
        try:
            known[name].type_cast_value(context, value)
        except (click.BadParameter, TypeError, ValueError, AttributeError) as error:
            reason = (
                error.format_message()
                if isinstance(error, click.BadParameter)
                else f"{value!r} is of another type"
            )
            _stop(path, place, reason, f"`{context.command_path} --help` lists what --{name} takes")
        yield known[name].name or name, value


def _check_safe(path: Path, place: str, command: str, option: click.Option, *, is_sites: bool) -> None:
    name = max(option.opts, key=len).lstrip("-")
    if name in UNSAFE or (command in CHANGING and name not in DISPLAY):
        _stop(path, place, f"--{name} may not be set by a file", "give it on the command line, each time")
    if is_sites and (isinstance(option.type, click.Path) or name == "executor"):
        reason = f"--{name} may not be set by a site's file: it names what is read, written or asked"
        _stop(path, place, reason, "write it into your own config.toml, or give it on the command line")


def _unknown(path: Path, place: str, reason: str, name: str, known: Sequence[str]) -> NoReturn:
    from fabric.documents.suggest import did_you_mean

    _stop(path, place, reason, did_you_mean(name, known) or f"there are {', '.join(known)}")


def _stop(path: Path, place: str, reason: str, hint: str) -> NoReturn:
    from fabric.cli import codes
    from fabric.cli.stop import Stop  # few runs need them

    where = f"{path}:{_line(path, place)}: {place}: " if place else f"{path}: "
    raise Stop(codes.WRONG_DEFAULTS, f"{where}{reason}", hint)


def _line(path: Path, place: str) -> int:
    """The line of a key below its table, or of the table; 1 where it is written in another way."""
    table, _, key = place.rpartition(".")
    inside = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if heading := re.match(r"\s*\[([^]]+)\]", line):
            inside = heading[1].strip()
            if inside == place:
                return number
        elif inside == table and re.match(rf'\s*"?{re.escape(key)}"?\s*=', line):
            return number
    return 1
