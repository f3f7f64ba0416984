"""The three routing modes: which one is taken, what each refuses, and that they say the same."""

from __future__ import annotations

import json

import pytest

from fabric.diagnostics import Report
from fabric.platforms.base import split_parts
from fabric.platforms.needs.table import lowered
from fabric.platforms.sonic import PLATFORM
from fabric.platforms.sonic.modes import Mode, is_known, mode_of
from tests.platforms.cases import BORDER, addressing
from tests.platforms.expected_facts import expected_facts
from tests.platforms.sites import extra, network, printed
from tests.platforms.sonic.devices import CASES, FRRCFGD, IN_VLANS, PLAIN, TRIM, asked, released
from tests.platforms.sonic.frrcfgd import frr_conf
from tests.programs import ANY, run

FRRCFGD_CASES = sorted(name for name in CASES if name.startswith("frrcfgd"))


def config_db(device):
    """The tables of a switch."""
    return json.loads(split_parts(printed(device))["config_db.json"])


def refusals(device):
    """The rules of all errors, joined."""
    report = Report()
    lowered(device, PLATFORM, report)
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


BGPCFGD = released("202511-bgpcfgd")
PASSWORD = network("routing: {bgp: {password: 'env:BGP'}}")
UNNUMBERED = addressing("family: unnumbered")


@pytest.mark.parametrize(
    ("release", "words", "word"),
    [
        (FRRCFGD, (PASSWORD,), "encrypted"),
        (FRRCFGD, (network("routing: {bfd: {interval: 100ms}}"),), "BFD timers"),
        (FRRCFGD, (network("routing: {max_paths: 257}"),), "at most 256 paths"),
        (FRRCFGD, (addressing("family: ipv6"),), "compares prefix lengths as text"),
        (FRRCFGD, (extra("frr", "ip nht resolve-via-default"),), "writes frr.conf itself"),
        (BGPCFGD, (UNNUMBERED,), "no unnumbered sessions"),
        (BGPCFGD, (), "tells Loopback0 and VLAN prefixes only"),
        (BGPCFGD, (), "no BFD"),
        (BGPCFGD, (PASSWORD,), "no password"),
        (BGPCFGD, BORDER, "outside of the fabric"),
        (BGPCFGD, (PLAIN, IN_VLANS), "one AS number above"),
    ],
)
def test_a_mode_that_cannot_say_it_is_refused_with_the_reason(release, words, word):
    """The last: its routes could go down and up again."""
    assert word in refusals(asked(release, *words))
    assert word not in refusals(asked(*words))


def test_bgpcfgd_is_told_as_a_policy_of_sonics_own():
    report = Report()
    PLATFORM.lower(CASES["bgpcfgd"](), report)

    assert "FAB536" in {found.code for found in report}


@pytest.mark.parametrize("case", FRRCFGD_CASES)
def test_frrcfgd_makes_of_the_tables_what_split_unified_has_in_its_file(case):
    device = CASES[case]()
    made = PLATFORM.read(f"#!part frr.conf\n{frr_conf(config_db(device))}").facts
    said = expected_facts(device)

    assert said.neighbors.keys() == made.neighbors.keys()
    for name, text in said.policies.items():
        if not name.startswith(("group", "bgp", "FROM", "static")):  # the twin is of BGP
            assert text == made.policies[name]


@pytest.mark.live
@pytest.mark.parametrize("case", FRRCFGD_CASES)
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
    ipv6 = addressing("family: ipv6")
    device = asked(FRRCFGD, ipv6)
    from fabric.platforms.sonic.lower import all_tables
    from fabric.platforms.sonic.lower_frr import lower_frr

    tables = all_tables(device, lower_frr(device), Report())

    assert "ge 128" not in frr_conf(tables)
    assert "ge 128" in printed(asked(ipv6))


def test_packet_trimming_is_said_in_an_override_where_the_hardware_has_it():
    tables = config_db(CASES["packet trimming by an override"]())

    assert {"size": "128", "dscp_value": "48", "queue_index": "6"} == tables["SWITCH_TRIMMING"]["GLOBAL"]
    assert "trim" == tables["BUFFER_PROFILE"]["q_lossy_profile"]["packet_discard_action"]
    assert "egress_lossy_pool" == tables["BUFFER_PROFILE"]["q_lossy_profile"]["pool"]


@pytest.mark.parametrize(
    ("texts", "word"),
    [
        ({"config-db": TRIM}, "trims packets"),
        (
            {"config-db": '{"BUFFER_PROFILE": {"x": {"packet_discard_action": "trim"}}}'},
            "needs SWITCH_TRIMMING",
        ),
        ({"config-db": '{"PORT": {"Ethernet0": {"mtu": "1500"}}}'}, "follows from the intent"),
        ({"config-db": '{"NTP_SERVER": {"192.0.2.99": {}}}'}, "follows from the intent"),
        ({"config-db": '{"PORT": {"Ethernet999": {"autoneg": "on"}}}'}, "follows from the intent"),
        ({"config-db": "interface Ethernet0"}, "not rows of CONFIG_DB"),
        ({"config-db": '{"PORT": {"Ethernet0": {"mtu": 1500}}}'}, "not rows of CONFIG_DB"),
        ({"aaa": "x"}, "no place in its two files"),
    ],
)
def test_an_override_that_does_not_fit_is_refused(texts, word):
    assert word in refusals(asked(*(extra(*one) for one in texts.items())))


def test_an_override_may_add_a_field_that_the_intent_has_no_word_for():
    device = asked(
        extra("config-db", '{"DEVICE_METADATA": {"localhost": {"region": "eu"}}, "LOGGER": {"a": {}}}')
    )
    text = printed(device)
    reading = PLATFORM.read(text)

    assert "eu" == config_db(device)["DEVICE_METADATA"]["localhost"]["region"]
    assert ["DEVICE_METADATA localhost region eu", "LOGGER a"] == sorted(line for _, line in reading.unread)
    assert expected_facts(device) == reading.facts
