"""A change of OpenSM's files, told by meaning."""

from __future__ import annotations

import msgspec
import pytest

from fabric.devices.subnet import Lane
from fabric.platforms.opensm import PLATFORM
from tests.platforms.opensm.subnets import DEFAULT, KEYS, TENANTED, TENANTS, manager, partition, printed, tree


def changes(old: str, new: str) -> dict[str, tuple[str, str]]:
    """By block: impact and reason."""
    one, two = ({b.key: b for b in PLATFORM.blocks(PLATFORM.canonical(text))} for text in (old, new))
    found = {}
    for key in sorted(one.keys() | two.keys()):
        if one.get(key) != two.get(key):
            impact = PLATFORM.block_impact(key, one.get(key), two.get(key))
            found[key] = impact.impact, impact.reason
    return found


def with_tenants(*tenants):
    return printed(manager(msgspec.structs.replace(TENANTED, partitions=tenants)))


RED, BLUE, FILES = TENANTS
BEFORE = with_tenants(*TENANTS)


def test_nothing_changes_between_equal_files():
    assert changes(BEFORE, with_tenants(*TENANTS)) == {}


def test_who_joins_and_who_leaves_is_told_by_name():
    after = with_tenants(partition("red", 0x1001, (2, 4)), partition("blue", 0x1002, (3, 4)), FILES)

    assert changes(BEFORE, after) == {
        "partition 0x1001": ("flap", "red (0x1001): h-4 mlx5_0 joins; h-3 mlx5_0 leaves"),
        "partition 0x1002": ("hitless", "blue (0x1002): h-3 mlx5_0 joins"),
    }


def test_of_many_the_first_are_named_and_the_others_counted():
    after = with_tenants(RED, partition("blue", 0x1002, (0, 1, 2, 3, 4, 5)), FILES)

    [(_impact, reason)] = changes(BEFORE, after).values()
    assert reason == "blue (0x1002): h-0 mlx5_0, h-1 mlx5_0, h-2 mlx5_0 and 2 more join"


def test_a_full_member_that_becomes_a_limited_one_loses_the_others():
    after = with_tenants(partition("red", 0x1001, (2,), (3,)), BLUE, FILES)

    assert changes(BEFORE, after) == {
        "partition 0x1001": ("flap", "red (0x1001): h-3 mlx5_0 becomes limited")
    }


def test_a_new_tenant_and_one_that_goes():
    after = with_tenants(RED, FILES, partition("green", 0x1003, (4,)))

    assert changes(BEFORE, after)["partition 0x1002"] == ("flap", "blue (0x1002): h-4 mlx5_0 leaves")
    assert changes(BEFORE, after)["partition 0x1003"] == ("hitless", "green (0x1003): h-4 mlx5_0 joins")


def test_another_order_of_members_is_nothing():
    after = with_tenants(partition("red", 0x1001, (3, 2)), BLUE, FILES)

    assert {impact for impact, _ in changes(BEFORE, after).values()} <= {"none"}


def test_a_tenant_with_another_key_leaves_one_partition_and_joins_another():
    after = with_tenants(msgspec.structs.replace(RED, pkey=0x1009), BLUE, FILES)
    found = changes(BEFORE, after)

    assert found["partition 0x1001"] == ("flap", "red (0x1001): h-2 mlx5_0, h-3 mlx5_0 leave")
    assert found["partition 0x1009"] == ("hitless", "red (0x1009): h-2 mlx5_0, h-3 mlx5_0 join")


def test_a_tenant_that_is_only_renamed_loses_nobody():
    after = with_tenants(msgspec.structs.replace(RED, name="crimson"), BLUE, FILES)

    assert changes(BEFORE, after)["partition 0x1001"] == (
        "hitless",
        "crimson (0x1001): its group, service level or name changes",
    )


def test_a_renamed_host_changes_names_only():
    ends = tuple(msgspec.structs.replace(e, name=f"{e.name}-b") for e in TENANTED.ends)
    after = printed(manager(msgspec.structs.replace(TENANTED, ends=ends)))

    assert {impact for impact, _ in changes(BEFORE, after).values()} == {"none"}


def test_ports_whose_lid_moves_are_counted():
    ends = (*TENANTED.ends[:-1], msgspec.structs.replace(TENANTED.ends[-1], lid=99))
    after = printed(manager(msgspec.structs.replace(TENANTED, ends=ends)))

    [(impact, reason)] = changes(BEFORE, after).values()
    assert (impact, reason.partition(";")[0]) == (
        "reload",
        "1 ports get another LID and lose their connections",
    )


def test_growth_moves_no_lid():
    before, after = printed(manager(tree(hosts=6))), printed(manager(tree(hosts=8)))

    assert changes(before, after)["guid2lid"] == (
        "reload",
        "2 LIDs more, 0 fewer; OpenSM is started anew: nothing is healed meanwhile",
    )


@pytest.mark.parametrize(
    ("change", "block", "words"),
    [
        ({"lmc": 2, "engine": "updn"}, "option lmc", "all LIDs are given anew"),
        ({"prefix": 0xFEC0_0000_0000_0001}, "option subnet_prefix", "all GIDs change"),
        ({"engine": "updn"}, "option routing_engine", "all routes are computed anew"),
        ({"high_limit": 20}, "option qos_high_limit", "OpenSM is started anew"),
    ],
)
def test_what_a_changed_option_means(change, block, words):
    ends = tuple(msgspec.structs.replace(e, lid=e.lid << change.get("lmc", 0)) for e in TENANTED.ends)
    after = printed(manager(msgspec.structs.replace(TENANTED, ends=ends, **change)))

    impact, reason = changes(BEFORE, after)[block]
    assert impact == "reload"
    assert words in reason


def test_another_root_computes_all_routes_anew():
    after = printed(manager(msgspec.structs.replace(TENANTED, roots=TENANTED.roots[:1])))

    assert changes(BEFORE, after) == {"root-guids": ("flap", "all routes are computed anew")}


def test_a_class_on_another_level_is_hitless_for_connections_that_stand():
    lanes = (DEFAULT, Lane("storage", 4, 1, 32, 16))
    tenants = (RED, BLUE, msgspec.structs.replace(FILES, service_level=4))
    after = printed(manager(msgspec.structs.replace(TENANTED, lanes=lanes, partitions=tenants)))

    assert changes(BEFORE, after)["qos-policy.conf"][0] == "hitless"


def test_keys_are_masked_and_references_stay():
    filled = BEFORE.replace("<secret:env:MKEY>", "0x1234").replace("<secret:env:SAKEY>", "0x77")

    assert "0x1234" not in PLATFORM.canonical(filled)
    assert "m_key <masked>" in PLATFORM.canonical(filled)
    assert "sa_key <masked>" in PLATFORM.canonical(filled)
    assert "m_key <secret:env:MKEY>" in PLATFORM.canonical(BEFORE)


def test_another_management_key_locks_us_out_of_the_ports():
    other = printed(
        manager(msgspec.structs.replace(TENANTED, keys=msgspec.structs.replace(KEYS, management="env:NEW")))
    )
    without = printed(manager(msgspec.structs.replace(TENANTED, keys=None)))
    forms = [PLATFORM.canonical(text) for text in (BEFORE, other, without)]

    assert PLATFORM.owns_way_in(forms[0], forms[0]) == ()
    assert "m_key changes" in PLATFORM.owns_way_in(forms[0], forms[1])[0]
    assert "m_key is left out" in PLATFORM.owns_way_in(forms[0], forms[2])[0]
    assert PLATFORM.owns_way_in(forms[2], forms[0]) == ()
