"""docs/verify.md prints what it says it prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from fabric import api
from fabric.cli import main
from tests.verification.infiniband.planting import found, link_of, swapped, without, written

PAGE = (Path(__file__).parents[3] / "docs" / "verify.md").read_text()
EXAMPLE = re.search(r"```console\n\$ fabric (verify -C small[^\n]*)\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def site(tmp_path, monkeypatch):
    for name, text in re.findall(r"```yaml\n# (\S+)\n(.*?)```", PAGE, re.DOTALL):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    monkeypatch.chdir(tmp_path)
    subnet = api.compile(tmp_path / "small").devices["sm-1"].subnet
    crossed = swapped(subnet, link_of(subnet, "dgx-0-1", 0), link_of(subnet, "dgx-0-1", 1))
    (tmp_path / "outputs").mkdir()
    (tmp_path / "outputs" / "topology").write_text(written(found(without(crossed, "spine-1"))))
    return tmp_path


def test_the_page_shows_what_is_printed(site, capsys):
    assert EXAMPLE is not None

    code = main(shlex.split(EXAMPLE[1]))

    assert (code, capsys.readouterr().out) == (1, EXAMPLE[2])
