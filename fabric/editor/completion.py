"""What may be written at a cursor: keys that the schema has here and the text has not, and values."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from lsprotocol import types

from fabric.diagnostics import Path
from fabric.documents.schema.json_schema import Schema
from fabric.documents.schema.validate import load_schema
from fabric.editor.cursor import Gap, Text
from fabric.editor.hover import described, expected
from fabric.editor.names import MOST, Names
from fabric.editor.site_files import alternatives, at_path


def completions(
    kind: str, text: Text, line: int, column: int, names: Names
) -> tuple[types.CompletionItem, ...]:
    """What may be written at a cursor, the most likely first."""
    gap = text.gap_at(line, column)
    items: list[types.CompletionItem] = []
    if gap.slot in ("key", "either"):
        items += _keys(kind, text, line, gap, names)
    if gap.slot in ("value", "either"):
        items += _values(kind, text, line, gap, names)
    unique = {item.label: item for item in reversed(items)}
    for rank, item in enumerate(reversed(unique.values())):
        item.sort_text = f"{rank:04}"
    return tuple(reversed(unique.values()))


def _keys(kind: str, text: Text, line: int, gap: Gap, names: Names) -> Iterator[types.CompletionItem]:
    root = load_schema(kind)
    colon = "" if text.lines[line][gap.end :].lstrip().startswith(":") else ": "
    for place in at_path(kind, text, gap.path):
        for mapping in alternatives(root, place, text, gap.path):
            required = mapping.get("required", ())
            properties = mapping.get("properties", {})
            for key in sorted(properties, key=lambda key: key not in required):
                if key not in gap.siblings:
                    yield _item(
                        line,
                        gap,
                        key,
                        f"{key}{colon}",
                        types.CompletionItemKind.Property,
                        (root, properties[key]),
                    )
    for name in islice(names.keys_at(kind, gap.path), MOST):
        if name not in gap.siblings:
            yield _item(line, gap, name, f"{name}{colon}", types.CompletionItemKind.Reference)


def _values(kind: str, text: Text, line: int, gap: Gap, names: Names) -> Iterator[types.CompletionItem]:
    known = tuple(islice(names.values_at(kind, gap.path), MOST))
    for name in known:
        yield _item(line, gap, name, name, types.CompletionItemKind.Reference)
    for word in _words(kind, text, gap.path) if not known else ():
        yield _item(line, gap, word, word, types.CompletionItemKind.EnumMember)


def _words(kind: str, text: Text, path: Path) -> Iterator[str]:
    """Words that the schema lists, and its examples."""
    root = load_schema(kind)
    for place in at_path(kind, text, path):
        for schema in alternatives(root, place, text, path):
            yield from (str(word) for word in schema.get("enum", ()) if word is not None)
            if "boolean" in schema.get("type", ()):
                yield from ("true", "false")
            yield from map(str, schema.get("examples", ()))


def _item(
    line: int,
    gap: Gap,
    label: str,
    written: str,
    kind: types.CompletionItemKind,
    meaning: tuple[Schema, Schema] | None = None,
) -> types.CompletionItem:
    where = types.Range(types.Position(line, gap.start), types.Position(line, gap.end))
    return types.CompletionItem(
        label,
        kind=kind,
        detail=expected(*meaning) if meaning else None,
        documentation=described(*meaning) if meaning else None,
        filter_text=label,
        text_edit=types.TextEdit(where, written),
    )
