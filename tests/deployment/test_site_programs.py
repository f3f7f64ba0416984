"""Programs of a site hear what a wave is about, and nothing that is secret."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fabric import api
from fabric.deployment import Workplace
from fabric.deployment.between_waves.cordon import CordonedWave
from fabric.deployment.gates.site_commands import CommandsAsked, complaints
from fabric.intent.secret_variables import secret_variables
from fabric.operations.apply_options import apply_options
from tests.programs import ROOT

SITES = sorted((ROOT / "inventories" / "reference").iterdir())
PROGRAM = "#!/bin/sh\nenv > seen\n"
SECRET = re.compile(r"\benv:(\w+)")


def names_in(folder: Path) -> set[str]:
    """What the files of a site take from the environment, by their text without comments."""
    lines = (line for file in folder.rglob("*.yaml") for line in file.read_text().splitlines())
    return {name for line in lines for name in SECRET.findall(line.partition(" #")[0])}


@pytest.mark.parametrize("folder", SITES, ids=lambda folder: folder.name)
def test_every_variable_that_a_site_names_is_known_to_be_secret(folder: Path) -> None:
    assert secret_variables(api.open_site(folder).intent) == names_in(folder)


@pytest.mark.parametrize("program", ["gate", "cordon"])
def test_no_program_of_a_site_sees_its_secrets(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = next(folder for folder in SITES if names_in(folder))
    script = tmp_path / "program"
    script.write_text(PROGRAM)
    script.chmod(0o700)
    secrets = {*names_in(folder), "FABRIC_JOURNAL", "FABRIC_SECRET_COMMAND"}
    for name in secrets:
        monkeypatch.setenv(name, "hunter2")
    monkeypatch.setenv("SLURM_CONF", "/etc/slurm.conf")
    place = Workplace(folder=folder)
    options = apply_options(api.open_site(folder), place, (), None)

    told: object
    if program == "gate":
        told = complaints(
            CommandsAsked(
                commands=[str(script)],
                folder=tmp_path,
                about={"wave": "1"},
                hidden=options.thresholds.hidden,
                hide=str,
            )
        )
    else:
        wave = CordonedWave(folder=tmp_path, about={"wave": 1}, devices=(), hide=str)
        told = options.cordon.run(str(script), wave).problem
    seen = (tmp_path / "seen").read_text()

    assert not told
    assert "hunter2" not in seen
    assert "SLURM_CONF=/etc/slurm.conf" in seen
    assert ("FABRIC_WAVE=1" in seen) is (program == "gate")
