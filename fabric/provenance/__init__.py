"""The way from a line of the intent to a line of a configuration, and back.

`why` finds what a line says by changing the fields of the device's model one after the other and printing it again,
which is exact on every product, and goes from the fields to the intent by one neutral table (`stems`). `where`
compiles the site with another value and compares. `derived_value` tells what `auto` or a default comes out as.
"""

from fabric.provenance.derived_value import derived_value
from fabric.provenance.find_lines import find_lines
from fabric.provenance.model import (
    Cause,
    Derivation,
    Fact,
    Input,
    IntentValue,
    Line,
    Made,
    MadeGroup,
    MadeLine,
    Printed,
    conditions_of,
    values_of,
)
from fabric.provenance.where import made_by, where
from fabric.provenance.why import lines_of, printed, why

__all__ = [
    "Cause",
    "Derivation",
    "Fact",
    "Input",
    "IntentValue",
    "Line",
    "Made",
    "MadeGroup",
    "MadeLine",
    "Printed",
    "conditions_of",
    "derived_value",
    "find_lines",
    "lines_of",
    "made_by",
    "printed",
    "values_of",
    "where",
    "why",
]
