"""Two ways to write one value compare as no change, on every product; a real change beside them is still seen."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from ipaddress import IPv6Address

import pytest

from fabric.configuration import Curly, Keyed, Section, compare, merge
from fabric.configuration.equal_values import FREE_BEHIND, comparable
from fabric.platforms.base import PART
from tests.configuration.dialects import MANAGERS, PRODUCTS, dialect, examples, printed

FEATURES = (
    "ipv6",
    "dual stack",
    "vlan gateways",
    "tacacs",
    "border router of a dual fabric that sends defaults",
)
ADDRESS = re.compile(r"(?<![\w:.-])[0-9a-f:]*:[0-9a-f]*:[0-9a-f:]*(?![\w:.-])")
FREE_LINE = re.compile(rf"(?i)\b(?:{'|'.join(sorted(FREE_BEHIND))})\b")
"""Lines with text of which every character counts."""
FREE_VALUE = re.compile(rf'(?i)("(?:{"|".join(sorted(FREE_BEHIND))})": ?"[^"]*")')
LIST_MAY_STAND = re.compile(r"(?m)^( +[a-z-]+(?: [^\s\"\[\]{};]+)*) ([^\s\"\[\]{};<>]+);$")

Rewriting = Callable[[str], str]


@cache
def texts(name: str) -> tuple[str, ...]:
    """What a product prints, in its plain form, with addresses of both versions where it has them."""
    every = [printed(name, feature)[:1] for feature in FEATURES] if name in PRODUCTS else [examples(name)]
    return tuple(dialect(name).plain(text) for several in every for text in several)


def _with_addresses(form: Callable[[IPv6Address], str]) -> Rewriting:
    def rewritten(match: re.Match[str]) -> str:
        try:
            return form(IPv6Address(match[0]))
        except ValueError:
            return match[0]

    return lambda text: _each_line(text, lambda line: ADDRESS.sub(rewritten, line))


def _each_line(text: str, rewritten: Rewriting) -> str:
    return "\n".join(map(partial(_but_for_text, rewritten), text.split("\n")))


def _but_for_text(rewritten: Rewriting, line: str) -> str:
    """A line rewritten, but for values of a document that are text, and lines of commands that hold any."""
    parts = FREE_VALUE.split(line)
    if len(parts) == 1:
        return line if FREE_LINE.search(line) else rewritten(line)
    return "".join(part if number % 2 else rewritten(part) for number, part in enumerate(parts))


def _spread(line: str) -> str:
    """A line with two blanks between its words, outside quotation marks."""
    margin = line[: len(line) - len(line.lstrip())]
    parts = re.split(r"(\"[^\"]*\"|'[^']*')", line.lstrip())
    return margin + "".join(
        part if number % 2 else re.sub(r"(?<=\S) (?=\S)|(?<=\S) $|^ (?=\S)", "  ", part)
        for number, part in enumerate(parts)
    )


def _spread_part(part: str) -> str:
    """A file of a product with its blanks doubled; a shell script is text."""
    return part if part.startswith(f"{PART}qos.sh\n") else _each_line(part, _spread)


def _listed(text: str) -> str:
    return _each_line(text, lambda line: LIST_MAY_STAND.sub(r"\1 [ \2 ];", line))


REWRITINGS: dict[str, Rewriting] = {
    "addresses in capitals": _with_addresses(lambda address: str(address).upper()),
    "addresses in full": _with_addresses(lambda address: address.exploded),
    "addresses in full and in capitals": _with_addresses(lambda address: address.exploded.upper()),
    "doubled blanks": lambda text: "".join(map(_spread_part, re.split(rf"(?m)^(?={re.escape(PART)})", text))),
    "lists of one": _listed,
}


def _fits(name: str, way: str) -> bool:
    """Whether a product's syntax has room for such a way to write."""
    syntax = dialect(name).syntax
    if way == "lists of one":
        return isinstance(syntax, Curly)
    # Of a document, and of a manager's files, every blank counts.
    return way != "doubled blanks" or not (isinstance(syntax, Keyed) or name in {"sonic", *MANAGERS})


CASES = [(name, way) for name in (*PRODUCTS, *MANAGERS) for way in REWRITINGS if _fits(name, way)]


