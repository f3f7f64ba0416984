"""The same site with another value in one place: what a value does is what another one does not."""

from __future__ import annotations

import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath
from types import NoneType
from typing import Any

import msgspec

from fabric import compiler
from fabric.compiler import Compiled
from fabric.diagnostics import Invalid, Origin, Path, Report
from fabric.documents.edit_yaml import SharedValue, with_value
from fabric.documents.reading.strict_yaml import read_yaml
from fabric.documents.schema.scalar_types import encode
from fabric.documents.schema.validate import converted
from fabric.intent.load import POLICIES
from fabric.platforms import registry
from fabric.provenance.intent_values import shown
from fabric.provenance.other_values import hints_of, other_values
from fabric.provenance.places import Value
from fabric.qos.derive_queueing import check_policy
from fabric.qos.policy import LosslessPolicy

MOST_TRIES = 10
"""Other values that are tried until one is valid."""
LOCK_DIGEST = "digest"


@dataclass(frozen=True)
class Changed:
    """A valid site with another value."""

    other: str
    """The value, as people write it."""
    compiled: Compiled
    base: Compiled
    """What to compare it with: the site as it is, or without fabric.lock, where that holds what the value decides."""


def changed_sites(compiled: Compiled, value: Value, refusals: list[str] | None = None) -> Iterator[Changed]:
    """The site with each of a few other values in one place, as far as it is valid then.

    Where fabric.lock allows none, the site without it. `refusals` takes why others are not.
    """
    held = False
    for changed in _changed_sites(compiled, value, refusals):
        held = True
        yield changed
    if not held and compiled.intent.lock is not None and value.document != "lock":
        yield from _changed_sites(compiled.unlocked, value, None)


def _changed_sites(compiled: Compiled, value: Value, refusals: list[str] | None) -> Iterator[Changed]:
    """Those of a site as it is."""
    current, annotation = typed_value(compiled, value)
    for other in _candidates(compiled, value, current, annotation):
        plain = msgspec.to_builtins(other, enc_hook=encode) if other is not None else None
        if isinstance(other, int) and type(other) not in (int, bool):
            plain = str(other)  # a quantity, as it is written
        try:
            made = _made(compiled, value, plain)
        except Invalid as invalid:
            if refusals is not None:
                refusals += [
                    f"{shown(plain)}: {finding.rule}" for finding in invalid.diagnostics if finding.is_error
                ][:1]
            continue
        except (KeyError, SharedValue, OSError, ValueError) as error:
            if refusals is not None:
                refusals.append(f"{shown(plain)}: {type(error).__name__}")
            continue
        if made is not None:
            yield Changed(shown(plain), made, compiled)


def typed_value(compiled: Compiled, value: Value) -> tuple[Any, Any]:
    """A value as the program has it, and the annotation of its field."""
    kind, _, name = value.document.partition(":")
    roots = {
        "intent": compiled.intent.site,
        "inventory": compiled.intent.inventory,
        "state": compiled.intent.state,
        "lock": compiled.intent.lock,
        "policy": compiled.intent.policies.get(name),
    }
    current, annotation = roots.get(kind), None
    for step in value.path:
        current, annotation = _step(current, annotation, step)
    return current, annotation


def _step(value: Any, annotation: Any, step: str | int) -> tuple[Any, Any]:
    if isinstance(value, msgspec.Struct):
        for field in msgspec.structs.fields(value):
            if step in (field.encode_name, field.name):
                return getattr(value, field.name), hints_of(type(value))[field.name]
        return None, None
    inner = [arg for arg in typing.get_args(_inside(annotation)) if arg is not Ellipsis]
    if isinstance(value, Mapping):
        return value.get(step), inner[-1] if inner else None
    if isinstance(value, tuple) and isinstance(step, int) and step < len(value):
        return value[step], inner[0] if inner else None
    return None, None


def _inside(annotation: Any) -> Any:
    """Without `Annotated`, and of a choice the mapping or list."""
    if typing.get_origin(annotation) is typing.Annotated:
        return _inside(annotation.__origin__)
    if NoneType in typing.get_args(annotation) or typing.get_origin(annotation) is typing.Union:
        return next(
            (arg for arg in typing.get_args(annotation) if typing.get_origin(arg) in (dict, tuple)),
            annotation,
        )
    return annotation


