"""What FRR on Linux does not support is an error that names the platform, the feature and the way out."""

from __future__ import annotations

import pytest

from fabric.diagnostics import Severity
from fabric.platforms.base import Block
from fabric.platforms.frr import PLATFORM
from tests.platforms.cases import CASES as ALL
from tests.platforms.cases import of
from tests.platforms.frr.devices import CASES, REFUSED, leaf
from tests.platforms.frr.printing import printed
from tests.platforms.sites import klass, network, own_model, refusals, services
from tests.platforms.sites import leaf as any_leaf

SN5600 = "nvidia-sn5600"


def asked(*words, model=None):
    """The first leaf, with what is asked of it."""
    return any_leaf("frr", *words, model=model)


def refused(device):
    """The errors of a switch, by place."""
    return {str(found.origin): found for found in refusals(device)}


def on(asic):
    """The leaf as a model of the site's own with that ASIC."""
    return asked(own_model(SN5600, asic=asic), model="mine")


CASES_BY_PLACE = {
    "networks.compute.routing.load_balancing": (
        lambda: asked(network("routing: {load_balancing: flowlet}")),
        ("FAB570", "flowlet", "ecmp"),
    ),
    "networks.compute.routing.hashing.fields": (
        lambda: asked(network("routing: {hashing: {fields: [roce_qp]}}")),
        ("FAB570", "hash field roce_qp", "choose among src_ip"),
    ),
    "watchdog": (
        lambda: of("frr", ALL["notifying watchdog"]),
        ("FAB570", "watchdog", "watchdog: none"),
    ),
    "networks.compute.tiers.leaf.model": (
        lambda: on("Broadcom Tomahawk 5"),
        ("FAB570", "no driver for Broadcom Tomahawk 5", "Spectrum-1 to -4"),
    ),
    "networks.compute.addressing.host_links.mode": (
        lambda: of("frr", ALL["dual ToR"]),
        ("FAB570", "bond", "routed"),
    ),
    "networks.compute.addressing.host_links.assignment": (
        lambda: of("frr", ALL["dhcp relay"]),
        ("FAB570", "DHCP relay", "static"),
    ),
    "services.snmp": (lambda: of("frr", ALL["all services"]), ("FAB570", "snmp", "leave")),
    "services.tacacs": (lambda: of("frr", ALL["tacacs"]), ("FAB570", "tacacs", "leave")),
    "services.gnmi": (lambda: of("frr", ALL["all services"]), ("FAB570", "gnmi", "leave")),
    "classes.roce.priority": (
        lambda: asked(klass("roce", "priority: 4")),
        ("FAB572", "not 4", "priority: 3"),
    ),
    "classes.roce.strict": (
        lambda: asked(
            klass("roce", "{strict: true, share: null}"),
            klass("rest", "{queue: 7, traffic_class: 7, share: 100}"),
        ),
        ("FAB571", "all strict queues first", "above 7"),
    ),
    "classes.roce.ecn": (
        lambda: asked(klass("roce", "ecn: {kmin: 5B, kmax: 9B}")),
        ("FAB573", "min below max", "raise"),
    ),
    "networks.compute.routing.max_paths": (
        lambda: asked(network("routing: {max_paths: 257}")),
        ("FAB573", "256", "256 or less"),
    ),
    "services.management.vrf": (
        lambda: asked(services(f"management: {{vrf: {'A' * 16}}}")),
        ("FAB573", "15 letters", "shorter"),
    ),
}


@pytest.mark.parametrize("place", CASES_BY_PLACE)
def test_a_refusal_names_platform_feature_and_way_out(place):
    make, (code, feature, way_out) = CASES_BY_PLACE[place]
    found = refused(make())
    finding = found.get(place) or next(one for at, one in found.items() if at.endswith(place))

    assert code == finding.code
    assert any(word in finding.rule for word in ("FRR", "Linux"))
    assert feature in finding.rule
    assert way_out in finding.hint


@pytest.mark.parametrize("case", sorted(CASES))
def test_the_cases_are_not_refused(case):
    assert {} == refused(CASES[case]())


@pytest.mark.parametrize("case", sorted(REFUSED))
def test_a_case_that_is_left_out_is_refused(case):
    assert refused(of("frr", ALL[case]))


@pytest.mark.parametrize("number", ["", "-2", "-3", "-4", "-5", "-6"])
def test_the_kernel_drives_spectrum_up_to_the_fourth(number):
    device = on(f"NVIDIA Spectrum{number}")

    assert (number in ("-5", "-6")) == bool(refused(device))
    assert (number not in ("-5", "-6")) == PLATFORM.capabilities(None, device.hardware).pfc


