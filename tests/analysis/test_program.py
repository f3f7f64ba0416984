"""What the program says and does about routes, and that doing what it says helps."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric import api
from fabric.cli import main

CASES = Path(__file__).parents[1] / "errors"
BORDER = (CASES / "as-number-of-a-border-router.yaml").read_text()
FEW = (CASES / "max-paths-too-few.yaml").read_text()


def written(folder, text):
    """A site of one file."""
    (folder / "site.yaml").write_text(text)
    return ["-C", str(folder), "--no-color"]


@pytest.mark.parametrize("command", ["validate", "compile"])
def test_a_site_that_is_cut_in_parts_is_refused(command, tmp_path, capsys):
    code = main([command, *written(tmp_path, BORDER)])
    said = capsys.readouterr()

    assert 1 == code
    assert "FAB800" in said.out + said.err
    assert not (tmp_path / "out").exists() or not [p for p in (tmp_path / "out").rglob("*") if p.is_file()]


@pytest.mark.parametrize("command", ["validate", "compile"])
def test_a_warning_of_few_paths_stops_nothing(command, tmp_path, capsys):
    code = main([command, *written(tmp_path, FEW)])
    said = capsys.readouterr()

    assert 0 == code
    assert "FAB802" in said.out + said.err


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        (BORDER, BORDER[BORDER.index("overrides:") :], ""),  # take the override of `asn` out
        (FEW, "max_paths: 2", "max_paths: auto"),
        (FEW, "max_paths: 2", "max_paths: 4"),
    ],
)
def test_what_a_hint_says_makes_the_finding_vanish(text, before, after, tmp_path):
    def codes(content):
        written(tmp_path, content)
        return {one.code for one in api.compile(tmp_path).artifacts.diagnostics}

    assert codes(text) & {"FAB800", "FAB802"}
    assert set() == codes(text.replace(before, after)) & {"FAB800", "FAB802"}
