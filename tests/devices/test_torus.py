"""What a layout means for the manager of a subnet: its engine, the seeds of a torus, LIDs that stay."""

from __future__ import annotations

from math import prod

import pytest

from fabric.devices.derive import derive
from fabric.devices.infiniband.model import Subnet
from fabric.diagnostics import Invalid
from fabric.intent.load import load_text
from fabric.intent.model import Intent
from fabric.platforms import registry
from fabric.topology.expand import expand

SITE = """site: lab
units: {units}
capacity: {{units: {capacity}}}
hosts: {{node: {{per_unit: {hosts}, nics: {{compute: {{count: 1, speed: 400G}}}}}}}}
networks:
  compute:
    technology: infiniband
    rails: none
    {layout}
    infiniband: {{engine: {engine}}}
    tiers:
      leaf: {{model: qm9700, reserved_ports: 1, max_oversubscription: "9:1"}}
{spine}attachments:
  sm-1: {{network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {{unit: 0}}}}
  sm-2: {{network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {{unit: 1}}}}
"""
SPINE = "      spine: {model: qm9700, count: 4}\n"
TORUS = ("layout: {kind: torus, dimensions: [4, 4, 4]}", 64, "")
RING = ("layout: {kind: torus, dimensions: [6]}", 6, "")
DRAGONFLY = ("layout: {kind: dragonfly, units: 4, global_links: 2}", 36, "")
PLUS = ("layout: {kind: dragonfly+, units: 4, links_per_pair: 4}", 20, SPINE)
TREE = ("description: a tree", 8, SPINE)


def intent(
    shape: tuple[str, int, str], units: int = 0, engine: str = "auto", capacity: int = 0, hosts: int = 2
) -> Intent:
    layout, full, spine = shape
    made = SITE.format(
        layout=layout,
        units=units or full,
        capacity=capacity or full,
        engine=engine,
        spine=spine,
        hosts=hosts,
    )
    return load_text({"site.yaml": made})


def subnet(made: Intent) -> Subnet:
    devices = derive(made, expand(made), registry)
    return devices["sm-1"].subnet


def torus(*dimensions: int, hosts: int = 2) -> Subnet:
    layout = f"layout: {{kind: torus, dimensions: {list(dimensions)}}}"
    return subnet(intent((layout, prod(dimensions), ""), hosts=hosts))


# --- engines


@pytest.mark.parametrize(
    ("shape", "engine", "layout", "roots"),
    [
        (TREE, "updn", "fat_tree", 4),
        (TORUS, "torus-2qos", "torus", 0),
        (RING, "nue", "torus", 0),
        (DRAGONFLY, "nue", "dragonfly", 0),
        (PLUS, "updn", "dragonfly_plus", 20),
    ],
    ids=["tree", "torus", "ring", "dragonfly", "dragonfly+"],
)
def test_auto_chooses_an_engine_that_fits_the_layout(shape, engine, layout, roots):
    made = subnet(intent(shape))

    assert (engine, layout, roots) == (made.engine, made.layout, len(made.roots))


@pytest.mark.parametrize(
    ("shape", "engine", "why"),
    [
        (TREE, "dor", "does not spread over the parallel cables"),
        (TREE, "lash", "does not spread over the parallel cables"),
        (TREE, "torus-2qos", "is for a torus"),
        (TORUS, "ftree", "needs roots above the leaves"),
        (TORUS, "updn", "needs roots above the leaves"),
        (TORUS, "minhop", "makes loops of credits"),
        (TORUS, "dor", "makes loops of credits"),
        (TORUS, "dfsssp", "runs out of lanes"),
        (RING, "torus-2qos", "knows 2 or 3 dimensions, the layout has 1"),
        (DRAGONFLY, "ftree", "needs roots above the leaves"),
        (DRAGONFLY, "minhop", "makes loops of credits"),
        (DRAGONFLY, "torus-2qos", "is for a torus"),
        (PLUS, "lash", "leaves cables idle"),
    ],
)
def test_an_engine_that_does_not_fit_is_refused(shape, engine, why):
    with pytest.raises(Invalid) as refused:
        subnet(intent(shape, engine=engine))

    found = [d for d in refused.value.diagnostics if d.code == "FAB434"]
    assert [engine] == [d.value for d in found]
    assert why in found[0].rule


@pytest.mark.parametrize(
    ("shape", "engine"), [(TREE, "nue"), (TREE, "dfsssp"), (TORUS, "auto"), (DRAGONFLY, "lash")]
)
@pytest.mark.parametrize(("level", "lane"), [(0, 1), (10, 0), (10, 5)])
def test_an_engine_that_gives_out_levels_leaves_the_default_no_other_one(shape, engine, level, lane):
    """OpenSM would ask at that level, and the engine's lanes drop it: no port answers (seen under ibsim)."""
    layout, units, spine = shape
    default = (
        f"engine: {engine}, service_levels: {{default: {{service_level: {level}, virtual_lane: {lane}}}}}"
    )
    text = SITE.format(layout=layout, units=units, capacity=units, engine="auto", spine=spine, hosts=2)
    with pytest.raises(Invalid) as refused:
        subnet(load_text({"site.yaml": text.replace("engine: auto", default)}))

    [found] = [one for one in refused.value.diagnostics if one.code == "FAB434"]
    assert f"service level {level} on lane {lane}" in found.rule
    assert "leave `service_levels` out" in found.hint


