"""Values of a document that may be secrets, masked wherever they stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from fabric.configuration.foreign_secrets import ForeignSecrets, has_documents, is_suspect, names_secret
from fabric.configuration.statements import Section
from fabric.configuration.syntaxes.json_documents import Document
from fabric.configuration.syntaxes.quoting import said
from fabric.configuration.tree import MASK


class ValueMask(msgspec.Struct, frozen=True):
    """Which values of a product's documents stay."""

    secrets: ForeignSecrets
    label: Callable[[str], str]
    """A key as the table has it."""
    entry_line: Callable[[str, Mapping[str, Any]], str]
    """The line of an entry of a list."""
    own: frozenset[tuple[str, str]] = frozenset()
    """Keys and values of ours."""

    def keeping(self, ours: Document) -> ValueMask:
        """The same, and the values of our own document stay."""
        return msgspec.structs.replace(self, own=frozenset(_values(ours)))

    def masked(self, document: Document) -> Document:
        """A document without values that may be secrets."""
        return self._hidden(document, self.secrets.top)

    def _hidden(self, document: Document, section: Section | None, *, is_below: bool = False) -> Document:
        """An object without secrets; `is_below`: a key above says `secret`."""
        masked: Document = {}
        for key, value in document.items():
            label = self.label(key)
            if value.__class__ is dict or has_documents(value):
                masked[key] = self._inside(key, value, section, is_below=is_below)
            elif (
                is_suspect(key, value, is_below=is_below)
                and not self.secrets.inside(f"{label} {said(value)}", section)[0]
                and (key, said(value)) not in self.own
            ):
                masked[key] = [MASK for _ in value] if value.__class__ is list else MASK
            else:
                masked[key] = value
        return masked

    def _inside(self, key: str, value: Any, section: Section | None, *, is_below: bool) -> Any:
        """An object, or each object of a list."""
        label, is_object = self.label(key), value.__class__ is dict
        inside = []
        for entry in [value] if is_object else value:
            line = label if is_object else self.entry_line(label, entry)
            is_known, below = self.secrets.inside(line, section)
            is_secret = is_below or (names_secret(key) and not is_known)
            inside.append(self._hidden(entry, below, is_below=is_secret))
        return inside[0] if is_object else inside


def _values(document: Any) -> Iterator[tuple[str, str]]:
    """Key and value, as a line has it, of each value of a document."""
    for key, value in document.items():
        inside = value if isinstance(value, list) else [value]
        if any(isinstance(entry, dict) for entry in inside):
            for entry in inside:
                yield from _values(entry) if isinstance(entry, dict) else ()
        else:
            yield key, said(value)
