"""What a value of the intent makes: the site is compiled with another value, and the lines that differ are its own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from fabric.compiler import Compiled
from fabric.diagnostics import Invalid
from fabric.documents import redaction
from fabric.provenance.change_value import Changed, changed_sites
from fabric.provenance.config_lines import Files, Section
from fabric.provenance.intent_values import HIDDEN, default_value, written_value
from fabric.provenance.model import IntentValue, Line, Made, MadeGroup, MadeLine
from fabric.provenance.places import Value, values_at
from fabric.provenance.where_by_fields import lines_by_fields
from fabric.provenance.why import shown_lines

NUMBER = re.compile(r"[0-9]+")
HOST = "host"
MOST_WITHOUT_EFFECT = 4
"""Other values that are compared until one makes a difference."""


class Own(NamedTuple):
    """The lines of one device that a value makes."""

    device: str
    role: str
    file: str
    lines: tuple[tuple[Section, str], ...]
    is_there: bool
    is_whole: bool = False


def where(compiled: Compiled, place: str) -> tuple[Made, ...]:
    """What the values at a place make: `site.yaml:24`, `site.yaml:24:7`, or a dotted path.

    `Refused` if nothing stands there.
    """
    return tuple(made_by(compiled, value) for value in values_at(compiled, place))


def made_by(compiled: Compiled, value: Value) -> Made:
    """What one value makes: devices, grouped where it makes the same of them, and lines."""
    refusals: list[str] = []
    none: Made | None = None
    for changed in islice(changed_sites(compiled, value, refusals), MOST_WITHOUT_EFFECT):
        try:
            own = tuple(_differences(changed))
        except Invalid as invalid:  # a product refuses it
            refusals += [
                f"{changed.other}: {finding.rule}" for finding in invalid.diagnostics if finding.is_error
            ][:1]
            continue
        made = _made(compiled, value, changed.other, own)
        if changed.base is not compiled:
            made = msgspec.structs.replace(made, is_unlocked=True)
        if own:
            return made
        none = none or made
    if none is not None:
        return none
    stemming = lines_by_fields(compiled, value)
    made = _made(
        compiled, value, None, tuple(_of_fields(name, role, lines) for name, role, lines in stemming)
    )
    refusal = refusals[0] if refusals else "the schema knows no other value"
    return msgspec.structs.replace(made, refusal=refusal)


def _of_fields(name: str, role: str, lines: tuple[Line, ...]) -> Own:
    return Own(name, role, lines[0].file, tuple((line.above, line.text) for line in lines), is_there=True)


def value_of(compiled: Compiled, value: Value) -> IntentValue:
    """A value with its place; a default has none."""
    known = compiled.intent.sources.documents[value.document]
    if known.find(value.path) is not None:
        return written_value(compiled.intent, value.document, value.path)
    default = default_value(compiled.intent, value.document, tuple(map(str, value.path)))
    return default or IntentValue(kind="default", document=value.document, path=value.path, value="none")


def _differences(changed: Changed) -> Iterator[Own]:
    """The devices and hosts that are not the same with the other value."""
    compiled, other = changed.base, changed.compiled
    for name, device in compiled.devices.items():
        if name not in other.devices:
            yield _whole(name, device.role, compiled.artifacts[name].files)
        elif device != (after := other.devices[name]):
            yield from _own(
                (name, device.role),
                (compiled.artifacts[name].files, device),
                (other.artifacts[name].files, after),
            )
    for name, artifact in compiled.host_artifacts.items():
        texts = {artifact.path(file): file.text for file in artifact.files}
        if name not in other.host_artifacts:
            yield _whole(name, HOST, texts)
        else:
            same = other.host_artifacts[name]
            after_texts = {same.path(file): file.text for file in same.files}
            hosts = compiled.devices.hosts[name], other.devices.hosts[name]
            yield from _own((name, HOST), (texts, hosts[0]), (after_texts, hosts[1]))


def _whole(name: str, role: str, texts: Mapping[str, str]) -> Own:
    lines = tuple((line.above, line.text) for line in Files(texts).lines)
    return Own(name, role, next(iter(texts), ""), lines, is_there=True, is_whole=True)


Printed = tuple[Mapping[str, str], Any]
"""The files of a device, and the device."""


def _own(named: tuple[str, str], before: Printed, after: Printed) -> Iterator[Own]:
    """The lines of a device that are not in its other files; else those that are only there."""
    if before[0] == after[0]:
        return
    lines, is_there = _left(before, after[0]), True
    if not lines:
        lines, is_there = _left(after, before[0]), False
    if lines:
        yield Own(*named, lines[0].file, tuple((line.above, line.text) for line in lines), is_there)


def _left(printed: Printed, others: Mapping[str, str]) -> list[Line]:
    """Lines that the other files have not, in order, as they may be shown."""
    texts, device = printed
    there = Counter((line.file, line.above, line.text) for line in Files(others).lines)
    shown = {(line.file, line.number): line for line in shown_lines(device, texts)}
    left = []
    for line in Files(texts).lines:
        key = (line.file, line.above, line.text)
        if there[key]:
            there[key] -= 1
        else:
            left.append(shown[line.file, line.number])
    return left


def _made(compiled: Compiled, value: Value, other: str | None, own: tuple[Own, ...]) -> Made:
    if other is not None and redaction.is_secret_path(value.path):
        other = HIDDEN
    groups: dict[Any, list[Own]] = {}
    for one in own:
        forms = () if one.is_whole else tuple(dict.fromkeys(_form(text) for _, text in one.lines))
        groups.setdefault((one.is_there, one.is_whole, forms), []).append(one)
    return Made(
        value=value_of(compiled, value),
        other=other,
        groups=tuple(_group(several) for several in groups.values()),
        line_count=sum(len(one.lines) for one in own),
        device_count=len(own),
        compared=len(compiled.devices) + len(compiled.host_artifacts),
    )


def _form(text: str) -> str:
    """A line with every number alike."""
    return NUMBER.sub("#", text)


def _group(several: list[Own]) -> MadeGroup:
    first = several[0]
    by_form: dict[str, list[tuple[Section, str]]] = {}
    for above, text in first.lines:
        by_form.setdefault(_form(text), []).append((above, text))
    return MadeGroup(
        devices=tuple(one.device for one in several),
        roles=tuple(one.role for one in several),
        file=first.file,
        lines=tuple(
            MadeLine(text=lines[0][1], above=lines[0][0], count=len(lines), is_there=first.is_there)
            for lines in by_form.values()
        ),
        is_whole=first.is_whole,
    )
