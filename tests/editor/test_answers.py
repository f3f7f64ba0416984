"""What an editor is answered, asked of the functions behind the server."""

from __future__ import annotations

import pytest

from fabric.compiler import open_site
from fabric.documents.schema.validate import load_schema
from fabric.editor.completion import completions
from fabric.editor.cursor import Text
from fabric.editor.definitions import definition
from fabric.editor.diagnostics import editor_findings
from fabric.editor.hover import hover
from fabric.editor.known_site import known_site
from fabric.editor.names import Names
from fabric.editor.site_files import alternatives, at_path, kind_of, site_of
from fabric.hardware.catalogue import HERE
from fabric.operations.check_site import check_site
from fabric.resources import resource
from tests.cli.conftest import SITE

SITES = sorted((resource("inventories") / "reference").glob("*/*.yaml"))
EVERY = 7
"""One key of so many is asked about: each scans the text before it."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("answers")
    model = resource_of_model("arista-7060x6-32pe")
    (folder / "hardware").mkdir()
    (folder / "hardware" / "ours.yaml").write_text(model.replace("id: arista-7060x6-32pe\n", "id: ours\n"))
    (folder / "racks").mkdir()
    (folder / "racks" / "more.yaml").write_text("tenants:\n  a: {units: [0]}\n")
    (folder / "site.yaml").write_text("include: [racks/more.yaml]\n" + SITE)
    return folder


def resource_of_model(name):
    return (HERE / "models" / f"{name}.yaml").read_text()


@pytest.fixture(scope="module")
def checked(folder):
    return check_site(lambda: open_site(folder))


@pytest.mark.parametrize("file", SITES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_each_key_of_a_reference_site_is_explained_and_offered_where_it_is_written(file):
    text = Text(file.read_text())
    kind, names = kind_of(file.name, text), Names(file.parent, text, None)
    keys = [token for token in text.tokens if token.is_key][::EVERY]

    unexplained = [key.path for key in keys if not hover(kind, file.name, text, key.path, None)]
    missing = [key.path for key in keys if key.text not in offered(kind, text, key, names)]

    assert [] == unexplained
    assert [] == [path for path in missing if not is_chosen_by_people(kind, text, path)]


def offered(kind, text, key, names):
    return {item.label for item in completions(kind, text, key.line, key.start, names)}


def is_chosen_by_people(kind, text, path):
    """Whether a key is a name that people give, which nobody can offer."""
    mappings = [
        one
        for place in at_path(kind, text, path[:-1])
        for one in alternatives(load_schema(kind), place, text, path[:-1])
    ]
    return not any(path[-1] in mapping.get("properties", {}) for mapping in mappings)


def found(folder, checked, text, words, kind="intent", name="site.yaml"):
    whole = Text(text)
    before = text[: text.index(words)]
    names = Names(folder, whole, known_site(checked.site))
    place = definition(
        kind, name, whole, before.count("\n"), len(before.rpartition("\n")[2]), names, checked.sources
    )
    return (place.file.relative_to(folder).as_posix(), place.line) if place else None


def test_included_files_and_the_sites_own_models_are_found(folder, checked):
    text = (
        (folder / "site.yaml").read_text().replace("leaf: {model: arista-7060x6-32pe", "leaf: {model: ours")
    )

    assert ("racks/more.yaml", 0) == found(folder, checked, text, "racks/more.yaml")
    assert ("hardware/ours.yaml", 0) == found(folder, checked, text, "ours")


def test_a_name_of_an_included_file_leads_to_the_first_file(folder, checked):
    text = "tenants:\n  a: {networks: [compute]}\n"

    where = found(folder, checked, text, "compute", name="racks/more.yaml")

    assert where == ("site.yaml", (folder / "site.yaml").read_text().split("\n").index("  compute:"))


def test_the_products_of_a_model_are_offered(folder, checked):
    text = "networks:\n  compute:\n    tiers:\n      leaf: {model: arista-7060x6-32pe, platform: }\n"
    whole = Text(text)
    line = text.split("\n")[3]

    items = completions("intent", whole, 3, len(line) - 1, Names(folder, whole, known_site(checked.site)))

    software = checked.site.intent.hardware.switches["arista-7060x6-32pe"].software
    assert [each.name for each in software] == [item.label for item in items]


def test_the_other_place_of_a_finding_is_named(folder):
    text = SITE + "site: again\n"
    file = folder / "site.yaml"
    checked = check_site(lambda: open_site(folder, edited={"site.yaml": text}))

    [(where, finding)] = editor_findings(checked, file, lambda path: Text(text) if path == file else None)

    [related] = finding.related_information
    assert where == file
    assert (text.count("\n") - 1, 0, 4) == span(finding.range)
    assert (0, 0, 4) == span(related.location.range)


def span(place):
    return place.start.line, place.start.character, place.end.character


def test_a_secret_that_is_written_out_is_not_repeated(folder):
    text = SITE + "services:\n  tacacs: {servers: [192.0.2.8], secret: hunter2hunter2}\n"
    file = folder / "site.yaml"
    checked = check_site(lambda: open_site(folder, edited={"site.yaml": text}))

    findings = [one for _, one in editor_findings(checked, file, lambda _path: Text(text))]

    assert findings
    assert not any("hunter2" in finding.message for finding in findings)


def test_a_file_belongs_to_the_nearest_site(folder):
    assert folder == site_of(folder / "racks" / "more.yaml")
    assert site_of(folder.parent / "other.yaml") is None
