"""The topology picture: deterministic, self-contained, tiers as rows, folded where it would be unreadable."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from fabric.cli.views.drawing.draw_topology import draw
from fabric.cli.views.drawing.switch_positions import lay_out
from fabric.intent.load import load_text
from fabric.topology.expand import expand
from fabric.topology.roles import Role

SVG = "{http://www.w3.org/2000/svg}"
SITE = """
site: drawn
units: {units}
hosts:
  gpu:
    per_unit: {hosts}
    gpus: 4
    scale_up_domain_gpus: 4
    nics:
      compute: {{count: 4, ports: {planes}, speed: 400G}}
networks:
  compute:
    planes: {{count: {planes}}}
    tiers:
      leaf: {{model: arista-7060x6-64pe, up: {{speed: 400G, ports: {uplinks}}}, max_oversubscription: "64:1"}}
      spine: {{model: arista-7060x6-64pe, count: {spines}, max_oversubscription: "64:1"}}
"""


def topology(*, units=1, hosts=8, planes=1, spines=4, uplinks=4):
    text = SITE.format(units=units, hosts=hosts, planes=planes, spines=spines, uplinks=uplinks)
    return expand(load_text({"site.yaml": text}))


@pytest.fixture(scope="module")
def lab():
    return topology()


def titles(picture):
    return [node.text for node in ET.fromstring(picture).iter(f"{SVG}title")]  # noqa: S314  # our own text


def words(picture):
    return {node.text for node in ET.fromstring(picture).iter(f"{SVG}text")}  # noqa: S314


def test_equal_topologies_give_equal_bytes(lab):
    assert draw(topology()) == draw(lab)


def test_a_picture_asks_for_nothing_from_outside(lab):
    asks = re.compile(r"(?:href|src|url\(|@import|<script)")

    assert [] == asks.findall(draw(lab))
    assert asks.search('<image href="x"/>')  # the control


def test_every_switch_of_a_small_fabric_has_its_name(lab):
    assert set(lab.networks["compute"].names) <= words(draw(lab))


def test_a_pointer_over_a_switch_shows_its_numbers(lab):
    shown = "\n".join(title or "" for title in titles(draw(lab)))

    assert "leaf-0-2 (leaf)\nunit 0\nrail 2\nplane 0\narista-7060x6-64pe\nAS " in shown


def test_tiers_stand_above_each_other_and_cells_do_not_overlap():
    network = topology(units=3, planes=2).networks["compute"]
    layout = lay_out(network, 0)

    y = {role: top for role, top, _height in layout.tiers}
    assert y[Role.SPINE] < y[Role.LEAF]
    for i, one in enumerate(layout.cells):
        for other in layout.cells[i + 1 :]:
            apart = one.x + one.width <= other.x or other.x + other.width <= one.x
            assert apart or one.y + one.height <= other.y or other.y + other.height <= one.y


@pytest.mark.parametrize(("units", "planes"), [(1, 1), (4, 2), (20, 1), (31, 2)])
def test_every_node_stands_in_exactly_one_cell(units, planes):
    network = topology(units=units, planes=planes).networks["compute"]
    layout = lay_out(network, 0)

    assert sorted(node for cell in layout.cells for node in cell.nodes) == list(range(len(network.names)))


def test_rails_and_planes_are_in_the_legend():
    assert {"rail 0", "rail 3", "plane 0", "plane 1"} <= words(draw(topology(planes=2)))


def test_the_links_of_a_title_add_up_to_those_of_the_fabric():
    made = topology(units=6, planes=2)
    count = sum(peer > port for port, peer in enumerate(made.networks["compute"].peer))
    said = [re.search(r"([\d,]+) links$", title or "") for title in titles(draw(made))]

    assert count == sum(int(found[1].replace(",", "")) for found in said if found)


def test_hosts_of_a_large_fabric_are_a_box_per_unit_with_their_number():
    layout = lay_out(topology(units=12, hosts=30).networks["compute"], 0)
    hosts = [cell for cell in layout.cells if cell.label == "30"]

    assert len(hosts) == 12


def test_a_picture_grows_with_what_is_shown_not_with_the_fabric():
    small, large = draw(topology(units=8)), draw(topology(units=31, hosts=30))

    assert len(large) < 2 * len(small)


def test_a_network_that_is_not_there_is_a_key_error(lab):
    with pytest.raises(KeyError):
        draw(lab, "storage")


ATTACHED = """
site: attached
units: 4
hosts: {{gpu: {{per_unit: 8, nics: {{compute: {{count: 8, speed: 400G}}}}}}}}
networks:
  compute:
    {pods}
    tiers:
      leaf: {{model: arista-7060x6-64pe, reserved_ports: 4}}
      spine: {{model: arista-7060x6-64pe, reserved_ports: 8}}
      {top}
