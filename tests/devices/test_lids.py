"""LIDs are given by position: what is in use never gets another one."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.devices.infiniband.derive_subnet import subnet
from fabric.devices.infiniband.model import LAST_LID
from fabric.diagnostics import Invalid, Report
from fabric.intent.load import load_text
from fabric.topology.expand import expand

SITE = """site: lab
units: {units}
capacity: {{units: 4}}
hosts:
  gpu: {{gpus: 2, per_unit: 4, last_unit: {last}, nics: {{compute: {{count: 2, speed: 400G}}}}}}
networks:
  compute:
    technology: infiniband
    infiniband: {{lmc: {lmc}, first_lid: {first}}}
    tiers:
      leaf: {{model: qm9700, reserved_ports: 4, max_oversubscription: "9:1"}}
      spine: {{model: qm9700, count: 2}}
attachments:
  sm-1: {{network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {{unit: 0, rails: [0]}}}}
  sm-2: {{network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {{unit: 1, rails: [0]}}}}
{more}"""
NAS = "  {name}: {{network: compute, kind: storage, links: {links}, speed: 400G, to: {{unit: 0}}}}\n"


def site(units=2, last=4, lmc=0, first=1, more=""):
    return SITE.format(units=units, last=last, lmc=lmc, first=first, more=more)


def made(text, *, lock=None, inventory=None, errors=None):
    """The subnet of a site, and the lock that its topology writes."""
    files = {"site.yaml": text}
    if inventory:
        files["inventory.yaml"] = inventory
    intent = msgspec.structs.replace(load_text(files), lock=lock)
    topology = expand(intent)
    report = Report()
    found = subnet(intent, topology.networks["compute"], report)
    if errors is None:
        report.finish()
    else:
        errors += [finding for finding in report if finding.is_error]
    return found, topology.lock


def lids(found):
    """LIDs by the names of switches and of adapters with their ports."""
    return {s.name: s.lid for s in found.switches} | {f"{e.name} {e.port}": e.lid for e in found.ends}


@pytest.mark.parametrize(("units", "last"), [(3, 4), (4, 4), (4, 1)])
def test_growth_within_capacity_moves_no_lid(units, last):
    before, lock = made(site(units=2))

    after, _ = made(site(units=units, last=last), lock=lock)

    assert len(after.ends) > len(before.ends)
    assert {name: lids(after)[name] for name in lids(before)} == lids(before)


def test_a_partly_filled_unit_leaves_room_for_its_hosts():
    before, lock = made(site(last=1))

    after, _ = made(site(last=4), lock=lock)

    assert {name: lids(after)[name] for name in lids(before)} == lids(before)


def test_a_replaced_adapter_and_a_replaced_switch_keep_their_lids():
    before, lock = made(site())
    inventory = """
devices: {leaf-0-0: {guid: "0x0002c90300000aa0"}}
hosts:
  gpu-0-1:
    hcas:
      compute:
        - {node_guid: "0x0002c90300000100", port_guids: ["0x0002c90300000100"]}
        - {node_guid: "0x0002c90300000200", port_guids: ["0x0002c90300000200"]}
