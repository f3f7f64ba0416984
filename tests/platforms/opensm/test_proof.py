"""A file that our own reader does not understand is never written: OpenSM would open every partition."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from fabric.cli import main
from fabric.diagnostics import Invalid, Report
from fabric.platforms.opensm import PLATFORM
from fabric.platforms.opensm.lower import lower
from fabric.platforms.opensm.read import proof
from fabric.rendering.render import print_switch
from tests.platforms.subnets import FTREE, TENANTED, infiniband, manager, printed, tenants

SITE = Path(__file__).parents[2] / "golden" / "infiniband-two-tenants"
SAID = TENANTED, FTREE, infiniband("{fallback: []}")
MADE = manager("opensm", *SAID)
MODEL = lower(MADE, Report())


def test_what_is_printed_proves_itself():
    assert proof(MADE, MODEL, printed(MADE)) == ()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("=full;", "=full", "cannot be read back"),
        ("files=0x2001", "files=0x2002", "do not say what they shall: partitions"),
        ("files=0x2001", "files=0x1001", "cannot be read back"),
        ("ALL=limited", "ALL=full", "do not say what they shall: partitions"),
        ("ftree,no_fallback", "ftree", "do not say what they shall: options"),
        ("#!part guid2lid", "#!part guid2lids", "cannot be read back"),
    ],
)
def test_a_text_that_says_less_or_other_does_not(old, new, words):
    text = printed(MADE)
    [finding] = proof(MADE, MODEL, text.replace(old, new))

    assert old in text
    assert (finding.code, words in finding.rule) == ("FAB505", True)
    assert finding.hint


def test_a_template_of_the_site_that_drops_a_semicolon_is_refused(tmp_path):
    templates = tmp_path / "opensm"
    shutil.copytree(Path(__file__).parents[3] / "templates" / "opensm", templates)
    wrong = templates / "partitions.j2"
    wrong.write_text(wrong.read_text().replace("{% if loop.last %};", "{% if loop.last %}"))

    with pytest.raises(Invalid) as caught:
        print_switch(MADE, PLATFORM, tmp_path)

    assert [finding.code for finding in caught.value.diagnostics] == ["FAB505"]


def test_nothing_is_written_by_a_compile_that_cannot_read_its_files_back(tmp_path, capsys):
    shutil.copy(SITE / "site.yaml", tmp_path)
    shutil.copytree(Path(__file__).parents[3] / "templates" / "opensm", tmp_path / "templates" / "opensm")
    wrong = tmp_path / "templates" / "opensm" / "partitions.j2"
    wrong.write_text(wrong.read_text() + "# harmless\nsomething: else\n")

    code = main(["-C", str(tmp_path), "compile"])

    assert code == 1
    assert "FAB505" in capsys.readouterr().err
    assert not list(tmp_path.glob("out/**/*.conf*"))


def test_a_model_that_lost_a_member_is_not_what_the_text_says():
    fewer = lower(manager("opensm", *SAID, tenants("red: {hosts: [h-0-1]}")), Report())

    [finding] = proof(MADE, fewer, printed(MADE))
    assert finding.rule.endswith("do not say what they shall: partitions")
