"""Strict YAML: a flat loop over the events of PyYAML's C parser.

There is no composer: it crashes the interpreter on deep nesting and takes three times as long. Depth, size and
number of values are limited, so that no file takes more than bounded time and memory.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from yaml import MarkedYAMLError, YAMLError
from yaml.cyaml import CParser
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from fabric.diagnostics import Code, Origin, Path, Report
from fabric.documents import codes
from fabric.documents.places import Document, InvalidDocument, Marks, Place, Sources
from fabric.documents.plain import Ambiguous, resolve
from fabric.documents.text import FORBIDDEN, decode, position

MAX_DEPTH = 100
MAX_NODES = 1_000_000
"""Values of one file, an aliased value counted at each use."""
MAX_ALIASES = 10_000
MAX_STEPS = 12
"""Steps of a path that are worth showing."""
MAX_SHOWN = 40
"""Characters of a value that are worth showing."""
MAX_FINDINGS = 100
"""After so many the rest of the file is not worth reading."""


class Frame(msgspec.Struct, gc=False):
    """A mapping or list that is still open."""

    value: dict[str, Any] | list[Any]
    marks: Marks
    first_node: int
    """How many nodes stood before it."""
    anchor: str | None = None
    step: str | int = 0
    key: Place | None = None
    """Where the key stands whose value comes next; None: a key comes next, or the frame is a list."""
    duplicate: bool = False


class Anchored(msgspec.Struct, gc=False):
    """A value that aliases may repeat."""

    value: Any
    marks: Marks
    nodes: int


class _Stop(Exception):  # noqa: N818  # not an error: it ends the loop
    """Reading cannot go on; the finding is in the report."""


def read_yaml(data: bytes, file: str, name: str) -> Document:
    """Read one YAML file of at most 32 MiB strictly. `InvalidDocument` with every finding, each at its place."""
    text = decode(data, file, name)
    builder = _Builder(file, name)
    with paused_gc():
        try:
            builder.read(text)
        except _Stop:
            return builder.finish()
        except YAMLError as error:
            builder.syntax(error, text)
        return builder.finish()


@contextmanager
def paused_gc() -> Iterator[None]:
    """Keep the garbage collector from walking over and over what is being built."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class _Builder:
    """Builds values and marks from events. `frames` is the path from the root to the open container."""

    def __init__(self, file: str, name: str) -> None:
        self.file = file
        self.name = name
        self.report = Report()
        self.frames: list[Frame] = []
        self.anchors: dict[str, Anchored | None] = {}
        self.nodes = self.aliases = self.documents = 0
        self.resolved: dict[str, Any] = {}
        self.root: Anchored | None = None
        self.spots: dict[str, Document] = {}

    def read(self, text: str) -> None:
        """Take every event of the text."""
        handlers: dict[type[Event], Callable[[Any], None]] = {
            ScalarEvent: self.scalar,
            MappingStartEvent: self.start,
            SequenceStartEvent: self.start,
            MappingEndEvent: self.end,
            SequenceEndEvent: self.end,
            AliasEvent: self.alias,
            DocumentStartEvent: self.document,
        }
        next_event = CParser(text).get_event
        while True:
            event = next_event()
            kind = type(event)
            if kind is StreamEndEvent or event is None:
                return
            handler = handlers.get(kind)
            if handler:
                handler(event)

    def finish(self) -> Document:
        """The document, or `InvalidDocument` with the findings."""
        marks = self.root.marks if self.root else Marks(self.file, 1, 1)
        document = Document(self.name, self.root.value if self.root else None, marks)
        if self.root is None and not self.report.has_errors:
            self.at(1, 1, codes.EMPTY, "the file says nothing", "fill it or remove it")
        if self.report.has_errors:
            raise InvalidDocument(self.report, Sources(self.spots))
        return document

    # --- events

    def document(self, event: DocumentStartEvent) -> None:
        """Refuse a second document, and directives."""
        self.documents += 1
        if event.version or event.tags:
            self.refuse(
                event, codes.UNSUPPORTED, "directives (%YAML, %TAG) are not used here", "remove the line"
            )
        if self.documents > 1:
            rule = "a second document starts here; a file holds one"
            self.stop(event, codes.UNSUPPORTED, rule, "split the site over files with `include`")

    def scalar(self, event: ScalarEvent) -> None:
        """A key, or a value that holds no others."""
        mark = event.start_mark
        frame = self.frames[-1] if self.frames else None
        if event.tag is not None:
            self.refuse(event, codes.UNSUPPORTED, f"the tag {event.tag} is not used here", "remove the tag")
        if frame is not None and frame.key is None and type(frame.value) is dict:
            self.open_key(frame, event, mark.line + 1, mark.column + 1)
            return
        marks = Marks(self.file, mark.line + 1, mark.column + 1)
        self.put(marks, self.content(event, marks))
        if event.anchor is not None:
            value = self.content(event, marks)
            self.anchors[event.anchor] = Anchored(value, marks, 1)

    def start(self, event: MappingStartEvent | SequenceStartEvent) -> None:
        """A mapping or list opens."""
        if event.tag is not None:
            self.refuse(event, codes.UNSUPPORTED, f"the tag {event.tag} is not used here", "remove the tag")
        if len(self.frames) >= MAX_DEPTH:
            self.stop(
                event, codes.TOO_BIG, f"nested more than {MAX_DEPTH} deep", "nothing here needs such depth"
            )
        frame = self.frames[-1] if self.frames else None
        if frame is not None and frame.key is None and type(frame.value) is dict:
            self.stop(
                event, codes.UNSUPPORTED, "a key is a text, not a mapping or list", "write it as `key: value`"
            )
        mark = event.start_mark
        value: dict[str, Any] | list[Any] = {} if type(event) is MappingStartEvent else []
        marks = Marks(self.file, mark.line + 1, mark.column + 1, children={})
        opened = Frame(value, marks, self.nodes, event.anchor)
        self.put(marks, value)
        if event.anchor is not None:
            self.anchors[event.anchor] = None
        self.frames.append(opened)

    def end(self, event: MappingEndEvent | SequenceEndEvent) -> None:
        """A mapping or list is complete."""
        frame = self.frames.pop()
        if frame.anchor is not None:
            self.anchors[frame.anchor] = Anchored(frame.value, frame.marks, self.nodes - frame.first_node)

    def alias(self, event: AliasEvent) -> None:
        """Repeat an anchored value; its nodes count again, which is what ends an alias bomb."""
        known = self.anchors.get(event.anchor)
        if known is None:
            inside = event.anchor in self.anchors
            rule = (
                f"*{event.anchor} stands inside the value it repeats"
                if inside
                else f"no &{event.anchor} stands above"
            )
            self.stop(event, codes.ALIAS, rule, f"mark the value with &{event.anchor} before it is used")
            return
        self.aliases += 1
        if self.aliases > MAX_ALIASES:
            self.stop(event, codes.TOO_BIG, f"more than {MAX_ALIASES:,} aliases", "write the values out")
        frame = self.frames[-1]
        if frame.key is None and type(frame.value) is dict:
            self.stop(event, codes.UNSUPPORTED, "an alias cannot be a key", "write the key out")
        self.nodes += known.nodes - 1
        mark = event.start_mark
        # An alias has its own place and key; what is inside it stands at the anchor.
        self.put(Marks(self.file, mark.line + 1, mark.column + 1, children=known.marks.children), known.value)

    # --- building

    def open_key(self, frame: Frame, event: ScalarEvent, line: int, column: int) -> None:
        """The next value belongs to this key."""
        key = event.value
        if not event.style:
            key = self.key_text(event)
        frame.step, frame.key, frame.duplicate = key, Place(self.file, line, column), False
        if key in frame.value:
            frame.duplicate = True
            first = frame.marks.children[key] if frame.marks.children else frame.marks
            rule = f"the key stands twice; the first is at line {first.key_line}, column {first.key_column}"
            self.refuse(event, codes.DUPLICATE_KEY, rule, "keep one of them")

    def key_text(self, event: ScalarEvent) -> str:
        """The text of an unquoted key, refused if it could be anything else."""
        text = event.value
        if text == "<<":
            self.refuse(event, codes.UNSUPPORTED, "merge keys (<<) are not used here", "write the keys out")
            return text
        value = self.plain(event)
        if not isinstance(value, str):
            kind = "empty" if text == "" else "no text"
            self.refuse(event, codes.UNSUPPORTED, f"the key {text} is {kind}", f'quote it: "{text}"')
        return text

    def content(self, event: ScalarEvent, marks: Marks) -> Any:
        """The value of a scalar."""
        if not event.style:
            text = event.value
            if text in self.resolved:
                return self.resolved[text]
            return self.plain(event)
        if event.style == '"':
            found = FORBIDDEN.search(event.value)
            if found:
                rule = f"the text holds the control character U+{ord(found[0]):04X}"
                self.refuse(event, codes.NOT_TEXT, rule, "remove the escape")
        return event.value

    def plain(self, event: ScalarEvent) -> Any:
        """The value of an unquoted scalar, remembered for the next one of the same text."""
        text = event.value
        try:
            value = self.resolved[text] = resolve(text)
        except Ambiguous as surprise:
            shown = text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "…"
            rule = f"unquoted, {shown} is {surprise}"
            self.refuse(event, codes.AMBIGUOUS, rule, f'quote it: "{shown}"{_json_word(text)}', value=shown)
            return text
        return value

    def put(self, marks: Marks, value: Any) -> None:
        """Hang a value under the open mapping or list."""
        self.nodes += 1
        if self.nodes > MAX_NODES:
            self.at(
                marks.line, marks.column, codes.TOO_BIG, f"more than {MAX_NODES:,} values", "split the file"
            )
            raise _Stop
        if not self.frames:
            self.root = Anchored(value, marks, 1)
            return
        frame = self.frames[-1]
        holder, children = frame.value, frame.marks.children
        if type(holder) is dict:
            key = frame.key
            if key is not None:
                marks.key_line, marks.key_column = key.line, key.column
            frame.key = None
            if frame.duplicate:
                return
            holder[frame.step] = value
            children[frame.step] = marks  # type: ignore[index]  # a container's marks have children
        else:
            holder.append(value)  # type: ignore[union-attr]  # not a dict: a list
            children[len(holder) - 1] = marks  # type: ignore[index]  # a container's marks have children

    # --- findings

    def path(self) -> Path:
        """The path of the node that is being read."""
        steps: list[str | int] = []
        for frame in self.frames[:MAX_STEPS]:
            if type(frame.value) is dict:
                if frame.key is None and frame is self.frames[-1]:
                    break
                steps.append(frame.step)
            else:
                steps.append(len(frame.value) - (frame is not self.frames[-1]))
        return tuple(steps)

    def refuse(self, event: Event, code: Code, rule: str, hint: str, value: Any = None) -> None:
        """Keep a finding at an event and read on."""
        mark = event.start_mark
        self.at(mark.line + 1, mark.column + 1, code, rule, hint, value)
        if len(self.report) >= MAX_FINDINGS:
            raise _Stop

    def stop(self, event: Event, code: Code, rule: str, hint: str) -> None:
        """Keep a finding at an event and end reading."""
        self.refuse(event, code, rule, hint)
        raise _Stop

    def syntax(self, error: YAMLError, text: str) -> None:
        """Keep a finding where the parser gave up."""
        mark = error.problem_mark if isinstance(error, MarkedYAMLError) else None
        if isinstance(error, MarkedYAMLError) and "end of stream" in error.problem and error.context_mark:
            mark = error.context_mark  # where the quote opens, which is more telling than the end of the file
        if mark is None:
            line, column = position(text)
            self.at(line, column, codes.SYNTAX, f"not YAML: {error}", "look above this line")
            return
        here = text.split("\n")[mark.line] if mark.line <= text.count("\n") else ""
        problem, context = getattr(error, "problem", ""), getattr(error, "context", None)
        if here[mark.column : mark.column + 1] == "\t" or "tab" in str(problem):
            self.at(
                mark.line + 1,
                mark.column + 1,
                codes.TAB,
                "a tab where YAML wants spaces",
                "indent with spaces",
            )
            return
        rule = f"not YAML: {problem}" + (f", {context}" if context else "")
        hint = "look for an open quote or bracket, or an indentation that does not match, here or just above"
        self.at(mark.line + 1, mark.column + 1, codes.SYNTAX, rule, hint)

    def at(self, line: int, column: int, code: Code, rule: str, hint: str, value: Any = None) -> None:
        """Keep a finding at a place of its own, as what is being read has no marks yet."""
        name = f"{self.name}@{line}:{column}"
        self.spots[name] = Document(name, None, Marks(self.file, line, column))
        self.report.add(code.at(Origin(self.path(), name), rule, hint=hint, value=value))


def _json_word(text: str) -> str:
    words = {
        "y": "true",
        "yes": "true",
        "on": "true",
        "true": "true",
        "n": "false",
        "no": "false",
        "off": "false",
    }
    word = {**words, "false": "false", "~": "null", "null": "null"}.get(text.lower())
    return f", or write {word}" if word else ""
