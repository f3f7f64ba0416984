"""Every line of opensm.conf, and of the files that it names: roots, storage, names, the torus, LIDs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from fabric.configuration import TEXT, Effect, Node, Parts, Statement
from fabric.platforms.manager_files import (
    GUID,
    NAMES,
    Named,
    Option,
    file_lines,
    guid_line,
    name_line,
    option_line,
    text_file,
)
from fabric.platforms.opensm.model import LidRange, Seed, TorusFile
from fabric.platforms.opensm.names import LID_FILE, guid
from fabric.platforms.opensm.state import OpensmState

RESTART = "OpenSM is started anew: nothing is healed meanwhile"
RESTARTED = Effect("reload", RESTART)
ROUTES = Effect("flap", "all routes are computed anew")
OPTIONS = {
    "sm_key": "managers with different ones ignore each other until all have it: two masters for a moment",
    "routing_engine": "all routes are computed anew, by another engine",
    "qos_sl2vl": "packets under way may change their lane",
    "guid": "OpenSM manages through another port",
}
"""Options whose change does more than that OpenSM is started anew."""
RENUMBERING = {
    "lmc": ("all LIDs are given anew: every connection of the subnet is lost", 0),
    "subnet_prefix": ("all GIDs change: every connection of the subnet is lost", 0xFE80_0000_0000_0000),
}
"""Options whose change ends all that runs, and their defaults."""
PRINTED: dict[str, Callable[[int], str]] = {"lmc": str, "subnet_prefix": guid}
"""The spelling of our own text."""
VALUES = "[!-~]+"
NUMBER = "0[xX][0-9A-Fa-f]+|0[0-7]*|[1-9][0-9]*"
"""As strtoul(3) reads it: a zero in front makes it octal."""

M_KEY = (
    "the key of all ports changes: one that holds the old one answers no manager without it (let the lease run out "
    "first, or set the ports one by one)"
)

TORUS = re.compile(
    r"torus (?P<size>[0-9]{1,3} [0-9]{1,3} [0-9]{1,3})\n"
    r"(?:portgroup_max_ports (?P<most>[0-9]{1,3})\n)?(?P<seeds>(?:.+\n)+)"
)
LINK = rf"[xyz][pm]_link {GUID} {GUID}\n"
DATELINE = r"[xyz]_dateline -?[0-9]{1,3}\n"
SEED = re.compile(rf"(?P<links>(?:{LINK})+)(?P<datelines>(?:{DATELINE})*)")


def service_lines() -> tuple[Statement, ...]:
    """The files of routing, names and LIDs, and that of the options."""
    return (
        file_lines("opensm.conf", RESTARTED, *_options(), is_container=True),
        file_lines("root-guids", ROUTES, guid_line("roots")),
        file_lines("io-guids", ROUTES, guid_line("storage")),
        file_lines("node-name-map", NAMES, name_line(_named, "[ !$-~]{1,64}")),
        text_file("torus-2QoS.conf", ROUTES, _torus),
        file_lines(
            LID_FILE,
            RESTARTED,
            Statement(
                f"<guid:{GUID}> {{first:0x[0-9a-f]{{4}}}} {{last:0x[0-9a-f]{{4}}}}", reads=_lids, is_once=True
            ),
            sums_up=_moved,
        ),
    )


def _options() -> tuple[Statement, ...]:
    """Those that do more than a restart, all others, and what OpenSM may take and we do not write."""
    named = (
        option_line(_option, VALUES, name, effect=Effect("reload", f"{why}; {RESTART}"))
        for name, why in OPTIONS.items()
    )
    ending = (
        option_line(
            _option,
            NUMBER,
            name,
            expands=_spelled(name),
            effect=Effect("isolating", why),
            is_default=_is(default),
        )
        for name, (why, default) in RENUMBERING.items()
    )
    m_key = option_line(
        _option,
        VALUES,
        "m_key",
        effect=Effect("reload", f"{M_KEY}; {RESTART}"),
        access="removed",
        is_default=_is(0),
    )
    return (
        *named,
        *ending,
        m_key,
        option_line(_option, VALUES),
        Statement("<name:[a-z][a-z0-9_]*> {value*}", is_unread=True),
    )


def _is(default: int) -> Callable[[Parts], bool]:
    """Whether a line says the number that holds without it."""
    return lambda parts: (
        re.fullmatch(NUMBER, parts["value"]) is not None and _number(parts["value"]) == default
    )


def _spelled(name: str) -> Callable[[Parts], Iterable[str]]:
    """The line with its number in the spelling of our own text, so that another spelling changes nothing."""
    return lambda parts: (f"{name} {PRINTED[name](_number(parts['value']))}",)


def _number(word: str) -> int:
    return int(word, 8) if re.fullmatch("0[0-7]+", word) else int(word, 0)


def _option(state: OpensmState, parts: Parts) -> None:
    name, _, value = parts["line"].partition(" ")
    state.options.append(Option(name, value))


def _named(state: OpensmState, parts: Parts) -> None:
    state.names.append(Named(parts["guid"], parts["name"]))


def _lids(state: OpensmState, parts: Parts) -> None:
    """Of two ports with one LID, OpenSM would give one another LID, in silence."""
    own = range(int(parts["first"], 16), int(parts["last"], 16) + 1)
    if not own or not own[0] or not state.given.isdisjoint(own):
        raise ValueError(parts["line"])
    state.given.update(own)
    state.lids.append(LidRange(parts["guid"], parts["first"], parts["last"]))


def _torus(state: OpensmState, parts: Parts) -> None:
    """Dimensions, then seeds with `next_seed` between them."""
    if not parts[TEXT]:
        return
    whole = TORUS.fullmatch(parts[TEXT])
    seeds = [SEED.fullmatch(seed) for seed in whole["seeds"].split("next_seed\n")] if whole else []
    if whole is None or not all(seeds):
        raise ValueError(parts[TEXT])
    x, y, z = map(int, whole["size"].split())
    state.torus = TorusFile((x, y, z), int(whole["most"] or 0), tuple(_seed(seed) for seed in seeds if seed))


def _seed(match: re.Match[str]) -> Seed:
    links = (line.split() for line in match["links"].splitlines())
    datelines = (line.split() for line in match["datelines"].splitlines())
    return Seed(
        tuple((word, switch, neighbor) for word, switch, neighbor in links),
        tuple((word, int(position)) for word, position in datelines),
    )


def _moved(old: Node | None, new: Node | None) -> str:
    """New ports bring new records; a port whose LID changes loses its connections."""
    before, after = (
        {} if node is None else {key: line.text for key, line in node.below.items()} for node in (old, new)
    )
    moved = sum(before[guid] != record for guid, record in after.items() if guid in before)
    more, fewer = len(after.keys() - before.keys()), len(before.keys() - after.keys())
    reason = f"{more:,} LIDs more, {fewer:,} fewer; {RESTART}"
    if moved:
        return f"{moved:,} ports get another LID and lose their connections; {reason}"
    return reason
