"""P_Keys, lanes and weights as the real tools print them, and against the intent."""

from __future__ import annotations

import msgspec
import pytest

from fabric.devices.infiniband.model import Lane, PartitionMember, SubnetPartition
from fabric.diagnostics import Origin
from fabric.verification.infiniband.check_partitions import leaf_findings, partition_findings
from fabric.verification.infiniband.check_virtual_lanes import lane_findings
from fabric.verification.infiniband.reading.query_tables import (
    Arbitration,
    Tables,
    parse_paths,
    parse_pkeys,
    parse_sl2vl,
    parse_tables,
    parse_vlarb,
)
from tests.verification.infiniband.records import recorded, tiny

RED, BLUE = 0x1001, 0x1002


@pytest.fixture(scope="module")
def subnet():
    """Hosts 1 and 2 are red, host 3 is a limited member of it; host 2 is blue."""
    bare = tiny()
    port = {end.name: end.port_guid for end in bare.ends}

    def partition(name, pkey, full, limited=()):
        members = [PartitionMember(port[f"{host} mlx5_{i}"], full=True) for host in full for i in (0, 1)]
        members += [PartitionMember(port[f"{host} mlx5_{i}"], full=False) for host in limited for i in (0, 1)]
        return SubnetPartition(
            name=name,
            pkey=pkey,
            members=tuple(members),
            ipoib=True,
            index0=False,
            service_level=0,
            rate_mbps=200_000,
            origin=Origin(),
        )

    red = partition("red", RED, ["dgx001", "dgx002"], ["dgx003"])
    return msgspec.structs.replace(bare, partitions=(red, partition("blue", BLUE, ["dgx002"])))


def tables(subnet, **changes):
    """The P_Keys that are meant, but for some ports: `dgx001_0={...}`."""
    want = {
        "dgx001": {0x7FFF, 0x9001},
        "dgx002": {0x7FFF, 0x9001, 0x9002},
        "dgx003": {0x7FFF, 0x1001},
        "ufm01": {0x7FFF},
        "ufm02": {0x7FFF},
    }
    return {
        (end.lid, 1): frozenset(changes.get(f"{end.host}_{end.nic}", want[end.host])) for end in subnet.ends
    }


def told(subnet, have):
    return [(one.id, one.text) for one in partition_findings(subnet, have)]


def test_tables_as_meant_are_not_told(subnet):
    assert told(subnet, tables(subnet)) == []


def test_a_key_too_much_is_told_with_its_ports(subnet):
    have = tables(subnet, dgx001_0={0x7FFF, 0x9001, 0x9002}, dgx001_1={0x7FFF, 0x9001, 0x9002})

    assert told(subnet, have) == [
        (
            "pkey-extra:0x1002",
            "2 ports in blue (0x1002) that should not be: dgx001 mlx5_0, dgx001 mlx5_1",
        )
    ]


def test_a_key_too_few_is_told(subnet):
    assert told(subnet, tables(subnet, dgx002_1={0x7FFF, 0x9001})) == [
        ("pkey-missing:0x1002", "1 port not in blue (0x1002) that should be: dgx002 mlx5_1")
    ]


def test_a_tenant_moved_by_hand_is_told_on_both_sides(subnet):
    ids = [id_ for id_, _ in told(subnet, tables(subnet, dgx001_0={0x7FFF, 0x9002}))]

    assert ids == ["pkey-extra:0x1002", "pkey-missing:0x1001"]


def test_a_full_member_where_a_limited_one_is_meant(subnet):
    assert told(subnet, tables(subnet, dgx003_0={0x7FFF, 0x9001})) == [
        ("pkey-full:0x1001", "1 port full in red (0x1001), limited is meant: dgx003 mlx5_0")
    ]


def test_a_limited_member_where_a_full_one_is_meant(subnet):
    assert told(subnet, tables(subnet, dgx001_0={0x7FFF, 0x1001})) == [
        ("pkey-limited:0x1001", "1 port limited in red (0x1001), full is meant: dgx001 mlx5_0")
    ]


def test_a_key_that_nobody_knows(subnet):
    ((id_, text),) = told(subnet, tables(subnet, dgx001_0={0x7FFF, 0x9001, 0xA666}))

    assert id_ == "pkey-extra:0x2666"
    assert "a partition that the intent does not know (0x2666)" in text


def test_everybody_in_everybodys_partition_is_one_finding(subnet):
    have = {port: frozenset({0xFFFF}) for port in tables(subnet)}

    ((id_, text),) = told(subnet, have)

    assert id_ == "fail-open"
    assert text.startswith("all 8 ports are full members of everybody's partition and of no tenant's")


def test_without_tenants_everybody_is_a_full_member():
    bare = tiny()

    assert told(bare, {(end.lid, 1): frozenset({0xFFFF}) for end in bare.ends}) == []
    assert [id_ for id_, _ in told(bare, {(bare.ends[0].lid, 1): frozenset({0x7FFF})})] == [
        "pkey-limited:0x7fff"
    ]


def test_a_host_that_manages_the_subnet_may_be_full_in_everybodys_partition(subnet):
    first = subnet.ends[0]
    have = tables(subnet, **{f"{first.host}_{first.nic}": {0xFFFF, 0x9001}})

    assert [one.id for one in partition_findings(subnet, have)] == ["pkey-full:0x7fff"]
    assert partition_findings(subnet, have, managers=frozenset({first.port_guid})) == ()


