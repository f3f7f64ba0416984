"""The generated page about the language."""

from __future__ import annotations

import re

import yaml

from fabric.intent.load import load_text
from fabric.intent.reference import EXAMPLE, reference
from fabric.intent.schema import schemas


def test_the_example_of_the_page_is_a_site_of_a_dozen_lines():
    assert load_text({"site.yaml": EXAMPLE}).site.units == 2
    assert len(EXAMPLE.splitlines()) <= 12
    assert yaml.safe_load(EXAMPLE)["site"] == "lab"


def test_every_key_stands_on_the_page():
    page = reference()
    for made in schemas().values():
        for definition in made["$defs"].values():
            for key in definition["properties"]:
                assert f"| `{key}` |" in page


def test_every_link_of_the_page_leads_somewhere():
    page = reference()

    assert set(re.findall(r"\]\(#([a-z0-9-]+)\)", page)) <= set(re.findall(r'<a id="([a-z0-9-]+)">', page))


def test_every_row_of_a_table_has_four_cells():
    for line in reference().splitlines():
        if line.startswith("| `"):
            cells = re.split(r"(?<!\\)\|", line)
            assert len(cells) in {5, 6}, line
