"""What a key means: its description, what it takes, its default, and what the program makes of it here."""

from __future__ import annotations

import json
from itertools import islice
from typing import Any

from fabric.diagnostics import Path
from fabric.documents.schema.describe import expectation
from fabric.documents.schema.json_schema import Schema, resolved
from fabric.documents.schema.validate import load_schema
from fabric.editor.cursor import Text
from fabric.editor.known_site import KnownSite
from fabric.editor.site_files import at_path

SHORT = 200
"""Letters of a default that are worth showing."""
MOST_DERIVED = 12
"""Values that one key comes out as, one for each kind of port."""


def hover(kind: str, name: str, text: Text, path: Path, known: KnownSite | None) -> str | None:
    """What is to be said of the key or value at `path` of the file `name`, as Markdown.

    None if the schema does not know it.
    """
    places = at_path(kind, text, path)
    if not places:
        return None
    root = load_schema(kind)
    parts = [f"**{path[-1]}**: {expected(root, places[0])}" if path else "", described(root, places[0])]
    if "default" in places[0]:
        parts.append(f"Default: {_default(places[0]['default'])}")
    if known is not None and path in text.values and kind in ("intent", "policy"):
        parts += _here(kind, name, path, known)
    return "\n\n".join(part for part in parts if part)


def described(root: Schema, schema: Schema) -> str:
    """The description of a key, or of what it holds."""
    return str(schema.get("description") or resolved(root, schema).get("description") or "")


def expected(root: Schema, schema: Schema) -> str:
    """What a place accepts, in words."""
    return expectation(root, schema)


def _default(value: Any) -> str:
    if value is None:
        return "none"
    written = value if isinstance(value, str) and value else json.dumps(value)
    return f"`{written}`" if len(written) <= SHORT else "see `fabric docs intent`"


def _here(kind: str, name: str, path: Path, known: KnownSite) -> list[str]:
    """What the program has decided here."""
    document = f"policy:{name}" if kind == "policy" else "intent"
    lines = list(dict.fromkeys(islice(known.derived(document, path), MOST_DERIVED)))
    return ["In this site:\n" + "\n".join(f"- {line}" for line in lines)] if lines else []
