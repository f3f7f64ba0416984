"""The grammar of EOS's configuration modes: line patterns compiled to tries of tokens.

A row's place in its table is the line's place in the running configuration.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from ipaddress import IPv6Address
from sys import intern
from typing import Literal

from fabric.platforms.emulation import LineRefused
from fabric.platforms.eos.emulator.patterns import Token, alternatives, is_literal
from fabric.platforms.eos.emulator.words import Word

DIGITS = re.compile(r"\d+")

Toggle = Literal["", "off", "on", "either"]


class CliError(LineRefused):
    """A line that EOS refuses, with EOS's words. `token` is how far the line made sense."""

    def __init__(self, message: str, token: int = 0) -> None:
        self.token = token
        super().__init__(message)


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """One row of a mode's table."""

    pattern: str
    enters: str = ""
    """Mode that the line opens."""
    toggle: Toggle = ""
    """`off`: a switch whose default is off, so that `no X` vanishes; `on`: one whose default is on, so that
    `X` vanishes and `no X` is shown; `either`: both forms are shown."""
    default: str = ""
    """The line that says the default, and vanishes."""
    group: str = ""
    """Rows of equal group are printed object by object (each neighbour's lines together), not row by row."""
    encoded: str = ""
    """How EOS stores the secret in the line: a name in `secrets.ENCODERS`."""
    vanishes: bool = False
    """The mode is not shown while nothing stands in it."""
    forgets: bool = False
    """Only `no` may stop here: it takes every line away that starts so."""
    heredoc: bool = False
    """A text of several lines follows, up to `EOF`."""
    key: str = ""
    """Identity shared with other rows: one of them at a time."""
    entered: int = 0
    """Lines stand beside each other in the order they were typed; the first so many words say in which list."""
    whole: bool = False
    """The whole line identifies it: lines of this row stand beside each other."""
    order: int = 0
    section: int = 0
    """Rows of equal section are printed without a `!` between them."""


@dataclass(frozen=True, eq=False)
class Statement:
    """A configuration line as EOS keeps it. One object serves every device that has the line."""

    __slots__ = ("key", "rule", "sort", "text")
    text: str
    key: str
    sort: str
    rule: Rule

    def same(self, other: Statement) -> bool:
        """Whether both say the same."""
        return self is other or self.text == other.text


@dataclass(frozen=True, slots=True)
class Removal:
    """What a `no` or `default` line, or one that says a default, takes away."""

    keys: frozenset[str] = frozenset()
    prefix: str = ""
    """Everything whose line starts with these words."""


Effect = Statement | Removal


@dataclass(slots=True)
class Node:
    """A point in a trie: what may come next, and the rule that ends here."""

    words: dict[str, Node] = field(default_factory=dict)
    arguments: list[tuple[str, Word, Node]] = field(default_factory=list)
    ends: Terminal | None = None
    rest: Terminal | None = None
    """The rule that takes the rest of the line here."""
    removable: bool = False
    """Whether `no` may stop here."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """A rule, and which of the tokens on the way to it identify the statement."""

    rule: Rule
    identity: tuple[int, ...]


class Mode:
    """A configuration mode: its table as a trie, and the lines it has parsed so far."""

    def __init__(self, name: str, rules: tuple[Rule, ...]) -> None:
        self.name = name
        self.root = Node()
        self.parsed: dict[str, Effect] = {}
        for rule in rules:
            for sequence in alternatives(rule.pattern):
                self._insert(rule, sequence)

    def _insert(self, rule: Rule, sequence: tuple[Token, ...]) -> None:
        node = self.root
        identity = tuple(i for i, token in enumerate(sequence) if token.identifies)
        for i, token in enumerate(sequence):
            if token.word is None and not is_literal(token):
                node.rest = Terminal(rule, identity)
                node.removable = True
                return
            node = _step(node, token)
            if i == identity[-1] and not rule.toggle and not rule.forgets:
                node.removable = True
        if rule.forgets:
            node.removable = True
        else:
            node.ends = Terminal(rule, identity)


def _step(node: Node, token: Token) -> Node:
    if token.word is None:
        return node.words.setdefault(token.text, Node())
    for name, _, following in node.arguments:
        if name == token.text:
            return following
    following = Node()
    node.arguments.append((token.text, token.word, following))
    if token.repeats:
        following.arguments.append((token.text, token.word, following))
    return following


@dataclass(slots=True)
class Match:
    """The outcome of walking a trie with a line."""

    terminal: Terminal | None = None
    tokens: tuple[str, ...] = ()
    """Canonical spelling."""
    farthest: int = 0
    stopped: Node | None = None
    """Where the line ended, if it ended before a rule did."""


def walk(root: Node, line: str, tokens: list[str], start: int = 0) -> Match:
    """Match a line, from token `start` on. The match's `terminal` is None if no rule takes it."""
    match = Match(farthest=start)
    _walk(root, line, tokens, start, (), match)
    return match


