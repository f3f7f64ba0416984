"""What a command leaves below a site that is not for git is not seen by git."""

from __future__ import annotations

from tests.programs import run


def test_nothing_in_the_scratch_folder_is_ever_committed(fabric, site):
    run("git", "init", "-q", site)
    fabric("compile")
    fabric("plan", "--offline", "out/configs")

    shown = run("git", "-C", site, "status", "--porcelain", "--untracked-files=all").stdout

    assert (site / ".fabric/plan/plan.json").is_file()
    assert "fabric.lock" in shown  # the control: git does look
    assert ".fabric" not in shown
