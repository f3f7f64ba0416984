"""Every page counts as people do."""

from __future__ import annotations

import re

from tests.console_blocks import BLOCK as CONSOLE
from tests.plurals import wrong_plurals
from tests.programs import ROOT


def test_no_page_counts_one_in_the_plural_or_less_than_nothing():
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    blocks = [(page.name, block) for page in pages for block in CONSOLE.findall(page.read_text())]

    assert len(blocks) > 40
    found = {(name, word) for name, block in blocks for word in wrong_plurals(block)}
    assert found == set()
    assert not [name for name, block in blocks if re.search(r"-0\.0\b", block)]


def test_a_wrong_plural_would_be_noticed():
    assert wrong_plurals("1 ports for 2 hosts; 1 other changes, 1 port, unit 1 belongs, 31 ports, 0.1 s") == [
        "1 ports",
        "1 other changes",
    ]
