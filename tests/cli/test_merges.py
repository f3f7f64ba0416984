"""Whatever file of a site git has left a conflict in: it is said so, with the lines, and nothing else is guessed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Ran
from tests.platforms import sites

CSV = "name,address\nleaf-0-0,198.51.100.10/24\nleaf-0-1,198.51.100.11/24\n"
FILES = (
    "site.yaml",
    "roce.yaml",
    "state.yaml",
    "inventory.yaml",
    "racks.csv",
    "hardware/mine.yaml",
    "fabric.lock",
)
"""What a site may consist of."""


@pytest.fixture
def whole(site: Path, fabric: Callable[..., Ran]) -> Path:
    """A site with every kind of file, compiled once."""
    mine = sites.own_model("arista-7060x6-64pe")
    own = sites.network("tiers: {leaf: {model: mine}}")
    rest = (sites.inventory("devices_csv: racks.csv"), sites.state("drained: []"))
    (site / "hardware").mkdir()
    for name, text in sites.files("eos", mine, *rest, own).items():
        (site / name).write_text(text + "\n")
    (site / "racks.csv").write_text(CSV)
    ran = fabric("compile", "--out", "out")
    assert ran.code == 0, ran.err
    return site


@pytest.mark.parametrize("name", FILES)
def test_a_file_with_conflict_marks_is_told_so_at_its_lines(
    whole: Path, fabric: Callable[..., Ran], name: str
) -> None:
    text = (whole / name).read_text()
    first, *rest = text.splitlines(keepends=True)
    last = "".join(rest) or first
    merged = f"{first}<<<<<<< HEAD\n{last}=======\n{last}>>>>>>> other\n"
    (whole / name).write_text(merged)
    ran = fabric("validate")
    lines = len(merged.splitlines())

    assert ran.code == 1
    assert f"{name}:2:1: FAB647: git has left both versions of a merge here, in lines 2 to {lines}" in ran.out
    assert "FAB004" not in ran.out

    (whole / name).write_text(text)  # one of the versions, without the marks
    assert fabric("validate").code == 0
