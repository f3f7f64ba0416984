"""The three routing modes: which one is taken, what each refuses, and that they say the same."""

from __future__ import annotations

import json

import pytest

from fabric.diagnostics import Report
from fabric.platforms.base import split_parts
from fabric.platforms.sonic import PLATFORM
from fabric.platforms.sonic.modes import Mode, is_known, mode_of
from fabric.platforms.sonic.read_frr import read_frr
from tests.platforms.eos import cases as generic
from tests.platforms.eos import devices as make
from tests.platforms.sonic.devices import (
    CASES,
    TRIM,
    for_bgpcfgd,
    for_frrcfgd,
    no_bfd,
    on,
    printed,
    with_lines,
)
from tests.platforms.sonic.frrcfgd import frr_conf
from tests.programs import ANY, run

FRRCFGD = sorted(name for name in CASES if name.startswith("frrcfgd"))


def config_db(device):
    """The tables of a switch."""
    return json.loads(split_parts(printed(device))["config_db.json"])


def refusals(device):
    """The rules of all errors, joined."""
    report = Report()
    PLATFORM.lower(device, report)
    return "\n".join(found.rule for found in report if found.is_error)


@pytest.mark.parametrize(
    ("release", "mode"),
    [
        (None, Mode.SPLIT),
        ("202511", Mode.SPLIT),
        ("202511.2", Mode.SPLIT),
        ("master-split", Mode.SPLIT),
        ("202511-frrcfgd", Mode.FRRCFGD),
        ("master-bgpcfgd", Mode.BGPCFGD),
    ],
)
def test_the_release_names_the_mode(release, mode):
    assert is_known(release)
    assert mode == mode_of(release)


@pytest.mark.parametrize("release", ["202411", "2025110", "202511-quagga", "masterpiece", "-frrcfgd"])
def test_another_release_or_mode_is_unknown(release):
    assert not is_known(release)


@pytest.mark.parametrize(
    ("case", "mode", "managed"),
    [
        ("leaf", "split-unified", "true"),  # bfdd starts only so
        ("no BFD", "split-unified", "false"),
        ("frrcfgd", "unified", "true"),
        ("bgpcfgd", "unified", "false"),
    ],
)
def test_the_metadata_starts_the_daemons_of_the_mode(case, mode, managed):
    local = config_db(CASES[case]())["DEVICE_METADATA"]["localhost"]

    assert mode == local["docker_routing_config_mode"]
    assert managed == local["frr_mgmt_framework_config"]


@pytest.mark.parametrize("case", ["frrcfgd", "bgpcfgd"])
def test_frr_conf_is_left_to_the_daemon_that_makes_it(case):
    assert "frr.conf" not in split_parts(printed(CASES[case]()))


def routed_leaf():
    return no_bfd(generic.vlan_gateway())


@pytest.mark.parametrize(
    ("release", "device", "word"),
    [
        ("202511-frrcfgd", make.change_routing(make.leaf(), password="env:BGP"), "encrypted"),
        ("202511-frrcfgd", make.change_routing(make.leaf(), bfd_interval_ms=100), "BFD timers"),
        ("202511-frrcfgd", make.change_routing(make.leaf(), max_paths=257), "at most 256 paths"),
        ("202511-frrcfgd", generic.ipv6(), "compares prefix lengths as text"),
        (
            "202511-frrcfgd",
            with_lines(make.leaf(), frr="ip nht resolve-via-default"),
            "writes frr.conf itself",
        ),
        ("202511-bgpcfgd", generic.unnumbered(), "no unnumbered sessions"),
        ("202511-bgpcfgd", make.leaf(), "tells Loopback0 and VLAN prefixes only"),
        ("202511-bgpcfgd", make.leaf(), "no BFD"),
        ("202511-bgpcfgd", make.change_routing(make.leaf(), password="env:BGP"), "no password"),
        ("202511-bgpcfgd", generic.external(), "outside of the fabric"),
        ("202511-bgpcfgd", make.change_routing(make.leaf(), allow_own_asn=3), "own AS number"),
    ],
)
def test_a_mode_that_cannot_say_it_is_refused_with_the_reason(release, device, word):
    assert word in refusals(on(device, release=release))
    assert word not in refusals(on(device))


def test_bgpcfgd_is_refused_where_its_routes_could_go_down_and_up_again():
    first, *rest = for_bgpcfgd(generic.vlan_gateway()).routing.neighbors
    other = make.session(make.fabric_port(5), remote_asn=4_200_000_777)
    device = make.change_routing(for_bgpcfgd(generic.vlan_gateway()), neighbors=(first, *rest, other))

    assert "one AS number above" in refusals(on(device, release="202511-bgpcfgd"))


