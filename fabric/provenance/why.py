"""Why a line of a configuration is as it is: its fields, what each means, how it is computed, and from what."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from fabric.compiler import Compiled
from fabric.devices.hosts.model import Host
from fabric.devices.model import Switch
from fabric.documents import redaction
from fabric.documents.suggest import did_you_mean, nearest_first
from fabric.platforms.registry import platform
from fabric.provenance import codes
from fabric.provenance.config_lines import Asked, Files, numbered
from fabric.provenance.derivations import derivation
from fabric.provenance.derivations.case import Case
from fabric.provenance.derivations.queues import round_trip
from fabric.provenance.device_fields import SHARED, Path, value_at
from fabric.provenance.intent_values import HIDDEN, hardware_value
from fabric.provenance.model import Cause, Derivation, Fact, IntentValue, Line, Printed
from fabric.provenance.refusal import not_found
from fabric.provenance.resolve_stems import stems_of, values_of
from fabric.provenance.stems import LOCKED, NAMES, PRODUCT, SIZES, row_of
from fabric.provenance.subject import is_in, subject_of, value_text
from fabric.provenance.trace import MOST_ELEMENTS, Hit, Print, Traced, Tracer

WITH_ROUND_TRIP = frozenset({"kmin"})
SHOWN_PLACES = 3


def lines_of(compiled: Compiled, device: str) -> tuple[Line, ...]:
    """Every line of a device's configuration, or of a host's files, without secrets. `Refused` if there is none."""
    model, print_device = _device(compiled, device)
    return shown_lines(model, print_device(model))


def shown_lines(device: Any, texts: Mapping[str, str]) -> tuple[Line, ...]:
    """The lines of a device's files as they may be shown: hashes of passwords are masked."""
    if isinstance(device, Host):
        return Files(texts).lines
    mask = platform(device.platform).dialect().mask
    return Files({file: mask(text) for file, text in texts.items()}).lines


def why(compiled: Compiled, device: str, lines: Sequence[Line]) -> tuple[Cause, ...]:
    """The causes of some lines of `lines_of`, in their order; those in the same words by the same fields are one.

    `Refused` if there is no such device, `KeyError` if it has not such a line. What a line says is found by changing
    the fields of the device's model one after the other and printing it again; from a field to the intent goes one
    neutral table.
    """
    model, print_device = _device(compiled, device)
    tracer = Tracer(model, print_device)
    every = {(one.line.file, one.line.number): one for one in numbered(Files(tracer.texts).lines)}
    asked = [every[line.file, line.number] for line in lines]
    groups: dict[Any, list[tuple[Line, Asked, Sequence[Hit]]]] = {}
    for line, one, hits in zip(lines, asked, tracer.hits(asked), strict=True):
        key = (line.text, len(line.above), frozenset(hit.kind for hit in hits))
        groups.setdefault(key, []).append((line, one, hits))
    causes = []
    for (line, one, made_by), *others in groups.values():
        words = " ".join((*line.above, line.text))
        facts = tuple(_facts(compiled, model, tracer.traced(one, made_by), words))
        causes.append(
            Cause(device=device, line=line, facts=facts, alike=tuple(other for other, _, _ in others))
        )
    return tuple(causes)


def _device(compiled: Compiled, name: str) -> tuple[Any, Print]:
    """A device or host with what prints it. `Refused` if there is none, or nothing is printed for it."""
    if name in compiled.devices:
        return compiled.devices[name], lambda device: compiled.artifacts.trial(device, name)
    if name in compiled.devices.hosts:
        if name in compiled.host_artifacts:
            return compiled.devices.hosts[name], lambda host: compiled.host_artifacts.trial(host, name)
        group = compiled.devices.hosts[name].group
        reason = f"no files are made for host {name}: its group {group!r} has no `system`"
        raise not_found(codes.NO_LINE, reason, "docs/hosts.md says what to write")
    names = [*compiled.devices, *compiled.devices.hosts]
    hint = did_you_mean(name, names) or f"there are {nearest_first(name, names)}"
    raise not_found(codes.NO_DEVICE, f"there is no device {name!r} in this site", hint)


