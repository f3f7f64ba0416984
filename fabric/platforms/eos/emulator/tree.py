"""Configurations as trees of shared lines: frozen sections, drafts of them, and their text.

A `Section` never changes: running, startup and checkpoint configurations share it, and equal statements are
one object across all devices. A session edits a `Draft`, which thaws only the sections it enters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fabric.platforms.eos.emulator.grammar import CliError, Grammar, Mode, Removal, Rule, Statement, refuse

INDENT = "   "


class Section:
    """What stands in one mode, in EOS's order."""

    __slots__ = ("items",)

    def __init__(self, items: tuple[Item, ...] = ()) -> None:
        self.items = items

    def same(self, other: Section) -> bool:
        """Whether both hold the same lines."""
        return self is other or (
            len(self.items) == len(other.items)
            and all(same(mine, theirs) for mine, theirs in zip(self.items, other.items, strict=True))
        )

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    def get(self, key: str) -> Item | None:
        """The item identified by `key`, if there is one."""
        return next((item for item in self.items if item.key == key), None)

    def starting(self, words: str) -> Iterator[Item]:
        """Items whose line starts with these words."""
        return (item for item in self.items if item.text.startswith(words))


class Block:
    """A line that opens a mode, and what stands in it."""

    __slots__ = ("body", "head")

    def __init__(self, head: Statement, body: Section) -> None:
        self.head = head
        self.body = body

    @property
    def key(self) -> str:
        """What identifies it."""
        return self.head.key

    @property
    def text(self) -> str:
        """The line that opens it."""
        return self.head.text

    @property
    def sort(self) -> str:
        """Where it stands."""
        return self.head.sort

    @property
    def rule(self) -> Rule:
        """The row of the line that opens it."""
        return self.head.rule


Item = Statement | Block
EMPTY = Section()


def same(mine: Item, theirs: Item) -> bool:
    """Whether two items say the same."""
    if mine is theirs:
        return True
    if isinstance(mine, Block):
        return isinstance(theirs, Block) and mine.head.same(theirs.head) and mine.body.same(theirs.body)
    return isinstance(theirs, Statement) and mine.same(theirs)


@dataclass(slots=True)
class Draft:
    """A section being edited."""

    mode: Mode
    items: dict[str, Item | Draft]
    head: Statement | None = None

    @property
    def text(self) -> str:
        """The line that opens it; empty at the top."""
        return self.head.text if self.head else ""


def thaw(mode: Mode, section: Section, head: Statement | None = None) -> Draft:
    """A draft that starts as `section`."""
    return Draft(mode, {item.key: item for item in section.items}, head)


def freeze(draft: Draft, like: Section = EMPTY) -> Section:
    """The section that a draft has become; parts that are equal in `like` are shared with it."""
    known = {item.key: item for item in like.items}
    items = (_frozen(item, known) for item in draft.items.values())
    section = Section(tuple(sorted(filter(_says_something, items), key=_place)))
    return like if section.same(like) else section


def _says_something(item: Item) -> bool:
    return not (item.rule.vanishes and isinstance(item, Block) and not item.body.items)


def _place(item: Item) -> str:
    return item.sort


def _frozen(item: Item | Draft, known: dict[str, Item]) -> Item:
    if not isinstance(item, Draft):
        return item
    assert item.head is not None  # noqa: S101  # only the top has none, and nothing holds the top
    like = known.get(item.head.key)
    block = Block(item.head, freeze(item, like.body if isinstance(like, Block) else EMPTY))
    return like if like is not None and same(block, like) else block


