"""What EOS does not support is an error that names the platform, the feature and the way out."""

from __future__ import annotations

import pytest

from fabric.diagnostics import Invalid, Severity
from fabric.hardware import load_catalogue
from fabric.platforms.eos import PLATFORM
from tests.platforms.eos.sites import device, plain, spine, text_of
from tests.platforms.everywhere import MODELS
from tests.platforms.sites import (
    HASH,
    KEY,
    inventory,
    klass,
    leaf,
    network,
    override,
    policy,
    printed,
    refusals,
    services,
    site,
)

FLOWLETS = network("routing: {load_balancing: flowlet}")
PER_PACKET = network("routing: {load_balancing: per_packet, nics_reorder: true}")
NICS_OF_200G = site("hosts: {gpu: {nics: {compute: {speed: 200G}}}}")
WIDE = {
    "hardware/wide.yaml": {
        "id": "wide",
        "vendor": "Arista",
        "model": "Arista of eight wide lanes",
        "asic": "test",
        "cages": [
            {
                "cages": "1-64",
                "form": "OSFP",
                "lanes": 8,
                "lane_speed": "100G",
                "max_speed": "800G",
                "breakouts": ["1x800G", "1x200G"],
                "source": "test",
            }
        ],
        "software": [{"name": "eos", "source": "test"}],
        "source": "test",
    }
}
"""A model of the site's own, whose cages carry 200G over all their lanes."""


def refused(switch):
    """The errors of a switch, by place."""
    return {str(one.origin): one for one in refusals(switch)}


CASES = {
    "networks.compute.routing.load_balancing": (PER_PACKET, "FAB579", "per-packet", "flowlet"),
    "networks.compute.routing.hashing.seed": (
        network("routing: {hashing: {seed: per_device}}"),
        "FAB579",
        "seed",
        "product",
    ),
    "networks.compute.routing.hashing.fields": (
        network("routing: {hashing: {fields: [src_ip, dst_ip]}}"),
        "FAB579",
        "hash fields",
        "leave `fields` out",
    ),
    "networks.compute.tiers.leaf.release": (
        network('tiers: {leaf: {release: "4.22.9M"}}'),
        "FAB579",
        "4.23",
        "upgrade",
    ),
    "networks.compute.routing.max_paths": (
        network("routing: {max_paths: 601}"),
        "FAB558",
        "600",
        "600 or less",
    ),
    "classes.roce.priority": (klass("roce", "priority: 4"), "FAB579", "not 4", "priority: 3"),
    "classes.roce.queue": (
        klass("roce", "{traffic_class: 7, priority: 7}"),
        "FAB551",
        "traffic class 7",
        "below 7",
    ),
    "classes.cnp.strict": (
        klass("roce", "{traffic_class: 7, priority: 7, queue: 7}"),
        "FAB579",
        "by weight",
        "give every class with a share a queue below 6",
    ),
    "watchdog.action": (policy("watchdog: {action: forward}"), "FAB579", "cannot forward", "notify"),
    "watchdog.restore": (policy("watchdog: {restore: 90s}"), "FAB557", "not 90000 ms", "10ms to 60000ms"),
    "services.ssh.idle_timeout": (
        services("ssh: {idle_timeout: 90s}"),
        "FAB554",
        "in minutes, not 90s",
        "30min",
    ),
    "services.users.keyholder": (
        services(f'users: {{keyholder: {{ssh_keys: ["{KEY}"]}}}}'),
        "FAB579",
        "without a password",
        "password_hash",
    ),
    "services.users.many.ssh_keys": (
        services(f'users: {{many: {{password_hash: {HASH}, ssh_keys: ["{KEY}", "{KEY}1", "{KEY}2"]}}}}'),
        "FAB556",
        "has 3",
        "keep 2",
    ),
    "services.banner": (services('banner: "Hello\\n  indented"'), "FAB555", "line 2", "no spaces"),
    "overrides[0].extra.x": (
        override('[{device: leaf-0-0, extra: {x: "hostname y\\nreload now"}}]'),
        "FAB555",
        "reload now",
        "configuration lines only",
    ),
    "services.management.allow": (
        {
            **services("{gnmi: {}, certificate: {name: x}, management: {allow: [198.51.100.0/24]}}"),
            **inventory("devices: {leaf-0-0: {address: '2001:db8::11/64'}}"),
        },
        "FAB579",
        "IPv4 only",
        "IPv4 management address alone",
    ),
}


