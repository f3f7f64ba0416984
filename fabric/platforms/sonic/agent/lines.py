"""Lines of FRR: which of them a text adds and removes, and the commands that do it.

Sources: FRR's manual (forms of `no neighbor`), frr-reload.py of tag frr-8.4.4 (what comes back by itself).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

HEAD = re.compile(r"(?s)\A.*?^Current configuration:\n(?:!\n)?", re.MULTILINE)
ENDS = frozenset({"exit", "exit-address-family", "exit-vrf", "end"})
BFD_DEFAULTS = frozenset({"detect-multiplier 3", "receive-interval 300", "transmit-interval 300"})
PROFILES = {
    "frr defaults datacenter": frozenset({"bgp log-neighbor-changes", "timers bgp 3 9"}),
    "frr defaults traditional": frozenset({"timers bgp 60 180"}),
}
"""Lines that FRR takes and does not show, as they say what its profile says (8.4.4, run)."""
BY_PROFILE = re.compile(r"(neighbor \S+ bfd) profile \S+")
"""A line that FRR shows with another one before it."""
QUIET = re.compile(
    r"frr (?:version|defaults) .*|hostname .*|service integrated-vtysh-config|(?:no )?fpm .*|log .*|agentx|end"
    r"|no ip(?:v6)? forwarding"
    r"|no ipv6 nd (?:ra-interval 10|no ipv6 nd suppress-ra|suppress-ra)"
)
"""Lines of the process, not of routing: FRR reads them when it starts, shows some of them in another form, or adds them
itself. The file has them; they are not changes of what runs."""
OPENS = re.compile(r"(?:router|route-map|address-family|interface|vrf|key chain|profile|peer) .*|bfd")
PASSWORD = re.compile(r"(\b(?:password|key|auth-key|message-digest-key \d+ md5)\s+(?:[08] )?)\S+")

Path = tuple[str, ...]
Line = tuple[Path, str]


class Delta(NamedTuple):
    """Lines that go and lines that come, each with the lines above it; and both as commands."""

    removed: tuple[Line, ...]
    added: tuple[Line, ...]
    batch: str

    @property
    def is_empty(self) -> bool:
        """Whether nothing changes."""
        return not self.removed and not self.added

    @property
    def shown(self) -> list[str]:
        """As text, without passwords."""
        signed = [("-", line) for line in self.removed] + [("+", line) for line in self.added]
        return [f"{sign}{hidden(' / '.join((*path, text)))}" for sign, (path, text) in signed]


def hidden(text: str) -> str:
    """The text without passwords."""
    return PASSWORD.sub(r"\1<masked>", text)


def lines_of(text: str) -> list[Line]:
    """Every line, with those that it stands below."""
    above: list[str] = []
    lines: list[Line] = []
    for raw in HEAD.sub("", text).splitlines():
        line = raw.strip()
        if not line or line.startswith("!") or line in ENDS:
            continue
        del above[len(raw) - len(raw.lstrip(" ")) :]
        lines.append((tuple(above), line))
        above.append(line)
    return lines


def delta(old: str, new: str) -> Delta:
    """From one text to another."""
    before, after = _plain(old), _plain(new)
    kept, wanted = set(before), set(after)
    gone = [line for line in before if line not in wanted]
    return Delta(
        removed=tuple(gone),
        added=tuple(line for line in after if line not in kept),
        batch=_batch((*_removals(gone, wanted), *((line, line[1]) for line in after if line not in kept))),
    )


def _plain(text: str) -> list[Line]:
    """Without lines that are not routing, and blocks that hold nothing."""
    every = lines_of(text)
    profile = next((PROFILES[line] for _, line in every if line in PROFILES), frozenset[str]())
    lines = list(dict.fromkeys(shown for line in every for shown in _as_shown(line, profile)))
    used = {path[: depth + 1] for path, _ in lines for depth in range(len(path))}
    hollow = re.compile(r"bfd|address-family .*")
    return [(path, text) for path, text in lines if not hollow.fullmatch(text) or (*path, text) in used]


def _as_shown(line: Line, profile: frozenset[str]) -> Iterator[Line]:
    """A line as FRR prints it: not at all, or with the one that belongs to it."""
    path, text = line
    hidden_here = BFD_DEFAULTS if path[:1] == ("bfd",) else profile
    if QUIET.fullmatch(text) or text in hidden_here:
        return
    if match := BY_PROFILE.fullmatch(text):
        yield path, match[1]
    yield line


Command = tuple[Line, str]


def _removals(gone: list[Line], wanted: set[Line]) -> Iterator[Command]:
    """A block that goes is removed by its head, a neighbour that goes by its name."""
    heads = {(*path, text) for path, text in gone}
    left = {_neighbor(line) for line in wanted}
    named: set[Line] = set()
    for line in gone:
        path, text = line
        if any(path[: depth + 1] in heads for depth in range(len(path))):
            continue
        whole = _neighbor(line)
        if whole is not None and whole not in left:
            router = (path[:1], whole[1])
            if router not in named:
                named.add(router)
                yield (router[0], text), _unnamed(whole[1], gone)
            continue
        yield line, text.removeprefix("no ") if text.startswith("no ") else f"no {text}"


def _neighbor(line: Line) -> tuple[Path, str] | None:
    """Router and name of the neighbour or group that a line is about."""
    path, text = line
    words = text.split()
    return (path[:1], words[1]) if words[0] == "neighbor" and path else None


def _unnamed(name: str, gone: Iterable[Line]) -> str:
    texts = [text for _, text in gone]
    if f"neighbor {name} peer-group" in texts:
        return f"no neighbor {name} peer-group"
    if any(text.startswith(f"neighbor {name} interface") for text in texts):
        return f"no neighbor {name} interface"
    return f"no neighbor {name}"


def _batch(commands: Iterable[Command]) -> str:
    """One file for `vtysh -f`. Each command stands in its place."""
    here: Path = ()
    rows: list[str] = []
    for (path, text), command in commands:
        common = _common(here, path)
        rows += [_close(line) for line in reversed(here[common:])]
        rows += path[common:]
        rows.append(command)
        here = (*path, text) if command == text and OPENS.fullmatch(text) else path
    rows += [_close(line) for line in reversed(here)]
    return "".join(f"{row}\n" for row in rows)


def _common(one: Path, other: Path) -> int:
    """How many lines above are the same."""
    depth = 0
    while depth < min(len(one), len(other)) and one[depth] == other[depth]:
        depth += 1
    return depth


def _close(line: str) -> str:
    return "exit-address-family" if line.startswith("address-family") else "exit"