attachments:
{attachments}
"""


def with_attachments(count, tiers):
    """So many attachments with two links on each tier."""
    row = "  at-{}-{}: {{network: compute, kind: router, links: 2, speed: 400G, to: {{tier: {}}}}}"
    three = "superspine" in tiers
    text = ATTACHED.format(
        pods="pods: {units: 2}" if three else "",
        top="superspine: {model: arista-7060x6-64pe, reserved_ports: 8}" if three else "",
        attachments="\n".join(row.format(tier, i, tier) for tier in tiers for i in range(count)),
    )
    return expand(load_text({"site.yaml": text}))


def crosses(line, cell):
    """Whether a straight line passes through the inside of a cell."""
    (x1, y1), (x2, y2) = line
    for step in range(1, 100):
        x, y = x1 + (x2 - x1) * step / 100, y1 + (y2 - y1) * step / 100
        if cell.x < x < cell.x + cell.width and cell.y < y < cell.y + cell.height:
            return True
    return False


def lines_of(picture):
    """The lines from attachments, as pairs of points."""
    for path in ET.fromstring(picture).iter(f"{SVG}path"):  # noqa: S314
        if (path.findtext(f"{SVG}title") or "").startswith("other to"):
            for piece in re.findall(r"M(\S+) (\S+)L(\S+) ([\d.]+)", path.get("d")):
                numbers = [float(number) for number in piece]
                yield (numbers[0], numbers[1]), (numbers[2], numbers[3])


@pytest.mark.parametrize("count", [1, 4])
@pytest.mark.parametrize("tiers", [("leaf", "spine"), ("spine",), ("leaf", "spine", "superspine")])
def test_lines_of_attachments_cross_no_switch_and_no_host(count, tiers):
    made = with_attachments(count, tiers)
    network = made.networks["compute"]
    layout = lay_out(network, 10 + 76)
    picture = draw(made)
    others = network.role_start[Role.ATTACHMENT]
    lines = list(lines_of(picture))

    assert len(lines) >= count * len(tiers)
    for cell in layout.cells:
        if cell.nodes[0] not in others:
            assert not [line for line in lines if crosses(line, cell)], network.names[cell.nodes[0]]
    for i, one in enumerate(layout.cells):
        for other in layout.cells[i + 1 :]:
            apart = one.x + one.width <= other.x or other.x + other.width <= one.x
            assert apart or one.y + one.height <= other.y or other.y + other.height <= one.y


def test_colours_need_neither_variables_nor_media(lab):
    style = draw(lab).partition("<style>")[2].partition("</style>")[0]
    light = style.partition("@media")[0]
    classes = {word for node in ET.fromstring(draw(lab)).iter() for word in node.get("class", "").split()}  # noqa: S314

    assert "var(" not in style
    assert "paint-order" not in style
    for name in classes - {"fabric", "head", "mid", "in", "soft"}:
        assert re.search(rf"\.{name}\{{[^}}]*#[0-9a-f]{{3,6}}", light), name
