"""docs/verify.md prints what it says it prints."""

from __future__ import annotations

import shlex

import pytest

from fabric import api
from fabric.cli import main
from tests.console_blocks import page, shown, write_files
from tests.verification.infiniband.planting import found, link_of, swapped, without, written

PAGE = page("verify.md")
EXAMPLE = shown(PAGE, "fabric verify -C small")


@pytest.fixture
def site(tmp_path, monkeypatch):
    write_files(PAGE, tmp_path)
    monkeypatch.chdir(tmp_path)
    subnet = api.compile(tmp_path / "small").devices["sm-1"].subnet
    crossed = swapped(subnet, link_of(subnet, "dgx-0-1", 0), link_of(subnet, "dgx-0-1", 1))
    (tmp_path / "outputs").mkdir()
    (tmp_path / "outputs" / "topology").write_text(written(found(without(crossed, "spine-1"))))
    return tmp_path


def test_the_page_shows_what_is_printed(site, capsys):
    code = main(shlex.split(EXAMPLE.command)[1:])

    assert (code, capsys.readouterr().out) == (1, EXAMPLE.output)
