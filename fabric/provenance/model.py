"""Answers of this package: the way from a line of the intent to a line of a configuration, and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from fabric.diagnostics import Path
from fabric.documents.places import Place

Kind = Literal["written", "default", "lock", "inventory", "state", "policy", "hardware", "program"]
"""Where a value stands: in the intent, nowhere (a default of the language), in `fabric.lock`, in `inventory.yaml`, in
`state.yaml`, in a policy, in the hardware catalogue, or in this program."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a device's configuration."""

    file: str
    """Path of the artifact: `configs/leaf-0-0.cfg`."""
    number: int
    """In its file, from 1."""
    text: str
    """Without its indentation."""
    above: tuple[str, ...]
    """The headers of the sections that it stands in, the outermost first."""


class IntentValue(msgspec.Struct, frozen=True, kw_only=True):
    """One value that a line stems from."""

    kind: Kind
    document: str
    """As in `Origin`."""
    path: Path
    value: str
    """As people write it; `***` for what may be a secret."""
    place: Place | None = None
    """None: no file has it."""
    excerpt: str = ""
    """The line of the file; empty where there is none, or where it may hold a secret."""
    source: str = ""
    """Of a value of the catalogue or of this program: where it was published."""

    @property
    def key(self) -> str:
        """`networks.compute.ip_mtu`."""
        text = ""
        for step in self.path:
            text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
        return text

    @property
    def stands_at(self) -> str:
        """`site.yaml:24:7`, or that no file has it."""
        if self.place is not None:
            return str(self.place)
        if self.kind == "hardware":
            return "hardware catalogue"
        return (
            "default, kept by fabric.lock" if self.kind == "lock" else "default of the language (not written)"
        )


class Input(msgspec.Struct, frozen=True):
    """One number that goes into a formula."""

    name: str
    value: str
    """With its unit."""


class Derivation(msgspec.Struct, frozen=True, kw_only=True):
    """How a value is computed."""

    what: str
    """What is computed: `kmin`."""
    value: str
    """The result, with its unit."""
    formula: str
    """In words and symbols; empty: it is taken as it is written."""
    inputs: tuple[Input, ...] = ()
    source: str = ""
    """Of the formula."""


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """What a line says, in neutral words: one value of the device's model."""

    field: str
    """Where it stands in the model: `ports[3].ip_mtu_bytes`."""
    meaning: str
    """`IP MTU of Ethernet1/1`."""
    value: str
    """With its unit."""
    of_section: bool = False
    """It makes a header above the line, not the line itself."""
    derivations: tuple[Derivation, ...] = ()
    values: tuple[IntentValue, ...] = ()
    """What it stems from."""
    conditions: tuple[IntentValue, ...] = ()
    """What decides whether it is so and where, as sizes decide what a port is cabled to."""


def values_of(facts: Iterable[Fact]) -> list[IntentValue]:
    """All that facts stem from, each value once."""
    return _each_once(value for fact in facts for value in fact.values)


def conditions_of(facts: Sequence[Fact]) -> list[IntentValue]:
    """What decides about facts beside the values that they stem from, each once."""
    values = values_of(facts)
    return [each for each in _each_once(v for fact in facts for v in fact.conditions) if each not in values]


def _each_once(values: Iterable[IntentValue]) -> list[IntentValue]:
    return list({(value.document, value.path): value for value in values}.values())


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """A configuration line and where it comes from."""

    device: str
    line: Line
    facts: tuple[Fact, ...]
    """Empty: every device of its product and model has the line."""
    alike: tuple[Line, ...] = ()
    """Further lines in the same words, which say the same of other ports, sessions or queues."""


class Printed(msgspec.Struct, frozen=True, kw_only=True):
    """What all lines of a device have in common."""

    device: str
    product: str
    """As people call it."""
    hardware: str
    """Empty for hosts and managers."""
    values: tuple[IntentValue, ...]
    """What chooses product, release and model."""
    conditions: tuple[IntentValue, ...]
    """What decides that there is such a device, and its place in the fabric."""


class MadeLine(msgspec.Struct, frozen=True, kw_only=True):
    """Lines of a device that a value makes, all in one form: numbers and addresses may differ."""

    text: str
    """Of the first."""
    above: tuple[str, ...]
    count: int
    is_there: bool = True
    """False: the line is missing as it is, and would be there with the other value."""


class MadeGroup(msgspec.Struct, frozen=True, kw_only=True):
    """Devices in which a value makes lines of the same forms."""

    devices: tuple[str, ...]
    roles: tuple[str, ...]
    """Of each device."""
    file: str
    """Of the first device."""
    lines: tuple[MadeLine, ...]
    is_whole: bool = False
    """The device itself is there, or is not, by the value: all of its lines."""


class Made(msgspec.Struct, frozen=True, kw_only=True):
    """What one value of the intent makes."""

    value: IntentValue
    other: str | None
    """The value that it was compared with; None: no other one is valid here, and `groups` tells what the fields make
    that stem from it, of one switch of each kind for all."""
    groups: tuple[MadeGroup, ...]
    line_count: int
    """Of all devices."""
    device_count: int
    compared: int
    """Devices that were looked at."""
    is_unlocked: bool = False
    """Both were compiled without fabric.lock, which holds what the value decides."""
    refusal: str = ""
    """Why no other value is valid, where that is so."""
