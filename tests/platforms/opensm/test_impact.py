"""A change of OpenSM's files, told by meaning."""

from __future__ import annotations

import pytest

from fabric.configuration import Change, compare
from fabric.planning.judging import judged, lockouts
from fabric.platforms.opensm.dialect import DIALECT
from tests.platforms.sites import Words, inventory
from tests.platforms.subnets import FTREE, TENANTED, infiniband, known, manager, printed, renamed, tenants


def differing(old: str, new: str) -> tuple[Change, ...]:
    """What differs between two managers' files."""
    return compare(DIALECT, "sm-1", DIALECT.plain(old), DIALECT.plain(new)).changes


def changes(old: str, new: str) -> dict[str, tuple[str, str]]:
    """By what changes: impact and reason. What interrupts concerns the whole subnet, and a name nobody."""
    found = judged(differing(old, new), manager("opensm"))
    assert all(one.scope.whole_device is (one.impact.value != "none") for one in found)
    return {one.what: (one.impact.value, one.reason) for one in found}


def partition(pkey: str) -> str:
    return f"partitions.conf partition {pkey}"


def told(*words: Words) -> str:
    """The files of the tenants' subnet with changes."""
    return printed(manager("opensm", TENANTED, *words))


def changed(*words: Words) -> dict[str, tuple[str, str]]:
    """What these changes mean to the tenants' subnet."""
    return changes(told(), told(*words))


def test_nothing_changes_between_equal_files():
    assert changed() == {}


def test_who_joins_and_who_leaves_is_told_by_name():
    assert changed(tenants("{red: {hosts: [h-0-1, h-0-3]}, blue: {hosts: [h-0-2, h-1-1]}}")) == {
        partition("0x1001"): ("flap", "red (0x1001): h-0-3 mlx5_0 joins; h-1-1 mlx5_0 leaves"),
        partition("0x1002"): ("hitless", "blue (0x1002): h-1-1 mlx5_0 joins"),
    }


def test_of_many_the_first_are_named_and_the_others_counted():
    [(_impact, reason)] = changed(tenants("blue: {units: [0, 1]}")).values()

    assert reason == "blue (0x1002): h-0-0 mlx5_0, h-0-1 mlx5_0, h-0-3 mlx5_0 and 4 more join"


def test_a_full_member_that_becomes_a_limited_one_loses_the_others():
    fewer = tenants("red: {hosts: [h-0-1], partition: {limited: {hosts: [h-1-1]}}}")

    assert changed(fewer) == {partition("0x1001"): ("flap", "red (0x1001): h-1-1 mlx5_0 becomes limited")}


def test_a_new_tenant_and_one_that_goes():
    found = changed(tenants("{blue: null, green: {hosts: [h-0-2], partition: {pkey: '0x1003'}}}"))

    assert found[partition("0x1002")] == ("flap", "blue (0x1002): h-0-2 mlx5_0 leaves")
    assert found[partition("0x1003")] == ("hitless", "green (0x1003): h-0-2 mlx5_0 joins")


def test_another_order_of_members_is_nothing():
    assert changed(tenants("red: {hosts: [h-1-1, h-0-1]}")) == {}


def test_a_tenant_with_another_key_leaves_one_partition_and_joins_another():
    found = changed(tenants("red: {partition: {pkey: '0x1009'}}"))

    assert found[partition("0x1001")] == ("flap", "red (0x1001): h-0-1 mlx5_0, h-1-1 mlx5_0 leave")
    assert found[partition("0x1009")] == ("hitless", "red (0x1009): h-0-1 mlx5_0, h-1-1 mlx5_0 join")


def test_a_tenant_that_is_only_renamed_loses_nobody():
    renamed = tenants("{red: null, crimson: {hosts: [h-0-1, h-1-1], partition: {pkey: '0x1001'}}}")

    assert changed(renamed)[partition("0x1001")] == (
        "hitless",
        "crimson (0x1001): its group, service level or name changes",
    )


def test_a_renamed_adapter_changes_names_only():
    found = changed(renamed("ibp{nic}"))

    assert found
    assert {impact for impact, _ in found.values()} == {"none"}


def test_ports_whose_lid_moves_are_counted():
    found = changes(told(known()), told(known(), infiniband("{first_lid: 2}")))

    [(impact, reason)] = found.values()
    assert (impact, reason.partition(";")[0]) == (
        "reload",
        "15 ports get another LID and lose their connections",
    )


def test_growth_within_the_capacity_moves_no_lid():
    capacity: Words = {"site.yaml": {"capacity": {"units": 3}}}

    assert changes(told(capacity), told(capacity, {"site.yaml": {"units": 3}}))["guid2lid"] == (
        "reload",
        "5 LIDs more, 0 fewer; OpenSM is started anew: nothing is healed meanwhile",
    )


@pytest.mark.parametrize(
    ("change", "block", "means", "words"),
    [
        ("{lmc: 2}", "opensm.conf lmc", "isolating", "all LIDs are given anew"),
        ('{prefix: "0xfec0000000000001"}', "opensm.conf subnet_prefix", "isolating", "all GIDs change"),
        ("{engine: minhop}", "opensm.conf routing_engine", "reload", "all routes are computed anew"),
        ("{high_limit: 20}", "opensm.conf qos_high_limit", "reload", "OpenSM is started anew"),
    ],
)
def test_what_a_changed_option_means(change, block, means, words):
    impact, reason = changed(infiniband(change))[block]

    assert impact == means
    assert words in reason


