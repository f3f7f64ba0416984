"""What Junos does not support is an error that names the product and the way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric import hardware as models
from fabric.diagnostics import Severity
from fabric.hardware import load_catalogue
from fabric.platforms.junos import PLATFORM
from tests.platforms import cases
from tests.platforms.cases import of
from tests.platforms.junos.devices import INTENTS, device_of
from tests.platforms.sites import (
    KEY,
    LEAF,
    POLICY,
    extra,
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

QFX = "juniper-qfx5240-64od"
TIER = "networks.compute.tiers.leaf"
ROUTING = "networks.compute.routing"
SLOW = network("tiers: {leaf: {up: {speed: 400G}}}")
FAST = {
    "bandwidth": "102400G",
    "cages": [
        {
            "cages": "1-64",
            "form": "OSFP",
            "lanes": 8,
            "lane_speed": "200G",
            "max_speed": "1600G",
            "breakouts": ["1x1600G", "4x400G"],
            "source": "test",
        }
    ],
}
"""Cages of 1600G, which no QFX has yet."""
CERTIFIED = services("{gnmi: {}, certificate: {name: fabric}}")


def own_model(name, *words, **change):
    """A leaf of a site's own model: a QFX of the catalogue, by another name."""
    known = read((Path(models.__file__).parent / "models" / f"{QFX}.yaml").read_text())
    mine = {**known, "id": "mine", "model": f"Juniper {name}", **change}
    return leaf("junos", {"hardware/mine.yaml": mine}, *words, model="mine")


def asked(*words):
    """The first leaf, with what is asked of it."""
    return leaf("junos", *words)


def routed(words):
    """The same, by routing."""
    return asked(network(f"routing: {{{words}}}"))


def case_of(name):
    """A case of all products."""
    return of("junos", cases.CASES[name])


def seven_lossless():
    """Seven classes that are paused, and one for the rest."""
    number = "{{dscp: [{0}], traffic_class: {0}, queue: {0}, priority: {0}, share: 10, ecn: null}}"
    classes = ", ".join(f"c{i}: {number.format(i)}" for i in range(7))
    rest = "rest: {traffic_class: 7, queue: 7, share: 30}"
    return asked({POLICY: read(f"{{cnp: null, classes: {{roce: null, cnp: null, {rest}, {classes}}}}}")})


