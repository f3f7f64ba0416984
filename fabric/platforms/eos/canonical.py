"""The form of a configuration that digests and diffs are taken over.

Two texts that make EOS run the same have one canonical form: sections in EOS's order, the same section written
twice joined, lines that only say a default left out, comments gone, secrets masked. It may be sent to EOS again
(with its secrets put back): what is left out are defaults, and a replaced configuration starts from those.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import compress
from operator import itemgetter

from fabric.platforms.base import Block
from fabric.platforms.eos.names import natural
from fabric.platforms.eos.order import BGP, INTERFACE, NEIGHBOR, rank_in, section, section_rank, start_of
from fabric.platforms.eos.secrets import mask_text
from fabric.platforms.sections import Line, parse

DEFAULT_LINES = frozenset(
    {
        "no aaa root",
        "no enable password",
        "no service interface inactive port-id allocation disabled",
        "transceiver qsfp default-mode 4x10G",
        "lldp run",
        "logging trap informational",
        "no ip routing",
        "end",
    }
)
"""Lines at the left margin that EOS prints though, or hides because, they are the default."""

DEFAULT_INTERFACE_LINES = frozenset(
    {
        "no shutdown",
        "switchport",
        "switchport mode access",
        "switchport access vlan 1",
        "mtu 1500",
        "lldp transmit",
        "lldp receive",
        "lacp timer normal",
    }
)
DEFAULT_BELOW: dict[str, frozenset[str]] = {
    "management api http-commands": frozenset({"protocol https"}),
    "management api gnmi": frozenset({"port 6030"}),
    "router bfd": frozenset({"interval 300 min-rx 300 multiplier 3 default"}),
    "router bgp": frozenset({"timers bgp 60 180"}),
    "management ssh": frozenset({"idle-timeout 0"}),
}
"""Section to the lines in it that say a default."""

ALWAYS_THERE = ("interface Ethernet", "interface Management")
"""Interfaces that EOS prints even where nothing is set of them."""

EMPTY_SAYS_NOTHING = frozenset({"router bfd"})
"""Sections that EOS does not print when nothing stands in them."""

DEFAULT_CLASSES = (1, 0, 2, 3, 4, 5, 6, 7)
"""Traffic class of code points 0-7, 8-15 and so on (EOS manual, quality of service)."""

DEFAULT = -1
"""Rank of a line that says a default."""
ROUTED, TRUSTS = 2 * rank_in(INTERFACE, "no switchport") + 1, 2 * rank_in(INTERFACE, "qos trust dscp") + 1
"""Ranks of `no switchport` and `qos trust dscp`: the second is the default where the first stands."""

LITERALS = {"banner login", "banner motd"}
NOTHING = re.compile(r"\n *(?:!.*)?(?=\n|$)")
"""A comment or a blank line."""
MARGIN = re.compile(r"\n(?! )")
"""Before a line at the left margin."""
BANNER = re.compile(r"(?m)^banner (?:login|motd)\n(?:.*\n)*?EOF$")
FOREIGN_INDENT = re.compile(r"\n(?: {1,2}|\t)[^ \n]")
"""A line that is not indented by three spaces, as EOS does."""
DSCP = re.compile(r"qos map dscp ([\d ]+) to traffic-class (\d)")
QUEUE = re.compile(r"qos map traffic-class (\d) to tx-queue (\d)")
NEIGHBORS = BGP.index("neighbor")
NEIGHBOR_RANKS = {words: rank for rank, words in enumerate(NEIGHBOR)}
SUB = 900
"""Rank of lines with others below them: EOS prints those last."""

Body = list[str]
Piece = tuple[str, Body]
"""A line at the left margin and the lines below it, with their indentation."""


def canonical(text: str) -> str:
    """The canonical form, with every secret that is no placeholder masked."""
    return mask_text(normal(text))


def normal(text: str) -> str:
    """The canonical form before its secrets are masked: the same lines at the same places."""
    if FOREIGN_INDENT.search(text):
        text = _indented(text)
    lines: list[str] = []
    for header, body in _ordered(_pieces(text)):
        lines.append(header)
        lines.extend(body)
    lines.append("")
    return "\n".join(lines)


def blocks(text: str) -> tuple[Block, ...]:
    """The pieces of a canonical text: each section with its lines, single lines of one section together."""
    found: dict[str, list[str]] = {}
    for header, body in _split(text):
        found.setdefault(_key(header, has_body=bool(body)), []).extend((header, *body))
    return tuple(Block(key, "".join(f"{line}\n" for line in lines)) for key, lines in found.items())


def _key(header: str, *, has_body: bool) -> str:
    """What stays the same when the value changes."""
    if header.startswith(("interface ", "username ", "vlan ", "vrf instance ", "banner ")):
        return " ".join(header.split(" ", 3)[: 3 if header.startswith("vrf") else 2])
    known = section(header)
    if header.startswith("router bgp "):
        return known
    if header.startswith("no "):  # on its own: planning takes a block of unlike lines for a text
        return header
    if has_body or header.startswith(("route-map ", "ip prefix-list ", "ipv6 prefix-list ")):
        return header
    return known or header


def _split(text: str) -> Iterator[Piece]:
    """Lines at the left margin with what is below them. Comments and blank lines are left out."""
    for part in _with_banners(text) if "banner " in text else MARGIN.split(_bare(text)):
        header, *body = part.split("\n")
        if header:
            yield header.rstrip(), body


def _with_banners(text: str) -> Iterator[str]:
    """The parts of a text, with banners as they are: their lines may look like anything."""
    at = 0
    for match in BANNER.finditer(text):
        yield from MARGIN.split(_bare(text[at : match.start()]))
        yield match[0].strip("\n")
        at = match.end()
    yield from MARGIN.split(_bare(text[at:]))


def _bare(text: str) -> str:
    """A text without comments and blank lines. EOS's own separators go the fast way."""
    text = f"\n{text}".replace("\n   !\n", "\n").replace("\n!\n", "\n")
    return NOTHING.sub("", text) if "\n!" in text or "\n\n" in text or " !" in text else text


