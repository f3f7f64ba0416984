"""The audit of forwarding tables: recorded ones, and ones that are wrong on purpose."""

from __future__ import annotations

import msgspec
import pytest

from fabric.verification.infiniband.device_labels import Labels
from fabric.verification.infiniband.reading.discovery import parse_ibnetdiscover
from fabric.verification.infiniband.reading.evidence import Evidence
from fabric.verification.infiniband.reading.forwarding_tables import NO_PORT, ForwardingTables, parse_lfts
from fabric.verification.infiniband.route_audit.audit_routes import audit_routes
from fabric.verification.infiniband.route_audit.check_routes import is_uneven, route_findings
from fabric.verification.infiniband.route_audit.find_cycles import rings
from fabric.verification.infiniband.verify_subnet import verify_subnet
from tests.verification.infiniband.records import recorded, tiny

DUMPS = ("dump_lfts.txt", "manager-lfts.dump", "manager.fdbs")
LEAF, OTHER = 0xB0C0DE0300100300, 0xB0C0DE0300100400
SPINE = 0xB0C0DE0300100100


@pytest.fixture(scope="module")
def subnet():
    return tiny()


@pytest.fixture
def lfts():
    return parse_lfts(recorded("dump_lfts.txt"))


def changed(lfts, guid, **ports):
    """The tables with other output ports, by `lid_N`."""
    table = bytearray(lfts.tables[guid])
    for name, port in ports.items():
        table[int(name.removeprefix("lid_"))] = port
    return ForwardingTables({**lfts.tables, guid: bytes(table)}, lfts.owners)


def told(subnet, lfts):
    audit = audit_routes(subnet, lfts)
    return [(one.id, one.text) for one in route_findings(subnet, audit, Labels(subnet))]


@pytest.mark.parametrize("dump", DUMPS)
@pytest.mark.parametrize("discovered", [False, True])
def test_every_dump_of_the_same_tables_says_the_same(subnet, dump, discovered):
    seen = parse_ibnetdiscover(recorded("ibnetdiscover.txt")) if discovered else None

    audit = audit_routes(subnet, parse_lfts(recorded(dump)), seen)

    assert (audit.switches, audit.pairs, audit.unreachable) == (4, 56, 0)
    assert audit.hops == {1: 24, 3: 32}
    # The manager's host hangs on a leaf of its own class: its LID shares a cable, and one uplink is idle.
    assert (audit.uplink_min, audit.uplink_max) == (0, 2)
    assert (audit.load_max, sum(audit.load.values()), len(audit.load)) == (8, 2 * 32, 14)
    assert audit.loops == ()


def test_recorded_tables_have_no_findings(subnet, lfts):
    assert told(subnet, lfts) == []


def test_a_lid_without_an_entry_is_told_where_packets_stop(subnet, lfts):
    assert told(subnet, changed(lfts, SPINE, lid_11=NO_PORT)) == [
        ("unreachable:no-entry+spine-01", "spine-01 has no route to 1 end: dgx003 mlx5_1")
    ]


def test_a_port_that_is_dark_is_told(subnet, lfts):
    assert told(subnet, changed(lfts, SPINE, lid_11=8)) == [
        ("unreachable:dark-port+spine-01", "spine-01 sends to a dark port what is for 1 end: dgx003 mlx5_1")
    ]


def test_an_end_that_gets_what_is_for_another_is_told(subnet, lfts):
    ids = [id_ for id_, _ in told(subnet, changed(lfts, OTHER, lid_11=1))]

    assert ids == ["unreachable:leaf-su1-r2+wrong-end"]


def test_packets_that_go_round_are_told_as_a_circle_and_its_credit_loop(subnet, lfts):
    round_and_round = changed(changed(lfts, SPINE, lid_11=1), LEAF, lid_11=5)

    ids = [id_ for id_, _ in told(subnet, round_and_round)]

    assert ids == ["unreachable:circle+spine-01", "credit-loop:leaf-su1-r1:5+spine-01:1"]


def test_a_switch_without_a_table_is_told_once(subnet, lfts):
    some = ForwardingTables(
        {guid: table for guid, table in lfts.tables.items() if guid != SPINE}, lfts.owners
    )

    assert [id_ for id_, _ in told(subnet, some)] == ["no-table:spine-01"]


def test_a_leaf_whose_uplink_carries_all_is_told(subnet, lfts):
    audit = audit_routes(subnet, lfts)
    one = msgspec.structs.replace(audit, uplinks={**audit.uplinks, LEAF: {5: 8, 6: 0, 7: 0, 8: 0}})

    assert [(each.id, each.text) for each in route_findings(subnet, one, Labels(subnet))] == [
        (
            "unbalanced:leaf-su1-r1",
            "leaf-su1-r1 port 5 carries 8 LIDs and leaf-su1-r1 port 6 0, of 8 on 4 uplinks",
        )
    ]


def test_an_engine_that_does_not_spread_is_one_finding(subnet, lfts):
    audit = audit_routes(subnet, lfts)
    all_of_them = {leaf: {5: 28, 6: 0, 7: 0, 8: 0} for leaf in audit.uplinks}
    one = msgspec.structs.replace(audit, uplinks=all_of_them)

    assert [(each.id, each.text) for each in route_findings(subnet, one, Labels(subnet))] == [
        ("unbalanced:all", "on all 2 leaves one uplink carries up to 28 LIDs and another 0")
    ]