WEAK = 'snmp: {users: {w: {auth_secret: "env:A", privacy: aes192, privacy_secret: "env:P"}}}'
REFUSED = {
    "a PTX": (lambda: own_model("PTX10002-36QDD"), "FAB579", f"{TIER}.model"),
    "a QFX whose buffer is not described": (lambda: own_model("QFX5130-48C"), "FAB579", f"{TIER}.model"),
    "a hash seed": (lambda: routed("hashing: {seed: per_tier}"), "FAB579", f"{ROUTING}.hashing.seed"),
    "hash fields": (
        lambda: routed("hashing: {fields: [src_ip, dst_ip]}"), "FAB579", f"{ROUTING}.hashing.fields"
    ),
    "a hold time that is no third of keepalives": (
        lambda: routed("bgp: {hold: 10s}"), "FAB523", f"{ROUTING}.bgp.hold"
    ),
    "more paths than the YANG has": (lambda: routed("max_paths: 513"), "FAB524", f"{ROUTING}.max_paths"),
    "a bond over two leaves": (
        lambda: case_of("dual ToR"), "FAB579", "networks.compute.addressing.host_links.mode"
    ),
    "two lists": (lambda: case_of("all services"), "FAB579", "services.ssh.allow"),
    "a packet that does not fit": (lambda: asked(network("ip_mtu: 9203")), "FAB524", "networks.compute.ip_mtu"),
    "a speed without a word": (
        lambda: own_model("QFX5240", network("tiers: {leaf: {up: {speed: 1600G}}}"), **FAST), "FAB579", TIER
    ),
    "an idle timeout in seconds": (
        lambda: asked(services("ssh: {idle_timeout: 90s}")), "FAB523", "services.ssh.idle_timeout"
    ),
    "a user without a password": (
        lambda: asked(services(f'users: {{ghost: {{ssh_keys: ["{KEY}"]}}}}')), "FAB579", "services.users.ghost"
    ),
    "AES with 192 bits": (lambda: asked(services(WEAK)), "FAB579", "services.snmp.users.w.privacy"),
    "traps over IPv6": (
        lambda: asked(cases.WATCHED, services("snmp: {trap_servers: ['2001:db8::1']}")),
        "FAB579",
        "services.snmp.trap_servers",
    ),
    "traps in nobody's name": (
        lambda: asked(services("snmp: {trap_servers: [192.0.2.1]}")), "FAB527", "services.snmp.users"
    ),
    "a watchdog that only tells": (lambda: case_of("notifying watchdog"), "FAB579", "watchdog.action"),
    "a watchdog between two polls": (
        lambda: asked(policy("watchdog: {detect: 250ms, poll: 100ms}")), "FAB523", "watchdog.detect"
    ),
    "a watchdog that restores after minutes": (
        lambda: asked(policy("watchdog: {restore: 90s}")), "FAB524", "watchdog.restore"
    ),
    "a watchdog that polls every minute": (
        lambda: asked(policy("watchdog: {poll: 70s, detect: 140s, restore: 140s}")), "FAB524", "watchdog.poll"
    ),
    "a long banner": (lambda: asked(services(f"banner: {'x' * 2049}")), "FAB524", "services.banner"),
    "two strict queues": (
        lambda: asked(klass("roce", "{strict: true, share: null}"), klass("rest", "share: 100")),
        "FAB579",
        "classes.roce.strict",
    ),
    "seven lossless classes": (seven_lossless, "FAB579", "classes"),
    "more headroom than buffer": (
        lambda: asked(network("cables: {leaf_spine: {length: 8000m}}")), "FAB522", f"{TIER}.model"
    ),
    "an override that is not whole": (
        lambda: asked(override(f"[{{device: {LEAF}, extra: {{x: 'protocols {{'}}}}]")),
        "FAB520",
        "overrides[0].extra.x",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", sorted(REFUSED))
def test_what_cannot_be_said_is_refused_with_a_way_out(what):
    make, code, place = REFUSED[what]
    found = {(one.code, str(one.origin)): one for one in refusals(make())}

    assert (code, place) in found
    assert "Junos" in found[code, place].rule


@pytest.mark.parametrize("name", sorted(INTENTS))
def test_the_cases_are_not_refused(name):
    assert () == refusals(device_of(name))


def test_a_curve_that_ends_after_ports_pause_is_warned_of():
    late = asked(klass("roce", "ecn: {kmin: 1MB, kmax: 80MB, pmax: 100}"))

    assert {"FAB529"} == {one.code for one in refusals(late, Severity.WARNING)}
    assert () == refusals(device_of("leaf"), Severity.WARNING)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("}", "line 1: a brace is closed that was not opened"),
        ("a;\nb {", "line 2: a brace is not closed"),
        ("a", "line 1: the last statement has no semicolon"),
        ('a "b;', "line 1: a quotation mark is not closed"),
        ("{ b; }", "line 1: there is no word before `{`"),
        ("a { b }", "line 1: a semicolon is missing before `}`"),
        ("a; /* b", "line 1: a comment is not closed"),
    ],
)
def test_an_override_that_would_change_what_stands_around_it_is_refused_with_the_cause(text, cause):
    found = refusals(asked(extra("x", text)))

    assert [f"Junos would not read this override: {cause}"] == [one.rule for one in found]


@pytest.mark.parametrize(
    ("model", "codes"), [("juniper-qfx5220-32cd", {"FAB525"}), ("juniper-qfx5230-64cd", set()), (QFX, set())]
)
def test_a_model_without_a_documented_watchdog_is_warned_of(model, codes):
    found = refusals(leaf("junos", SLOW, model=model), Severity.WARNING)

    assert codes == {one.code for one in found}


def test_a_model_without_a_described_buffer_says_nothing_of_queues():
    unknown = own_model("QFX10002-60C")

    assert {} == PLATFORM.derived(unknown)
    assert not PLATFORM.capabilities(None, unknown.hardware).pfc


def test_nothing_is_left_to_be_written():
    sources = PLATFORM.capabilities(None, load_catalogue().switches[QFX]).sources

    assert not [text for text in sources.values() if "yet" in text or "memory" in text]


def test_a_certificate_for_gnmi_is_asked_for():
    certified = asked(CERTIFIED)

    assert ["FAB528"] == [one.code for one in refusals(certified, Severity.INFO)]
    assert "local-certificate fabric" in printed(certified)
