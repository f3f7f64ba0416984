"""Drawings: every link is in each, hostile names break none, and Graphviz reads its own."""

from __future__ import annotations

import json
import re
from collections import Counter
from xml.etree import ElementTree as ET

import pytest

from fabric import api
from fabric.exports.drawings.folded import boxes_and_lines
from fabric.exports.drawings.graphviz import quoted
from fabric.exports.drawings.mermaid import escaped
from fabric.exports.network_view import views
from tests.exports.drawing_tools import drawing_tools
from tests.exports.sites import SAMPLE, ethernet, links_of, of_reference, reference, site_text
from tests.programs import run


@pytest.mark.live
@pytest.mark.parametrize("name", ["lab-8", "superpod-h100-1su"])
def test_graphviz_counts_every_link(name, tmp_path):
    file = tmp_path / "site.dot"
    file.write_text(of_reference(name, "graphviz")["site.dot"])
    devices = {device for link in links_of(name) for device, _ in link}

    assert f"{len(devices)} {len(links_of(name))}" in " ".join(run("gc", "-n", "-e", file).stdout.split())


@pytest.mark.parametrize("name", SAMPLE)
def test_an_edge_has_both_ports(name):
    text = of_reference(name, "graphviz")["site.dot"]
    edge = r'^  "([^"]+)" -- "([^"]+)" \[taillabel="([^"]+)", headlabel="([^"]+)"'
    found = re.findall(edge, text, re.MULTILINE)

    assert links_of(name) == {frozenset([(a, port), (b, peer)]) for a, b, port, peer in found}
    assert len(links_of(name)) == len(found)


@pytest.mark.parametrize("name", SAMPLE)
def test_lines_of_a_flowchart_add_up_to_the_links(name):
    text = of_reference(name, "mermaid")["site.mmd"]
    boxes = set(re.findall(r'^    (n\d+)\["', text, re.MULTILINE))
    lines = re.findall(r'^  (n\d+) ---\|"(\d+) x [^"]+"\| (n\d+)$', text, re.MULTILINE)

    assert len(links_of(name)) == sum(int(count) for _, count, _ in lines)
    assert {end for a, _, b in lines for end in (a, b)} <= boxes


@pytest.mark.parametrize("name", SAMPLE)
def test_a_drawing_has_every_link_between_its_boxes(name):
    root = ET.fromstring(of_reference(name, "drawio")["site.drawio"])  # noqa: S314  # ours
    found = []
    for page in root.iter("diagram"):
        boxes = {cell.get("id") for cell in page.iter("mxCell") if cell.get("vertex")}
        for line in page.iter("UserObject"):
            cell = line.find("mxCell")
            assert {cell.get("source"), cell.get("target")} <= boxes
            for link in line.get("links").split(", "):
                a, b = (end.split(":", 1) for end in link.split(" > "))
                found.append(frozenset([tuple(a), tuple(b)]))

    assert links_of(name) == set(found)
    assert len(links_of(name)) == len(found)


HOSTILE = 'A1"; node [URL="javascript:x"]; <b>&#x41;\\N'


def drawn(kind: str) -> str:
    inventory = f"devices: {{leaf-0-0: {{rack: {json.dumps(HOSTILE)}}}}}\n"
    (file,) = api.export(*site_text(ethernet(), inventory), [kind]).files
    return file.text


@pytest.mark.live
def test_a_rack_that_is_called_like_dot_is_one_string(tmp_path):
    file = tmp_path / "site.dot"
    file.write_text(drawn("graphviz"))

    printed = run("nop", file).stdout
    assert "URL=" not in printed.replace(quoted(HOSTILE), "")
    assert quoted(HOSTILE) in printed


def test_no_mark_up_gets_into_a_drawing():
    assert not set('"<>') & set(escaped(HOSTILE))
    for kind in ("mermaid", "drawio"):
        assert "<b>" not in drawn(kind)


@pytest.fixture(scope="module")
def tools(tmp_path_factory):
    with drawing_tools(tmp_path_factory.mktemp("drawn")) as running:
        yield running


def joined(drawing):
    """Lines by the texts of the boxes that they join."""
    return Counter(
        (drawing.boxes[line.lower], drawing.boxes[line.upper], line.label) for line in drawing.lines
    )


@pytest.mark.live
@pytest.mark.parametrize("name", SAMPLE)
def test_mermaid_itself_reads_every_box_and_line(name, tools):
    drawing = tools.mermaid(of_reference(name, "mermaid")["site.mmd"])
    boxes, lines = boxes_and_lines(views(*reference(name)))
    label = {box.key: box.label for box in boxes}

    assert Counter(label.values()) == Counter(drawing.boxes.values())
    assert Counter((label[line.lower], label[line.upper], line.label) for line in lines) == joined(drawing)


@pytest.mark.live
@pytest.mark.parametrize("name", SAMPLE)
def test_drawio_itself_draws_every_box_and_line(name, tools):
    pages = tools.drawio(of_reference(name, "drawio")["site.drawio"])
    found = [
        frozenset(tuple(end.split(":", 1)) for end in link.split(" > "))
        for page in pages.values()
        for line in page.lines
        for link in line.links.split(", ")
    ]

    assert [] == tools.complaints
    assert list(reference(name)[1].networks) == list(pages)
    assert links_of(name) == set(found)
    for view in views(*reference(name)):
        boxes, lines = boxes_and_lines((view,))
        page = pages[view.topology.name]
        assert {box.key: box.label for box in boxes} == page.boxes
        drawn = sorted((line.lower, line.upper, line.label) for line in page.lines)
        assert sorted((line.lower, line.upper, line.label) for line in lines) == drawn


@pytest.mark.live
def test_a_line_to_a_box_that_is_not_there_is_seen_by_both(tools):
    flowchart = tools.mermaid(of_reference("lab-8", "mermaid")["site.mmd"].replace("| n8\n", "| n800\n"))
    (page,) = tools.drawio(
        of_reference("lab-8", "drawio")["site.drawio"].replace('target="one-leaf-0-0-0"', 'target="none"')
    ).values()

    assert "n800" == flowchart.boxes["n800"]
    assert ["mxCellCodec.beforeDecode: target none not found for cell line-0"] == tools.complaints
    assert not any(line.upper == "one-leaf-0-0-0" for line in page.lines if line.lower == "hosts-gpu-0")


@pytest.mark.live
def test_a_label_that_is_called_like_mark_up_is_shown_as_it_is(tools):
    assert HOSTILE == tools.mermaid_shows(f'flowchart TB\n  n0["{escaped(HOSTILE)}"]\n')