"""

    after, _ = made(site(), lock=lock, inventory=inventory)

    assert lids(after) == lids(before)
    assert {e.port_guid for e in after.ends} != {e.port_guid for e in before.ends}


@pytest.mark.parametrize("name", ["nas", "a-first-by-name", "zz-last"])
def test_an_added_attachment_moves_no_lid_whatever_its_name(name):
    before, lock = made(site(more=NAS.format(name="mid", links=2)))

    both = NAS.format(name="mid", links=2) + NAS.format(name=name, links=2)
    after, _ = made(site(more=both), lock=lock)

    assert {key: lids(after)[key] for key in lids(before)} == lids(before)
    assert len(set(lids(after).values())) == len(lids(after))


def test_the_lids_of_a_removed_attachment_are_given_to_nobody():
    before, lock = made(site(more=NAS.format(name="mid", links=2)))
    _, kept = made(site(), lock=lock)

    after, _ = made(site(more=NAS.format(name="new", links=2)), lock=kept)

    old = {lid for name, lid in lids(before).items() if name.startswith("mid ")}
    assert old
    assert not old & set(lids(after).values())


ROOMY = {name: st.integers(0, 40) for name in ("mid", "new", "old", "zoo")}


def holding(links):
    """A site with attachments of so many links each, and leaves with ports for all of them."""
    more = "".join(NAS.format(name=name, links=count) for name, count in links.items() if count)
    more = more.replace("kind: storage", "kind: other")  # storage would ask for more uplinks
    return site(more=more).replace("reserved_ports: 4", "reserved_ports: 48")


@settings(max_examples=40, deadline=None)
@given(st.lists(st.fixed_dictionaries(ROOMY), min_size=2, max_size=4))
def test_no_lid_is_ever_given_to_two_ports_however_attachments_grow_go_and_return(stages):
    """More links than a room has, too: who cannot have them is told so by name."""
    owners, lock = {}, None
    for links in stages:
        errors = []
        try:
            found, made_lock = made(holding(links), lock=lock, errors=errors)
        except Invalid:  # more links than ports: a matter of the topology
            return
        if errors:
            assert {"FAB443"} == {one.code for one in errors}
            return
        for end, lid in lids(found).items():
            assert owners.setdefault(lid, end) == end
        lock = made_lock


@pytest.mark.parametrize("links", [16, 17, 40])
def test_the_lids_of_a_removed_attachment_of_many_links_are_given_to_nobody(links):
    before, lock = made(holding({"zoo": links}))
    _, kept = made(holding({}), lock=lock)
    after, again = made(holding({"new": 20}), lock=kept)
    back, _ = made(holding({"zoo": links, "new": 20}), lock=again)

    old = {end: lid for end, lid in lids(before).items() if end.startswith("zoo ")}
    assert links == len(old)
    assert not set(old.values()) & set(lids(after).values())
    assert old == {end: lids(back)[end] for end in old}


def test_an_attachment_that_outgrows_its_room_is_refused():
    more = NAS.format(name="mid", links=16) + NAS.format(name="next", links=1)
    text = site(more=more).replace("reserved_ports: 4", "reserved_ports: 12")
    _, lock = made(text)
    errors = []

    made(text.replace("links: 16", "links: 17"), lock=lock, errors=errors)

    assert [(e.code, e.origin.path) for e in errors] == [("FAB443", ("attachments", "mid", "links"))]
    assert "16 links" in errors[0].rule


@pytest.mark.parametrize("lmc", [0, 1, 3, 7])
def test_each_port_has_a_block_of_its_own_aligned_to_its_size(lmc):
    found, _ = made(site(lmc=lmc, more=NAS.format(name="mid", links=3)))

    blocks = [range(s.lid, s.lid + 1) for s in found.switches]
    blocks += [range(e.lid, e.lid + (1 << lmc)) for e in found.ends]
    used = [lid for block in blocks for lid in block]
    assert len(used) == len(set(used))
    assert all(e.lid % (1 << lmc) == 0 for e in found.ends)


def test_lids_start_where_the_intent_says():
    found, _ = made(site(first=100))

    assert min(lids(found).values()) == 100


def test_the_last_lid_by_capacity_is_what_is_held_against_48k():
    """8 leaves of 4 units with 4 downlinks each, 2 spines, room for 16 ports of each attachment: 74 LIDs."""
    fits, beyond = [], []

    made(site(first=LAST_LID - 73), errors=fits)
    made(site(first=LAST_LID - 72), errors=beyond)

    assert fits == []
    assert [(e.code, e.value) for e in beyond] == [("FAB433", LAST_LID + 1)]


SHAPES = {
    "three tiers": """
    pods: {units: 2}
    tiers:
      leaf: {model: qm9700, up: {ports: 4}, max_oversubscription: "9:1", reserved_ports: 2}
      spine: {model: qm9700, count: 2, up: {ports: 4}, max_oversubscription: "9:1"}
      superspine: {model: qm9700, count: 2}
""",
    "zones": """
    zones: {units: 2, links: 2}
    tiers:
      leaf: {model: qm9700, max_oversubscription: "9:1", reserved_ports: 2}
      spine: {model: qm9700, count: 2, max_oversubscription: "9:1"}
""",
    "dragonfly+": """
    layout: {kind: dragonfly+, units: 2, links_per_pair: 2}
    tiers:
      leaf: {model: qm9700, max_oversubscription: "9:1", reserved_ports: 2}
      spine: {model: qm9700, count: 2, max_oversubscription: "9:1"}
""",
    "torus": """
    layout: {kind: torus, dimensions: [4, 2]}
    tiers:
      leaf: {model: qm9700, max_oversubscription: "9:1", reserved_ports: 2}
""",
    "dual port": """
    planes: {count: 2, meet_at: spine}
    tiers:
      leaf: {model: qm9700, max_oversubscription: "9:1", reserved_ports: 2}
      spine: {model: qm9700, count: 2, max_oversubscription: "9:1"}
""",
}


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_every_layout_gives_every_port_its_own_lid_and_keeps_it(shape):
    text = site(units=4)
    tiers = text.index("    tiers:")
    text = text[:tiers] + SHAPES[shape].lstrip("\n") + text[text.index("attachments:") :]
    if shape == "dual port":
        text = text.replace("count: 2, speed", "count: 2, ports: 2, speed")

    found, lock = made(text)
    again, _ = made(text, lock=lock)

    assert len(set(lids(found).values())) == len(found.switches) + len(found.ends)
    assert lids(again) == lids(found)
    assert {e.lid for e in found.ends}.isdisjoint(s.lid for s in found.switches)
