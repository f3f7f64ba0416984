"""Laws over every drawing: no line crosses a text or a box, no text another, and every link is drawn once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.exports.network_view import views
from fabric.intent.load import load, load_text
from fabric.reporting.drawing.scene import scene_of
from fabric.reporting.drawing.scopes import fabric_of, scopes
from fabric.reporting.drawing.shapes import Label, Scene, text_width
from fabric.topology.expand import expand
from tests.reporting.geometry import boxes_of, crossed, outside, overlapping, texts_of

REFERENCE = Path(__file__).parents[2] / "inventories" / "reference"
SITES = sorted(path.name for path in REFERENCE.iterdir())
SITE = """
site: drawn
units: {units}
hosts: {{gpu: {{per_unit: {hosts}, gpus: 4, nics: {{compute: {{count: 4, ports: {planes}, speed: 400G}}}}}}}}
networks:
  compute:
    planes: {{count: {planes}}}
    {pods}
    tiers:
      leaf: {{model: arista-7060x6-64pe, reserved_ports: 4, max_oversubscription: "64:1"}}
      spine: {{model: arista-7060x6-64pe, reserved_ports: 4, max_oversubscription: "64:1"}}
      {top}
attachments:
  {attachments}
"""
ROW = "at-{0}: {{network: compute, kind: router, links: 2, speed: 400G, to: {{tier: {0}}}}}"


def drawn(*, units=2, hosts=4, planes=1, pods=0, tiers=()):
    """A network made for the drawing; with pods it has three tiers, and `tiers` have a router each."""
    text = SITE.format(
        units=units,
        hosts=hosts,
        planes=planes,
        pods=f"pods: {{units: {pods}}}" if pods else "",
        top="superspine: {model: arista-7060x6-64pe, reserved_ports: 4}" if pods else "",
        attachments="\n  ".join(ROW.format(tier) for tier in tiers) or "{}",
    )
    text = text.replace("attachments:\n  {}", "attachments: {}")
    intent = load_text({"site.yaml": text})
    (view,) = views(intent, expand(intent))
    return fabric_of(view)


def faults(fabric, scope):
    """What is wrong with a drawing, in words."""
    scene = scene_of(fabric, scope)
    found = []
    found += [f"line {i} crosses the text at {box}" for i, box in crossed(scene, texts_of(scene))]
    found += [f"line {i} runs behind the box at {box}" for i, box in crossed(scene, boxes_of(scene))]
    found += [f"texts overlap: {pair}" for pair in overlapping(texts_of(scene))]
    found += [f"boxes overlap: {pair}" for pair in overlapping(boxes_of(scene))]
    found += [f"out of the drawing: {box}" for box in outside(scene)]
    shown = [node for cell in scene.cells for node in cell.nodes]
    if sorted(shown) != list(scope.nodes):
        found.append("not every node stands in one box")
    if (links := links_of(fabric, scope)) != (total := sum(b.links for b in scene.bundles) + scene.inside):
        found.append(f"{total} links are drawn, there are {links}")
    ends = [(bundle.low, bundle.high) for bundle in scene.bundles]
    if len(ends) != len(set(ends)):
        found.append("two lines have the same ends")
    return found


def links_of(fabric, scope):
    """Links between what a drawing shows, and those to what it names."""
    nodes = set(scope.nodes)
    own = {tuple(sorted((p, q))) for _n, p, other, q in fabric.links_of(scope.nodes) if other in nodes}
    return len(own) + sum(scope.elsewhere.values())


def some(found):
    """The whole network, and of each kind of part the last."""
    kinds = {}
    for scope in found:
        kinds.setdefault(scope.id.partition("-")[0], []).append(scope)
    return [of[-1] for of in kinds.values()]


@pytest.mark.parametrize("name", SITES)
def test_no_line_crosses_a_text_or_a_box_and_every_link_is_drawn_once(name):
    intent = load(REFERENCE / name)

    for view in views(intent, expand(intent)):
        fabric = fabric_of(view)
        for scope in some(scopes(fabric)):
            assert [] == faults(fabric, scope)[:5], scope.id


@settings(max_examples=12)
@given(
    st.integers(1, 9), st.integers(1, 14), st.sampled_from([1, 2]), st.sampled_from([0, 1, 2, 3]), st.data()
)
def test_so_it_is_on_any_site(units, hosts, planes, pods, data):
    tiers = data.draw(st.sets(st.sampled_from(["leaf", "spine", *(["superspine"] if pods else [])])))
    fabric = drawn(units=units, hosts=hosts, planes=planes, pods=pods, tiers=sorted(tiers))

    for scope in some(scopes(fabric)):
        assert [] == faults(fabric, scope)[:5], scope.id


@pytest.mark.parametrize("tier", ["leaf", "spine", "superspine"])
def test_a_router_stands_below_the_tier_that_it_is_cabled_to(tier):
    fabric = drawn(units=4, pods=2, tiers=[tier])
    scene = scene_of(fabric, scopes(fabric)[0])
    place = {cell.nodes[0]: cell for cell in scene.cells if len(cell.nodes) == 1}
    router = place[fabric.net.names.index(f"at-{tier}")]
    ends = [bundle.high for bundle in scene.bundles if bundle.low == ("c", scene.cells.index(router))]

    assert ends
    for kind, number in ends:
        above = scene.cells[number] if kind == "c" else scene.panels[number]
        assert above.y + above.height < router.y


def test_a_line_over_a_text_and_a_text_over_a_text_would_be_found():
    fabric = drawn()
    scope = scopes(fabric)[0]
    scene = scene_of(fabric, scope)
    x, y = scene.bundles[0].points[1]
    scene.labels += [Label(x - 8, y + 4, "struck"), Label(x - 6, y + 6, "through")]

    assert crossed(scene, texts_of(scene))
    assert overlapping(texts_of(scene))
    scene.cells[0] = replace(scene.cells[0], x=x - 5, y=y - 5)
    assert crossed(scene, boxes_of(scene))
    assert outside(Scene(cells=scene.cells, width=10, height=10))


@pytest.mark.parametrize(
    ("name", "said"),
    [("lab-8", {"×4", "a line: 4 links"}), ("apstra-64-h100", {"a line: 16 links"})],  # noqa: RUF001
)
def test_what_is_bundled_says_how_many_links_it_is(name, said):
    intent = load(REFERENCE / name)
    (view,) = views(intent, expand(intent))
    fabric = fabric_of(view)
    scene = scene_of(fabric, scopes(fabric)[0])

    assert said <= {label.text for label in scene.labels}


@pytest.mark.parametrize("pods", [9, 17, 32])
def test_many_pods_of_two_planes_share_columns_that_have_room(pods):
    fabric = drawn(units=pods, hosts=2, planes=2, pods=1)
    scope = scopes(fabric)[0]
    scene = scene_of(fabric, scope)

    assert [] == faults(fabric, scope)[:5]
    assert {"r0", "r1", "r2", "r3"} <= {css for cell in scene.cells for css in (cell.css, *cell.stripes)}
    assert [] == [c.label for c in scene.cells if text_width(c.label) > c.width]


def test_every_rail_has_its_colour_at_every_size():
    for name in ("apstra-64-h100", "megascale"):
        intent = load(REFERENCE / name)
        (view,) = views(intent, expand(intent))
        fabric = fabric_of(view)
        scene = scene_of(fabric, scopes(fabric)[0])
        colors = {css for cell in scene.cells for css in (cell.css, *cell.stripes)}

        assert {f"r{rail}" for rail in range(8)} <= colors
