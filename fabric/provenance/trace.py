"""Which fields of a device make which of its lines: each field is changed, and the device is printed again.

This is exact on every product, through its own templates, and no product's words are needed for it. Fields are tried
in groups, then each for all ports, sessions and queues that have it; where one makes a line, its elements are halved
until those that do are left.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import groupby, islice
from typing import Any, NamedTuple

from fabric.diagnostics import FabricError
from fabric.provenance.config_lines import Asked, Files
from fabric.provenance.device_fields import SHARED, Column, Path, changed, changes, columns, value_at

Print = Callable[[Any], Mapping[str, str]]
"""A device to its files, by path. Findings of the product are of no interest here."""
Change = Callable[[Any], Any]
MOST_TRIES = 5
"""Other values of a field that are tried until one changes the text."""
WITHOUT_EFFECT = 2
"""Of those, how many may be printed and change nothing at all until the field counts as one that is not printed."""
MOST_ELEMENTS = 6
"""Elements of a column that are named; a line that more of them make is made by all."""
MOST_TOGETHER = 32
"""Elements of which the fewest that make a line together are looked for."""
ALONE = frozenset({(SHARED,), ("ports",)})
"""Parts whose fields are not tried together: one may make a line that another one takes away. A port that is not shut
any more, and unused, is shut."""
CANNOT_BE_PRINTED = (
    FabricError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)


class Hit(NamedTuple):
    """A field that makes a line, with the change that showed it."""

    column: Column
    change: Change
    of_section: bool

    @property
    def kind(self) -> tuple[str, bool]:
        """What it has in common with the same field of another line."""
        return self.column.name, self.of_section


class Traced(NamedTuple):
    """One field that makes a line."""

    column: Column
    places: tuple[Path, ...]
    """Of the elements that do; more than `MOST_ELEMENTS`: all of them."""
    of_section: bool
    """It makes a header above the line."""
    is_joint: bool = False
    """It takes several elements to change the line: none of them makes it alone."""


class Tracer:
    """The fields of one device, and what changing them does to some of its lines."""

    def __init__(self, device: Any, print_device: Print) -> None:
        self.device = device
        self._print = print_device
        self.texts = print_device(device)
        self.prints = 1
        """How often the device was printed."""

    def hits(self, asked: Sequence[Asked]) -> list[list[Hit]]:
        """The fields that make each of some lines, each over all ports, sessions and queues that have it."""
        found: list[list[Hit]] = [[] for _ in asked]
        for part, group in groupby(sorted(columns(self.device), key=_group), _group):
            together = list(group)
            if part not in ALONE and len(together) > 1 and not self._group_makes(together, asked):
                continue
            for column in together:
                for change, lines in self._hits(column, asked):
                    for at, of_section in lines.items():
                        found[at].append(Hit(column, change, of_section))
        return found

    def traced(self, asked: Asked, hits: Sequence[Hit]) -> list[Traced]:
        """The fields that make a line, with the ports, sessions or queues of which they do."""
        return [
            Traced(hit.column, places, hit.of_section, is_joint)
            for hit in hits
            for places, is_joint in [self._elements(hit.column, hit.change, asked)]
        ]

    def _group_makes(self, group: Iterable[Column], asked: Sequence[Asked]) -> bool:
        """Whether fields may make one of the lines: all are changed at once."""
        device = self.device
        names_last = sorted(group, key=lambda column: (column.is_presence, column.pattern[-1] == "name"))
        for column in names_last:
            if column.is_presence:
                if self._hits(column, asked):
                    return True
                continue
            change = next(changes(self.device, column), None)
            if change is not None:
                device = changed(device, column.places, change)
        texts = self._tried(device)
        return texts is None or bool(self._gone(texts, asked))

    def _hits(self, column: Column, asked: Sequence[Asked]) -> list[tuple[Change, dict[int, bool]]]:
        """By the change that showed it: the lines that a column makes, and whether by a header above them."""
        hits: list[tuple[Change, dict[int, bool]]] = []
        known: set[int] = set()
        idle, enough = 0, _tries_without_effect(self.device, column)
        for change in islice(changes(self.device, column), MOST_TRIES):
            texts = self._tried(changed(self.device, column.places, change))
            if texts is None:
                continue
            idle += texts == self.texts
            lines = {at: how for at, how in self._gone(texts, asked).items() if at not in known}
            known |= lines.keys()
            if lines:
                hits.append((change, lines))
            if len(known) == len(asked) or idle == enough:
                break
        return hits

    def _gone(self, texts: Mapping[str, str], asked: Sequence[Asked]) -> dict[int, bool]:
        return {} if texts == self.texts else _gone(texts, asked)

    def _tried(self, device: Any) -> Mapping[str, str] | None:
        """The files of a device; None if the product, or a template, cannot be given it."""
        self.prints += 1
        try:
            return self._print(device)
        except CANNOT_BE_PRINTED:
            return None

    def _elements(self, column: Column, change: Change, asked: Asked) -> tuple[tuple[Path, ...], bool]:
        """The places of a column that make a line, and whether they do so only together."""
        places = list(column.places)
        if len(places) == 1:
            return column.places, False
        if column.pattern[0] == SHARED and (found := self._of_all_kinds(column, change, asked)):
            return found
        likely = self._named(column, asked)
        if likely and len(likely) < len(places):
            rest = [place for place in places if place not in set(likely)]
            if not self._makes(rest, change, asked):
                places = likely
        return self._halved(places, change, asked)

    def _of_all_kinds(
        self, column: Column, change: Change, asked: Asked
    ) -> tuple[tuple[Path, ...], bool] | None:
        """The same for what kinds of ports have alike: a product may print equal kinds once, so all are changed."""
        by_field: dict[Path, list[Path]] = {}
        for place in column.places:
            by_field.setdefault(place[2:], []).append(place)
        found: list[Path] = []
        for places in by_field.values():
            if self._makes(places, change, asked):
                likely = [place for place in places if str(place[1]) in asked.line.text.split()]
                likely = likely or [
                    place for place in places if str(place[1]) in " ".join(asked.line.above).split()
                ]
                found += likely if likely and self._makes(likely, change, asked) else places
        return (tuple(found), len({place[2:] for place in found}) < len(found)) if found else None

    def _named(self, column: Column, asked: Asked) -> list[Path]:
        """The places whose element has its name in the line or above it."""
        words = set(
            "".join(
                c if c not in '",{:' else " " for c in " ".join((*asked.line.above, asked.line.text))
            ).split()
        )
        return [place for place in column.places if self._names(place) & words]

    def _names(self, place: Path) -> set[str]:
        """What an element is called."""
        names = {str(step) for step in place[1:] if isinstance(step, str)}
        for depth, step in enumerate(place):
            if isinstance(step, int):
                element = value_at(self.device, place[: depth + 1])
                own = (getattr(element, name, None) for name in ("name", "key", "port", "address", "peer"))
                names |= {str(name) for name in own if name}
        return names

    def _makes(self, places: Collection[Path], change: Change, asked: Asked) -> bool:
        texts = self._tried(changed(self.device, places, change))
        return texts is not None and bool(self._gone(texts, (asked,)))

    def _halved(self, places: list[Path], change: Change, asked: Asked) -> tuple[tuple[Path, ...], bool]:
        """Those of some places that make a line by themselves; all, if they are many; the fewest, if none does."""
        single: list[Path] = []
        waiting = [places]
        while waiting:
            some = waiting.pop()
            if len(some) > 1 and len(single) + len(waiting) >= MOST_ELEMENTS:
                return tuple(places), True
            if not self._makes(some, change, asked):
                continue
            if len(some) == 1:
                single.append(some[0])
            else:
                half = len(some) // 2
                waiting += [some[half:], some[:half]]
        return (tuple(single), False) if single else (self._fewest(places, change, asked), True)

    def _fewest(self, places: list[Path], change: Change, asked: Asked) -> tuple[Path, ...]:
        """The places without which a line stays, where it takes several to change it: two kinds of ports alike."""
        kept, size = places, len(places) // 2
        if len(places) > MOST_TOGETHER:
            return tuple(places)
        while size:
            for first in range(0, len(kept), size):
                rest = kept[:first] + kept[first + size :]
                if rest and self._makes(rest, change, asked):
                    kept = rest
                    break
            else:
                size //= 2
        return tuple(kept)


def _tries_without_effect(device: Any, column: Column) -> int:
    """Numbers are printed or are not; of words two may be the same to a product."""
    return 1 if isinstance(value_at(device, column.places[0]), int) else WITHOUT_EFFECT


def _group(column: Column) -> tuple[str, ...]:
    """Fields that are tried together: those of one part of the device."""
    if len(column.pattern) == 1:
        return ()
    return column.pattern[: 2 if column.pattern[0] in ("services", "routing") else 1]


def _gone(texts: Mapping[str, str], asked: Sequence[Asked]) -> dict[int, bool]:
    """The lines that texts have no more, by their place in `asked`; True where the section is not there either."""
    files = Files(texts)
    return {
        at: not files.has_section(one.line.file, one.line.above)
        for at, one in enumerate(asked)
        if not files.has(one.line, one.number)
    }