@pytest.mark.parametrize("engine", ["lash", "nue"])
def test_engines_that_break_rings_by_lanes_fit_torus_and_dragonfly(engine):
    assert [engine, engine] == [subnet(intent(shape, engine=engine)).engine for shape in (TORUS, DRAGONFLY)]


def test_a_torus_that_is_not_complete_is_not_routed_by_an_engine_that_needs_it_complete():
    assert "nue" == subnet(intent(TORUS, units=40)).engine
    with pytest.raises(Invalid, match="needs all 64 switches, 24 are not installed"):
        subnet(intent(TORUS, units=40, engine="torus-2qos"))


# --- seeds


def test_a_torus_tells_its_dimensions_and_the_neighbours_of_two_opposite_corners():
    made = torus(4, 3, 5)
    guid = {i: switch.guid for i, switch in enumerate(made.switches)}

    first, second = made.torus.seeds
    assert (4, 3, 5) == made.torus.dimensions
    # Both directions on the axis of four only.
    assert (
        ("xp_link", guid[0], guid[15]),
        ("xm_link", guid[0], guid[45]),
        ("yp_link", guid[0], guid[5]),
        ("zp_link", guid[0], guid[1]),
    ) == first.links
    assert (("x_dateline", 0), ("y_dateline", 0), ("z_dateline", 0)) == first.datelines
    # Place 2, 1, 2 is switch 2 * 15 + 1 * 5 + 2.
    assert {guid[37]} == {link[1] for link in second.links}
    assert (("x_dateline", -2), ("y_dateline", -1), ("z_dateline", -2)) == second.datelines


def test_two_seeds_of_a_torus_share_no_switch():
    first, second = torus(4, 4, 4).torus.seeds

    assert not {g for link in first.links for g in link[1:]} & {g for link in second.links for g in link[1:]}


def test_every_seed_link_is_a_cable():
    made = torus(4, 4, 4)
    cables = {frozenset((link.lower, link.upper)) for link in made.links}

    assert all(frozenset(link[1:]) in cables for seed in made.torus.seeds for link in seed.links)


def test_a_torus_of_two_axes_has_one_of_one_switch():
    assert (5, 6, 1) == torus(5, 6).torus.dimensions


@pytest.mark.parametrize("dimensions", [(6,), (3, 3, 3, 2)])
def test_other_numbers_of_axes_have_no_seeds(dimensions):
    assert torus(*dimensions).torus is None


@pytest.mark.parametrize(("hosts", "most"), [(2, 0), (14, 0), (15, 17), (40, 42)])
def test_many_hosts_on_a_switch_are_announced(hosts, most):
    # Hosts, the reserved port, and the switch itself.
    assert most == torus(4, 4, hosts=hosts).torus.most_ports


def test_other_layouts_have_no_torus():
    assert (None, None) == (subnet(intent(DRAGONFLY)).torus, subnet(intent(PLUS)).torus)


# --- growth


@pytest.mark.parametrize(
    ("shape", "units"), [(TORUS, 40), (DRAGONFLY, 20), (PLUS, 12)], ids=["torus", "dragonfly", "dragonfly+"]
)
def test_growth_within_the_capacity_moves_no_lid_and_no_cable(shape, units):
    before, after = subnet(intent(shape, units=units)), subnet(intent(shape))

    lids = {switch.name: (switch.lid, switch.guid) for switch in after.switches}
    ends = {end.name: end.lid for end in after.ends}
    assert len(before.switches) < len(after.switches)
    assert all(lids[switch.name] == (switch.lid, switch.guid) for switch in before.switches)
    assert all(ends[end.name] == end.lid for end in before.ends)
    assert set(before.links) <= set(after.links)


# --- Ethernet


@pytest.mark.parametrize("shape", [TORUS, DRAGONFLY], ids=["torus", "dragonfly"])
def test_on_ethernet_a_layout_is_cabled_and_not_configured(shape):
    text = SITE.format(
        layout=shape[0], units=shape[1], capacity=shape[1], engine="auto", spine="", hosts=2
    ).partition("attachments")[0]
    text = text.replace("    infiniband: {engine: auto}\n", "").replace("    technology: infiniband\n", "")
    text = text.replace("qm9700", "arista-7060x6-64pe")
    made = load_text({"site.yaml": text})

    assert len(expand(made).networks["compute"].switches) == shape[1]
    with pytest.raises(Invalid) as refused:
        derive(made, expand(made), registry)
    assert ["FAB446"] == [d.code for d in refused.value.diagnostics if d.is_error]
