"""What FRR on Linux does not support is an error that names the platform, the feature and the way out."""

from __future__ import annotations

import pytest

from fabric.diagnostics import Severity
from fabric.platforms.frr import PLATFORM
from tests.platforms.cases import CASES as ALL
from tests.platforms.cases import of
from tests.platforms.frr.devices import CASES, REFUSED, leaf
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
        ("FAB579", "flowlet", "ecmp"),
    ),
    "networks.compute.routing.hashing.fields": (
        lambda: asked(network("routing: {hashing: {fields: [roce_qp]}}")),
        ("FAB579", "hashing by roce_qp", "choose among dst_ip"),
    ),
    "watchdog": (
        lambda: of("frr", ALL["notifying watchdog"]),
        ("FAB579", "watchdog", "watchdog: none"),
    ),
    "networks.compute.tiers.leaf.model": (
        lambda: on("Broadcom Tomahawk 5"),
        ("FAB579", "no driver for Broadcom Tomahawk 5", "Spectrum-1 to -4"),
    ),
    "networks.compute.addressing.host_links.mode": (
        lambda: of("frr", ALL["dual ToR"]),
        ("FAB579", "bond", "routed"),
    ),
    "networks.compute.addressing.host_links.assignment": (
        lambda: of("frr", ALL["dhcp relay"]),
        ("FAB579", "DHCP relay", "static"),
    ),
    "services.snmp": (lambda: of("frr", ALL["all services"]), ("FAB579", "snmp", "leave")),
    "services.tacacs": (lambda: of("frr", ALL["tacacs"]), ("FAB579", "tacacs", "leave")),
    "services.gnmi": (lambda: of("frr", ALL["all services"]), ("FAB579", "gnmi", "leave")),
    "classes.roce.priority": (
        lambda: asked(klass("roce", "priority: 4")),
        ("FAB579", "not 4", "priority: 3"),
    ),
    "classes.roce.strict": (
        lambda: asked(
            klass("roce", "{strict: true, share: null}"),
            klass("rest", "{queue: 7, traffic_class: 7, share: 100}"),
        ),
        ("FAB579", "all strict queues are served first", "below 3"),
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
