"""What Cumulus Linux does not support is a finding that names the product, the feature and the way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric import hardware as models
from fabric.diagnostics import Severity
from fabric.hardware import load_catalogue
from fabric.platforms.cumulus import PLATFORM
from fabric.platforms.cumulus.capabilities import capabilities
from tests.platforms import cases
from tests.platforms.cases import addressing, case
from tests.platforms.cumulus.devices import (
    ADAPTIVE,
    FACTORY,
    GNMI,
    INTENTS,
    NO_ADDRESS,
    RELAY,
    SLOW,
    SPLIT,
    TACACS,
    changed,
    device,
)
from tests.platforms.expected_facts import expected_facts
from tests.platforms.sites import (
    LEAF,
    attachments,
    klass,
    leaf,
    network,
    override,
    policy,
    printed,
    read,
    refusals,
    services,
)


def own_model(name, change, *words, release="5.16.1"):
    """A leaf of a site's own model: that of the catalogue, changed, without facts of Cumulus Linux."""
    known = read((Path(models.__file__).parent / "models" / f"{name}.yaml").read_text())
    mine = {**known, "id": "mine", "software": [{"name": "cumulus", "source": "test"}], **change}
    return changed(case({"hardware/mine.yaml": mine}, *words, model="mine"), release=release)


def asked(*words):
    """The first leaf, with what is asked of it."""
    return changed(case(*words))


def routed(words):
    """The same, by routing."""
    return asked(network(f"routing: {{{words}}}"))


def overridden(lines):
    """The same, with these lines of an override."""
    return asked(override(f"[{{device: {LEAF}, extra: {{x: '{lines}'}}}}]"))


def fast():
    """Cages of 1600G, which no model of the catalogue has below Cumulus Linux."""
    cages = [{**SN5600["cages"][0], "lane_speed": "200G", "max_speed": "1600G"}]
    cages[0]["breakouts"] = ["1x1600G", "4x400G"]
    change = {"cages": cages, "limits": [], "bandwidth": "102400G"}
    return own_model("nvidia-sn5600", change, network("tiers: {leaf: {up: {speed: 1600G}}}"))


