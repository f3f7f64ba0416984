"""Capabilities decide: a flag at *cannot* refuses the intent that wants it, and leaves every other text as it was."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, get_args

import msgspec
import pytest
from msgspec.structs import replace

from fabric import platforms
from fabric.devices.model import Switch
from fabric.diagnostics import Diagnostic, Invalid
from fabric.intent.model import Hashing, SnmpUser
from fabric.platforms.base import Behaviour, Capabilities, Provenance
from fabric.platforms.capabilities import BESIDE_FLAGS
from fabric.platforms.needs.table import NEEDS, unmet
from tests.platforms.cases import RELAY, RESERVED, SHUT, TWO_PLANES, addressing
from tests.platforms.everywhere import ANY, MODELS, capabilities, product
from tests.platforms.sites import (
    KEY,
    LEAF,
    NULL,
    POLICY,
    Words,
    attachments,
    extra,
    klass,
    network,
    policy,
    printed,
    services,
    state,
    switch,
)

CAN = {name: capabilities(name) for name in sorted(MODELS)}
"""Asked for before any flag is flipped."""
FLAGS = [
    field.name
    for field in msgspec.structs.fields(Capabilities)
    if field.name not in BESIDE_FLAGS | set(Behaviour.__struct_fields__)
]
CANNOT = Capabilities()


def words_of(struct: type[msgspec.Struct], field: str) -> frozenset[str]:
    """The words that a setting of the intent may have."""
    kind = msgspec.structs.fields(struct)[struct.__struct_fields__.index(field)].type
    return frozenset(get_args(kind))


ABLE = msgspec.convert(
    {field.name: True for field in msgspec.structs.fields(Capabilities) if field.type is bool}
    | dict.fromkeys(("headroom", "pause_threshold", "resume_threshold"), get_args(Provenance)[0])
    | {
        "max_lossless_priorities": 8,
        "max_strict_queues": 8,
        "watchdog_actions": ["drop", "forward", "notify"],
    }
    | {"snmp_auth": words_of(SnmpUser, "auth"), "snmp_privacy": words_of(SnmpUser, "privacy")}
    | {"own_watchdog_action": False, "hash_fields": ["roce_qp", *Hashing().fields]},
    Capabilities,
)
"""A product that supports everything."""
PLAIN = network(f"{{lossless: {NULL}, routing: {{bfd: none, bgp: {{max_prefixes: none}}}}}}")
LOSSLESS = network(f"lossless: {POLICY}")
WATCHED = policy("watchdog: {action: drop, detect: 200ms, restore: 200ms}")
STORE = "{network: compute, kind: storage, links: 2, speed: 400G, to: {unit: 0, rails: [0]}, vlan: 120, %s}"
ROUTER = "{network: compute, kind: router, links: 1, speed: 400G, to: {unit: 0, rails: [0]}, bgp: {asn: 64512, %s}}"
OUTSIDE = "prefixes: [203.0.113.0/24], advertise: [10.0.0.0/10]"
GNMI = services("{gnmi: {}, certificate: {name: fabric}}")
SNMP = services('snmp: {users: {watcher: {auth_secret: "env:A", privacy_secret: "env:P"}}}')
BONDS = (TWO_PLANES, addressing("host_links: {mode: lacp, host_arp_duplication: true}"))
RELAYED = addressing(f"host_links: {{{RELAY}}}")
ROUTING, LINKS = "networks.compute.routing", "networks.compute.addressing.host_links"


class Wish(NamedTuple):
    """An intent that wants a flag, and where it says so."""

    place: str
    words: tuple[Words, ...] = ()
    device: str = LEAF
    tells: str = ""
    """The flag whose need is not met then, if it is another one."""


def stored(words: str) -> tuple[Words, ...]:
    """Storage in a VLAN of its own."""
    return RESERVED, attachments(f"store: {STORE % words}")


def routed(words: str) -> tuple[Words, ...]:
    """A setting of routing."""
    return (network(f"routing: {{{words}}}"),)


def border(words: str) -> tuple[Words, ...]:
    """A router outside, with these settings of its session."""
    return RESERVED, attachments(f"border: {ROUTER % words}")


WISHES: dict[str, Wish] = {
    "known_release": Wish("networks.compute.tiers.leaf.release"),
    "known_hardware": Wish("networks.compute.tiers.leaf.model"),
    "unnumbered_bgp": Wish("networks.compute.addressing.family", (addressing("family: unnumbered"),)),
    "ipv6_fabric": Wish("networks.compute.addressing.family", (addressing("family: dual"),)),
    "external_sessions": Wish("attachments.border.bgp", border(OUTSIDE)),
    "bfd": Wish(f"{ROUTING}.bfd", routed("bfd: {interval: 300ms, multiplier: 3}")),
    "bgp_password": Wish(f"{ROUTING}.bgp.password", routed("bgp: {password: 'env:BGP'}")),
    "ttl_security": Wish(f"{ROUTING}.bgp.ttl_security", routed("bgp: {ttl_security: true}")),
    "max_prefixes": Wish(f"{ROUTING}.bgp.max_prefixes", routed("bgp: {max_prefixes: 500}")),
    "discard_routes": Wish(
        "attachments.border.bgp", border("prefixes: [0.0.0.0/0], advertise: [10.0.0.0/10]")
    ),
    "drain": Wish("drained", (state(f"drained: [{{device: {LEAF}, mode: graceful, {SHUT}}}]"),)),
    "flowlet_balancing": Wish(f"{ROUTING}.load_balancing", routed("load_balancing: flowlet")),
    "per_packet_balancing": Wish(
        f"{ROUTING}.load_balancing", routed("load_balancing: per_packet, nics_reorder: true")
    ),
    "hash_fields": Wish(f"{ROUTING}.hashing.fields", routed("hashing: {fields: [src_ip, dst_ip]}")),
    "hash_seed": Wish(f"{ROUTING}.hashing.seed", routed("hashing: {seed: per_tier}")),
    "vlan_gateways": Wish(f"{LINKS}.mode", (addressing("host_links: {mode: vlan}"),)),
    "tagged_vlans": Wish("attachments.store.tagged", stored("tagged: true")),
    "lacp_bundles": Wish("attachments.store.lacp", stored("lacp: true")),
    "dual_tor_lacp": Wish(f"{LINKS}.mode", BONDS, "leaf-0-0-1"),
    "host_routes_from_arp": Wish(f"{LINKS}.mode", BONDS, "leaf-0-0-1"),
    "dhcp_relay": Wish(f"{LINKS}.assignment", (RELAYED,)),
    "routed_dhcp_relay": Wish(f"{LINKS}.assignment", (RELAYED,)),
    "dhcpv6_relay": Wish(f"{LINKS}.dhcp_servers", (RELAYED,)),
    "slaac": Wish(
        f"{LINKS}.assignment",
        (addressing("family: dual, host_links: {assignment: slaac, prefix6_length: 64}"),),
    ),
    "queueing": Wish("classes", (LOSSLESS,)),
    "vlan_queueing": Wish(f"{LINKS}.mode", (LOSSLESS, addressing("host_links: {mode: vlan}"))),
    "pfc": Wish("classes", (LOSSLESS,)),
    "separate_priorities": Wish("classes.roce.priority", (LOSSLESS, klass("roce", "priority: 4"))),
    "max_strict_queues": Wish("classes.cnp.strict", (LOSSLESS,)),
    "strict_below_weighted": Wish(
        "classes.cnp.strict", (LOSSLESS, klass("rest", "{traffic_class: 7, queue: 7}"))
    ),
    "strict_pfc": Wish(
        "classes.roce.strict",
        (LOSSLESS, klass("roce", "{strict: true, share: null}"), klass("rest", "share: 100")),
    ),
    "strict_ecn": Wish("classes.cnp.ecn", (LOSSLESS, klass("cnp", "ecn: auto"))),
    "users_without_password": Wish(
        "services.users.ghost", (services(f'users: {{ghost: {{ssh_keys: ["{KEY}"]}}}}'),)
    ),
    "max_lossless_priorities": Wish("classes", (LOSSLESS,)),
    "headroom": Wish("classes", (LOSSLESS,)),
    "pause_threshold": Wish("classes", (LOSSLESS,)),
    "resume_threshold": Wish("classes", (LOSSLESS,)),
    "pfc_watchdog": Wish("watchdog", (LOSSLESS, WATCHED)),
    "watchdog_actions": Wish("watchdog.action", (LOSSLESS, WATCHED)),
    "own_watchdog_action": Wish("watchdog.action", (LOSSLESS, WATCHED), tells="watchdog_actions"),
    "ecn": Wish("classes.roce.ecn", (LOSSLESS,)),
    "max_rate": Wish("classes.cnp.max_rate", (LOSSLESS,)),
    "packet_trimming": Wish("trim", (LOSSLESS, policy("trim: {size: 512B, classes: [rest], into: cnp}"))),
    "snmpv3": Wish("services.snmp", (SNMP,)),
    "snmp_auth": Wish("services.snmp.users.watcher.auth", (SNMP,)),
    "snmp_privacy": Wish("services.snmp.users.watcher.privacy", (SNMP,)),
    "snmp_traps": Wish("services.snmp.trap_servers", (SNMP, services("snmp: {trap_servers: [192.0.2.40]}"))),
    "tacacs": Wish("services.tacacs", (services("tacacs: {servers: [192.0.2.70], secret: 'env:T'}"),)),
    "gnmi": Wish("services.gnmi", (GNMI,)),
    "certificate": Wish("services.certificate", (GNMI,)),
    "client_certificates": Wish(
        "services.certificate.client_ca", (GNMI, services("certificate: {client_ca: ca}"))
    ),
    "own_certificate": Wish("services.gnmi", (services("gnmi: {}"),)),
    "ssh_allow": Wish("services.ssh.allow", (services("ssh: {allow: [198.51.100.0/24]}"),)),
    "gnmi_allow": Wish(
        "services.management.allow", (GNMI, services("management: {allow: [198.51.100.0/24]}"))
    ),
    "management_in_default_vrf": Wish("services.management.vrf", (services("management: {vrf: default}"),)),
    "lldp_off": Wish("services.lldp", (services("lldp: false"),)),
    "syslog_level": Wish("services.syslog.level", (services("syslog: {level: warnings}"),)),
    "verbatim_lines": Wish("overrides[0].extra.x", (extra("x", "one two"),)),
    "outside": Wish("services.lldp", (services("lldp: false"),), tells="lldp_off"),
}
BYSTANDERS: tuple[tuple[Words, ...], ...] = (
    (),
    (LOSSLESS,),
    (LOSSLESS, addressing("family: unnumbered"), *routed("bfd: {interval: 300ms, multiplier: 3}")),
    (addressing("host_links: {mode: vlan}"), *border(OUTSIDE)),
    (GNMI, SNMP, services("tacacs: {servers: [192.0.2.70], secret: 'env:T'}")),
)
"""Intents that want nothing, or only some of it: what does not want a flag is printed as before."""


@cache
def bystander(platform: str, number: int) -> tuple[Switch, str | None]:
    """The switch of a bystander, and what is printed for it while no flag is flipped; None: it is refused."""
    device = switch(platform, LEAF, PLAIN, *BYSTANDERS[number])
    return device, None if list(unmet(device, platform, CAN[platform])) else printed(device)


def asking(platform: str, flag: str) -> Switch:
    """The switch of the intent that wants a flag."""
    wish = WISHES[flag]
    return switch(platform, wish.device, PLAIN, *wish.words)


def without(can: Capabilities, flag: str) -> Capabilities:
    """The record with that flag at *cannot*, and able of what must be there for the flag to be judged at all."""
    rows = [need for need in NEEDS if need.capability == (WISHES[flag].tells or flag)]
    given = {need.given for need in rows} - {""}
    aside = {need.instead for need in rows} - {""}
    changes: dict[str, Any] = {name: getattr(ABLE, name) for name in given}
    changes |= dict.fromkeys(aside, False)
    changes |= {"outside": can.outside - {need.service for need in rows}}
    changes |= {name: getattr(CANNOT, name) for name in (flag, WISHES[flag].tells) if name}
    return replace(can, **changes)


def flip(monkeypatch: pytest.MonkeyPatch, platform: str, can: Capabilities) -> None:
    """Let a platform say this of itself."""
    monkeypatch.setitem(vars(product(platform)), "capabilities", lambda _release, _hardware: can)


def lacking(found: tuple[Diagnostic, ...]) -> dict[str, Diagnostic]:
    """The findings that something is not supported, by flag."""
    return {
        one.unsupported.capability: one for one in found if one.unsupported and one.unsupported.capability
    }


def test_every_flag_is_read_by_a_need():
    read = {need.capability for need in NEEDS} | {need.instead for need in NEEDS} - {""}

    assert set(FLAGS) == set(WISHES)
    assert {"outside"} == set(FLAGS) - read
    assert read < set(FLAGS)
    assert {need.given for need in NEEDS} - {""} <= read
    assert {need.service for need in NEEDS} - {""} <= {
        service for can in CAN.values() for service in can.outside
    }


@pytest.mark.parametrize("name", sorted(MODELS))
def test_every_flag_that_is_not_at_its_default_has_a_source(name):
    can = CAN[name]
    flags = set(Capabilities.__struct_fields__) - BESIDE_FLAGS
    changed = {flag for flag in flags if getattr(can, flag) != getattr(CANNOT, flag)}

    assert [] == sorted(flag for flag in changed if not can.sources.get(flag))


@pytest.mark.parametrize("name", sorted(MODELS))
def test_a_flag_at_cannot_has_a_source_unless_another_flag_or_tool_decides(name):
    sources = CAN[name].sources
    parents = {need.capability: need.given for need in NEEDS} | {"own_watchdog_action": "pfc_watchdog"}
    elsewhere = {need.capability for need in NEEDS if need.service in CAN[name].outside} | {"outside"}
    flags = set(Capabilities.__struct_fields__) - BESIDE_FLAGS - elsewhere

    assert [] == sorted(flag for flag in flags if not ({flag, parents.get(flag)} & set(sources)))


@pytest.mark.parametrize("flag", FLAGS)
@pytest.mark.parametrize("name", sorted(MODELS))
def test_a_flag_at_cannot_refuses_the_intent_that_wants_it_where_it_says_so(name, flag, monkeypatch):
    wish, device = WISHES[flag], asking(name, flag)
    flip(monkeypatch, name, without(CAN[name], flag))
    with pytest.raises(Invalid) as caught:
        printed(device)

    found = lacking(caught.value.diagnostics)[wish.tells or flag]
    assert ("FAB579", wish.place) == (found.code, str(found.origin))
    assert found.hint
    assert f"{product(name).title} on {device.hardware.model}: {found.unsupported.feature}" == found.rule
    assert product(name).title == found.unsupported.product


@pytest.mark.parametrize("flag", sorted(set(FLAGS) - {"known_release", "known_hardware"}))
@pytest.mark.parametrize("name", sorted(MODELS))
def test_an_intent_that_does_not_want_a_flag_is_printed_as_before(name, flag, monkeypatch):
    same = 0
    for number in range(len(BYSTANDERS)):
        device, before = bystander(name, number)
        if list(unmet(device, name, can := without(CAN[name], flag))) or before is None:
            continue
        with monkeypatch.context() as patch:
            flip(patch, name, can)

            assert before == printed(device)
        same += 1
    assert same


@pytest.mark.parametrize("flag", FLAGS)
def test_one_flag_is_told_and_no_other(flag):
    device = asking(ANY, flag)

    assert not list(unmet(device, "Any", ABLE))
    assert {WISHES[flag].tells or flag} == set(lacking(tuple(unmet(device, "Any", without(ABLE, flag)))))


def test_a_product_that_does_something_else_there_or_leaves_it_to_others_is_not_refused():
    action, lldp = asking(ANY, "own_watchdog_action"), asking(ANY, "outside")

    assert not list(
        unmet(action, "Any", replace(ABLE, watchdog_actions=frozenset(), own_watchdog_action=True))
    )
    assert not list(unmet(lldp, "Any", replace(ABLE, lldp_off=False, outside=frozenset({"lldp"}))))


def test_what_is_refused_with_all_it_belongs_to_is_told_once():
    """A product without gNMI is not asked for certificates, nor one without PFC for headroom."""
    certified = switch(ANY, LEAF, GNMI, services("management: {allow: [198.51.100.0/24]}"))
    nothing = replace(ABLE, gnmi=False, certificate=False, gnmi_allow=False, pfc=False, headroom="refused")

    assert {"gnmi", "pfc"} == set(lacking(tuple(unmet(certified, "Any", nothing))))


@pytest.mark.parametrize("flag", ["known_release", "known_hardware"])
def test_of_an_unknown_release_nothing_else_is_said(flag):
    device = asking(ANY, "gnmi")

    assert [flag] == list(lacking(tuple(unmet(device, "Any", replace(CANNOT, **{**KNOWN, flag: False})))))


KNOWN = {"known_release": True, "known_hardware": True}


def test_the_products_of_a_mixed_fabric_are_told_apart():
    device = asking(ANY, "hash_seed")
    can = replace(ABLE, hash_seed=False)
    found = [*unmet(device, "One", can), *unmet(device, "Other", can), *unmet(device, "Other", can)]

    assert 2 == len({(one.code, one.origin, one.about) for one in found})


def test_lowering_never_asks_the_capabilities():
    """They are judged once, before: a refusal in `lower` would be a second table."""
    home = Path(platforms.__file__).parent
    asks = [
        f"{file.parent.name}/{file.name}"
        for file in sorted(home.glob("*/*.py"))
        if file.parent.name != "needs"
        if file.name not in ("__init__.py", "capabilities.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        and {alias.name for alias in node.names} & {"capabilities", "Capabilities"}
    ]

    assert [] == asks
