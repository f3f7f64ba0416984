"""What a product's configuration may say: one row for each form of a line, in one table for each product.

A row is all that is known of a line: what it sets and to what (its pattern), what it says by default, what it means in
neutral words (`reads`), what stands below it, and what a change of it does to traffic (`effect`). Comparing, merging,
reading and judging are written once, over these rows; a product is its table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

from fabric.configuration.equal_values import comparable, free_text, with_text
from fabric.configuration.impacts import Impact
from fabric.configuration.patterns import Matched, Pattern

Scope = Literal["device", "port", "session"]
"""What a change concerns: the whole device, the port or the BGP session in whose section or line it stands."""

Parts = Mapping[str, str]
"""What stands for the names of a pattern, empty where its brackets are left out; and the whole `line`."""

Reader = Callable[[Any, Parts], Any]
"""(state, parts of the line) to the state of the lines below; None: the same state. `ValueError` if the line makes no
sense: it is unread then, with all below it."""

Access = Literal["none", "removed", "changed", "added", "always"]
"""Whether management access stands on a line: taking it away may lock us out, or any change of it where its section was
there before, or the line itself wherever it is new, or any change of it wherever it stands."""

TEXT = "text_below"
"""The part of a line below which stands a text (`is_free`) that is all of that text, for its reader."""
LINE = "line"
"""The part of a line that is all of it, with its values as they are compared."""
BELOW = "line_below"
"""The part of a line that stands below another one, and is written on the same line."""

MAX_KNOWN = 16384
"""Lines of a section whose statements are remembered: most are alike on all ports and switches."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What changing a line does."""

    impact: Impact
    reason: str
    scope: Scope = "device"
    new: Impact | None = None
    """What it does where there was nothing of the kind before; None: the same. That of a section holds for its lines
    where the section itself is new."""
    in_new: Impact | None = None
    """What it does where the section around it is new too; None: the same as elsewhere."""
    raised: Effect | None = None
    """What is done where a number of the line becomes a greater one, and nothing else of it; None: the same."""
    leads: bool = False
    """Of lines that do as much harm this one gives the reason: what the others do follows from it."""


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """Lines of one form."""

    pattern: str
    _: KW_ONLY
    reads: Reader | None = None
    """None: it is known, and says nothing that we keep."""
    below: Section | None = None
    """The lines below it; None: it has none."""
    default: tuple[str, ...] = ()
    """Lines of this form that say what is so without them."""
    is_default: Callable[[Parts], bool] | None = None
    """The same, where it is told by the parts."""
    implies: str = ""
    """A line beside it that then says a default."""
    expands: Callable[[Parts], Iterable[str]] | None = None
    """The lines, one setting each, that a line of many settings stands for; of a single one itself."""
    effect: Effect | None = None
    """None: that of its section."""
    access: Access | None = None
    """None: that of the line that it stands below."""
    vrf: str = ""
    """The VRF that a line with `access` is about where it names none: that access stands on it only if the device is
    reached in that VRF. Empty: in whichever."""
    account: Callable[[Parts], str] | None = None
    """Of lines about one user who may log in: his name. Management access of another one does not stand on them."""
    ports: Callable[[Parts], Iterable[str]] | None = None
    """(its parts and those of the lines above it) to the ports that it concerns: those of a cage that is split. None:
    that of the nearest line with a `port` among its parts."""
    topic: str = ""
    """Single lines of a topic are shown as one change: `ntp`, and with a part of the line, `user {name}`."""
    finish: Callable[[Any, Any], None] | None = None
    """(state, that of the lines below) when all of those are read: what is counted as a whole or not at all. If one of
    them is unread, or this raises a `ValueError`, all of them are; and no foreign line is carried along in it."""
    sums_up: Callable[[Any, Any], str] | None = None
    """(the `Node` that was, the one that will be; None: there is none) to the reason of its change, where that of the
    worst line says too little; empty: it does not."""
    is_once: bool = False
    """A second line of its place that sets the same thing is one that nobody knows: to take either would be a guess."""
    is_unread: bool = False
    """What it does is known and what it says is not: it is reported with the lines that nobody knows."""
    is_free: bool = False
    """What stands below it is text: one value, whatever it looks like."""
    empty_is_absent: bool = False
    """Without lines below it, it says nothing."""
    is_container: bool = False
    """What stands below it are things of their own, and each is a change of its own: a file, a table of rows."""
    is_inline: bool = False
    """A line below it may stand on its own line instead: `then accept` is `then`, and `accept` below it."""
    is_by_path: bool = False
    """A line below it says something only behind those above it, down from here: a file whose syntax is by path among
    others that are not."""
    overrides: bool = False
    """It goes before what other lines say, wherever it stands: a static route before those of BGP."""
    order_counts: bool = False
    """Its place among the lines of this form says something: the term of a policy without a number."""


