"""Models that a site brings along."""

from __future__ import annotations

import pytest

from fabric.diagnostics import Invalid
from fabric.documents.reading.strict_yaml import read_yaml
from fabric.hardware import Catalogue, load_catalogue

SWITCH = """\
id: acme-64
vendor: Acme
model: Acme 64
asic: Broadcom Tomahawk5
bandwidth: 51200G
cages:
  - cages: 1-64
    form: OSFP
    lanes: 8
    lane_speed: 100G
    max_speed: 800G
    breakouts: [1x800G, 2x400G]
    source: data sheet
source: data sheet
"""
HOST = """\
id: acme-gpu
model: Acme GPU
gpus: 8
scale_up_domain_gpus: 8
nics:
  compute: {count: 8, speed: 400G}
source: data sheet
"""


def load(text: str, name: str = "acme-64") -> Catalogue:
    document = read_yaml(text.encode(), f"hardware/{name}.yaml", f"hardware:{name}")
    return load_catalogue({name: document})


def findings(text: str, name: str = "acme-64") -> list[tuple[str, str]]:
    with pytest.raises(Invalid) as caught:
        load(text, name)
    return [(found.code, str(found.origin)) for found in caught.value.diagnostics]


def test_a_site_adds_a_switch_to_the_shipped_ones():
    catalogue = load(SWITCH)

    assert "Acme" == catalogue.switches["acme-64"].vendor
    assert "Arista" == catalogue.switches["arista-7060x6-64pe"].vendor
    assert len(load_catalogue().switches) + 1 == len(catalogue.switches) == len(list(catalogue.switches))


def test_a_site_adds_a_host():
    assert 8 == load(HOST, "acme-gpu").hosts["acme-gpu"].gpus


def test_a_site_may_correct_a_shipped_model():
    catalogue = load(SWITCH.replace("id: acme-64", "id: qm9700"), "qm9700")

    assert "Acme" == catalogue.switches["qm9700"].vendor
    assert "NVIDIA" == load_catalogue().switches["qm9700"].vendor


def test_every_mistake_of_every_model_is_told_at_once():
    wrong = {
        "one": SWITCH.replace("lane_speed: 100G", "lane_speed: 50G").replace("acme-64", "one"),
        "two": HOST.replace("gpus: 8\n", "gpus: many\n", 1).replace("acme-gpu", "two"),
    }
    documents = {
        name: read_yaml(text.encode(), f"hardware/{name}.yaml", f"hardware:{name}")
        for name, text in wrong.items()
    }

    with pytest.raises(Invalid) as caught:
        load_catalogue(documents)

    assert {"hardware:one", "hardware:two"} == {f.origin.document for f in caught.value.diagnostics}


@pytest.mark.parametrize(
    ("old", "new", "code", "place"),
    [
        ("lane_speed: 100G", "lane_speed: 50G", "FAB392", "cages[0].max_speed"),
        ("[1x800G, 2x400G]", "[1x800G, 4x400G]", "FAB392", "cages[0].breakouts[1]"),
        ("[1x800G, 2x400G]", "[1x800G, 16x50G]", "FAB392", "cages[0].breakouts[1]"),
        ("[1x800G, 2x400G]", "[1x800G, 2by400G]", "FAB392", "cages[0].breakouts[1]"),
        ("cages: 1-64", "cages: 64-1", "FAB392", "cages[0].cages"),
        ("cages: 1-64", "cages: first", "FAB392", "cages[0].cages"),
        ("bandwidth: 51200G", "bandwidth: 25600G", "FAB392", "bandwidth"),
        ("id: acme-64", "id: acme-65", "FAB391", "id"),
    ],
)
def test_numbers_that_contradict_each_other_are_told_where_they_stand(old, new, code, place):
    assert (code, place) == findings(SWITCH.replace(old, new))[0]


def test_a_mode_beyond_the_speed_of_its_cage_is_told():
    text = SWITCH.replace("lane_speed: 100G", "lane_speed: 200G").replace("2x400G", "2x800G")

    assert [("FAB392", "cages[0].breakouts[1]")] == findings(text)


def test_a_cage_in_two_groups_is_told():
    group = SWITCH[SWITCH.index("  - cages") : SWITCH.rindex("source: data sheet")]
    text = SWITCH.replace("bandwidth: 51200G\n", "").replace(group, group + group.replace("1-64", "64-65"))

    assert [("FAB392", "cages")] == findings(text)


def test_a_limit_about_a_mode_that_no_cage_has_is_told():
    text = SWITCH + "limits:\n  - {rule: odd only, modes: [8x100G], only_cages: odd, source: data sheet}\n"

    assert [("FAB392", "limits[0].modes")] == findings(text)


@pytest.mark.parametrize("text", ["[]", "3", "vendor: Acme", SWITCH + "colour: red\n"])
def test_a_document_of_the_wrong_shape_is_explained(text):
    assert findings(text)
