"""One site from several files: `include` adds to the mappings of the first file and never overwrites."""

from __future__ import annotations

from typing import Any

from fabric.diagnostics import Origin, Report
from fabric.documents import Document, InvalidDocument
from fabric.documents import codes as document_codes
from fabric.documents.places import SourceMap
from fabric.documents.reading.decode_text import MAX_BYTES
from fabric.documents.reading.strict_yaml import read_yaml
from fabric.intent import codes
from fabric.intent.site_folder import Files, Unreadable, join

MAX_FILES = 500


class Reader:
    """Reads documents, and keeps them and what is wrong with them."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self.report = Report()
        self.documents: dict[str, Document] = {}
        self.seen: set[str] = set()
        """Every file that was requested."""
        self.bytes = 0

    def read(self, name: str, file: str, asked_at: Origin) -> Document | None:
        """The document `name` in `file`; None after a finding. A file that is missing is reported at `asked_at`."""
        data = self.data(file, asked_at)
        if data is None:
            return None
        try:
            document = read_yaml(data, self.files.shown(file), name)
        except InvalidDocument as error:
            self.report.extend(error.diagnostics)
            self.documents.update(error.sources.documents)
            return None
        self.documents[name] = document
        return document

    def data(self, file: str, asked_at: Origin) -> bytes | None:
        """The bytes of a file; None after a finding."""
        self.seen.add(file)
        try:
            data = self.files.read(file)
        except Unreadable as error:
            rule = f"cannot read {self.files.shown(file)!r}: {error}"
            self.report.add(document_codes.UNREADABLE.at(asked_at, rule, hint="check the path"))
            return None
        self.bytes += len(data)
        if self.bytes > 4 * MAX_BYTES:
            rule = f"all files together have more than {4 * MAX_BYTES:,} bytes"
            self.report.add(document_codes.TOO_BIG.at(asked_at, rule, hint="remove what is not needed"))
            return None
        return data


def read_site(reader: Reader, file: str) -> Document | None:
    """`file` and all that it includes, as one document `intent`."""
    first = reader.read("intent", file, Origin())
    if first is None:
        return None
    if not _is_mapping(reader, first):
        return None
    merged = Document("intent", dict(first.value), SourceMap(first.source_map.file, 1, 1, children={}))
    merged.source_map.children = {
        key: _copied(source_map) for key, source_map in (first.source_map.children or {}).items()
    }
    _Assembly(reader, merged).include(first, file, (file,))
    reader.documents["intent"] = merged
    return merged


def _is_mapping(reader: Reader, document: Document) -> bool:
    if isinstance(document.value, dict):
        return True
    origin = Origin((), document.name)
    if document.value is None:
        reader.report.add(document_codes.EMPTY.at(origin, "the file is empty", hint="fill or remove it"))
    else:
        rule = "a mapping of keys is expected, as `site: NAME`"
        reader.report.add(document_codes.WRONG_TYPE.at(origin, rule, hint="write `key: value` lines"))
    return False


def _copied(source_map: SourceMap) -> SourceMap:
    """A node whose children can be added to without changing the file's own source map."""
    children = None if source_map.children is None else dict(source_map.children)
    return SourceMap(
        source_map.file,
        source_map.line,
        source_map.column,
        source_map.key_line,
        source_map.key_column,
        children,
    )


class _Assembly:
    """Adds one file after the other to the merged document."""

    def __init__(self, reader: Reader, merged: Document) -> None:
        self.reader = reader
        self.report = reader.report
        self.merged = merged
        self.included: set[str] = set()

    def include(self, document: Document, file: str, chain: tuple[str, ...]) -> None:
        """Add what a file includes, in order, each with what it includes itself."""
        names = document.value.get("include", [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            self.wrong_include(document)
            return
        for index, name in enumerate(names):
            origin = Origin(("include", index), document.name)
            inner = self.admitted(name, file, chain, origin)
            if inner is None:
                continue
            read = self.reader.read(f"include:{inner}", inner, origin)
            if read is None or not _is_mapping(self.reader, read):
                continue
            self.add(read)
            self.include(read, inner, (*chain, inner))

    def wrong_include(self, document: Document) -> None:
        """Report an `include` that is not a list of files. That of the first file is left to the schema."""
        if document.name != "intent":
            origin = Origin(("include",), document.name)
            rule, hint = "a list of files is expected", "write a list: [racks/row1.yaml]"
            self.report.add(document_codes.WRONG_TYPE.at(origin, rule, hint=hint))

    def admitted(self, name: str, file: str, chain: tuple[str, ...], origin: Origin) -> str | None:
        """The path of an included file, unless it may not be included here."""
        try:
            inner = join(file, name)
        except Unreadable as error:
            rule, hint = f"{name!r} cannot be included: {error}", "put the file into the site's folder"
            self.report.add(codes.INCLUDE.at(origin, rule, value=name, hint=hint))
            return None
        if inner in chain:
            rule = f"{name!r} includes itself: {' → '.join((*chain, inner))}"
            self.report.add(codes.INCLUDE.at(origin, rule, value=name, hint="remove one of these includes"))
            return None
        if inner in self.included:
            rule = f"{name!r} is included twice"
            self.report.add(codes.INCLUDE.at(origin, rule, value=name, hint="remove one of the two"))
            return None
        if len(self.included) >= MAX_FILES:
            self.report.add(
                codes.INCLUDE.at(origin, f"more than {MAX_FILES} files", hint="join some of them")
            )
            return None
        self.included.add(inner)
        return inner

    def add(self, document: Document) -> None:
        """Add the top-level keys of a file, mappings one level deep."""
        target = self.merged.value
        for key, value in document.value.items():
            source_map = (document.source_map.children or {})[key]
            if key == "include":
                continue
            if key not in target:
                target[key] = value
                self.merged.source_map.add(key, _copied(source_map))
            elif isinstance(value, dict) and isinstance(target[key], dict):
                target[key] = dict(target[key])
                self.join_mapping(document, key, value, source_map)
            elif isinstance(value, list) and isinstance(target[key], list):
                self.join_list(key, value, source_map)
            else:
                self.clash(document, (key,))

    def join_mapping(
        self, document: Document, key: str, value: dict[str, Any], source_map: SourceMap
    ) -> None:
        """Add the names of a mapping; a name that is taken is refused."""
        known = self.merged.source_map.child(key)
        for name, inner in value.items():
            if name in self.merged.value[key]:
                self.clash(document, (key, name))
            elif known is not None:
                self.merged.value[key][name] = inner
                known.add(name, (source_map.children or {})[name])

    def join_list(self, key: str, value: list[Any], source_map: SourceMap) -> None:
        """Put the items of a list after those that are there."""
        known = self.merged.source_map.child(key)
        first = len(self.merged.value[key])
        self.merged.value[key] = [*self.merged.value[key], *value]
        for index in range(len(value)):
            if known is not None:
                known.add(first + index, (source_map.children or {})[index])

    def clash(self, document: Document, path: tuple[str, ...]) -> None:
        """Report a key that two files define."""
        earlier = self.merged.place(path)
        node = document.find(path)
        if node is not None:
            node.show_key()
        rule = f"{'.'.join(path)} is defined in two files; the other place is {earlier}"
        self.report.add(codes.DEFINED_TWICE.at(Origin(path, document.name), rule, hint="keep one of them"))
