"""FRR in its container: the lines that it runs, and what it says against others.

Sources: FRR 8.4.4 as run (which refusals end a `vtysh -f`, and that the rest of the file is applied).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from fabric.platforms.sonic.agent.lines import BFD_DEFAULTS, BY_PROFILE, ENDS, OPENS, PROFILES, Line, lines_of
from fabric.platforms.sonic.read import read
from fabric.platforms.sonic.secrets import FRR
from fabric.platforms.texts import PART

VERSION = "10.4.1"
HEAD = f"Building configuration...\n\nCurrent configuration:\n!\nfrr version {VERSION}"
CLOSINGS = {"address-family": "exit-address-family", "vrf": "exit-vrf"}
SINGLE = re.compile(
    r"(frr defaults|hostname|fpm address|timers bgp|bgp router-id|maximum-paths|detect-multiplier|receive-interval"
    r"|transmit-interval|aggregate-address \S+"
    r"|neighbor \S+ (?:remote-as|description|password|bfd profile|ttl-security hops|maximum-prefix)"
    r"|neighbor \S+ interface|(?:ip|ipv6) prefix-list \S+ seq \d+|bgp community-list standard \S+ seq \d+"
    r"|match (?:community|ip address|ipv6 address)|set \S+)(?: .*|$)"
)
"""Lines of which there is one: another takes its place."""
MAP = re.compile(r"(neighbor \S+ route-map) \S+ (in|out)")
CLAUSE = re.compile(r"(route-map \S+) (?:permit|deny) (\d+)")
MEMBER = re.compile(r"(neighbor \S+ peer-group) \S+")
NEIGHBOR = re.compile(r"neighbor (\S+)(?: (.*))?")


class Frr:
    """What FRR runs. Commands apply line by line; what it refuses leaves the rest alone."""

    def __init__(self, text: str = "") -> None:
        self.lines: dict[Line, None] = {}
        self._places: dict[Line, int] = {}
        """Where each setting is printed in its block. FRR has an order of its own: whoever writes a line, and when."""
        self.complaints = self.apply(text)

    @property
    def text(self) -> str:
        """As `show running-config` prints it."""
        return "\n".join((HEAD, *self._printed(()), "end\n"))

    def _printed(self, path: tuple[str, ...]) -> Iterator[str]:
        hides = self._hides(path)
        own = [line for above, line in self.lines if above == path and line not in hides]
        for line in sorted(own, key=lambda line: self._places[path, _key(line)]):
            below = list(self._printed((*path, line)))
            yield f"{' ' * len(path)}{line}"
            yield from below
            if OPENS.fullmatch(line):
                yield f"{' ' * len(path)}{CLOSINGS.get(line.split()[0], 'exit')}"
                yield from ["!"] * (not path)

    def _hides(self, path: tuple[str, ...]) -> frozenset[str]:
        """Lines that say what FRR's profile says anyway."""
        if path[:1] == ("bfd",):
            return BFD_DEFAULTS
        profiles = (PROFILES[line] for _, line in self.lines if line in PROFILES)
        return next(profiles, frozenset[str]())

    def checked(self, text: str) -> list[str]:
        """What a dry run says: lines that no table knows."""
        return [f"% Unknown command: {line}" for path, line in lines_of(text) if not is_known(path, line)]

    def apply(self, text: str) -> list[str]:
        """Commands of a file, in their places. What FRR says against them."""
        here: list[str] = []
        complaints = []
        for raw in text.splitlines():
            line = raw.strip()
            if not line or line.startswith("!"):
                continue
            if line in ENDS:
                del here[-1 if line != "end" else 0 :]
                continue
            while here and not is_known(tuple(here), line):
                here.pop()
            if problem := self._command(tuple(here), line):
                complaints.append(problem)
            elif OPENS.fullmatch(line):
                here.append(line)
        return complaints

    def _command(self, path: tuple[str, ...], line: str) -> str:
        if not is_known(path, line):
            return f"% Unknown command: {line}"
        if line.startswith("no ") and (path, line) not in _settings(path, line):
            return self._remove(path, line.removeprefix("no "))
        if problem := self._problem(path, line):
            return problem
        self.lines.pop((path, f"no {line}"), None)
        if f"no {line}" in DEFAULTS:
            return ""
        key = _key(line)
        for known in [known for known in self.lines if known[0] == path and _key(known[1]) == key]:
            if known[1] != line:
                self._drop(known)
        if match := BY_PROFILE.fullmatch(line):
            self._add(path, match[1])
        self._add(path, line)
        return ""

    def _add(self, path: tuple[str, ...], line: str) -> None:
        self.lines.setdefault((path, line))
        self._places.setdefault((path, _key(line)), len(self._places))

    def _problem(self, path: tuple[str, ...], line: str) -> str:
        match = NEIGHBOR.fullmatch(line)
        if match is None or not path:
            return ""
        name, words = match[1], match[2] or ""
        known = {text for above, text in self.lines if above == path[:1]}
        if words.startswith("peer-group ") and f"neighbor {words.split()[1]} peer-group" not in known:
            return "% Configure the peer-group first"
        starts = ("peer-group", "remote-as", "interface")
        if words.startswith(starts) or any(
            text.startswith(f"neighbor {name} {s}") for text in known for s in starts
        ):
            return ""
        return "% Specify remote-as or peer-group commands first"

    def _remove(self, path: tuple[str, ...], line: str) -> str:
        match = NEIGHBOR.fullmatch(line)
        if match and _is_whole(match[2] or ""):
            gone = [known for known in self.lines if known[0][:1] == path[:1] and _is_of(known[1], match[1])]
            for known in gone:
                self._drop(known)
            return "" if gone else f"% Can't find neighbor {match[1]}"
        if (path, line) in self.lines:
            self._drop((path, line))
            return ""
        return f"% Can't find: {line}"

    def _drop(self, line: Line) -> None:
        path = (*line[0], line[1])
        for known in [known for known in self.lines if known == line or known[0][: len(path)] == path]:
            del self.lines[known]