def _candidates(compiled: Compiled, value: Value, current: Any, annotation: Any) -> Iterator[Any]:
    """Values worth a try, the nearest first."""
    key = str(value.path[-1])
    tried = 0
    names: tuple[str | None, ...] = ()
    if isinstance(current, str) and key == "model":
        names = _models(compiled, current)
    elif key == "platform":
        names = tuple(registry.names())
    elif value.document == "intent" and value.path[0] == "overrides" and key == "device":
        names = tuple(compiled.devices)
    elif value.document.startswith("policy:") and key == "cnp":
        names = tuple(compiled.intent.policies[value.document.removeprefix("policy:")].classes)
    elif isinstance(current, str) and key == "lossless":
        names = (*(path.stem for path in sorted(POLICIES.glob("*.yaml"))), None)
    for other in names or other_values(current, annotation):
        if other != current and tried < MOST_TRIES:
            tried += 1
            yield other


def _models(compiled: Compiled, current: str) -> tuple[str, ...]:
    """Models of the catalogue, those of the same vendor first."""
    switches = compiled.intent.hardware.switches
    known: Mapping[str, Any] = switches if current in switches else compiled.intent.hardware.hosts
    vendor = known[current].vendor if current in known else ""
    return tuple(sorted(known, key=lambda name: (known[name].vendor != vendor, name)))


def _made(compiled: Compiled, value: Value, other: Any) -> Compiled | None:
    """The site with a value; None if it cannot be changed. `Invalid` if it is wrong then."""
    files = _edited(compiled, value, other)
    if files is None:
        intent = _with_ready_policy(compiled, value, other)
    else:
        intent = compiler.load(_first_file(compiled), edited=files)
        if compiled.intent.lock is None:
            intent = msgspec.structs.replace(intent, lock=None)
    made = Compiled(compiled.folder, intent, compiled.jobs)
    _ = made.artifacts
    return made


def _first_file(compiled: Compiled) -> FilePath:
    """The file that the site begins with."""
    return compiled.folder / FilePath(compiled.intent.sources.documents["intent"].source_map.file).name


def _edited(compiled: Compiled, value: Value, other: Any) -> dict[str, str] | None:
    """The file that has the value, with another one; None for a ready policy, which the program brings along."""
    known = compiled.intent.sources.documents[value.document]
    place = compiled.intent.sources.place(Origin(value.path, value.document))
    file = FilePath(place.file if place else known.source_map.file).resolve()
    folder = compiled.folder.resolve()
    if not file.is_relative_to(folder) or not file.is_file():
        return None
    text = file.read_bytes().decode()
    text = with_value(text, _path_in_file(compiled, value, str(file)), other)
    if value.document == "lock":
        text = "".join(row for row in text.splitlines(keepends=True) if not row.startswith(f"{LOCK_DIGEST}:"))
    return {file.relative_to(folder).as_posix(): text}


def _path_in_file(compiled: Compiled, value: Value, file: str) -> Path:
    """The path of a value in its own file: items of a list that several files share are counted in each."""
    path = value.path
    if value.document == "intent" and len(path) > 1 and isinstance(path[1], int):
        node = compiled.intent.sources.documents["intent"].source_map.child(path[0])
        items = node.children or {} if node else {}
        own = [step for step, item in items.items() if str(FilePath(item.file).resolve()) == file]
        return (path[0], own.index(path[1]), *path[2:]) if path[1] in own else path
    return path


def _with_ready_policy(compiled: Compiled, value: Value, other: Any) -> Any:
    name = value.document.removeprefix("policy:")
    path = POLICIES / f"{name}.yaml"
    report = Report()
    text = with_value(path.read_text(encoding="utf-8"), value.path, other)
    policy = converted(read_yaml(text.encode(), path.name, value.document), LosslessPolicy, "policy", report)
    report.finish()
    if policy is None:
        raise KeyError(name)
    check_policy(policy, value.document, report)
    report.finish()
    policies = {**compiled.intent.policies, name: policy}
    return msgspec.structs.replace(compiled.intent, policies=policies)
