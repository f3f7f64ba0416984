"""Values of the intent by their paths: where each stands, or that it is a default."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path as FilePath
from typing import Any

import msgspec

from fabric.diagnostics import Origin, Path
from fabric.documents import redaction
from fabric.documents.edit_yaml import as_yaml
from fabric.documents.places import Place
from fabric.documents.schema.scalar_types import encode
from fabric.intent.load import POLICIES
from fabric.intent.model import Intent
from fabric.intent.model.addressing import DefaultPool4, DefaultPool6
from fabric.provenance.model import IntentValue, Kind

DOCUMENTS: Mapping[str, Kind] = {
    "intent": "written",
    "inventory": "inventory",
    "state": "state",
    "lock": "lock",
    "policy": "policy",
    "hardware": "hardware",
}
"""What a value is by the first word of its document."""
HIDDEN = "***"
LONGEST = 60
"""Letters of a value that are shown."""


def resolved(intent: Intent, path: str, names: Mapping[str, str]) -> tuple[IntentValue, ...]:
    """The values that a path of the table stands for; none if it speaks of what this device has not."""
    document, steps = _split(path, names)
    if document is None or not steps:
        return ()
    written = tuple(_written(intent, document, steps))
    if written or any("*" in step for step in steps):
        return tuple(written_value(intent, document, found) for found in written)
    default = default_value(intent, document, steps)
    return (default,) if default is not None else ()


def _split(path: str, names: Mapping[str, str]) -> tuple[str | None, tuple[str, ...]]:
    """The document of a path of the table, and its steps with the names of this device."""
    kind, colon, rest = path.rpartition(":")
    steps = []
    for step in rest.split("."):
        name = step.removeprefix("{").removesuffix("}")
        if name != step:
            if not names.get(name):
                return None, ()
            step = names[name]  # noqa: PLW2901  # in its place
        steps.append(step)
    if kind == "policy":
        return (f"policy:{names['policy']}" if names.get("policy") else None), tuple(steps)
    return (kind if colon else "intent"), tuple(steps)


def _written(intent: Intent, document: str, steps: tuple[str, ...]) -> Iterator[Path]:
    known = intent.sources.documents.get(document)
    if known is not None:
        yield from _below(known.value, steps, ())


def _below(value: Any, steps: tuple[str, ...], above: Path) -> Iterator[Path]:
    """The written values that fit some steps."""
    if not steps:
        if above and value is not None:
            yield above
        return
    first, rest = steps[0], steps[1:]
    if first == "**":
        yield from (place for place, _scalar in leaves(value, above))
    elif isinstance(value, dict):
        for key, item in value.items():
            if isinstance(key, str) and fnmatchcase(key, first):
                yield from _below(item, rest, (*above, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            if first in ("*", str(index)):
                yield from _below(item, rest, (*above, index))


def leaves(value: Any, above: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every scalar below a value, lists of scalars as one."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*above, key))
    elif isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        for index, item in enumerate(value):
            yield from leaves(item, (*above, index))
    elif value is not None and above:
        yield above, value


def written_value(intent: Intent, document: str, path: Path) -> IntentValue:
    """A value that a file has."""
    known = intent.sources.documents[document]
    value: Any = known.value
    for step in path:
        value = value[step]
    is_secret = redaction.is_secret_path(path) or _may_hold_a_secret(value)
    node = known.find(path)
    place = node.place if node is not None else known.place(path)
    return IntentValue(
        kind=DOCUMENTS[document.partition(":")[0]],
        document=document,
        path=path,
        value=HIDDEN if is_secret else shown(value),
        place=place,
        excerpt="" if is_secret else excerpt(place),
    )


def _may_hold_a_secret(value: Any) -> bool:
    """Whether a text of several words may: lines of an override are in the words of a product."""
    return isinstance(value, str) and " " in value and redaction.is_secret_line(value)


def is_key(intent: Intent, document: str, steps: tuple[str, ...]) -> bool:
    """Whether the language has such a key, written or not."""
    above = _root(intent, document)
    for step in steps[:-1]:
        above = _child(above, step)
    return isinstance(above, msgspec.Struct) and any(
        steps[-1] in (field.encode_name, field.name) for field in msgspec.structs.fields(above)
    )


def _root(intent: Intent, document: str) -> msgspec.Struct | None:
    """What the documents become that have defaults."""
    return intent.site if document == "intent" else intent.policies.get(document.removeprefix("policy:"))


def default_value(intent: Intent, document: str, steps: tuple[str, ...]) -> IntentValue | None:
    """A default of the language; None where there is none, or where the path leads nowhere."""
    value: Any = _root(intent, document)
    for step in steps:
        value = _child(value, step)
    if value is None or isinstance(value, msgspec.Struct | dict) or value == ():
        return None
    kind: Kind = "default"
    if isinstance(value, DefaultPool4 | DefaultPool6) and intent.lock is not None:
        kind = "lock"
    return IntentValue(kind=kind, document=document, path=steps, value=shown(value))


def _child(value: Any, step: str) -> Any:
    """What stands below a value of the model by the key that files have."""
    if isinstance(value, Mapping):
        return value.get(step)
    if isinstance(value, tuple):
        return value[int(step)] if step.isdecimal() and int(step) < len(value) else None
    if not isinstance(value, msgspec.Struct):
        return None
    for field in msgspec.structs.fields(value):
        if step in (field.encode_name, field.name):
            return getattr(value, field.name)
    return None


def shown(value: Any) -> str:
    """A value as files have it, not too long."""
    if isinstance(value, IPv4Network | IPv6Network):
        return str(value)
    plain = msgspec.to_builtins(value, enc_hook=encode) if not isinstance(value, dict | list) else value
    text = as_yaml(plain if not isinstance(value, int) or type(value) in (int, bool) else str(value))
    text = text.strip('"') if not isinstance(plain, dict | list) else text
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


@lru_cache(maxsize=64)
def _rows(file: FilePath, _changed_ns: int) -> tuple[str, ...]:
    """The lines of a file, read again when it has changed."""
    return tuple(file.read_text(encoding="utf-8", errors="replace").split("\n"))


def _rows_of(file: str) -> tuple[str, ...]:
    """The lines of a file; of one that is not here, those of the ready policy of that name."""
    for path in (FilePath(file), POLICIES / file):
        with suppress(OSError, ValueError):
            return _rows(path, path.stat().st_mtime_ns)
    return ()


def excerpt(place: Place) -> str:
    """The line of a file; empty where it may hold a secret."""
    rows = _rows_of(place.file)
    text = rows[place.line - 1].strip() if 0 < place.line <= len(rows) else ""
    return "" if redaction.is_secret_line(text) else text


def hardware_value(intent: Intent, model: str) -> IntentValue | None:
    """A model of the hardware catalogue, with the source of its facts."""
    known = intent.hardware.switches.get(model)
    if known is None:
        return None
    name = known.model if known.model.startswith(known.vendor) else f"{known.vendor} {known.model}"
    document = f"hardware:{model}"
    place = intent.sources.place(Origin((), document))
    source = known.buffer.source if known.buffer is not None else known.source
    return IntentValue(
        kind="hardware",
        document=document,
        path=(model,),
        value=f"{name} ({known.asic})",
        place=place,
        source=" ".join(source.split()),
    )
