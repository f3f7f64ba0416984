"""What lines of an override may say beside ours: for each product a table of what is harmless, and of what is not."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from fabric.platforms.overrides.lines import Words, paths

TAKES_BACK = ("no", "default", "undo")
"""First words of command lines that take another line back."""

COMMON_HARMLESS = (
    "interface * load-interval",
    "interface * logging event",
    "interface * snmp trap",
    "router bgp * vrf *",
)
COMMON_WHOLE = (
    "aaa",
    "control-plane",
    "errdisable",
    "hardware",
    "ip arp",
    "ip load-sharing",
    "ip routing",
    "ipv6 neighbor",
    "lldp",
    "mac address-table",
    "maintenance",
    "mpls",
    "port-channel load-balance",
    "power",
    "priority-flow-control",
    "qos",
    "router bgp * graceful-shutdown",
    "router bgp * vrf default",
    "spanning-tree",
    "system",
    "username",
)
"""What command lines of one kind have alike: `OverrideRules` says what the tables are."""


class OverrideRules(msgspec.Struct, frozen=True, kw_only=True):
    """What the lines of one part of a product may say.

    A pattern is the beginning of a line behind the lines that it stands in; `*` is any word. Of patterns in both tables
    the closest one holds.
    """

    harmless: tuple[str, ...]
    """What may stand below sections of ours, and of the rest what `whole` would refuse: it changes nothing of ours."""
    whole: tuple[str, ...]
    """What concerns the whole switch, wherever it stands: maintenance, routing, forwarding, its own processor."""
    statements: Callable[[str], Iterable[tuple[int, Words]]] = paths
    """A text as steps, each with its line from 1."""
    part: str = ""
    """The part of the product's text that the lines go to; empty: it has no parts."""
    by_line: bool = True
    """Told line by line: words may be abbreviated, and indentation says nothing."""

    def admits(self, steps: Words, ours: int) -> bool:
        """Whether a statement is known to change nothing. So many of its first steps are a section of ours."""
        known = len(words(steps[:ours]))
        beyond = [pattern for pattern in map(str.split, self.harmless) if len(pattern) > known]
        tokens = words(steps)
        return _fit(tokens, beyond) > _fit(tokens, map(str.split, self.whole), abbreviated=self.by_line)

    def is_of_all(self, steps: Words) -> bool:
        """Whether a statement concerns the whole switch, also where it takes another one back."""
        tokens = words(steps)
        tokens = tokens[1:] if tokens[:1] and tokens[0] in TAKES_BACK else tokens
        return _fit(tokens, map(str.split, self.whole), abbreviated=self.by_line) > 0


def words(steps: Iterable[str]) -> list[str]:
    """The words of a statement, with those of the sections that it stands in."""
    return [word.strip('"') for step in steps for word in step.split()]


def _fit(tokens: list[str], patterns: Iterable[list[str]], *, abbreviated: bool = False) -> int:
    """How many plain words the closest pattern has; 0: none fits."""
    fitting = [pattern for pattern in patterns if _begins(tokens, pattern, abbreviated=abbreviated)]
    return max((sum(word != "*" for word in pattern) for pattern in fitting), default=0)


def _begins(given: list[str], pattern: list[str], *, abbreviated: bool) -> bool:
    if len(given) < len(pattern):
        return False
    pairs = [(token.casefold(), known) for token, known in zip(given, pattern, strict=False) if known != "*"]
    return all(
        known.casefold() == token or (abbreviated and known.startswith(token)) for token, known in pairs
    )
