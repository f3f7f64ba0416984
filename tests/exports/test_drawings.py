"""Drawings: every link is in each, hostile names break none, and Graphviz reads its own."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree as ET

import pytest

from fabric import api
from fabric.exports.drawings.graphviz import quoted
from fabric.exports.drawings.mermaid import escaped
from tests.exports.sites import SAMPLE, ethernet, links_of, of_reference, site_text
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
