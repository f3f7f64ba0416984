"""From a document to a typed value: converted if it is right, explained by its schema if it is wrong."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from fabric.diagnostics import Origin, Report
from fabric.documents import codes
from fabric.documents.places import Document
from fabric.documents.words import decode

T = TypeVar("T")


def converted(document: Document, kind: type[T], schema: str, report: Report) -> T | None:
    """The document as `kind`; None after findings that `schemas/SCHEMA.schema.json` explains.

    The schema is made from `kind`: what it allows is what `kind` accepts. A right document does not pay for it.
    """
    value = {} if document.value is None else document.value
    try:
        return msgspec.convert(value, kind, dec_hook=decode)
    except msgspec.ValidationError as error:
        rule = str(error)
    report.add(codes.INVALID.at(Origin((), document.name), rule))
    return None
