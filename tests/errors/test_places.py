"""The place of every finding exists: in the schema of its document, and where the file has it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from fabric.diagnostics import Origin
from tests.errors.runner import compile_diagnostics, split
from tests.places import allowed, points_at

CASES = sorted(Path(__file__).parent.glob("*.yaml"))
UNKNOWN = "FAB021"
"""Of a key that no schema has: that is what it says."""


def judged(origin: Origin) -> Origin | None:
    """The place that a schema must have; None: a row of a table, or a position in a text that is no YAML."""
    kind, _, spot = origin.document.partition("@")
    return None if spot or kind in {"inventory:devices", "inventory:hosts"} else origin


def around(origin: Origin) -> Origin:
    """The place that holds this one."""
    return msgspec.structs.replace(origin, path=origin.path[:-1])


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_the_place_of_a_finding_is_in_the_schema_and_in_the_file(case):
    files = split(case.read_text())

    for finding, place in compile_diagnostics(files):
        origin = judged(finding.origin)
        if origin is None:
            continue
        assert allowed(around(origin) if finding.code == UNKNOWN else origin), finding
        assert place.file.endswith(".csv") or points_at(origin, place, files), (finding, place)


def test_a_position_beside_the_key_would_be_found():
    files = split((Path(__file__).parent / "unknown-key-inside.yaml").read_text())
    ((finding, place),) = compile_diagnostics(files)

    assert points_at(finding.origin, place, files)
    assert not points_at(around(finding.origin), place, files)
    assert not points_at(finding.origin, msgspec.structs.replace(place, column=place.column + 1), files)