@pytest.mark.parametrize(
    ("uplinks", "expected"),
    [
        ([31] * 32, False),
        ([31, 23, 31], False),
        ([7, 4, 7], False),
        ([28, 0, 0], True),
        ([1, 0, 0, 0], False),
    ],
)
def test_uneven_is_an_idle_uplink_or_twice_the_share(uplinks, expected):
    assert is_uneven(dict(enumerate(uplinks))) is expected


def test_lids_as_the_subnet_has_them_and_not_as_planned(subnet, lfts):
    planned = msgspec.structs.replace(
        subnet, ends=tuple(msgspec.structs.replace(end, lid=end.lid + 100) for end in subnet.ends)
    )

    assert audit_routes(planned, lfts).unreachable == 0
    assert audit_routes(planned, ForwardingTables(lfts.tables, {})).reachable == 0


RING = ((1, 2), (2, 3), (3, 1))


def test_a_ring_of_dependencies_is_found_whatever_leads_to_it():
    assert rings(((9, 1), *RING, (3, 7))) == ((1, 2, 3),)


def test_two_rings_are_two():
    assert rings((*RING, (5, 6), (6, 5))) == ((1, 2, 3), (5, 6))


def test_knots_that_hang_together_are_told_once():
    assert len(rings((*RING, (3, 5), (5, 6), (6, 5)))) == 1


def test_a_tree_has_no_ring():
    assert rings(((1, 2), (1, 3), (2, 4), (3, 4))) == ()


def test_lanes_part_what_one_lane_would_join(subnet, lfts):
    tables = changed(changed(lfts, SPINE, lid_11=1), LEAF, lid_11=5)

    def up_and_down(switch, _came, _out, _level):
        return 0 if switch == LEAF else 1

    joined = audit_routes(subnet, tables, level_of=lambda _s, _d: 0, lane_of=lambda *_: 0)
    parted = audit_routes(subnet, lfts, level_of=lambda _s, _d: 0, lane_of=up_and_down)

    assert [loop.lane for loop in joined.loops] == [0]
    assert parted.loops == ()


def shifted(subnet, lfts, by):
    """The same subnet with all LIDs higher, and its tables as `dump_lfts` prints them: whole blocks only."""
    moved = msgspec.structs.replace(
        subnet,
        switches=tuple(msgspec.structs.replace(s, lid=s.lid + by) for s in subnet.switches),
        ends=tuple(msgspec.structs.replace(end, lid=end.lid + by) for end in subnet.ends),
    )
    top = max(map(len, lfts.tables.values())) - 1 + by
    lines = []
    for guid, table in lfts.tables.items():
        lines.append(
            f"Unicast lids [0x0-{top:#x}] of switch DR path slid 0; dlid 0; 0 guid {guid:#018x} (x):"
        )
        last = top if top % 64 else top - 1
        entries = ((lid + by, port) for lid, port in enumerate(table) if port != NO_PORT)
        lines += [f"0x{lid:04x} {port:03d} : (x)" for lid, port in entries if lid <= last]
    return moved, "\n".join(lines)


@pytest.mark.parametrize("top", [62, 63, 64, 65, 127, 128, 129, 192])
def test_the_last_lid_that_the_tool_leaves_out_is_no_finding(subnet, lfts, top):
    moved, text = shifted(subnet, lfts, top - 12)

    found = verify_subnet(moved, Evidence(None, parse_lfts(text)))

    assert [one.text for one in found.findings if one.section == "routes"] == []
    said = [one.text for one in found.not_seen if one.text.startswith(f"routes to LID {top}:")]
    assert len(said) == (top % 64 == 0)


@pytest.mark.parametrize("top", [63, 64, 65])
def test_another_lid_without_an_entry_is_one_also_there(subnet, lfts, top):
    moved, text = shifted(subnet, changed(lfts, SPINE, lid_11=NO_PORT), top - 12)

    found = verify_subnet(moved, Evidence(None, parse_lfts(text)))

    assert [one.kind for one in found.findings if one.section == "routes"] == ["unreachable"]


def test_what_several_switches_do_alike_is_one_finding(subnet, lfts):
    found = changed(changed(lfts, LEAF, lid_11=NO_PORT), SPINE, lid_11=NO_PORT)
    ids = [id_ for id_, _ in told(subnet, found)]

    assert len(ids) == 1
    assert ids[0].startswith("unreachable:")


@pytest.mark.parametrize("layout", ["torus", "dragonfly"])
def test_without_a_top_no_leaf_has_uneven_uplinks(subnet, lfts, layout, monkeypatch):
    """A link of a torus or dragonfly carries what its place makes it carry."""
    monkeypatch.setattr("fabric.verification.infiniband.route_audit.check_routes.SHARE", 1)
    uplinks = audit_routes(subnet, lfts).uplinks[LEAF]
    first, *others = uplinks
    table = bytes(first if port in others else port for port in lfts.tables[LEAF])
    uneven = ForwardingTables({**lfts.tables, LEAF: table}, lfts.owners)
    flat = msgspec.structs.replace(subnet, layout=layout, roots=())

    assert [i for i, _ in told(subnet, uneven) if i.startswith("unbalanced")]
    assert [i for i, _ in told(flat, uneven) if i.startswith("unbalanced")] == []