@pytest.mark.parametrize("place", CASES)
def test_a_refusal_names_platform_feature_and_way_out(place):
    words, code, feature, way_out = CASES[place]
    finding = refused(plain(words))[place]

    assert code == finding.code
    assert "Arista EOS" in finding.rule
    assert feature in finding.rule
    assert way_out in finding.hint


def test_a_plain_leaf_and_spine_are_not_refused():
    assert {} == refused(plain()) | refused(spine()) | refused(device("superspine"))


def test_jericho_has_no_flowlets_and_tomahawk_has():
    (finding,) = refusals(device("jericho", FLOWLETS))

    assert () == refusals(spine(FLOWLETS))
    assert "networks.compute.routing.load_balancing" == str(finding.origin)
    assert "ecmp" in finding.hint


def test_equal_findings_of_many_ports_are_one():
    wide = network("tiers: {leaf: {model: wide, up: {speed: 800G}}}")
    (finding,) = refusals(plain(WIDE, wide, NICS_OF_200G))

    assert "FAB553" == finding.code
    assert "200G over 8 lanes" in finding.rule
    assert "200g-4" in finding.hint


@pytest.mark.parametrize("banner", ["one\\nEOF\\nhostname evil", "one\\n! two"])
def test_a_banner_may_not_end_itself_or_hide_a_comment(banner):
    assert {"services.banner"} == set(refused(plain(services(f'banner: "{banner}"'))))


def test_a_marking_curve_of_its_own_is_no_reason_to_refuse():
    assert {} == refused(plain(klass("roce", "ecn: {kmin: 1KB, kmax: 2KB, pmax: 3}")))


def test_the_watchdog_comes_with_what_eos_needs_for_it():
    assert ["FAB559"] == [one.code for one in refusals(plain(), Severity.INFO)]


def test_nothing_is_printed_of_what_is_refused():
    with pytest.raises(Invalid, match="FAB579"):
        printed(plain(PER_PACKET))


def test_what_eos_derives_itself_is_said_with_our_own_figure():
    switch = plain()
    derived = PLATFORM.derived(switch)

    assert {"lossless-400g-5m headroom", "lossless-800g-40m headroom"} == set(derived)
    for kind in switch.queueing.profiles:
        text = derived[f"{kind.name} headroom"]
        assert "set by EOS" in text
        assert f"{kind.headroom.headroom_bytes} bytes" in text
    assert {} == PLATFORM.derived(device("no policy"))


def test_what_eos_cannot_do_or_does_itself_is_said():
    hardware = load_catalogue().switches[MODELS["eos"]]
    record = PLATFORM.capabilities("4.34.2F", hardware)

    assert "product-derived" == record.headroom == record.pause_threshold
    assert not record.per_packet_balancing
    assert not record.hash_seed
    assert not PLATFORM.capabilities("4.20.1F", hardware).bfd


def test_names_follow_the_front_panel():
    quarters = {port.name for port in plain(NICS_OF_200G).ports}

    assert {"Ethernet1/1", "Ethernet1/5"} <= {port.name for port in plain().ports}
    assert {"Ethernet1/1", "Ethernet1/3", "Ethernet1/5", "Ethernet1/7"} <= quarters
    assert {"Ethernet3/2/1", "Ethernet4/1/1"} <= {port.name for port in device("jericho").ports}
    assert "\ninterface Ethernet65\n" in text_of("leaf")
    assert "\ninterface Management1\n" in text_of("leaf")
    assert "\ninterface Management0\n" in text_of("jericho")


def test_a_gateway_of_the_other_family_is_a_route_of_that_family():
    assert "\nipv6 route vrf MGMT ::/0 2001:db8::1\n" in text_of("ipv6")


def test_the_release_is_told_if_it_is_written():
    device = leaf("eos", network('tiers: {leaf: {release: "4.22.9M"}}'))
    with pytest.raises(Invalid) as caught:
        printed(device)
    (refused,) = (finding for finding in caught.value.diagnostics if finding.unsupported)

    assert refused.rule.startswith("Arista EOS 4.22.9M on ")
    assert "4.22.9M" == refused.unsupported.release
