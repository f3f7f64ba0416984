"""Lists of a job's hosts, as schedulers and spreadsheets write them. What is wrong is told with its line and column."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from fabric.diagnostics import Diagnostic, Origin
from fabric.documents.places import Document, InvalidDocument, SourceMap, Sources
from fabric.documents.suggest import did_you_mean
from fabric.simulation import codes
from fabric.topology.model import NetworkTopology
from fabric.topology.roles import Role

HEADINGS = ("host", "hosts", "hostname", "hostnames", "node", "nodename", "nodelist")
"""Of the column with the hosts; the others are not looked at."""
DELIMITERS = ",;\t"
MOST_NAMES = 1 << 20
"""Hosts that a list may name: a longer range is a mistake."""
MOST_SUGGESTIONS = 8
"""So many unknown names are compared with all that are known."""
MOST_MISTAKES = 50
"""After so many a list is not read on: it is not the list that was meant."""
SPAN = re.compile(r"(\d+)(?:-(\d+))?$(?!\n)", re.ASCII)
MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
"""Byte-order marks of what is not UTF-8."""


def decoded(content: bytes) -> str:
    """The text of a file without its byte-order mark."""
    return content.decode(MARKS.get(content[:2], "utf-8-sig"), errors="replace")


class BadWordError(Exception):
    """A word that cannot be read as names: rule and hint."""


@dataclass
class _Reader:
    """Collects hosts, and all that is wrong with a list."""

    net: NetworkTopology
    file: str
    nodes: Mapping[str, int]
    found: dict[int, int] = field(default_factory=dict)
    """By node: the line that names it."""
    wrong: list[Diagnostic] = field(default_factory=list)
    places: dict[str | int, SourceMap] = field(default_factory=dict)
    suggested: int = 0

    def word(self, number: int, column: int, word: str) -> None:
        """One name, or one expression with ranges."""
        try:
            names = list(unfolded(word))
        except BadWordError as error:
            rule, hint = error.args
            self.add(number, column, word, f"`{word}`: {rule}", hint)
            return
        unknown = [name for name in names if name not in self.nodes]
        twice = [name for name in names if self.nodes.get(name) in self.found]
        for name in names:
            if name in self.nodes and self.nodes[name] not in self.found:
                self.found[self.nodes[name]] = number
            elif name in self.nodes and name not in twice:
                twice.append(name)  # within one word
        if unknown:
            self.add(
                number,
                column,
                word,
                self._rule(word, unknown, "is not a host", "are not hosts"),
                self._hint(unknown[0]),
            )
        if twice:
            line = self.found[self.nodes[twice[0]]]
            rule = self._rule(word, twice, "is listed twice", "are listed twice").removesuffix(
                f" of {self.net.name}"
            )
            self.add(number, column, word, f"{rule}, first on line {line}", "name each host once")

    def _rule(self, word: str, names: Sequence[str], is_one: str, are_many: str) -> str:
        of = f" of `{word}`" if names[0] != word else ""
        if len(names) == 1:
            return f"`{names[0]}`{of} {is_one} of {self.net.name}"
        return f"`{names[0]}` and {len(names) - 1} more{of} {are_many} of {self.net.name}"

    def _hint(self, name: str) -> str:
        self.suggested += 1
        guess = did_you_mean(name, self.nodes) if self.suggested <= MOST_SUGGESTIONS else ""
        return (
            guess
            or "`fabric show devices` lists hosts; a CSV file has a first line that names the column `host`"
        )

    def add(self, number: int, column: int, value: str, rule: str, hint: str) -> None:
        """What is wrong at a place."""
        place = len(self.wrong)
        self.places[place] = SourceMap(self.file, max(1, number), max(1, column))
        origin = Origin(("hosts", place), document=self.file)
        self.wrong.append(codes.NO_HOST.at(origin, rule, value=value or None, hint=hint, about=rule))


def named_hosts(net: NetworkTopology, lines: Sequence[str], file: str) -> tuple[int, ...]:
    """Node ids of a list in its order: a name a line, Slurm host lists, or CSV with a heading.

    `InvalidDocument` with all that is wrong, at its lines.
    """
    reader = _Reader(net, file, {net.names[node]: node for node in net.role_start[Role.HOST]})
    for number, column, word in _words(lines, reader):
        if len(reader.wrong) >= MOST_MISTAKES:
            rule = f"the list has {MOST_MISTAKES} mistakes above: from here on it is not read"
            reader.add(
                number, column, word, rule, "name the list of this network's hosts, or correct those above"
            )
            break
        reader.word(number, column, word)
    if not reader.found and not reader.wrong:
        hint = "write host names: one a line, or as a Slurm host list (`gpu-0-[0-7]`)"
        reader.add(0, 0, "", "the list has no hosts", hint)
    if reader.wrong:
        raise InvalidDocument(reader.wrong, sources_of(file, reader.places))
    return tuple(reader.found)


def sources_of(file: str, places: Mapping[str | int, SourceMap] | None = None) -> Sources:
    """Where findings about a list are shown: at their places in it, else at its beginning."""
    hosts = SourceMap(file, 1, 1, children=dict(places or {}))
    return Sources({file: Document(file, None, SourceMap(file, 1, 1, children={"hosts": hosts}))})


def _words(lines: Sequence[str], reader: _Reader) -> Iterator[tuple[int, int, str]]:
    """Line, column and text of each word."""
    rows = [(number, line.partition("#")[0]) for number, line in enumerate(lines, 1)]
    rows = [(number, row) for number, row in rows if row.strip()]
    delimiter, at = _heading(rows[0][1]) if rows else ("", -1)
    for number, row in rows[at >= 0 :]:
        if delimiter:
            cells = _cells(row, delimiter)
            cell = cells[at] if at < len(cells) else ""
            if cell:
                yield number, row.find(cell) + 1, cell
            elif any(cells):
                reader.add(
                    number, 1, row.strip(), "no host in this row", "fill its column, or remove the row"
                )
        else:
            yield from ((number, *word) for word in _split(row))


def _heading(row: str) -> tuple[str, int]:
    """The delimiter of a CSV file by its first line, and its column of hosts; -1: there is no heading."""
    if row.strip().strip('"').lower() in HEADINGS:
        return "", 0
    for delimiter in DELIMITERS:
        cells = [cell.lower() for cell in _cells(row, delimiter)]
        for at, cell in enumerate(cells):
            if cell in HEADINGS:
                return delimiter, at
    return "", -1


def _cells(row: str, delimiter: str) -> list[str]:
    return [cell.strip() for cell in next(csv.reader([row], delimiter=delimiter, skipinitialspace=True), [])]


def _split(row: str) -> Iterator[tuple[int, str]]:
    """Words between commas and blanks that stand outside of brackets, with their columns."""
    depth, start = 0, 0
    for at, letter in enumerate(row + ","):
        depth += (letter == "[") - (letter == "]")
        is_last = at == len(row)
        if is_last or (letter in ", \t\r" and depth <= 0):
            word = row[start:at].strip()
            if word:
                yield row.index(word, start) + 1, word
            start = at + 1


def unfolded(word: str) -> Iterator[str]:
    """`gpu-0-[0-2,7]`: one name for each number, as wide as the first of its range is written.

    `BadWordError` where brackets or ranges are wrong.
    """
    head, opened, rest = word.partition("[")
    if "]" in head:
        raise BadWordError("`]` without `[` before it", "write ranges as `gpu-0-[0-7]`")
    if not opened:
        yield word
        return
    inside, closed, after = rest.partition("]")
    if not closed or "[" in inside:
        raise BadWordError("`[` is not closed", "close it: `gpu-0-[0-7]`")
    numbers = [number for span in inside.split(",") for number in _span(span)]
    if len(numbers) > MOST_NAMES:
        raise BadWordError(f"{len(numbers):,} names", f"name at most {MOST_NAMES:,} hosts")
    for number in numbers:
        yield from unfolded(f"{head}{number}{after}")


def _span(span: str) -> Iterator[str]:
    match = SPAN.match(span.strip())
    if match is None:
        rule = f"`{span}` is neither a number nor a range of numbers"
        raise BadWordError(rule, "write `[3]`, `[0-7]` or `[0-3,7]`")
    low, high = match[1], match[2] or match[1]
    count = int(high) - int(low) + 1
    if count < 1:
        raise BadWordError(f"the range {span} ends before it begins", f"write `[{high}-{low}]`")
    if count > MOST_NAMES:
        raise BadWordError(f"the range {span} has {count:,} names", f"name at most {MOST_NAMES:,} hosts")
    return (f"{number:0{len(low)}d}" for number in range(int(low), int(high) + 1))
