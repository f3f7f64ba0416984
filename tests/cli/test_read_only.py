"""A site that cannot be written (a mirror, a container's mount) is compiled and planned elsewhere."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from tests.programs import ANY, run

CALL = "import sys; from fabric.cli import main; sys.exit(main(sys.argv[1:]))"
READ_ONLY_MOUNT = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'


@pytest.fixture
def read_only(site, tmp_path):
    """Run a command line where the site cannot be written: for root a read-only mount of its own, else by mode."""
    workplace = tmp_path / "elsewhere"
    workplace.mkdir()

    def fabric(*arguments):
        words = [sys.executable, "-c", CALL, *map(str, arguments)]
        if os.geteuid() == 0:
            words = ["unshare", "--mount", "sh", "-c", READ_ONLY_MOUNT, str(site), *words]
        else:
            site.chmod(0o555)
        try:
            return run(*words, exits=ANY, cwd=workplace)
        finally:
            site.chmod(0o755)

    return fabric


def test_it_is_compiled_elsewhere_and_its_lock_is_kept_there(read_only, site, tmp_path):
    out = tmp_path / "elsewhere/out"

    ran = read_only("compile", "-C", site, "-o", out)

    assert ran.returncode == 0, ran.stderr
    assert f"{out / 'fabric.lock'} says what capacity decided: commit it in {site}" in ran.stderr
    assert (out / "configs/leaf-0-0.cfg").is_file()
    assert sorted(path.name for path in site.iterdir()) == ["inventory.yaml", "site.yaml"]


def test_it_is_planned_elsewhere(read_only, site, tmp_path):
    read_only("compile", "-C", site, "-o", tmp_path / "elsewhere/out")

    ran = read_only(
        "plan",
        "-C",
        site,
        "--offline",
        tmp_path / "elsewhere/out/configs",
        "--out",
        tmp_path / "elsewhere/plan",
    )

    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "elsewhere/plan/plan.json").is_file()


def test_what_has_to_be_written_there_is_an_error_with_its_place(read_only, site):
    ran = read_only("compile", "-C", site)

    assert ran.returncode == 1
    assert f"FAB903: {site / 'out'}" in ran.stderr


WRITERS = {
    "compile": ("compile", "-o"),
    "export": ("export", "cables", "-o"),
    "plan": ("plan", "--offline", "saved", "--out"),
}


@pytest.mark.parametrize("words", WRITERS.values(), ids=WRITERS)
def test_what_cannot_be_written_is_told_by_the_name_that_was_asked_for(read_only, site, tmp_path, words):
    """Not by that of a file or folder beside it, in which it is made first."""
    read_only("compile", "-C", site, "-o", tmp_path / "elsewhere/made")
    (tmp_path / "elsewhere/made/configs").rename(tmp_path / "elsewhere/saved")
    ran = read_only(*words, site / "out", "-C", site)
    told = re.search(r"error: FAB903: (.*): (?:read-only file system|permission denied)", ran.stderr)

    assert told is not None, ran.stderr
    assert Path(told[1]).is_relative_to(site / "out")
    assert not re.search(r"/\.|\.new", told[1].removeprefix(str(site)))
