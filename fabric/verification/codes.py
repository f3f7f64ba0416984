"""Findings of the check against vendors' schemas."""

from fabric.diagnostics import Severity, code

SCHEMA = code(
    "FAB830",
    "the vendor's schema refuses what is written",
    why="The text of a device was given to the vendor's own models, and they know no such statement, or not with such "
    "a value, or it names something that the text does not define. The device would refuse it, or part of it.",
    fix="If the message is about a value of the intent, change it. If the models are of another release than the "
    "devices run, give those of that release. Otherwise it is a bug of this program: please report the message.",
)
NOT_CHECKED = code(
    "FAB831",
    "devices were not checked against a schema",
    why="There are no models for their product in what was given, or none are published for it. What was not checked "
    "is named, so that silence is not taken for an approval.",
    fix="Name a folder that holds the models (`--yang DIR`, may be repeated), or the product's `--openapi FILE`.",
    severity=Severity.WARNING,
)
