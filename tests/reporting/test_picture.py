"""The picture of `fabric show topology --svg`: deterministic, self-contained, with state."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from fabric.exports.network_view import views
from fabric.intent.load import load_text
from fabric.reporting.drawing.picture import draw
from fabric.topology.expand import expand

SVG = "{http://www.w3.org/2000/svg}"
SITE = """
site: drawn
hosts: {gpu: {per_unit: 4, gpus: 4, nics: {compute: {count: 4, ports: 2, speed: 400G}}}}
networks:
  compute:
    planes: {count: 2}
    tiers:
      leaf: {model: arista-7060x6-64pe}
      spine: {model: arista-7060x6-64pe, count: 2}
"""
STATE = """
drained: [{device: spine-0-0, reason: optics are swapped, owner: kim, expires: "2030-01-01"}]
excluded_links:
  - {device: leaf-0-0-1, peer: spine-0-1, port: PORT, reason: errors, owner: kim, expires: "2030-01-01"}
"""


def shown(files):
    intent = load_text(files)
    return views(intent, expand(intent))


@pytest.fixture(scope="module")
def lab():
    return shown({"site.yaml": SITE})


@pytest.fixture(scope="module")
def picture(lab):
    return draw(lab)


def words(text, tag="text"):
    return [node.text or "" for node in ET.fromstring(text).iter(f"{SVG}{tag}")]  # noqa: S314  # our own text


def test_equal_sites_give_equal_bytes(picture):
    assert picture == draw(shown({"site.yaml": SITE}))


def test_a_picture_asks_for_nothing_from_outside(picture):
    asks = re.compile(r"(?:href|src|url\(|@import|<script)")

    assert [] == asks.findall(picture)
    assert asks.search('<image href="x"/>')  # the control


def test_every_device_of_a_small_fabric_has_its_name_and_tiers_their_model_speed_and_ratio(lab, picture):
    assert set(lab[0].topology.names) <= set(words(picture))
    assert {"arista-7060x6-64pe", "4 hosts", "plane 0", "plane 1"} <= set(words(picture))
    assert any(re.fullmatch(r"400G down, [\d.]+:1", word) for word in words(picture))


def test_a_pointer_over_a_switch_shows_its_numbers(picture):
    assert any(
        title.startswith("leaf-0-0-2 (leaf)\nunit 0\nrail 2\nplane 0\narista-7060x6-64pe\nAS ")
        for title in words(picture, "title")
    )


def test_drained_switches_and_links_that_are_out_are_marked(lab, picture):
    leaf = lab[0].topology.node("leaf-0-0-1")
    port = next(p for p in leaf.ports() if p.peer and p.peer.node.name == "spine-0-1")
    state = STATE.replace("PORT", lab[0].port(port.id, leaf.id))
    out = draw(shown({"site.yaml": SITE, "state.yaml": state}))

    assert "drained" in next(t for t in words(out, "title") if t.startswith("spine-0-0 (spine)"))
    assert any(
        re.search(r"leaf-0-0-1 to spine-0-1: \d+ links? of 400G, 1 of them out", t)
        for t in words(out, "title")
    )
    assert out.count("drained") > picture.count("drained")
    assert 'class="link q0 cut"' in out or 'class="link r0 cut"' in out


def test_colours_need_no_variables_and_dark_ones_are_not_printed(picture):
    style = picture.partition("<style>")[2].partition("</style>")[0]
    light, _, dark = style.partition("@media screen and (prefers-color-scheme:dark)")
    classes = {word for node in ET.fromstring(picture).iter() for word in node.get("class", "").split()}  # noqa: S314

    assert "var(" not in style
    assert dark
    for name in classes - {"fabric", "head", "tier", "name", "cell", "soft"}:
        assert re.search(rf"\.{name}\{{[^}}]*#[0-9a-f]{{3,6}}", light), name
