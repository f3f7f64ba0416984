"""The generated pages are those of the program as it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fabric.cli import reference
from fabric.diagnostics import codes
from tests.cli.test_help import ALL

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("diagnostics.md", reference.diagnostics_page),
        ("commands.md", reference.commands_page),
        ("hardware.md", reference.hardware_page),
        ("platforms.md", reference.platforms_page),
    ],
)
def test_a_page_is_up_to_date(name, page):
    """If this fails: `python -m fabric.cli.reference`."""
    assert (DOCS / name).read_text(encoding="utf-8") == page()


def test_every_code_tells_why_and_how_to_fix_it():
    page = reference.diagnostics_page()

    assert page.count("### FAB") == page.count("**How to fix it.**") > 100


def test_every_option_that_a_way_out_names_exists():
    """`--detach` was named by one, and no command has it."""
    options = {
        option for made in ALL.values() for p in made.params for option in (*p.opts, *p.secondary_opts)
    }
    named = {
        (code.code, option)
        for code in codes().values()
        for words in re.findall(r"`([^`]*)`", f"{code.why} {code.fix}")
        if words.startswith(("--", "fabric "))
        for option in re.findall(r"(?<!\S)--[a-z-]+", words)
    }

    assert named
    assert set() == {one for one in named if one[1] not in {"--help", *options}}