SN5600 = read((Path(models.__file__).parent / "models" / "nvidia-sn5600.yaml").read_text())
BESIDE = override(f'[{{device: {LEAF}, down_cages: "1", up_cages: "2-3"}}]')
"""Uplinks in the cage that a split of its neighbour disables."""
TAGGED = INTENTS["tagged VLAN"].words
LINKS = "networks.compute.addressing.host_links"
ROUTING = "networks.compute.routing"
REFUSED = {
    "a disabled cage": (
        lambda: asked(SPLIT, BESIDE), "FAB547", "networks.compute.tiers.leaf", "disables cage 2"
    ),
    "flowlets": (
        lambda: changed(cases.CASES["flowlets"]), "FAB579", f"{ROUTING}.load_balancing", "flowlets"
    ),
    "hash fields": (
        lambda: routed("hashing: {fields: [src_ip, roce_qp]}"), "FAB579", f"{ROUTING}.hashing.fields", "roce_qp"
    ),
    "bonds": (lambda: changed(cases.CASES["dual ToR"]), "FAB579", f"{LINKS}.mode", "LACP"),
    "DHCPv6": (lambda: changed(cases.CASES["dhcp relay"]), "FAB579", f"{LINKS}.dhcp_servers", "DHCPv6"),
    "DHCPv6 in a VLAN": (
        lambda: changed(cases.CASES["vlan gateway"]), "FAB579", f"{LINKS}.dhcp_servers", "DHCPv6"
    ),
    "a relay without any fix": (
        lambda: leaf("cumulus", network("tiers: {spine: null}"), addressing(f"host_links: {{{RELAY}}}")),
        "FAB579",
        f"{LINKS}.dhcp_servers",
        "port",
    ),
    "SNMP": (lambda: asked(cases.WATCHED), "FAB579", "services.snmp", "SHA-1"),
    "who may use SSH": (
        lambda: asked(services("ssh: {allow: [10.0.0.0/8]}")), "FAB579", "services.ssh.allow", "ACL"
    ),
    "gNMI without an address": (
        lambda: asked(GNMI, NO_ADDRESS), "FAB579", "services.gnmi", "address of eth0"
    ),
    "no admin": (
        lambda: asked(services("users: null")), "FAB541", "networks.compute.tiers.leaf", "no admin"
    ),
    "an operator alone": (
        lambda: asked(services("users: {netops: {role: operator}}")), "FAB541", "services.users", "no admin"
    ),
    "another priority": (lambda: asked(klass("roce", "priority: 4")), "FAB579", "classes.roce.priority", "3, not 4"),
    "forwarding": (
        lambda: asked(policy("watchdog: {action: forward}")), "FAB579", "watchdog.action", "cannot forward"
    ),
    "notifying": (
        lambda: changed(cases.CASES["notifying watchdog"]), "FAB579", "watchdog.action", "cannot notify"
    ),
    "fast polls": (lambda: asked(policy("watchdog: {poll: 50ms}")), "FAB544", "watchdog.poll", "100 to 5000"),
    "between two polls": (
        lambda: asked(policy("watchdog: {detect: 250ms, poll: 100ms}")), "FAB544", "watchdog.detect", "250 ms"
    ),
    "many paths": (lambda: routed("max_paths: 129"), "FAB546", f"{ROUTING}.max_paths", "1 to 128"),
    "idle seconds": (
        lambda: asked(services("ssh: {idle_timeout: 90s}")), "FAB546", "services.ssh.idle_timeout", "minutes"
    ),
    "a VLAN of the ASIC": (
        lambda: asked(addressing("host_links: {mode: vlan, vlan: 3800}")),
        "FAB546",
        f"{LINKS}.vlan",
        "3725 to 3999",
    ),
    "a VLAN of the ASIC at an attachment": (
        lambda: asked(*TAGGED, attachments("store: {vlan: 3801}")), "FAB546", "attachments.store.vlan", "3801 too"
    ),
    "two sizes of packets": (
        lambda: asked(*TAGGED, attachments("store: {ip_mtu: 1500}")), "FAB546", LINKS, "[1500, 9000]"
    ),
    "1600G": (fast, "FAB547", "networks.compute.tiers.leaf", "1600G"),
    "adaptive routing on 800G": (
        lambda: routed("load_balancing: per_packet, nics_reorder: true"),
        "FAB547",
        f"{ROUTING}.load_balancing",
        "200G and 400G",
    ),
    "no YAML list": (lambda: overridden("hostname x"), "FAB548", "overrides[0].extra.x", "list"),
    "no YAML": (lambda: overridden("- ["), "FAB548", "overrides[0].extra.x", "list"),
    "two lossless priorities": (
        lambda: asked(
            klass("more", "{dscp: [4], traffic_class: 4, queue: 4, priority: 4, share: 1, ecn: auto}"),
            klass("rest", "share: 4"),
        ),
        "FAB579",
        "classes",
        "one lossless priority group",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", sorted(REFUSED))
def test_what_cannot_be_said_is_an_error_at_its_place(what):
    make, code, place, word = REFUSED[what]
    errors = {(one.code, str(one.origin)): one for one in refusals(make())}

    assert (code, place) in errors
    one = errors[code, place]
    assert word in one.rule
    assert "Cumulus Linux" in one.rule


@pytest.mark.parametrize("name", sorted(INTENTS))
def test_the_cases_are_not_refused(name):
    assert () == refusals(device(name))


LATER = [
    ("5.8.0", (), "5.9 and newer"),
    ("5.12.0", (GNMI,), "needs 5.13"),
    ("5.13.1", (TACACS, services("lldp: true")), "before 5.14"),
    ("5.9.0", (services("lldp: false"),), "from 5.11 on"),
    ("5.14.0", (services("syslog: {level: errors}"),), "before 5.15"),
]


@pytest.mark.parametrize(("release", "words", "word"), LATER)
def test_what_came_with_a_later_release_is_refused_before(release, words, word):
    (error,) = refusals(changed(case(*words), release=release))

    assert word in error.rule
    assert () == refusals(changed(case(*words), release="5.17.0"))


def test_a_release_older_than_the_model_is_refused():
    newer = case(model="nvidia-sn5610")
    (error,) = refusals(changed(newer, release="5.13.0"))

    assert "5.13.0 on NVIDIA SN5610N: 5.13.1 and newer" in error.rule
    assert not capabilities("5.13.0", load_catalogue().switches["nvidia-sn5610"]).pfc
    assert () == refusals(changed(newer, release="5.13.1"))


@pytest.mark.parametrize(
    ("asic", "refused"), [("Spectrum-4", False), ("Spectrum-3", True), ("Spectrum-5", True)]
)
def test_adaptive_routing_is_for_one_asic(asic, refused):
    errors = refusals(own_model("nvidia-sn5600", {"asic": f"NVIDIA {asic}"}, *ADAPTIVE))

    assert refused == any("Spectrum-4 only" in one.rule for one in errors)


@pytest.mark.parametrize(("asic", "refused"), [("Spectrum", True), ("Spectrum-2", False)])
def test_the_first_spectrum_has_no_gnmi(asic, refused):
    errors = refusals(own_model("nvidia-sn4700", {"asic": f"NVIDIA {asic}"}, SLOW, GNMI))

    assert refused == any("gNMI needs" in one.rule for one in errors)


def test_restoring_is_the_products_own_decision_and_told():
    assert any("restored" in one.rule for one in refusals(device("leaf"), Severity.INFO))


def test_a_file_that_deletes_the_factory_account_says_so():
    (told,) = refusals(device("leaf"), Severity.WARNING)

    assert "deletes the account `cumulus`" in told.rule


def test_a_declared_factory_account_is_kept():
    declared = asked(FACTORY)

    assert () == refusals(declared) == refusals(declared, Severity.WARNING)
    assert "'cumulus':\n            hashed-password: '$6$" in printed(declared)


def test_thresholds_that_the_product_derives_are_shown():
    shown = PLATFORM.derived(device("leaf"))

    assert {"lossless-400g-5m headroom", "lossless-400g-5m ECN"} <= set(shown)
    assert "5 m" in shown["lossless-400g-5m headroom"]
    assert "not published" in shown["lossless-400g-5m ECN"]
    assert {} == PLATFORM.derived(device("no policy"))


def test_no_marking_without_a_curve():
    unmarked = asked(klass("roce", "ecn: null"), policy("{cnp: null, classes: {cnp: null}}"))

    assert "congestion-control:\n            profile" not in printed(unmarked)
    assert expected_facts(unmarked) == PLATFORM.read(printed(unmarked)).facts


def test_a_curve_keeps_its_bytes():
    marked = asked(klass("roce", "ecn: {kmin: 150KB, kmax: 1500KB, pmax: 100}"))
    facts = PLATFORM.read(printed(marked)).facts

    curves = {queues[3].ecn for queues in facts.profiles.values() if 3 in queues}
    assert {(150_000, 1_500_000, 100)} == curves


def test_no_source_is_a_promise():
    sources = capabilities(None, load_catalogue().switches["nvidia-sn5600"]).sources

    assert not [text for text in sources.values() if "not written" in text or "memory" in text]


def test_an_unknown_release_can_nothing():
    assert not capabilities("4.4.0", load_catalogue().switches["nvidia-sn5600"]).pfc
