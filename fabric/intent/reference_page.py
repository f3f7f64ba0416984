"""`docs/intent.md`: every key of the language, made from the schemas."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from fabric.documents.schema.describe import bounds
from fabric.documents.schema.json_schema import Schema
from fabric.intent.schema_files import schemas

FILES = {
    "intent": "site.yaml",
    "inventory": "inventory.yaml",
    "state": "state.yaml",
    "policy": "policies/NAME.yaml",
    "lock": "fabric.lock",
    "switch": "hardware/ID.yaml, switch",
    "host": "hardware/ID.yaml, host",
}
"""Chapters in the order of the reference: schema and file."""

EXAMPLE = """\
site: lab
units: 2
hosts:
  gpu:
    per_unit: 8
    nics:
      compute: {count: 8, speed: 400G}
networks:
  compute:
    tiers:
      leaf: {model: arista-7060x6-64pe}
      spine: {model: arista-7060x6-64pe}
"""

OPENING = f"""# The files of a site

Made from the typed model by `fabric.intent.reference_page`; a test compares. Do not edit.

A site is a folder. `site.yaml` says what is wanted; the files beside it say what cannot be computed
(`inventory.yaml`), what is out of service (`state.yaml`), and what capacity has fixed (`fabric.lock`, written by
the program). `schemas/*.schema.json` say the same to editors: put

    # yaml-language-server: $schema=../schemas/intent.schema.json

on the first line of `site.yaml`, or let `fabric schema` print one.

The shortest site of two tiers, 16 hosts with 8 NICs each, every NIC on a leaf of its rail:

```yaml
{EXAMPLE}```

## How it is written

YAML, strictly: two spaces a level, no tabs, one document a file, each key once. Only JSON's numbers, `true`,
`false` and `null` are not text; what other readers of YAML could take for something else (`on`, `no`, `010`,
`1:1`, `2026-12-31`) must be quoted. Anchors and aliases work within limits; merge keys (`<<`) and tags do not.

| quantity | written | never |
|---|---|---|
| speed | `400G`, `100M` | `400`, `400g` |
| length | `40m`, `2km` | `40`, `40 m` |
| bytes | `9216B`, `500KB` (1000), `512KiB` (1024) | `9216` |
| time | `300ms`, `3s`, `10min` | `0.3` |
| ratio | `"15:1"`, quoted | `15:1` |
| secret | `env:NAME`, `file:PATH`, `cmd:NAME`, `keyring:NAME` | the secret |

A key that is not required has the default shown. `-` as default: nothing, and the description says what follows.
"""


def reference() -> str:
    """The whole page."""
    documents = schemas()
    chapters = [_chapter(name, file, documents[name]) for name, file in FILES.items()]
    return "\n".join([OPENING, *chapters])


def _chapter(name: str, file: str, schema: Schema) -> str:
    root = schema["$ref"].rpartition("/")[2]
    order = list(_reachable(schema, root))
    sections = [_section(name, schema, part) for part in order]
    return f"## {file}\n\n{schema['title']}.\n\n" + "\n".join(sections)


def _reachable(schema: Schema, root: str) -> Iterator[str]:
    """Definitions, the outermost first, each once."""
    seen: dict[str, None] = {}
    waiting = [root]
    while waiting:
        name = waiting.pop(0)
        if name in seen:
            continue
        seen[name] = None
        waiting += [ref for prop in schema["$defs"][name]["properties"].values() for ref in _references(prop)]
    return iter(seen)


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"].rpartition("/")[2]
        for inner in schema.values():
            yield from _references(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from _references(inner)


def _section(chapter: str, schema: Schema, part: str) -> str:
    definition = schema["$defs"][part]
    rows = [
        _row(chapter, schema, key, prop, definition["required"])
        for key, prop in definition["properties"].items()
    ]
    head = "| key | takes | default | meaning |\n|---|---|---|---|\n"
    return (
        f'### {part}\n\n<a id="{_anchor(chapter, part)}"></a>{definition["description"]}\n\n{head}'
        + "".join(rows)
    )


def _row(chapter: str, schema: Schema, key: str, prop: Schema, required: list[str]) -> str:
    takes = _takes(chapter, schema, prop)
    default = "**required**" if key in required else _default(prop)
    meaning = prop.get("description") or _described(schema, prop)
    example = f" Example: `{_code(prop['examples'][0])}`." if prop.get("examples") else ""
    return f"| `{key}` | {takes} | {default} | {_cell(meaning)}{_cell(example)} |\n"


def _described(schema: Schema, prop: Schema) -> str:
    """What the definition behind a reference says of itself."""
    return str(schema["$defs"][prop["$ref"].rpartition("/")[2]]["description"]) if "$ref" in prop else ""


def _takes(chapter: str, schema: Schema, prop: Schema) -> str:  # noqa: PLR0911  # one a case
    """The kinds of value that a key takes."""
    if "$ref" in prop:
        part = prop["$ref"].rpartition("/")[2]
        return f"[{part}](#{_anchor(chapter, part)})"
    if "allOf" in prop:
        return " or ".join(_takes(chapter, schema, choice["then"]) for choice in prop["allOf"])
    if "enum" in prop:
        return " ".join(f"`{word}`" for word in prop["enum"] if word is not None)
    kinds = prop.get("type", "anything")
    kind = kinds if isinstance(kinds, str) else kinds[0]
    match kind:
        case "array":
            return f"list of {_takes(chapter, schema, prop['items'])}"
        case "object" if isinstance(prop.get("additionalProperties"), dict):
            return f"mapping of names to {_takes(chapter, schema, prop['additionalProperties'])}"
        case "integer":
            return f"number{bounds(prop)}"
        case "string":
            return _text(prop)
        case "boolean":
            return "`true` `false`"
        case _:
            return kind


def _text(prop: Schema) -> str:
    """What kind of text a key takes, in a word or two."""
    description = str(prop.get("$comment") or "text").partition(":")[0].rstrip(".")
    if prop.get("format") == "date":
        return "date, quoted"
    description = description.partition(", ")[0]
    return description[0].lower() + description[1:]


def _default(prop: Schema) -> str:
    value = prop.get("default")
    if value is None:
        return "-"
    if isinstance(value, dict | list | tuple) and not value:
        return "its defaults" if _holds_part(prop) else "none"
    text = value if isinstance(value, str) else json.dumps(value)
    return f"`{_code(text)}`" if text else "nothing"


def _holds_part(prop: Schema) -> bool:
    """Whether a mapping below the key has fixed keys, with defaults of their own."""
    return "$ref" in prop or any("$ref" in choice["then"] for choice in prop.get("allOf", ()))


def _code(text: str) -> str:
    return str(text).replace("|", "\\|")


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _anchor(chapter: str, part: str) -> str:
    return f"{chapter}-{part.lower()}"
