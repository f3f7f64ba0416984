"""Strict YAML: a flat loop over the events of PyYAML's C parser.

There is no composer: it crashes the interpreter on deep nesting and takes three times as long. Depth, size and
number of values are limited, so that no file takes more than bounded time and memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from yaml import MarkedYAMLError, YAMLError
from yaml.cyaml import CParser  # type: ignore[attr-defined]  # the stubs do not export it
from yaml.events import (
    AliasEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from fabric.diagnostics import Code, Path
from fabric.documents import codes
from fabric.documents.places import Document, SourceMap
from fabric.documents.reading.decode_text import FORBIDDEN, decode, margin, position
from fabric.documents.reading.file_findings import Findings
from fabric.documents.reading.paused_gc import paused_gc
from fabric.documents.reading.yaml_nodes import Anchored, Frame
from fabric.documents.reading.yaml_scalars import Ambiguous, advice, resolve

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

SPLIT = "split the site over files with `include`"


class _Stop(Exception):
    """Reading cannot go on; the finding is kept."""


def read_yaml(data: bytes, file: str, name: str) -> Document:
    """Read one YAML file of at most 32 MiB. `InvalidDocument` with every finding, each at its place.

    An empty file has the value None.
    """
    text = decode(data, file, name)
    builder = _Builder(file, name, text)
    with paused_gc():
        try:
            builder.read()
        except _Stop:
            raise builder.findings.error() from None
        except YAMLError as error:
            builder.syntax(error, text)
    builder.findings.finish()
    root = builder.root
    return (
        Document(name, root.value, root.source_map) if root else Document(name, None, SourceMap(file, 1, 1))
    )


class _Builder:
    """Builds values and their source map from events; `frames` is the way from the root to the open container."""

    def __init__(self, file: str, name: str, text: str) -> None:
        self.file, self.text = file, text
        self.findings = Findings(file, name)
        self.frames: list[Frame] = []
        self.anchors: dict[str, Anchored | None] = {}
        """None: the value is still open."""
        self.nodes = self.aliases = self.documents = 0
        self.resolved: dict[str, Any] = {}
        self.root: Anchored | None = None

    def read(self) -> None:
        """Take every event of the text."""
        handlers: dict[type[Event], Callable[[Any], None]] = {
            ScalarEvent: self.scalar,
            MappingStartEvent: self.start,
            SequenceStartEvent: self.start,
            MappingEndEvent: self.end,
            SequenceEndEvent: self.end,
            AliasEvent: self.alias,
            DocumentStartEvent: self.document,
            StreamEndEvent: self.finish,
        }
        next_event: Callable[[], Event | None] = CParser(self.text).get_event
        while self.documents >= 0:
            event = next_event()
            if event is None:
                return
            handler = handlers.get(type(event))
            if handler:
                handler(event)

    # --- events

    def document(self, event: DocumentStartEvent) -> None:
        """Refuse a second document, and directives."""
        self.documents += 1
        if event.version or event.tags:
            self.refuse(
                event, codes.UNSUPPORTED, "directives (%YAML, %TAG) are not used here", "remove the line"
            )
        if self.documents > 1:
            self.stop(event, codes.UNSUPPORTED, "a second document starts here; a file holds one", SPLIT)

    def finish(self, _: StreamEndEvent) -> None:
        """Nothing follows."""
        self.documents = -1

    def scalar(self, event: ScalarEvent) -> None:
        """A key, or a value that holds no others."""
        if event.tag is not None:
            self.refuse_tag(event)
        mark = event.start_mark
        line, column = mark.line + 1, mark.column + 1  # type: ignore[union-attr]  # the C parser marks every event
        frame = self.frames[-1] if self.frames else None
        is_key = frame is not None and frame.key is None and frame.is_mapping
        value = event.value if is_key else self.content(event)
        source_map = SourceMap(self.file, line, column)
        if event.style == "|":
            source_map.body_line = line + 1
            source_map.body_column = margin(self.text, mark.index, event.value)  # type: ignore[union-attr]
        if event.anchor is not None:
            self.anchors[event.anchor] = Anchored(value, source_map, 1)
        if frame is not None and is_key:
            self.open_key(frame, event, line, column)
        else:
            self.put(source_map, value)

    def start(self, event: CollectionStartEvent) -> None:
        """A mapping or list opens."""
        if event.tag is not None:
            self.refuse_tag(event)
        if len(self.frames) >= MAX_DEPTH:
            rule = f"nested more than {MAX_DEPTH} deep"
            self.stop(event, codes.TOO_BIG, rule, "look for brackets or hyphens that are not meant")
        if self.frames and self.frames[-1].wants_key:
            self.stop(
                event, codes.UNSUPPORTED, "a key is a text, not a mapping or list", "write it as `key: value`"
            )
        is_mapping = type(event) is MappingStartEvent
        value: dict[str, Any] | list[Any] = {} if is_mapping else []
        children: dict[str | int, SourceMap] = {}
        source_map = SourceMap(self.file, *_start(event), children=children)
        self.put(source_map, value)
        if event.anchor is not None:
            self.anchors[event.anchor] = None
        self.frames.append(
            Frame(value, source_map, children, is_mapping, self.nodes - 1, anchor=event.anchor)
        )

    def end(self, _: Event) -> None:
        """A mapping or list is complete."""
        frame = self.frames.pop()
        if frame.anchor is not None:
            nodes = self.nodes - frame.first_node
            self.anchors[frame.anchor] = Anchored(frame.value, frame.source_map, nodes, frame.depth)
        self.deepen(frame.depth)

    def alias(self, event: AliasEvent) -> None:
        """Repeat an anchored value; its nodes count again, which is what ends an alias bomb."""
        name = str(event.anchor)
        known = self.anchors.get(name)
        if known is None:
            rule = (
                f"*{name} is inside the value it repeats"
                if name in self.anchors
                else f"there is no &{name} above"
            )
            self.stop(event, codes.ALIAS, rule, f"mark the value with &{name} before it is used")
        self.aliases += 1
        if self.aliases > MAX_ALIASES:
            self.stop(event, codes.TOO_BIG, f"more than {MAX_ALIASES:,} aliases", "write the values out")
        if self.frames and self.frames[-1].wants_key:
            self.stop(event, codes.UNSUPPORTED, "an alias cannot be a key", "write the key out")
        if len(self.frames) + known.depth > MAX_DEPTH:
            self.stop(event, codes.TOO_BIG, f"nested more than {MAX_DEPTH} deep", "write the values out")
        self.deepen(known.depth)
        self.nodes += known.nodes - 1
        # An alias has its own place and key; what is inside it stands at the anchor.
        self.put(SourceMap(self.file, *_start(event), children=known.source_map.children), known.value)

    # --- building

    def deepen(self, depth: int) -> None:
        """The open container holds one of this depth."""
        if self.frames:
            self.frames[-1].depth = max(self.frames[-1].depth, depth + 1)

    def open_key(self, frame: Frame, event: ScalarEvent, line: int, column: int) -> None:
        """The next value belongs to this key."""
        key = event.value if event.style else self.key_text(event)
        frame.key, frame.key_line, frame.key_column = key, line, column
        known = frame.children.get(key)
        if known is not None:
            rule = f"duplicate key; the first is at line {known.key_line}, column {known.key_column}"
            self.refuse(event, codes.DUPLICATE_KEY, rule, "keep one of them")

    def key_text(self, event: ScalarEvent) -> str:
        """The text of an unquoted key, refused if it could be anything else."""
        text = event.value
        if text == "<<":
            self.refuse(event, codes.UNSUPPORTED, "merge keys (<<) are not used here", "write the keys out")
        elif not isinstance(self.plain(event), str):
            rule = f"the key {text} is not a text" if text else "the key is empty"
            self.refuse(event, codes.UNSUPPORTED, rule, f'quote it: "{text}"')
        return text

    def content(self, event: ScalarEvent) -> Any:
        """The value of a scalar."""
        if not event.style:
            text = event.value
            return self.resolved[text] if text in self.resolved else self.plain(event)
        if event.style == '"':
            control = FORBIDDEN.search(event.value)
            if control:
                rule = f"the text holds the control character U+{ord(control[0]):04X}"
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
            self.refuse(event, codes.AMBIGUOUS, rule, advice(shown), value=shown)
            return text
        return value

    def put(self, source_map: SourceMap, value: Any) -> None:
        """Hang a value under the open mapping or list."""
        self.nodes += 1
        if self.nodes > MAX_NODES:
            self.findings.add(
                source_map.line, source_map.column, codes.TOO_BIG, f"more than {MAX_NODES:,} values", SPLIT
            )
            raise _Stop
        if not self.frames:
            self.root = Anchored(value, source_map, 1)
            return
        frame = self.frames[-1]
        step: str | int
        if isinstance(frame.value, list):
            step = len(frame.value)
            frame.value.append(value)
        else:
            step = frame.key or ""
            source_map.key_line, source_map.key_column, frame.key = frame.key_line, frame.key_column, None
            frame.value[step] = value
        frame.children[step] = source_map

    # --- findings

    def path(self) -> Path:
        """The path of the node that is being read."""
        steps: list[str | int] = []
        for frame in self.frames[:MAX_STEPS]:
            is_last = frame is self.frames[-1]
            if frame.key is not None:
                steps.append(frame.key)
            elif not is_last:
                steps.append(
                    next(reversed(frame.children))
                )  # the container that was put last is the open one
            elif not frame.is_mapping:
                steps.append(len(frame.value))
        return tuple(steps)

    def refuse(self, event: Event, code: Code, rule: str, hint: str, value: Any = None) -> None:
        """Keep a finding at an event and read on."""
        self.findings.add(*_start(event), code, rule, hint, path=self.path(), value=value)
        if len(self.findings) >= MAX_FINDINGS:
            raise _Stop

    def refuse_tag(self, event: NodeEvent) -> None:
        """Tags make a value something else than it looks."""
        self.refuse(
            event, codes.UNSUPPORTED, f"the tag {getattr(event, 'tag', '')} is not used here", "remove it"
        )

    def stop(self, event: Event, code: Code, rule: str, hint: str) -> NoReturn:
        """Keep a finding at an event and end reading."""
        self.refuse(event, code, rule, hint)
        raise _Stop

    def syntax(self, error: YAMLError, text: str) -> None:
        """Keep a finding where the parser gave up."""
        mark = error.problem_mark if isinstance(error, MarkedYAMLError) else None
        problem = str(getattr(error, "problem", error))
        context = getattr(error, "context", None)
        if isinstance(error, MarkedYAMLError) and "end of stream" in problem and error.context_mark:
            mark = error.context_mark  # where the quote opens, which is more telling than the end of the file
        line, column = (mark.line + 1, mark.column + 1) if mark else position(text)
        here = text.split("\n", line)[line - 1] if text.count("\n") >= line - 1 else ""
        if here[column - 1 : column] == "\t" or "tab character" in problem:
            rule, hint = "a tab where YAML requires spaces", "indent with spaces"
            self.findings.add(line, column, codes.TAB, rule, hint, path=self.path())
            return
        rule = f"not YAML: {problem}" + (f", {context}" if context else "")
        hint = "look for an open quote or bracket, or an indentation that does not match, here or just above"
        self.findings.add(line, column, codes.SYNTAX, rule, hint, path=self.path())


def _start(event: Event) -> tuple[int, int]:
    """Line and column, from 1, at which an event starts."""
    mark = event.start_mark
    return (mark.line + 1, mark.column + 1) if mark else (1, 1)