def _pieces(text: str) -> dict[str, Body]:
    """Every header once, with its lines; of code points and classes, what they map to in the end."""
    found: dict[str, Body] = {}
    points: dict[int, int] = {}
    for header, body in _split(text):
        if header.startswith("qos map "):
            if (match := DSCP.fullmatch(header)) is not None:
                points.update(dict.fromkeys(map(int, match[1].split()), int(match[2])))
                continue
            if (match := QUEUE.fullmatch(header)) is not None and match[1] == match[2]:
                continue
        if header in found and header not in LITERALS:
            _join(found[header], body)
        else:
            found[header] = body
    found.update((line, Body()) for line in _dscp_lines(points))
    return found


def _indented(text: str) -> str:
    """The same text, each level indented by three spaces."""

    def lines(tree: Iterable[Line], depth: int) -> Iterator[str]:
        for line in tree:
            yield f"{'   ' * depth}{line.text}"
            if line.text in LITERALS:
                yield from (*(child.text for child in line.children), "EOF")
            else:
                yield from lines(line.children, depth + 1)

    return "\n".join(lines(parse(text, literals=dict.fromkeys(LITERALS, "EOF")), 0))


def _join(known: Body, more: Body) -> None:
    """Put the lines of a section that is written twice together; a line that is there already stays once."""
    there = set(known)
    nested = any(line.startswith("      ") for line in (*known, *more))
    known.extend(more if nested else (line for line in more if line not in there))