def printed(compiled: Compiled, name: str) -> Printed:
    """What all lines of a device have in common. `Refused` if there is none of that name."""
    device, _ = _device(compiled, name)
    names = subject_of(compiled.intent, device, ())
    find = partial(values_of, compiled, names)
    is_switch = isinstance(device, Switch)
    model = hardware_value(compiled.intent, device.hardware.id) if is_switch else None
    product = platform(device.platform).title if not isinstance(device, Host) else "files of a host"
    infiniband = (
        ("networks.{network}.infiniband.**",) if not is_switch and not isinstance(device, Host) else ()
    )
    hosts = ("hosts.{group}.system.**",) if isinstance(device, Host) else ()
    return Printed(
        device=device.name,
        product=product,
        hardware=device.hardware.model if is_switch else "",
        values=(*find((*PRODUCT, *infiniband, *hosts)), *((model,) if model else ())),
        conditions=find((*SIZES, *NAMES, *LOCKED)),
    )


def _facts(compiled: Compiled, device: Any, traced: Sequence[Traced], words: str) -> Iterator[Fact]:
    """What the fields of a line say, those of the line itself first. `words`: of the line and its headers."""
    for each in sorted(traced, key=lambda one: one.of_section):
        several = len(each.places) > MOST_ELEMENTS
        facts = [
            _fact(compiled, device, each, place) for place in (each.places[:2] if several else each.places)
        ]
        if each.is_joint and len(facts) > 1:
            facts = _jointly(facts)
        facts = [_narrowed(fact, words) if row_of(each.column.name).is_narrow else fact for fact in facts]
        if several:
            meaning = f"{facts[0].meaning}, and {len(each.places) - 1} like it"
            yield msgspec.structs.replace(facts[0], meaning=meaning)
        else:
            yield from {(fact.meaning, fact.value): fact for fact in facts}.values()


def _jointly(facts: Sequence[Fact]) -> list[Fact]:
    """Facts that make a line only together: what one alone stems from is a condition."""
    shared = set.intersection(*({(v.document, v.path) for v in fact.values} for fact in facts))
    return [_with_values(fact, lambda value: (value.document, value.path) in shared) for fact in facts]


def _with_values(fact: Fact, is_value: Callable[[IntentValue], bool]) -> Fact:
    """A fact whose other values are conditions."""
    values = tuple(filter(is_value, fact.values))
    others = tuple(value for value in fact.values if value not in values)
    return msgspec.structs.replace(fact, values=values, conditions=(*others, *fact.conditions))


def _narrowed(fact: Fact, words: str) -> Fact:
    """Of a field that is a list: what is not in this line decides about others."""
    return _with_values(fact, lambda value: is_in(value.value, words))


def _fact(compiled: Compiled, device: Any, traced: Traced, place: Path) -> Fact:
    row, names = row_of(traced.column.name), subject_of(compiled.intent, device, place)
    values, conditions = stems_of(compiled, device, traced.column.name, place)
    value = value_at(device, place)
    return Fact(
        field=_field(place),
        meaning=row.meaning.format_map(_Words(names)),
        value=HIDDEN if redaction.is_secret_path(place) else value_text(value, row.unit),
        of_section=traced.of_section,
        derivations=tuple(_derivations(row.derive, Case(compiled, device, place, names))),
        values=values,
        conditions=conditions,
    )


def _derivations(name: str, case: Case) -> Iterator[Derivation]:
    computed = derivation(name, case)
    if computed is not None:
        if name in WITH_ROUND_TRIP:
            yield round_trip(case)
        yield computed


class _Words(dict[str, str]):
    """Names for a meaning; one that is missing is left out."""

    def __missing__(self, name: str) -> str:
        return name


def _field(place: Path) -> str:
    text = ""
    for step in place:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else str(step)
    return text.replace(f"{SHARED}.", "queueing.")
