"""From a document to a typed value: converted if it is right, explained by its schema if it is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from fabric.decoding import convert
from fabric.diagnostics import Diagnostic, Origin, Report
from fabric.documents import codes
from fabric.documents.places import Document
from fabric.documents.schema.explain_errors import Explainer, Fault
from fabric.documents.schema.json_schema import Schema
from fabric.documents.schema.scalar_types import FORMATS, decode
from fabric.resources import resource
from fabric.units import QUANTITIES

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator, FormatChecker

T = TypeVar("T")

MAX_FINDINGS = 500
"""Of one document. Nobody reads more, and each takes time to word."""


def converted(document: Document, kind: type[T], schema: str, report: Report) -> T | None:
    """The document as `kind`; None after findings that `schemas/SCHEMA.schema.json` explains.

    The schema is made from `kind`: what it allows is what `kind` accepts. A right document does not pay for it.
    """
    value = {} if document.value is None else document.value
    try:
        return convert(value, kind, hook=decode)
    except msgspec.ValidationError as error:
        reason = str(error)
    findings = sorted(explained(document, schema), key=lambda finding: document.place(finding.origin.path))
    hint = "compare with docs/intent.md"
    report.extend(findings or [codes.INVALID.at(Origin((), document.name), reason, hint=hint)])
    return None


def explained(document: Document, schema: str) -> Iterator[Diagnostic]:
    """Everything in a document that its schema forbids, each finding flat and at its own place."""
    explainer = Explainer(document, load_schema(schema))
    value = {} if document.value is None else document.value
    for error in islice(validator(schema).iter_errors(value), MAX_FINDINGS):
        yield from explainer.explain(Fault.of(error))


@cache
def load_schema(name: str) -> Schema:
    """A shipped schema by name: `intent`, `inventory`, `state`, `lock`, `policy`, `switch`, `host`."""
    read: Schema = msgspec.json.decode((resource("schemas") / f"{name}.schema.json").read_bytes())
    return read


@cache
def validator(name: str) -> Draft202012Validator:
    """A validator of a shipped schema, with our formats, and whole numbers that are written as such."""
    from jsonschema import Draft202012Validator, validators  # only wrong documents pay for it

    # JSON Schema takes 2.0 for an integer; the model does not.
    types = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    validator_class: type[Draft202012Validator] = validators.extend(Draft202012Validator, type_checker=types)  # type: ignore[no-untyped-call]  # the stubs leave it open
    return validator_class(load_schema(name), format_checker=format_checker())


def _reader(kind: type) -> Callable[[Any], bool]:
    """A check that reads a text as `kind` and fails with `ValueError`. What is not a text is another rule's matter."""

    def read(value: Any) -> bool:
        if isinstance(value, str):
            decode(kind, value)
        return True

    return read


def _read_date(value: Any) -> bool:
    """Check a date as `2026-12-31`."""
    if isinstance(value, str) and str(date.fromisoformat(value)) != value:
        message = "not written as YYYY-MM-DD"
        raise ValueError(message)
    return True


def format_checker() -> FormatChecker:
    """Ours and no others: `FormatChecker()` would depend on which libraries are installed."""
    from jsonschema import FormatChecker  # only wrong documents pay for it

    formats = FormatChecker(formats=())
    formats.checks("date", raises=ValueError)(_read_date)
    for kind, (name, _) in FORMATS.items():
        formats.checks(name, raises=ValueError)(_reader(kind))
    for quantity in QUANTITIES:
        formats.checks(f"fabric-{quantity.__name__.lower()}", raises=ValueError)(_reader(quantity))
    return formats