class Editor:
    """A command line in configuration mode, over one draft."""

    def __init__(self, grammar: Grammar, section: Section, ports: frozenset[str] = frozenset()) -> None:
        self._grammar = grammar
        self.ports = ports
        """Ethernet ports that the device has; empty: any."""
        self.top = thaw(grammar.modes["config"], section)
        self._path = [self.top]

    def clear(self) -> None:
        """Start from nothing."""
        self.top.items.clear()
        self._path = [self.top]

    def end(self) -> None:
        """Leave every mode."""
        del self._path[1:]

    @property
    def at_top(self) -> bool:
        """Whether we are in global configuration mode."""
        return len(self._path) == 1

    def feed(self, line: str, text: str | None = None) -> None:
        """Type one line; `text` is what follows a line that asks for several. `CliError` if EOS refuses it."""
        if line == "end":
            self.end()
        elif line == "exit":
            del self._path[max(1, len(self._path) - 1) :]
        elif line and line[0] != "!":
            self._run(line, text)

    def _run(self, line: str, text: str | None) -> None:
        """Try the mode we are in, then the modes around it: EOS knows a parent's commands everywhere."""
        farthest = 0
        for depth in range(len(self._path), 0, -1):
            draft = self._path[depth - 1]
            try:
                effect = self._grammar.effect(draft.mode, line)
            except CliError as refusal:
                farthest = max(farthest, refusal.token)
                continue
            del self._path[depth:]
            return self._act(draft, effect, text)
        raise refuse(line.split(), farthest)

    def _act(self, draft: Draft, effect: Statement | Removal, text: str | None) -> None:
        if isinstance(effect, Removal):
            _remove(draft, effect)
        elif effect.rule.enters:
            self._check_port(effect)
            _check_as(draft, effect)
            self._path.append(_entered(draft, effect, self._grammar.modes[effect.rule.enters]))
        elif effect.rule.heredoc:
            draft.items[effect.key] = with_text(effect, text)
        else:
            draft.items[effect.key] = effect

    def _check_port(self, head: Statement) -> None:
        if self.ports and head.rule.enters == "interface-ethernet" and head.text.split()[1] not in self.ports:
            raise refuse(head.text.split(), 1)


def _check_as(draft: Draft, head: Statement) -> None:
    """One AS number for all of BGP: a public log of a session shows these words (`Arista(config-s-1)#router bgp 1`)."""
    known = draft.items.get(head.key)
    if head.key == "router bgp" and known is not None and known.text != head.text:
        message = f"BGP is already running with AS number {known.text.split()[2]}"
        raise CliError(message)


def _remove(draft: Draft, removal: Removal) -> None:
    for key in removal.keys:
        draft.items.pop(key, None)
    if removal.prefix:
        start = f"{removal.prefix} "
        gone = [
            key
            for key, item in draft.items.items()
            if item.text == removal.prefix or item.text.startswith(start)
        ]
        for key in gone:
            del draft.items[key]


def _entered(draft: Draft, head: Statement, mode: Mode) -> Draft:
    known = draft.items.get(head.key)
    if isinstance(known, Draft):
        known.head = head
        return known
    inner = thaw(mode, known.body if isinstance(known, Block) else EMPTY, head)
    draft.items[head.key] = inner
    return inner


def with_text(statement: Statement, text: str | None) -> Statement:
    """A statement with the lines that follow it, as the running configuration shows them."""
    if text is None:
        message = (
            f"Incomplete command (at token {len(statement.text.split()) - 1}: '{statement.text.split()[-1]}')"
        )
        raise CliError(message)
    body = text.removesuffix("\n").removesuffix("\nEOF")
    return Statement(f"{statement.text}\n{body}\nEOF", statement.key, statement.sort, statement.rule)


def lines(section: Section, depth: int = 0) -> Iterator[str]:
    """The text of a section as the running configuration prints it: a `!` before each nested mode."""
    indent = INDENT * depth
    for number, item in enumerate(section.items):
        if parted(section.items, number, depth):
            yield f"{indent}!"
        if isinstance(item, Block):
            yield indent + item.text
            yield from lines(item.body, depth + 1)
        elif item.rule.heredoc:
            yield from item.text.split("\n")
        else:
            yield indent + item.text


def parted(items: tuple[Item, ...], at: int, depth: int) -> bool:
    """Whether a `!` stands before the item at that place."""
    item = items[at]
    if at == 0 or depth:
        return at > 0 and isinstance(item, Block)
    before = items[at - 1]
    return isinstance(item, Block) or isinstance(before, Block) or before.rule.section != item.rule.section
