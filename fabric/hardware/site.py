"""Models that a site brings along: untrusted documents, so every mistake becomes a diagnostic."""

from __future__ import annotations

from fabric.diagnostics import Origin, Report
from fabric.documents import Document
from fabric.documents.schema.validate import converted
from fabric.hardware import codes
from fabric.hardware.checks import check_model
from fabric.hardware.model import HostModel, SwitchModel

HOST_KEYS = frozenset({"gpus", "nics", "scale_up_domain_gpus"})
"""A document with one of these is a host, any other a switch."""


def read_model(name: str, document: Document, report: Report) -> SwitchModel | HostModel | None:
    """The switch or host of a document; None, with findings in `report`, if it is none."""
    value = document.value
    model: SwitchModel | HostModel | None
    if isinstance(value, dict) and not HOST_KEYS.isdisjoint(value):
        model = converted(document, HostModel, "host", report)
    else:
        model = converted(document, SwitchModel, "switch", report)
    if model is None:
        return None
    origin = Origin((), document.name)
    if model.id != name:
        rule = f"the model calls itself {model.id!r}, its file {name!r}"
        report.add(codes.IDENTITY.at(origin.child("id"), rule, value=model.id, hint=f"write `id: {name}`"))
    if isinstance(model, SwitchModel):
        check_model(model, origin, report)
    return model
