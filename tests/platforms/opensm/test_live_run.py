"""`fabric compile --simulate`, followed as its page says: the subnet comes up, answers, and leaves nothing behind."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from subprocess import DEVNULL, CompletedProcess

import pytest

from fabric.cli import main
from tests.infiniband.simulator import need_tools
from tests.programs import run

SITE = Path(__file__).parents[2] / "golden" / "infiniband-two-tenants" / "site.yaml"


def script(folder: Path, *words: str, exits: int = 0) -> CompletedProcess[str]:
    return run(folder / "run", *words, exits=exits, stdin=DEVNULL)


def made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    (tmp_path / "site").mkdir()
    shutil.copy(SITE, tmp_path / "site")
    code = main(["-C", str(tmp_path / "site"), "compile", "--simulate", str(tmp_path / "simulation")])
    folder = tmp_path / "simulation" / "compute"

    assert code == 0
    assert f"Run `{folder}/run start`" in capsys.readouterr().err
    return folder


@pytest.mark.live
def test_a_newcomer_brings_a_compiled_subnet_up_and_down(tmp_path, capsys):
    need_tools()
    folder = made(tmp_path, capsys)
    try:
        script(folder, "start")
        pids = [int(path.read_text()) for path in (folder / "state").glob("*.pid")]
        seen = script(folder, "ibnetdiscover").stdout
        saved = Path(script(folder, "save").stdout.strip())
        keys = script(folder, "saquery", "--smkey", "1", "PKTR").stdout
        standby = (folder / "sm-2" / "opensm.log").read_text()
    finally:
        script(folder, "stop")

    assert (seen.count("\nSwitch"), seen.count("\nCa")) == (6, 19)
    assert {path.name for path in saved.iterdir()} == {
        *("ibnetdiscover.txt", "dump_lfts.txt", "pkeys.txt", "managers.txt", "sminfo.txt")
    }
    assert "0x9001" in keys
    assert "Entering STANDBY state" in standby
    assert len(pids) == 4
    assert [pid for pid in pids if _runs(pid)] == []
    assert not (folder / "state").exists()


def _runs(pid: int) -> bool:
    """Whether it is there, and no corpse whose parent has not looked."""
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.live
def test_a_subnet_that_runs_is_not_started_twice_and_one_that_does_not_is_told(tmp_path, capsys):
    need_tools()
    folder = made(tmp_path, capsys)
    try:
        script(folder, "start")
        again = script(folder, "start", exits=1)
    finally:
        script(folder, "stop")
    after = script(folder, "ibnetdiscover", exits=1)

    assert "it runs already" in again.stderr
    assert "it does not run" in after.stderr


def test_the_page_tells_the_commands_of_the_script(tmp_path, capsys):
    folder = made(tmp_path, capsys)
    told = set(re.findall(r"^    \./run (\w+)", (folder / "README.md").read_text(), re.MULTILINE))

    assert told == {"start", "stop", "ibnetdiscover", "TOOL", "save", "unplug", "plug"}
    assert script(folder, "help").stdout.startswith("## Commands")
    assert os.access(folder / "run", os.X_OK)
    run("sh", "-n", folder / "run")


def test_a_site_without_a_subnet_of_ours_is_told_so(tmp_path, capsys):
    other = Path(__file__).parents[2] / "golden" / "host-mixed"
    shutil.copytree(other, tmp_path / "site")

    code = main(["-C", str(tmp_path / "site"), "compile", "--simulate", str(tmp_path / "simulation")])

    assert code == 1
    assert "FAB911" in capsys.readouterr().err
    assert not (tmp_path / "simulation").exists()


def test_a_folder_with_blanks_is_refused(tmp_path, capsys):
    (tmp_path / "site").mkdir()
    shutil.copy(SITE, tmp_path / "site")

    code = main(["-C", str(tmp_path / "site"), "compile", "--simulate", str(tmp_path / "my simulation")])

    assert code == 1
    assert "with blanks" in capsys.readouterr().err