def test_another_root_computes_all_routes_anew():
    other = inventory("devices: {spine-1: {guid: '0x0002c903000a1b2c'}}")

    assert changed(other)["root-guids"] == ("flap", "all routes are computed anew")


def test_a_class_on_another_level_is_hitless_for_connections_that_stand():
    found = changed(infiniband("{service_levels: {storage: {service_level: 4}}}"))

    assert found["qos-policy.conf"][0] == "hitless"


def test_a_file_that_becomes_empty_or_is_not_there_says_nothing():
    assert changes(told().replace("#!part io-guids\n", ""), told()) == {}


def test_what_opensm_takes_and_we_never_write_is_judged_by_whom_it_concerns():
    """A file that others have written is not read, and yet the plan says who leaves."""
    lines = [line for line in told().splitlines() if "0x1001" in line and "rate" in line]
    theirs = (
        told()
        .replace(lines[0], "red=0x1001,defmember=full:")
        .replace("opensm.conf\n", "opensm.conf\nlmc\t1\n")
    )

    assert changes(theirs, told(tenants("red: {hosts: [h-1-1]}")))[partition("0x1001")] == (
        "flap",
        "red (0x1001): h-0-1 mlx5_0 leaves",
    )
    assert changes(theirs, told())["opensm.conf lmc"][0] == "isolating"


@pytest.mark.parametrize(
    ("wish", "ours", "theirs"),
    [
        ("{lmc: 2}", "lmc 2", "lmc 0x2"),
        ("{lmc: 2}", "lmc 2", "lmc 02"),
        ("{}", "", "lmc 00"),
        (
            '{prefix: "0xfec000000000000a"}',
            "subnet_prefix 0xfec000000000000a",
            "subnet_prefix 0xFEC000000000000A",
        ),
        (
            '{prefix: "0xfec000000000000a"}',
            "subnet_prefix 0xfec000000000000a",
            "subnet_prefix 0x0FEC000000000000A",
        ),
        ("{}", "", "subnet_prefix 0XFE80000000000000"),
        ("{}", "", "subnet_prefix 18338657682652659712"),
    ],
)
def test_another_spelling_of_a_number_is_no_change(wish, ours, theirs):
    text = told(infiniband(wish))
    spelled = (
        text.replace(ours, theirs) if ours else text.replace("opensm.conf\n", f"opensm.conf\n{theirs}\n")
    )

    assert spelled != text
    assert changes(spelled, text) == {}
    assert changes(spelled.replace(theirs, "lmc 3"), text)["opensm.conf lmc"][0] == "isolating"


def test_a_diff_shows_lines_as_they_stand_in_the_file_with_their_numbers():
    old, new = (DIALECT.plain(told(*words)) for words in ((), (tenants("blue: {hosts: [h-0-2, h-1-1]}"),)))
    diff = compare(DIALECT, "sm-1", old, new).diff.splitlines()
    at = int(diff[2].split()[2].split(",")[0])

    assert diff[2].endswith("@@ partitions.conf partition 0x1002")
    assert new.splitlines()[at - 1] == diff[3].removeprefix(" ")
    assert [line for line in diff[3:] if line.startswith("+")][-1].endswith(";  # h-1-1 mlx5_0")


def test_keys_are_masked_and_references_stay():
    before = told()
    filled = before.replace("<secret:env:MKEY>", "0x1234").replace("<secret:env:SAKEY>", "0x77")

    assert "0x1234" not in DIALECT.plain(filled)
    assert "m_key <masked>" in DIALECT.plain(filled)
    assert "sa_key <masked>" in DIALECT.plain(filled)
    assert "m_key <secret:env:MKEY>" in DIALECT.plain(before)


def test_another_management_key_locks_us_out_of_the_ports():
    other = told(infiniband('{keys: {management_key: "env:NEW"}}'))
    without = printed(manager("opensm", FTREE))
    zero = without.replace("#!part opensm.conf\n", "#!part opensm.conf\nm_key 0x0000000000000000\n")

    assert locked_out(told(), told()) == []
    assert locked_out(told(), other) == [
        "opensm.conf m_key: `m_key <secret:env:MKEY>` becomes `m_key <secret:env:NEW>`"
    ]
    assert locked_out(told(), without) == ["opensm.conf m_key: `m_key <secret:env:MKEY>` is removed"]
    assert locked_out(without, told()) == []
    assert compare(DIALECT, "sm-1", zero, without).changes == ()


def locked_out(old: str, new: str) -> list[str]:
    found = lockouts(differing(old, new), manager("opensm"))
    assert {(one.what, one.impact.value) for one in found} <= {("management access", "lockout")}
    return [one.reason for one in found]


def test_what_holds_the_old_key_is_told():
    impact, reason = changed(infiniband('{keys: {management_key: "env:NEW"}}'))["opensm.conf m_key"]

    assert impact == "reload"
    assert "holds the old one answers no manager without it" in reason