def _dscp_lines(points: dict[int, int]) -> Iterator[str]:
    by_class: dict[int, list[int]] = {}
    for point, number in sorted(points.items()):
        if DEFAULT_CLASSES[point // 8 % 8] != number:
            by_class.setdefault(number, []).append(point)
    for number, mapped in sorted(by_class.items()):
        yield f"qos map dscp {' '.join(map(str, mapped))} to traffic-class {number}"


def _ordered(pieces: dict[str, Body]) -> Iterator[Piece]:
    """The pieces in EOS's order, each with its lines in order and without defaults."""
    ranked = [(section_rank(start_of(header)), header, body) for header, body in pieces.items()]
    ranked.sort(key=itemgetter(0))
    at = 0
    while at < len(ranked):
        rank, end = ranked[at][0], at
        while end < len(ranked) and ranked[end][0] == rank:
            end += 1
        group = ranked[at:end]
        if len(group) > 1:
            group.sort(key=lambda piece: _header_key(piece[1]))
        for _, header, body in group:
            yield from _cleaned(header, body)
        at = end


@lru_cache(maxsize=4096)
def _header_key(header: str) -> list[str | int]:
    return natural(header.removeprefix("no "))


def _cleaned(header: str, body: Body) -> Iterator[Piece]:
    """One piece without what says nothing."""
    if header in DEFAULT_LINES:
        return
    if header.startswith("interface "):
        lines = _interface(body)
        if lines or not header.startswith(ALWAYS_THERE):
            yield header, lines
        return
    if header.startswith("router bgp "):
        yield header, _bgp([line for line in body if line.strip() not in DEFAULT_BELOW["router bgp"]])
        return
    defaults = DEFAULT_BELOW.get(header)
    if defaults:
        body = [line for line in body if line.strip() not in defaults]
    if body or header not in EMPTY_SAYS_NOTHING:
        yield header, body


def _interface(body: Body) -> Body:
    """The lines of an interface, in order. Most are in order already: then only defaults are taken out."""
    ranks = tuple(map(_interface_rank, body))
    kept = _kept(ranks)
    if kept is None:
        items = _items(body, (-1 if is_default else rank for rank, is_default in _defaults(ranks)))
        return [line for item in sorted(items, key=_item_key) for line in item[1]]
    return list(compress(body, kept))


@lru_cache(maxsize=1024)
def _kept(ranks: tuple[int, ...]) -> tuple[bool, ...] | None:
    """Which lines of an interface stay, by their ranks; None if they have to be put in order first."""
    rising = [rank for rank, is_default in _defaults(ranks) if not is_default]
    if rising != sorted(set(rising)):
        return None
    return tuple(not is_default for _, is_default in _defaults(ranks))


def _defaults(ranks: tuple[int, ...]) -> Iterator[tuple[int, bool]]:
    """Each rank, and whether the line says only a default: also that a routed port trusts code points."""
    routed = ROUTED in ranks
    return ((rank, rank == DEFAULT or (routed and rank == TRUSTS)) for rank in ranks)


@lru_cache(maxsize=8192)
def _interface_rank(line: str) -> int:
    if line.startswith("      "):
        return SUB + 1
    if line[3:] in DEFAULT_INTERFACE_LINES:
        return DEFAULT
    if line.startswith(("   uc-tx-queue", "   tx-queue", "   evpn ethernet-segment")):
        return SUB
    if line == "   no switchport":
        return ROUTED
    return TRUSTS if line == "   qos trust dscp" else 2 * rank_in(INTERFACE, line)


Item = tuple[int, Body]
"""Rank and lines: one line with those below it."""


def _items(body: Body, ranks: Iterable[int]) -> list[Item]:
    """Lines with those below them; defaults are left out, and sections that are there twice are joined."""
    items: list[Item] = []
    sections: dict[str, Body] = {}
    for line, rank in zip(body, ranks, strict=True):
        if rank < 0:
            continue
        if line.startswith("      "):
            if items and line not in items[-1][1]:
                items[-1][1].append(line)
        elif line in sections:
            items.append((SUB, sections[line]))
        else:
            items.append((rank, [line]))
            sections[line] = items[-1][1]
    unique = {id(lines): (rank, lines) for rank, lines in items}
    return list(unique.values())


def _item_key(item: Item) -> tuple[int, bool, list[str | int]]:
    first = item[1][0]
    return (SUB if len(item[1]) > 1 else item[0], first.endswith(" secondary"), natural(first))


def _bgp(body: Body) -> Body:
    """The lines of BGP: general ones, groups, neighbours, what is told, address families."""
    items = _items(body, [0] * len(body))
    keyed = []
    names: dict[str, list[str | int]] = {}
    for rank, lines in items:
        if len(lines) > 1:
            keyed.append(((SUB + rank, 0, natural(lines[0]), 0, ""), [lines[0], *_family(lines[1:], names)]))
        else:
            keyed.append((_bgp_key(lines[0], names), lines))
    keyed.sort(key=itemgetter(0))
    return [line for _, lines in keyed for line in lines]


def _family(lines: Body, names: dict[str, list[str | int]]) -> Body:
    """The lines of an address family. What stands deeper stays behind its line."""
    if any(line.startswith("         ") for line in lines):
        return lines
    return sorted(lines, key=lambda line: _bgp_key(line, names))


def _bgp_key(line: str, names: dict[str, list[str | int]]) -> tuple[int, int, list[str | int], int, str]:
    """Place of a line of BGP: by what it is, then groups before neighbours, then by name and setting."""
    words = line.split(None, 3)
    if words[0] == "no":
        words = line.split(None, 4)[1:]
    if words[0] != "neighbor" or len(words) < 3 or words[1] in ("interface", "default"):
        return (rank_in(BGP, line), 0, natural(line), 0, "")
    name = words[1]
    key = names.get(name)
    if key is None:
        key = names[name] = natural(name)
    is_address = name[0].isdigit() or ":" in name
    setting = NEIGHBOR_RANKS.get(words[2], len(NEIGHBOR))
    return (NEIGHBORS, int(is_address), key, setting, words[3] if len(words) > 3 else "")