def test_a_manager_with_an_own_partition_of_everybody_is_compared_by_its_tenants(subnet):
    full = {port: keys | {0xFFFF} for port, keys in tables(subnet).items()}
    wrong = {**full, (subnet.ends[0].lid, 1): frozenset({0xFFFF})}

    assert partition_findings(subnet, full, everybody=False) == ()
    assert [one.id for one in partition_findings(subnet, wrong, everybody=False)] == ["pkey-missing:0x1001"]


def leaf_ports(subnet, have):
    """The tables of the HCA ports, and the same at the leaf ports before them."""
    lid = {switch.guid: switch.lid for switch in subnet.switches}
    at = {link.lower: (lid[link.upper], link.upper_port) for link in subnet.links}
    return {**have, **{at[end.node_guid]: have[end.lid, 1] for end in subnet.ends}}


def test_leaf_ports_that_enforce_what_their_adapters_have_are_not_told(subnet):
    assert leaf_findings(subnet, leaf_ports(subnet, tables(subnet))) == ()


def test_a_leaf_port_that_lets_other_keys_through_is_told(subnet):
    have = leaf_ports(subnet, tables(subnet))
    leaf = next(switch for switch in subnet.switches if switch.role == "leaf")

    (one,) = leaf_findings(subnet, {**have, (leaf.lid, 1): have[leaf.lid, 1] | {0x9002}})

    assert one.id == "pkey-leaf:leaf-su1-r1"
    assert one.text == (
        "leaf-su1-r1 lets through other P_Keys than the adapters behind it have: "
        "leaf-su1-r1 port 1 (0x9002 differ from dgx001 mlx5_0)"
    )


def test_recorded_pkeys_of_records_and_of_single_ports():
    found = parse_pkeys(recorded("pkeys.txt"))

    assert found[1, 0] == {0xFFFF}
    assert found[1, 1] == found[7, 1] == {0x7FFF, 0x9001, 0x2001}
    assert len(found) == 2 + 19


def test_a_table_of_several_blocks_is_one():
    block = "PKeyTableRecord dump:\n\t\tLID....7\n\t\tPort....1\n\t\tBlock....{}\n\t\tPKey Table:\n\t\t0x{}\n"

    assert parse_pkeys(block.format(0, "ffff") + block.format(1, "9001")) == {(7, 1): {0xFFFF, 0x9001}}


PLANNED = (0, *[15] * 2, 1, *[15] * 12)


def test_recorded_levels_of_records_of_one_port_and_of_the_managers_dump():
    found = parse_sl2vl(recorded("lanes.txt"))
    dumped = parse_sl2vl(recorded("manager-sl2vl.dump"))

    assert found[7, 0, 0] == PLANNED
    assert found[1, 0, 0] == (0,) * 16
    assert dumped[2, 0, 1] == (0, 1, 2, 3, *[15] * 12)
    assert {lid for lid, _, _ in dumped} == set(range(1, 13))


def test_recorded_weights():
    assert parse_vlarb(recorded("lanes.txt"))[7, 0] == Arbitration({0: 64, 1: 64}, {1: 64})


def test_path_records():
    text = "PathRecord dump:\n\t\tdlid........11\n\t\tslid........7\n\t\tsl..........0x3\n"

    assert parse_paths(text) == {(7, 11): 3}


def test_any_text_has_no_tables():
    assert parse_tables("PKeyTableRecord dump:\nnothing\n# pkeys lid 1 port 1\n") == Tables()


@pytest.fixture
def classes(subnet):
    lanes = (Lane("default", 0, 0, 64, 0), Lane("storage", 3, 1, 64, 64))
    return msgspec.structs.replace(subnet, lanes=lanes)


def test_lanes_as_meant_are_not_told(classes):
    have = Tables({}, {(7, 0, 0): PLANNED}, {(7, 0): Arbitration({0: 64, 1: 64}, {1: 64})})

    assert lane_findings(classes, have) == ()


def test_a_level_on_another_lane_is_told_with_its_ports(classes):
    wrong = (0, *[15] * 2, 0, *[15] * 12)
    have = Tables({}, {(7, 0, 0): wrong, (8, 0, 0): wrong, (9, 0, 0): PLANNED})

    (one,) = lane_findings(classes, have)

    assert one.kind == "sl2vl"
    assert one.text == "dgx001 mlx5_1, dgx002 mlx5_0: SL 3 on VL 0, meant VL 1"


def test_the_own_port_of_a_switch_carries_management_only(classes):
    leaf = next(switch for switch in classes.switches if switch.role == "leaf")
    have = Tables({}, {(leaf.lid, 0, 0): (0,) * 16, (leaf.lid, 3, 0): (0,) * 16, (leaf.lid, 3, 4): (0,) * 16})

    (one,) = lane_findings(classes, have)

    assert one.subjects == (leaf.name,)


def test_other_weights_are_told(classes):
    have = Tables({}, {}, {(7, 0): Arbitration({0: 64, 1: 1}, {})})

    (one,) = lane_findings(classes, have)

    assert (
        one.text == "dgx001 mlx5_1: weights low VL0:64 VL1:1, high none; meant low VL0:64 VL1:64, high VL1:64"
    )


def test_one_class_leaves_all_lanes_alone(classes):
    one = msgspec.structs.replace(classes, lanes=classes.lanes[:1])

    assert lane_findings(one, Tables({}, {(7, 0, 0): (0,) * 16})) == ()


def test_engines_that_lay_lanes_themselves_are_left_to_it(classes):
    own = msgspec.structs.replace(classes, engine="dfsssp")

    assert lane_findings(own, Tables({}, {(7, 0, 0): (0,) * 16})) == ()
