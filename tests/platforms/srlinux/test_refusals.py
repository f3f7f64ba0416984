"""What SR Linux does not support is an error that names the platform, the feature and the way out."""

from __future__ import annotations

import json

import pytest

from fabric.diagnostics import Severity
from fabric.platforms.srlinux import PLATFORM
from tests.platforms.cases import CASES as ALL
from tests.platforms.cases import RESERVED, addressing, of
from tests.platforms.sites import (
    HASH,
    attachments,
    klass,
    leaf,
    network,
    override,
    own_model,
    policy,
    printed,
    refusals,
    services,
)
from tests.platforms.srlinux.devices import (
    CASES,
    DYNAMIC,
    RELEASE,
    TOMAHAWK,
    TRIDENT,
    asked,
    balanced,
    released,
    renamed,
)
from tests.platforms.srlinux.devices import REFUSED as LEFT_OUT

BARE = {"name": "srlinux", "source": "test"}
"""The record of SR Linux in a model that tells nothing of its queues."""
FILER = "{network: compute, kind: storage, links: 1, speed: 400G, vlan: 120, to: {unit: 0, rails: [0]}}"


def mine(*words):
    """The first leaf, of the site's own model."""
    return leaf("srlinux", *words, model="mine")


def marked(words):
    """A lossy class that is marked."""
    return asked(klass("roce", f"{{priority: null, ecn: {words}}}"), policy("watchdog: null"))


REFUSED = {
    "per packet": (lambda: balanced("per_packet", RELEASE), "FAB579", "by load", "ecmp"),
    "flowlets": (lambda: balanced("flowlet", RELEASE), "FAB579", "by load", "ecmp"),
    "queue pair": (
        lambda: asked(network("routing: {hashing: {fields: [src_ip, roce_qp]}}")),
        "FAB579",
        "roce_qp",
        "src_port",
    ),
    "vlan on Tomahawk": (lambda: of("srlinux", ALL["vlan gateway"]), "FAB579", "mac-vrf", "routed"),
    "queues on a vlan": (
        lambda: mine(addressing("host_links: {mode: vlan}"), renamed(TRIDENT)),
        "FAB579",
        "queueing on ports of a VLAN",
        "routed",
    ),
    "queues on a vlan of an attachment": (
        lambda: mine(RESERVED, attachments(f"filer: {FILER}"), renamed(TRIDENT)),
        "FAB579",
        "queueing on ports of a VLAN",
        "routed",
    ),
    "bond": (lambda: of("srlinux", ALL["dual ToR"]), "FAB579", "bonds", "address"),
    "lesser admin": (
        lambda: asked(services(f"users: {{admin: {{password_hash: {HASH}}}}}")),
        "FAB569",
        "admin",
        "role: admin",
    ),
    "idle time": (
        lambda: asked(services("ssh: {idle_timeout: 1500ms}")),
        "FAB562",
        "whole seconds",
        "whole seconds",
    ),
    "default vrf": (lambda: of("srlinux", ALL["default vrf"]), "FAB579", "mgmt", "name a VRF"),
    "override": (
        lambda: asked(override("[{device: leaf-0-0, extra: {clock: x}}]")),
        "FAB579",
        "verbatim",
        "intent",
    ),
    "dnx": (
        lambda: mine(own_model(TOMAHAWK, model="Nokia 7250 IXR-X3B", software=[BARE])),
        "FAB579",
        "DNX",
        "7220",
    ),
    "h6": (lambda: mine(renamed("Nokia 7220 IXR-H6-64")), "FAB579", "PFC", "H5"),
    "old release": (lambda: asked(released("24.10.1")), "FAB579", "24.10.1", "25.3"),
    "paths": (lambda: asked(network("routing: {max_paths: 257}")), "FAB562", "256", "256"),
    "buffer": (lambda: mine(own_model(TOMAHAWK, buffer=None)), "FAB568", "buffer", "buffer"),
    "watchdog": (lambda: asked(policy("watchdog: {restore: 2s}")), "FAB562", "1500", "1500"),
    "ecn": (lambda: marked("{kmin: 1000B, kmax: 300000000B}"), "FAB566", "300000000", "kmax"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_names_platform_feature_and_way_out(name):
    make, code, feature, way_out = REFUSED[name]
    found = [one for one in refusals(make()) if one.code == code]

    assert any("Nokia SR Linux" in one.rule and feature in one.rule and way_out in one.hint for one in found)


@pytest.mark.parametrize(("asked", "mode"), [("flowlet", "flow-dynamic"), ("per_packet", "per-packet")])
def test_paths_are_chosen_by_load_for_all_routes_of_a_new_release(asked, mode):
    tree = json.loads(printed(DYNAMIC[asked]()))
    default = tree["srl_nokia-network-instance:network-instance"][0]
    balancing = tree["srl_nokia-system:system"]["srl_nokia-load-balancing:load-balancing"]

    assert {"dynamic": {"mode": mode}} == balancing
    assert [{"ip-prefix": "0.0.0.0/0"}, {"ip-prefix": "::/0"}] == default["ip-load-balancing"][
        "dynamic-load-balancing"
    ]["prefix"]


@pytest.mark.parametrize("case", sorted(CASES | DYNAMIC))
def test_the_cases_are_not_refused(case):
    assert () == refusals((CASES | DYNAMIC)[case]())


@pytest.mark.parametrize("case", sorted(LEFT_OUT))
def test_a_case_that_is_left_out_is_refused(case):
    assert refusals(of("srlinux", ALL[case]))


@pytest.mark.parametrize("action", ["drop", "forward"])
def test_dropping_on_a_deadlock_is_told_to_be_forwarding(action):
    found = refusals(asked(policy(f"watchdog: {{action: {action}}}")), Severity.WARNING)

    assert (action == "drop") == ("FAB567" in {one.code for one in found})


def test_an_unknown_speed_is_refused():
    fast = network("tiers: {leaf: {up: {speed: 1600G}}}")
    device = leaf("srlinux", own_model("nokia-ixr-h6-64", software=[BARE]), fast, model="mine")

    assert "FAB561" in {one.code for one in refusals(device)}


def test_routes_from_above_are_marked_and_never_told_upward():
    policies = json.loads(printed(CASES["spine"]()))["srl_nokia-routing-policy:routing-policy"]
    by_name = {policy["name"]: policy for policy in policies["policy"]}

    assert [
        {"name": "from-above", "member": ["64999:1"]},
        {"name": "graceful-shutdown", "member": ["65535:0"]},
    ] == policies["community-set"]
    assert {"communities": {"add": "from-above"}} == by_name["from-above"]["statement"][1]["action"]["bgp"]
    assert {"policy-result": "reject"} == by_name["to-above"]["statement"][0]["action"]
    assert {"bgp": {"community-set": "from-above"}} == by_name["to-above"]["statement"][0]["match"]
    assert "from-above" not in json.dumps(by_name["to-below"])


@pytest.mark.parametrize(
    ("case", "names"),
    [
        ("leaf", ["ethernet-1/1/1", "ethernet-1/1/2", "ethernet-1/2/1", "ethernet-1/2/2", "ethernet-1/3"]),
        ("spine", ["ethernet-1/1", "ethernet-1/2", "ethernet-1/3"]),
    ],
)
def test_names_follow_the_front_panel(case, names):
    device = CASES[case]()

    assert names == [port.name for port in device.ports][: len(names)]
    assert "mgmt0" == PLATFORM.management_port(device.hardware)
