"""What a command leaves below a site that is not for git is not seen by git."""

from __future__ import annotations

import os

import pytest

from fabric import compiler
from tests.programs import run


def test_nothing_in_the_scratch_folder_is_ever_committed(fabric, site):
    run("git", "init", "-q", site)
    fabric("compile")
    fabric("plan", "--offline", "out/configs")

    shown = run("git", "-C", site, "status", "--porcelain", "--untracked-files=all").stdout

    assert (site / ".fabric/plan/plan.json").is_file()
    assert "fabric.lock" in shown  # the control: git does look
    assert ".fabric" not in shown


@pytest.mark.parametrize("mask", [0o000, 0o022])
def test_nobody_else_reads_what_is_kept_there_whatever_the_umask(fabric, site, monkeypatch, mask):
    before = os.umask(mask)
    try:
        (site / ".fabric").mkdir()
        (site / "backups").mkdir()
        assert fabric("plan", "--offline", "backups").code == 2
        fabric("rollback")  # opens the journal
        monkeypatch.setattr(compiler, "load", lambda _path: 1 // 0)
        assert "FAB999" in fabric("show", "devices").err
    finally:
        os.umask(before)
    kept = [site / ".fabric", *(site / ".fabric").rglob("*")]
    names = {path.name for path in kept}

    assert {".fabric", "plan", "plan.json", "journal.sqlite"} <= names
    assert any(name.startswith("bug-") for name in names)
    assert {path: oct(path.stat().st_mode & 0o077) for path in kept if path.stat().st_mode & 0o077} == {}
