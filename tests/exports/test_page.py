"""docs/exports.md shows what really happens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fabric.cli import main
from fabric.exports import NAMES
from tests.console_blocks import page, steps, write_files

PAGE = page("exports.md")
SHOWN = dict(steps(PAGE))


@pytest.fixture
def site(tmp_path, monkeypatch) -> Path:
    write_files(PAGE, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", [command for command in SHOWN if command.startswith("fabric")])
def test_a_command_prints_what_is_shown(site, capsys, command):
    assert 0 == main(command.split()[1:])

    assert SHOWN[command] == capsys.readouterr().out


def test_the_first_label_is_the_one_that_is_shown(site):
    assert 0 == main(["export", "all"])
    (head,) = (command for command in SHOWN if command.startswith("head"))

    _, count, path = head.split()
    lines = (site / path).read_text().splitlines(keepends=True)
    assert SHOWN[head] == "".join(lines[: -int(count)])


def test_the_page_tells_every_kind():
    table = PAGE.split("## The kinds")[1].split("\n## ")[0]

    assert list(NAMES) == re.findall(r"^\| `([a-z0-9-]+)` \|", table, re.MULTILINE)


def test_files_that_the_page_names_are_there(site):
    main(["export", "all"])

    made = {path.name for path in (site / "out" / "exports").rglob("*.*")}
    assert {"compute.topo", "compute.map", "compute.net", "cables.csv", "topology.yaml"} <= made