@pytest.mark.parametrize(("name", "way"), CASES)
def test_what_is_written_in_another_way_is_no_change(name: str, way: str) -> None:
    known = dialect(name)
    for text in texts(name):
        other = REWRITINGS[way](text)
        assert () == compare(known, "x", text, known.plain(other)).changes
        assert () == compare(known, "x", known.plain(other), text).changes
        assert (text, ()) == _merged(name, text, other)


def _merged(name: str, ours: str, theirs: str) -> tuple[str, tuple[str, ...]]:
    """What is pushed: our text as we wrote it, with nothing foreign in it."""
    merged = merge(dialect(name), ours, dialect(name).plain(theirs), None)
    return merged.text, merged.kept


@pytest.mark.parametrize("name", PRODUCTS)
def test_every_way_is_really_another_one(name: str) -> None:
    ways = [way for case, way in CASES if case == name]

    assert [] == [way for way in ways if all(REWRITINGS[way](text) == text for text in texts(name))]


@pytest.mark.parametrize(("name", "way"), [case for case in CASES if case[0] in PRODUCTS])
def test_another_address_beside_them_is_seen(name: str, way: str) -> None:
    known = dialect(name)
    text = next(text for text in texts(name) if "fd00:255::" in text)
    planted = text.replace("fd00:255::", "fd00:254::")

    changes = compare(known, "x", text, known.plain(REWRITINGS[way](planted))).changes

    assert changes
    assert {change.what for change in compare(known, "x", text, planted).changes} == {c.what for c in changes}


@pytest.mark.parametrize("name", PRODUCTS)
def test_text_is_compared_letter_by_letter(name: str) -> None:
    """A description is what somebody has written: two of them that look alike are two."""
    known = dialect(name)
    text = next(text for text in texts(name) if "gpu-0-0" in text)
    one, other = (known.plain(text.replace("gpu-0-0", word)) for word in ("fd00::1", "FD00::1"))

    assert compare(known, "x", one, other).changes


def _sections(top: Section) -> Iterator[Section]:
    """Every section once: many statements share one, and some stand below themselves."""
    seen, waiting = set[int](), [top]
    while waiting:
        section = waiting.pop()
        if id(section) in seen:
            continue
        seen.add(id(section))
        yield section
        waiting += [one.below for one in section.statements if one.below is not None]


@pytest.mark.parametrize("name", PRODUCTS)
def test_every_row_of_free_text_keeps_its_text(name: str) -> None:
    line = re.compile(rf"\b({'|'.join(FREE_BEHIND)}) (?:\{{\w+\*\}})$")
    for section in _sections(dialect(name).top):
        for row in filter(line.search, {statement.pattern for statement in section.statements}):
            words = re.sub(r"[<{]\w+(?::[^<>{}]*)?[>}]", "x", row[: row.rindex(" ")])
            alone = Section(*(statement for statement in section.statements if statement.pattern == row))
            found = alone.find(f"{words} Two  blanks, FD00::1")
            if found is not None:
                assert "Two  blanks, FD00::1" in found.line.parts.values()


@pytest.mark.parametrize(
    ("line", "same"),
    [
        ("ip address FD00:0:0::1/127", "ip address fd00::1/127"),
        ("neighbor  2001:DB8::A   remote-as 1", "neighbor 2001:db8::a remote-as 1"),
        ('message "two  blanks FD00::1"', 'message "two  blanks FD00::1"'),
        ("import [ A ]", "import A"),
        ("import [ A B ]", "import [ A B ]"),
        ("Ethernet0|FC00::0001/64", "Ethernet0|fc00::1/64"),
        ("mac 00:1A:2B:3C:4D:5E at 12:00:00", "mac 00:1A:2B:3C:4D:5E at 12:00:00"),
        ("set community 65000:1 65000:2:3", "set community 65000:1 65000:2:3"),
        ("host [2001:DB8::1]:57400", "host [2001:db8::1]:57400"),
        ("interface fe80::1%Eth0", "interface fe80::1%Eth0"),
    ],
)
def test_the_form_that_equal_values_share(line: str, same: str) -> None:
    assert same == comparable(line)
