"""The generated page about the language."""

from __future__ import annotations

import json
import re

import msgspec
import pytest
import yaml
from msgspec import inspect as types

from fabric.documents.schema.scalar_types import decode
from fabric.intent.load import load_text
from fabric.intent.reference_page import EXAMPLE, reference
from fabric.intent.schema_files import DOCUMENTS, schemas


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


def kinds(root):
    """Every type of a document by name, found from its root."""
    found, open_kinds = {}, [types.type_info(root)]
    while open_kinds:
        match open_kinds.pop():
            case types.StructType() as kind if kind.cls.__name__ not in found:
                found[kind.cls.__name__] = kind
                open_kinds += [field.type for field in kind.fields]
            case types.Metadata() as kind:
                open_kinds.append(kind.type)
            case types.UnionType() as kind:
                open_kinds += kind.types
            case types.DictType() as kind:
                open_kinds.append(kind.value_type)
            case types.VarTupleType() as kind:
                open_kinds.append(kind.item_type)
    return found


def documented_defaults():
    """The default that the page shows, by chapter, part and key."""
    place = ("", "")
    for line in reference().splitlines():
        if match := re.search(r'<a id="([a-z]+)-([a-z0-9]+)">', line):
            place = match.groups()
        elif line.startswith("| `") and len(cells := re.split(r"(?<!\\)\|", line)) == 6:
            yield (*place, cells[1].strip(" `")), cells[3].strip()


PARTS = {
    (chapter, name.lower()): kind
    for chapter, (root, _title) in DOCUMENTS.items()
    for name, kind in kinds(root).items()
}
DEFAULTS = {
    place: shown
    for place, shown in documented_defaults()
    if place[:2] in PARTS and place[2] != PARTS[place[:2]].tag_field
}


@pytest.mark.parametrize("place", DEFAULTS, ids=".".join)
def test_a_default_on_the_page_is_the_default_of_the_model(place):
    shown = DEFAULTS[place]
    [field] = [field for field in PARTS[place[:2]].fields if field.encode_name == place[2]]
    if field.required:
        assert shown == "**required**"
        return
    made = field.default_factory() if field.default is msgspec.NODEFAULT else field.default

    if shown == "-":
        assert made is None
    elif shown == "its defaults":
        assert made == type(made)()
    elif shown == "none":
        assert made in ((), {}, frozenset())
    elif isinstance(made, msgspec.Struct):
        assert msgspec.convert(json.loads(shown.strip("`")), type(made), dec_hook=decode) == made
    else:
        assert shown.strip("`") in {str(made), json.dumps(msgspec.to_builtins(made, enc_hook=str)), "nothing"}