def _is_whole(words: str) -> bool:
    """Whether `no neighbor NAME WORDS` removes the neighbour, or the group."""
    return words in ("", "peer-group", "interface") or words.startswith("remote-as")


def _is_of(line: str, name: str) -> bool:
    words = line.split()
    return words[0] == "neighbor" and (words[1] == name or words[2:] == ["peer-group", name])


def _key(line: str) -> str:
    for pattern in (MAP, CLAUSE):
        if match := pattern.fullmatch(line):
            return f"{match[1]} {match[2]}"
    match = SINGLE.fullmatch(line) or MEMBER.fullmatch(line)
    return match[1] if match else line


DEFAULTS = frozenset(
    {"no bgp default ipv4-unicast", "no bgp ebgp-requires-policy", "no bgp suppress-fib-pending"}
)
"""Settings that are shown where they are off."""


def _settings(path: tuple[str, ...], line: str) -> set[Line]:
    return {(path, line)} if line in DEFAULTS or line.startswith("no fpm ") else set()


@lru_cache(maxsize=65536)
def is_known(path: tuple[str, ...], line: str) -> bool:
    """Whether FRR has such a command there, by the tables of the product; of `no`, what it negates."""
    match = NEIGHBOR.fullmatch(line.removeprefix("no ")) if line.startswith("no neighbor ") else None
    if match and _is_whole(match[2] or ""):
        return bool(path) and path[-1].startswith("router bgp ")
    return any(_is_read(path, each) for each in {line, line.removeprefix("no ")})


def _is_read(path: tuple[str, ...], line: str) -> bool:
    rows = (f"{' ' * depth}{text}" for depth, text in enumerate((*path, line)))
    return not read("\n".join((f"{PART}{FRR}", *rows, ""))).unread
