"""The programs that ask a subnet run in a folder of their own, and leave nothing behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric.verification.infiniband import tools

TOOL = """#!/bin/sh
pwd
touch left-behind
[ "$1" != --config ] || { echo "$2"; stat -c %a "$2"; cat "$2"; }
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a program that says where it runs; found by a relative path."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "saquery"
    program.write_text(TOOL)
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "bin:/usr/bin:/bin")
    return tmp_path


@pytest.mark.parametrize("keys", [("", ""), ("0x7d1f", "0x51a7")])
def test_a_tool_leaves_nothing_where_we_are(folder: Path, keys: tuple[str, str]) -> None:
    with tools(*keys) as asked:
        place = Path(asked.run("saquery").split()[0])

        assert place.is_dir()
        assert folder not in (place, *place.parents)
    assert not place.exists()
    assert [folder / "bin"] == list(folder.iterdir())


def test_keys_are_in_a_file_that_only_we_can_read_and_that_goes(folder: Path) -> None:
    with tools("0x7d1f", "0x51a7") as asked:
        _, config, mode, *lines = asked.run("saquery").split()

        assert ["600", "m_key=0x7d1f", "sa_key=0x51a7"] == [mode, *lines]
    assert not Path(config).exists()
