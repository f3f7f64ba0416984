"""Models that a site brings along: untrusted documents, so every mistake becomes a diagnostic."""

from __future__ import annotations

import re

import msgspec

from fabric.diagnostics import Diagnostic, Origin, Path, Report
from fabric.documents import Document
from fabric.documents.words import decode
from fabric.hardware import codes
from fabric.hardware.checks import check_model
from fabric.hardware.model import HostModel, SwitchModel

PLACE = re.compile(r" - at `\$(?P<path>[^`]*)`$(?!\n)")
"""Where msgspec says a value stands."""
STEP = re.compile(r"\.(?P<key>[A-Za-z_]\w*)|\[(?P<index>\d+)\]")
HOST_KEYS = frozenset({"gpus", "nics", "scale_up_domain_gpus"})
"""A document with one of these is a host, any other a switch."""


def read_model(name: str, document: Document, report: Report) -> SwitchModel | HostModel | None:
    """The switch or host of a document; None, with findings in `report`, if it is none."""
    value = document.value
    is_host = isinstance(value, dict) and not HOST_KEYS.isdisjoint(value)
    kind: type[SwitchModel | HostModel] = HostModel if is_host else SwitchModel
    origin = Origin((), document.name)
    try:
        model = msgspec.convert(value, kind, dec_hook=decode)
    except msgspec.ValidationError as error:
        report.add(_finding(origin, str(error)))
        return None
    if model.id != name:
        rule = f"the model calls itself {model.id!r}, its file says {name!r}"
        report.add(codes.IDENTITY.at(origin.child("id"), rule, value=model.id, hint=f"write `id: {name}`"))
    if isinstance(model, SwitchModel):
        own = Report()
        check_model(model, origin, own)
        report.extend(own)
    return model


def _finding(origin: Origin, text: str) -> Diagnostic:
    match = PLACE.search(text)
    rule = text[: match.start()] if match else text
    return codes.SHAPE.at(origin.child(*_path(match["path"] if match else "")), rule[:1].lower() + rule[1:])


def _path(text: str) -> Path:
    return tuple(step["key"] or int(step["index"]) for step in STEP.finditer(text))
