"""docs/schema-check.md prints what it says it prints."""

from __future__ import annotations

import re
import shlex

import pytest

from fabric.cli import main
from tests.console_blocks import page, steps, write_files
from tests.yang import models, need_libyang

pytestmark = pytest.mark.live
PAGE = page("schema-check.md")
EXAMPLES = [step for step in steps(PAGE) if step.command.startswith("fabric ")]


@pytest.fixture
def site(tmp_path, monkeypatch):
    need_libyang()
    (path,) = write_files(PAGE, tmp_path).values()
    (tmp_path / "models").mkdir()
    for vendor, release in (("srlinux", "srl-25.3.1"), ("junos", "junos-24.4R1")):
        (tmp_path / "models" / vendor).symlink_to(models(release))
    monkeypatch.chdir(tmp_path)
    return path


@pytest.mark.parametrize(("command", "expected"), EXAMPLES, ids=["a finding", "what was not checked"])
def test_the_page_shows_what_is_printed(site, capsys, command, expected):
    main(shlex.split(command)[1:])

    line = r"line \d+: "  # of a configuration that grows
    assert re.sub(line, "", expected) == re.sub(line, "", capsys.readouterr().out)


def test_the_corrected_site_is_clean(site, capsys):
    site.write_text(site.read_text().replace("storm-control-profile ", "storm-control-profiles "))

    assert 0 == main(shlex.split(EXAMPLES[0].command)[1:])