class Known(NamedTuple):
    """A line that a section knows."""

    statement: Statement
    line: Matched
    is_one: bool
    """It is one line, neither of many settings nor of two levels."""


class Section:
    """The lines that may stand at one place: the first statement that fits a line tells what it is."""

    def __init__(self, *statements: Statement, effect: Effect | None = None) -> None:
        self.statements = statements
        self.effect = effect
        """Of statements without one of their own, and of lines that nobody knows."""
        self._known: dict[str, Known | None] = {}
        self.has_joint: bool = any(
            statement.expands is not None or (statement.below is not None and statement.below.has_joint)
            for statement in statements
        )
        """A line here or below stands for several."""
        self.has_order = any(statement.order_counts for statement in statements)
        self.defaults = frozenset(line for statement in statements for line in statement.default)
        rows = [(pattern, statement) for statement in statements for pattern in _patterns(statement)]
        self._anywhere = [row for row in rows if not row[0].starts]
        starts = frozenset[str]().union(*(pattern.starts for pattern, _ in rows))
        self._by_start = {
            start: [row for row in rows if start in row[0].starts or not row[0].starts] for start in starts
        }
        """The rows that a line with this first word may fit, in the order of the table."""

    @cached_property
    def lone_defaults(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Lines that say a default and nothing else, with the words of what they set."""
        known = ((line, self.find(line)) for line in sorted(self.defaults))
        return tuple(
            (line, tuple(found.line.key.split()))
            for line, found in known
            if found is not None
            and found.is_one
            and found.statement.below is None
            and not found.statement.implies
            and not found.statement.order_counts
        )

    def find(self, line: str) -> Known | None:
        """What a line is; None if no statement fits. Key and parts have each value in the form that is compared."""
        try:
            return self._known[line]
        except KeyError:
            known = self._parsed(line)
            if len(self._known) < MAX_KNOWN:
                self._known[line] = known
            return known

    def _parsed(self, line: str) -> Known | None:
        same = comparable(line)
        for pattern, statement in self._by_start.get(same.partition(" ")[0], self._anywhere):
            match = pattern.match(same)
            if match is not None:
                if same != line and (text := free_text(match.parts, same)):
                    same = with_text(line, same, text)
                    match = pattern.match(same) or match
                is_one = statement.expands is None and BELOW not in match.parts
                return Known(statement, Matched(match.key, {LINE: same, **match.parts}), is_one)
        return None


def _patterns(statement: Statement) -> Iterator[Pattern]:
    """Those of a line by itself, and of one with a line below it on the same line."""
    yield Pattern(statement.pattern)
    if statement.is_inline:
        yield Pattern(f"{statement.pattern} {{{BELOW}*}}")


def quiet(statement: Statement) -> Statement:
    """The same line, and all below it, judged by what it stands in. What touches no traffic still does not."""
    is_harmless = statement.effect is not None and statement.effect.impact == "none"
    return replace(
        statement,
        below=statement.below and Section(*map(quiet, statement.below.statements)),
        effect=statement.effect if is_harmless else None,
        access="none" if is_harmless else None,
        overrides=False,
    )