def test_bgpcfgd_is_told_as_a_policy_of_sonics_own():
    report = Report()
    PLATFORM.lower(CASES["bgpcfgd"](), report)

    assert "FAB536" in {found.code for found in report}


@pytest.mark.parametrize("case", FRRCFGD)
def test_frrcfgd_makes_of_the_tables_what_split_unified_has_in_its_file(case):
    device = CASES[case]()
    made = read_frr(frr_conf(config_db(device)), 0)
    said = PLATFORM.project(device)

    assert said.neighbors.keys() == made.neighbors().keys()
    for name, text in said.policies.items():
        if not name.startswith(("group", "bgp", "FROM")):
            assert text == made.policies[name]


@pytest.mark.live
@pytest.mark.parametrize("case", FRRCFGD)
def test_frr_takes_what_frrcfgd_makes(case, tmp_path):
    text = frr_conf(config_db(CASES[case]()))
    lines = [line for line in text.splitlines() if line != "exit"]

    assert [] == told_by_bgpd(lines, tmp_path)
    assert told_by_bgpd([*lines, "no such line"], tmp_path)  # the control


def told_by_bgpd(lines, tmp_path):
    """What bgpd has against a file; its exit code does not tell."""
    file = tmp_path / "frr.conf"
    file.write_text("".join(f"{line}\n" for line in lines))
    where = ["--vty_socket", str(tmp_path), "-i", str(tmp_path / "pid")]
    done = run("bgpd", "-C", "-S", "-n", "-Z", "-p", "0", "-f", file, *where, exits=ANY)
    told = (done.stdout + done.stderr).splitlines()
    return [
        line
        for line in told
        if "Graceful restart" not in line and "mkdir" not in line and "crashlog" not in line
    ]


def test_the_widened_prefix_is_why_frrcfgd_is_refused():
    """The twin shows it: `"128" > "64"` is false for texts, so `ge 128` is lost."""
    device = on(for_frrcfgd(generic.ipv6()), release="202511-frrcfgd")
    from fabric.platforms.sonic.lower import all_tables
    from fabric.platforms.sonic.lower_frr import lower_frr

    tables = all_tables(device, lower_frr(device, Report()), Report())

    assert "ge 128" not in frr_conf(tables)
    assert "ge 128" in printed(on(generic.ipv6()))


def test_packet_trimming_is_said_in_an_override_where_the_hardware_has_it():
    tables = config_db(CASES["packet trimming by an override"]())

    assert {"size": "128", "dscp_value": "48", "queue_index": "6"} == tables["SWITCH_TRIMMING"]["GLOBAL"]
    assert "trim" == tables["BUFFER_PROFILE"]["q_lossy_profile"]["packet_discard_action"]
    assert "egress_lossy_pool" == tables["BUFFER_PROFILE"]["q_lossy_profile"]["pool"]


@pytest.mark.parametrize(
    ("texts", "word"),
    [
        ({"config_db": TRIM}, "trims packets"),
        (
            {"config_db": '{"BUFFER_PROFILE": {"x": {"packet_discard_action": "trim"}}}'},
            "needs SWITCH_TRIMMING",
        ),
        ({"config_db": '{"PORT": {"Ethernet0": {"mtu": "1500"}}}'}, "follows from the intent"),
        ({"config_db": '{"NTP_SERVER": {"192.0.2.99": {}}}'}, "follows from the intent"),
        ({"config_db": '{"PORT": {"Ethernet999": {"autoneg": "on"}}}'}, "follows from the intent"),
        ({"config_db": "interface Ethernet0"}, "no rows of CONFIG_DB"),
        ({"config_db": '{"PORT": {"Ethernet0": {"mtu": 1500}}}'}, "no rows of CONFIG_DB"),
        ({"aaa": "x"}, "no place in its two files"),
    ],
)
def test_an_override_that_does_not_fit_is_refused(texts, word):
    assert word in refusals(on(with_lines(make.leaf(), **texts)))


def test_an_override_may_add_a_field_that_the_intent_has_no_word_for():
    device = on(
        with_lines(make.leaf(), config_db='{"PORT": {"Ethernet0": {"autoneg": "on"}}, "LOGGER": {"a": {}}}')
    )
    text = printed(device)
    reading = PLATFORM.read(text)

    assert "on" == config_db(device)["PORT"]["Ethernet0"]["autoneg"]
    assert ["LOGGER", "PORT|Ethernet0|autoneg"] == sorted(line for _, line in reading.unread)
    assert PLATFORM.project(device) == reading.facts
