"""The form of the files that digests and diffs are taken over: comments and blank lines gone, secrets masked."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabric.platforms.base import PART, Block
from fabric.platforms.texts import HIDDEN

SECRET = re.compile(rf"^(\s*neighbor \S+ password )(?!{HIDDEN}$)\S.*$", re.MULTILINE)
SAYS_NOTHING = frozenset({"exit", "end", "exit-address-family", "service integrated-vtysh-config"})
"""Lines that FRR shows or hides as it likes: what stands behind them is told by indentation."""
VOLATILE = ("frr version ", "Building configuration", "Current configuration")


def canonical(text: str) -> str:
    """The canonical form; secrets that are no placeholder become `<masked>`."""
    lines = []
    part = "frr.conf"
    for raw in text.splitlines():
        line = raw.rstrip()
        if line.startswith(PART):
            part = line.removeprefix(PART).strip()
        elif _is_noise(line.lstrip(), part):
            continue
        lines.append(line)
    return SECRET.sub(r"\1<masked>", "".join(f"{line}\n" for line in lines))


def _is_noise(line: str, part: str) -> bool:
    if part == "frr.conf":
        return not line or line.startswith(("!", *VOLATILE)) or line in SAYS_NOTHING
    return not line or line.startswith("#")


def blocks(text: str) -> tuple[Block, ...]:
    """The pieces of a canonical text, each file's own; a line at the margin with what is indented below it."""
    found: dict[str, list[str]] = {}
    for part, lines in _pieces(text):
        found.setdefault(_key(part, lines[0]), []).extend(lines)
    return tuple(Block(key, "".join(f"{line}\n" for line in lines)) for key, lines in found.items())


def _pieces(text: str) -> Iterator[tuple[str, list[str]]]:
    part = "frr.conf"
    piece: list[str] = []
    for line in text.splitlines():
        if piece and not line.startswith(" "):
            yield part, piece
            piece = []
        if line.startswith(PART):
            part = line.removeprefix(PART).strip()
        else:
            piece.append(line)
    if piece:
        yield part, piece


def _key(part: str, header: str) -> str:
    """What stays the same when the value changes: `interface swp1`, `router bgp`, `route-map RM-TO-ABOVE`."""
    words = header.split()
    if part == "interfaces":
        return f"interface {words[1]}" if len(words) > 1 else header
    if part == "qos.sh":
        return _script_key(words)
    if part not in ("frr.conf", "interfaces"):
        return part
    if words[0] == "interface":
        return f"advertisements {words[1]}"
    if words[0] in ("ip", "ipv6", "bgp") and len(words) > 2:
        return " ".join(words[: 4 if words[0] == "bgp" else 3])
    return " ".join(words[:2])


def _script_key(words: list[str]) -> str:
    if words[0] == "cage":
        return f"cage {words[1]}"
    if words[0].endswith("()") and words[0] != "cage()":
        return f"profile {words[0].removesuffix('()')}"
    return f"queues {words[1]}" if len(words) == 2 and words[1].startswith("swp") else "script"
