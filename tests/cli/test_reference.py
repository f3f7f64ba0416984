"""The generated pages are those of the program as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric.cli import reference

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
