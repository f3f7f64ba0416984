"""Every line of the files on the disk of UFM's server, which REST does not reach: they are read and never compared."""

from __future__ import annotations

from fabric.configuration import Effect, Parts, Reader, Section, Statement
from fabric.platforms.manager_files import (
    GUID,
    NAMES,
    Named,
    Option,
    file_lines,
    guid_line,
    name_line,
    option_line,
)
from fabric.platforms.ufm.model import Link, Setting
from fabric.platforms.ufm.state import UfmState

BY_HAND = Effect("none", "written by hand")


def service_lines() -> tuple[Statement, ...]:
    """gv.cfg, opensm.conf and the files that they name."""
    return (
        # What stands before the first section stands in a place of the file that no source names.
        file_lines("gv.cfg", BY_HAND, _setting(_anywhere), SECTION),
        file_lines("opensm.conf", BY_HAND, option_line(_option, r"\S(?:.*\S)?")),
        file_lines("root_guids.conf", BY_HAND, guid_line("roots")),
        file_lines("ib-node-name-map", NAMES, name_line(_named, "[ -!#-~]{1,63}")),
        file_lines("topoconfig.conf", BY_HAND, LINK),
    )


def _setting(reads: Reader) -> Statement:
    return Statement(r"<name:[a-z][a-z0-9_]*> = {value*:\S(?:.*\S)?}", reads=reads, is_once=True)


def _anywhere(state: UfmState, parts: Parts) -> None:
    _in_section(state.settings.setdefault("", []), parts)


def _section(state: UfmState, parts: Parts) -> list[Setting]:
    return state.settings.setdefault(parts["section"].strip("[]"), [])


def _in_section(settings: list[Setting], parts: Parts) -> None:
    settings.append(Setting(parts["name"], parts["value"]))


def _option(state: UfmState, parts: Parts) -> None:
    state.options.append(Option(parts["name"], parts["value"]))


def _named(state: UfmState, parts: Parts) -> None:
    state.names.append(Named(parts["guid"], parts["name"]))


def _link(state: UfmState, parts: Parts) -> None:
    source, port, target, other = parts["ends"].split(",")
    state.links.append(Link(source, int(port), target, int(other)))


LINK = Statement(f"<ends:{GUID},[0-9]{{1,3}},{GUID},[0-9]{{1,3}}>,Any,Active", reads=_link, is_once=True)
SECTION = Statement(
    r"<section:\[[A-Za-z]+\]>", reads=_section, below=Section(_setting(_in_section)), effect=BY_HAND
)
