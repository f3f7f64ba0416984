"""The form that plans compare: merged, sorted, secrets masked; and its pieces.

Junos keeps the order of terms and of code points; everywhere else order says nothing. Each piece is a stanza of
its own, which Junos would merge when loading.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from fabric.platforms.base import Block
from fabric.platforms.junos.curly import Statement, flat, parse, printed
from fabric.platforms.junos.names import natural

MASK = '"<masked>"'
PLACEHOLDER = re.compile(r'"<(?:secret:[^">]+|masked)>"')
"""What stays of a secret."""
MARKED = re.compile(r'("(?:[^"\\]|\\.)*"|[^\s;{}"]+)(\s*;\s*## SECRET-DATA)')
"""A value that Junos itself marks as a secret, private keys of certificates among them."""
SECRETS = frozenset(
    {
        "encrypted-password",
        "secret",
        "authentication-key",
        "authentication-password",
        "privacy-password",
        "privacy-key",
        "key",
    }
)
"""Statements whose value is a secret."""
KEYS = {"authentication-key": "authentication-password", "privacy-key": "privacy-password"}
"""What Junos makes of a password of SNMP when it is committed, and what was written."""
ORDERED = frozenset({"policy-statement", "filter"})
"""Stanzas whose terms stay in their order."""
DEEP = frozenset(
    {"protocols bgp", "interfaces", "policy-options", "class-of-service", "class-of-service interfaces"}
)
"""Stanzas whose pieces lie one level further down."""
VOLATILE = frozenset({"version"})


def canonical(text: str) -> str:
    """Every piece as a stanza of its own."""
    return "".join(block.text for block in _pieces(parse(MARKED.sub(_mask, text))))


def blocks(text: str) -> tuple[Block, ...]:
    """The pieces of a canonical text, known by their path."""
    return _pieces(parse(text))


def statements(block: Block | None) -> frozenset[str]:
    """The statements of a piece, each in full, without the stanzas around it."""
    if block is None:
        return frozenset()
    return frozenset(path.removeprefix(block.key).strip() for _, path in flat(parse(block.text)))


def _pieces(statements: list[Statement]) -> tuple[Block, ...]:
    found: list[Block] = []
    for one in _merged(statements, ""):
        if one.words[0] not in VOLATILE:
            found += _split(one, ())
    return tuple(found)


def _split(one: Statement, above: tuple[str, ...]) -> Iterable[Block]:
    path = " ".join((*above, *one.words))
    deep = path in DEEP or not above
    if not one.below or not deep:
        yield Block(path, "".join(f"{line}\n" for line in _nested(one, above)))
        return
    leaves = [child for child in one.below if child.below is None]
    if leaves:
        group = Statement(one.number, one.words, leaves)
        yield Block(path, "".join(f"{line}\n" for line in _nested(group, above)))
    for child in one.below:
        if child.below is not None:
            yield from _split(child, (*above, " ".join(one.words)))


def _nested(one: Statement, above: tuple[str, ...]) -> Iterable[str]:
    for word in reversed(above):
        one = Statement(one.number, [word], [one])
    return printed([one])


def _merged(statements: list[Statement], owner: str) -> list[Statement]:
    """Statements of equal words as one, sorted where order says nothing, secrets masked.

    The number of a user is left out: Junos gives one by itself.
    """
    found: dict[tuple[str, ...], Statement] = {}
    for one in statements:
        if owner == "user" and one.words[0] == "uid":
            continue
        words = _masked(one.words, owner)
        known = found.setdefault(tuple(words), Statement(one.number, words, None))
        if one.below is not None:
            known.below = [*(known.below or []), *one.below]
    for one in found.values():
        if one.below is not None:
            one.below = _merged(one.below, one.words[0])
    merged = list(found.values())
    return merged if owner in ORDERED else sorted(merged, key=lambda one: natural(" ".join(one.words)))


def _masked(words: list[str], owner: str) -> list[str]:
    """Placeholders stay; every other value of a secret is masked. A password of SNMP is kept as a key."""
    if owner.startswith(("authentication-", "privacy-")) and words[0] in KEYS:
        words = [KEYS[words[0]], *words[1:]]
    if len(words) > 1 and words[-2] in SECRETS and not PLACEHOLDER.fullmatch(words[-1]):
        return [*words[:-1], MASK]
    return words


def _mask(found: re.Match[str]) -> str:
    return found[0] if PLACEHOLDER.fullmatch(found[1]) else MASK + found[2]