@pytest.mark.parametrize(
    ("words", "said"),
    [("{}", "users, ntp, syslog, dns, lldp"), ("{syslog: null, users: null, lldp: false}", "ntp, dns")],
)
def test_what_the_system_holds_is_said_once(words, said):
    [found] = [one for one in refusals(asked(services(words)), Severity.WARNING) if one.code == "FAB574"]

    assert f"not written for FRR on Linux: {said}" == found.rule


def test_what_the_driver_derives_is_said():
    kinds = ("lossless-400g-5m", "lossless-800g-40m")

    assert {f"{kind} {word} threshold" for kind in kinds for word in ("pause", "resume")} == set(
        PLATFORM.derived(leaf())
    )


@pytest.mark.parametrize(
    ("key", "old", "new", "impact", "ports"),
    [
        ("interface swp1", "iface swp1\n    alias a\n", "iface swp1\n    alias b\n", "none", ("swp1",)),
        ("interface swp1", "iface swp1\n    mtu 1500\n", "iface swp1\n    mtu 9000\n", "flap", ("swp1",)),
        ("cage swp1", "cage swp1 2\n", "cage swp1 1\n", "flap", ("swp1", "swp1s0", "swp1s1")),
        ("interface vlan10", "iface vlan10\n    mtu 1\n", "iface vlan10\n    mtu 2\n", "flap", ()),
        ("interface eth0", "iface eth0\n    alias a\n", "iface eth0\n    alias b\n", "none", ()),
        ("advertisements swp1", " ipv6 nd prefix a\n", " ipv6 nd prefix b\n", "hitless", ("swp1",)),
        ("sysctl.conf", "a = 1\n", "a = 2\n", "flap", ()),
        ("ports.rules", "a\n", "b\n", "reload", ()),
        ("queues swp1", "a swp1\n", "b swp1\n", "buffer", ("swp1",)),
        ("router bgp", " neighbor a description x\n", " neighbor a description y\n", "none", ()),
        ("router bgp", " neighbor a remote-as 1\n", " neighbor a remote-as 2\n", "flap", ()),
        ("router bgp", "  maximum-paths 2\n", "  maximum-paths 4\n", "hitless", ()),
        ("route-map RM-TO-ABOVE", "x\n", "y\n", "hitless", ()),
        ("strange thing", "x\n", "y\n", "flap", ()),
    ],
)
def test_the_impact_of_a_block_is_that_of_what_changes_in_it(key, old, new, impact, ports):
    found = PLATFORM.block_impact(key, Block(key, old), Block(key, new))

    assert (impact, ports) == (found.impact, found.ports)


def test_every_block_of_our_own_output_is_known_and_none_is_lost():
    form = PLATFORM.canonical(printed(leaf()))
    blocks = PLATFORM.blocks(form)
    kept = sorted(line for line in form.splitlines() if not line.startswith("#!part "))

    assert kept == sorted(line for block in blocks for line in block.text.splitlines())
    assert len(blocks) == len({block.key for block in blocks})
    assert {"router bgp", "interface swp1s0", "queues swp3", "cage swp1", "route-map RM-TO-ABOVE"} <= {
        b.key for b in blocks
    }


def test_a_new_address_of_management_could_lock_us_out():
    form = PLATFORM.canonical(printed(leaf()))

    assert () == PLATFORM.owns_way_in(form, form)
    assert ("`interface eth0` changes",) == PLATFORM.owns_way_in(
        form, form.replace("198.51.100.11", "198.51.100.12")
    )
    assert ("`net.ipv4.tcp_l3mdev_accept = 1` goes",) == PLATFORM.owns_way_in(
        form, form.replace("net.ipv4.tcp_l3mdev_accept = 1\n", "")
    )
    assert ("`interface MGMT` changes",) == PLATFORM.owns_way_in(
        form, form.replace("vrf-table auto", "vrf-table 1001")
    )


def test_every_kind_of_block_has_an_impact_of_its_own():
    keys = {
        block.key for make in CASES.values() for block in PLATFORM.blocks(PLATFORM.canonical(printed(make())))
    }
    unknown = {
        key
        for key in keys
        if "not known" in PLATFORM.block_impact(key, None, Block(key, f"{key} 1\n")).reason
    }

    assert set() == unknown