def _walk(node: Node, line: str, tokens: list[str], at: int, seen: tuple[str, ...], match: Match) -> bool:
    match.farthest = max(match.farthest, at)
    if at == len(tokens):
        match.stopped = node
        if node.ends is not None:
            match.terminal, match.tokens = node.ends, seen
            return True
        if match.terminal is None:
            match.tokens = seen
        return False
    token = tokens[at]
    following = node.words.get(token)
    if following is not None and _walk(following, line, tokens, at + 1, (*seen, token), match):
        return True
    for _, accept, after in node.arguments:
        spelled = accept(token)
        if spelled is not None and _walk(after, line, tokens, at + 1, (*seen, spelled), match):
            return True
    if node.rest is not None:
        match.terminal, match.tokens = node.rest, (*seen, line.split(maxsplit=at)[at])
        return True
    return False


def padded(text: str) -> str:
    """A sort key in which numbers sort as numbers."""
    return DIGITS.sub(lambda digits: digits[0].rjust(10, "0"), text)


def refuse(tokens: list[str], farthest: int) -> CliError:
    """EOS's complaint about a line that made sense up to token `farthest`."""
    if farthest >= len(tokens):
        return CliError(f"Incomplete command (at token {len(tokens) - 1}: '{tokens[-1]}')", farthest)
    return CliError(f"Invalid input (at token {farthest}: '{tokens[farthest]}')", farthest)


class Grammar:
    """All modes, and how lines act in them."""

    MOST_LINES = 100_000
    """Parsed lines kept in memory; beyond, they are parsed anew."""

    def __init__(
        self, tables: Mapping[str, tuple[Rule, ...]], encoders: Mapping[str, Callable[[str], str]]
    ) -> None:
        self.modes = {name: Mode(name, _ordered(rules)) for name, rules in tables.items()}
        self._encoders = encoders
        self._kept = 0

    def effect(self, mode: Mode, line: str) -> Effect:
        """What a line does in a mode. `CliError` if the mode does not know it."""
        known = mode.parsed.get(line)
        if known is not None:
            return known
        effect = self._parse(mode, line)
        if not (isinstance(effect, Statement) and effect.rule.encoded):
            self._keep(mode, line, effect)
        return effect

    def _keep(self, mode: Mode, line: str, effect: Effect) -> None:
        if self._kept >= self.MOST_LINES:
            self._kept = 0
            for each in self.modes.values():
                each.parsed.clear()
        self._kept += 1
        mode.parsed[line] = effect

    def _parse(self, mode: Mode, line: str) -> Effect:
        tokens = line.split()
        match = walk(mode.root, line, tokens)
        if match.terminal is not None:
            return self._stated(match.terminal, match.tokens)
        if tokens[0] in {"no", "default"} and len(tokens) > 1:
            inverse = walk(mode.root, line, tokens, 1)
            effect = self._negated(tokens[0], inverse)
            if effect is not None:
                return effect
            match.farthest = max(match.farthest, inverse.farthest)
        raise refuse(tokens, match.farthest)

    def _stated(self, terminal: Terminal, tokens: tuple[str, ...]) -> Effect:
        rule = terminal.rule
        text, key = " ".join(tokens), _key(terminal, tokens)
        if text == rule.default or rule.toggle == "on":
            return Removal(frozenset({key}))
        if rule.encoded:
            text = self._encoders[rule.encoded](text)
        return Statement(text, text if key == text else intern(key), intern(_sort(rule, key)), rule)

    def _negated(self, verb: str, match: Match) -> Effect | None:
        terminal = match.terminal
        if terminal is not None:
            rule, key = terminal.rule, _key(terminal, match.tokens)
            if verb == "no" and rule.toggle in {"on", "either"}:
                return Statement(f"no {' '.join(match.tokens)}", key, _sort(rule, key), rule)
            return Removal(frozenset({key}))
        if match.stopped is not None and match.stopped.removable:
            return Removal(prefix=" ".join(match.tokens))
        return None


def _ordered(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """The rules, numbered; rows of one group share the number of the first."""
    first: dict[str, int] = {}
    numbered = []
    for order, rule in enumerate(rules):
        place = first.setdefault(rule.group, order) if rule.group else order
        numbered.append(replace(rule, order=place * 1000 + order))
    return tuple(numbered)


def _key(terminal: Terminal, tokens: tuple[str, ...]) -> str:
    if terminal.rule.key:
        return terminal.rule.key
    if terminal.rule.whole or terminal.rule.entered:
        return " ".join(tokens)
    return " ".join([tokens[i] for i in terminal.identity])


def _sort(rule: Rule, key: str) -> str:
    """Where a line stands among its neighbours."""
    place, row = divmod(rule.order, 1000)
    if rule.entered:
        key = " ".join(key.split(" ", rule.entered + 1)[: rule.entered + 1])
    if not rule.group:
        return f"{place:03d} {padded(key)}"
    return f"{place:03d} {_object(key)} {row:03d} {padded(key)}"


def _object(key: str) -> str:
    """Sort key of what a grouped line is about, its second word: names, then IPv4, then IPv6 addresses."""
    name = key.split(" ", 2)[1]
    if ":" in name:
        return f"2{IPv6Address(name).packed.hex()}"
    return f"{int(name[:1].isdigit())}{padded(name)}"
