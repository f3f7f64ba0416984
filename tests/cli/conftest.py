"""A small site and a way to run the command line in this process."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from fabric.cli import main

SITE = """\
site: lab
description: Two tiers, four rails.
hosts:
  gpu:
    per_unit: 4
    gpus: 4
    scale_up_domain_gpus: 4
    nics:
      compute: {count: 4, speed: 400G}
networks:
  compute:
    tiers:
      leaf: {model: arista-7060x6-32pe, up: {speed: 400G, ports: 4}}
      spine: {model: arista-7060x6-32pe, count: 2}
"""
INVENTORY = """\
devices:
  leaf-0-0: {address: 192.0.2.10/24, rack: A1, position: 40, serial: JPE1}
hosts:
  gpu-0-0: {rack: A2, position: 10}
"""


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder with the site, which is the working folder too."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "site.yaml").write_text(SITE)
    (folder / "inventory.yaml").write_text(INVENTORY)
    monkeypatch.chdir(folder)
    for name in ("NO_COLOR", "FORCE_COLOR", "CI"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def fabric(site, capsys):
    """Run a command line: `fabric("show", "devices")`."""

    def run(*arguments):
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    return run
