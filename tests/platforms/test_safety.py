"""What keeps a fabric safe whatever the product: drains that lose nothing, balancing that reaches its peer."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from fabric import rendering
from fabric.devices.derive import derive
from fabric.devices.model import LinkRole, Switch
from fabric.devices.site_devices import Devices
from fabric.diagnostics import Invalid, Report
from fabric.intent.load import load_text
from fabric.platforms import registry
from fabric.platforms.needs.table import lowered, unmet
from fabric.platforms.ports import idle_ports
from fabric.rendering.check_ssh_from_hosts import check_access
from fabric.topology.expand import expand
from tests.platforms.everywhere import (
    ADDRESSES,
    EXPECTATIONS,
    FEATURES,
    MODELS,
    SITE,
    capabilities,
    devices,
    policy,
    product,
)

MARK = re.compile(r"65535:0|GSHUT|graceful-shutdown")
"""GRACEFUL_SHUTDOWN (RFC 8326) in the words of the products."""
SHUT = re.compile(
    r"neighbor \S+ shutdown|^\s+shutdown: |^ +shutdown;|^  (?:  )?shutdown$|\"admin-state\":\s*\"disable\"",
    re.MULTILINE,
)


def texts(name: str, rest: str = "", state: str = "", network: str = "") -> dict[str, str]:
    """The text of each switch of the shared site."""
    made = switches(name, rest, state, network)
    artifacts = rendering.render(made)
    return {switch.name: artifacts.of(switch).text for switch in made.values()}


def switches(name: str, rest: str = "", state: str = "", network: str = "") -> Devices:
    """The switches of the shared site."""
    words = {"model": MODELS[name], "platform": name}
    files = {
        "site.yaml": SITE.format(**words, network=network, tiers="", rest=rest, ports="", leaf="", spine=""),
        "policy.yaml": policy(name),
        "inventory.yaml": ADDRESSES,
    }
    if state:
        files["state.yaml"] = state
    intent = load_text(files)
    return derive(intent, expand(intent), registry)


def drained(mode: str) -> str:
    """A state in which a spine is drained."""
    return (
        f'drained: [{{device: spine-0, mode: {mode}, reason: optics, owner: ana, expires: "2099-01-01"}}]\n'
    )


@pytest.mark.parametrize("name", sorted(MODELS))
def test_a_drain_marks_routes_before_it_shuts_sessions(name):
    before, graceful, shut = (
        texts(name),
        texts(name, state=drained("graceful")),
        texts(name, state=drained("shut")),
    )

    marks = [len(MARK.findall(made["spine-0"])) for made in (before, graceful, shut)]
    assert marks[0] < marks[1] == marks[2]
    assert len(SHUT.findall(before["spine-0"])) == len(SHUT.findall(graceful["spine-0"]))
    assert len(SHUT.findall(graceful["spine-0"])) < len(SHUT.findall(shut["spine-0"]))
    assert {name: text for name, text in before.items() if name != "spine-0"} == {
        name: text for name, text in graceful.items() if name != "spine-0"
    }


@pytest.mark.parametrize(
    "name", sorted(name for name in MODELS if not EXPECTATIONS[name].obeys_graceful_shutdown)
)
def test_neighbours_avoid_what_a_drained_switch_sends(name):
    for text in texts(name).values():
        assert MARK.search(text)
        assert re.search(r"local-preference\W+(?:\"set\":\s*)?0\b", text)


CERTIFICATE = "  certificate: {name: fabric}\n"
CLIENTS = "  certificate: {name: fabric, client_ca: clients}\n"
GNMI = "  gnmi: {port: 6030}\n"
ALLOW = "  management: {allow: [192.0.2.0/24]}\n"
SSH_ALLOW = "  ssh: {allow: [192.0.2.0/24]}\n"
NO_BFD = "    routing: {bfd: none}\n"
"""A list of who may use SSH goes without BFD on SONiC."""
LIMITS = {
    "ssh_allow": (SSH_ALLOW, ("services", "ssh", "allow")),
    "own_certificate": (GNMI, ("services", "gnmi")),
    "certificate": (GNMI + CERTIFICATE, ("services", "certificate")),
    "client_certificates": (GNMI + CLIENTS, ("services", "certificate", "client_ca")),
    "gnmi_allow": (GNMI + CERTIFICATE + ALLOW, ("services", "management", "allow")),
}
"""What limits management: the flag, the intent that wants it, and where a refusal points."""
OTHERWISE = {
    "ssh_allow": lambda rest: rest.replace("192.0.2.0", "198.51.100.0"),
    "own_certificate": lambda rest: rest.replace(GNMI, ""),
    "certificate": lambda rest: rest.replace("fabric", "other"),
    "client_certificates": lambda rest: rest.replace("clients", "others"),
    "gnmi_allow": lambda rest: rest.replace("192.0.2.0", "198.51.100.0"),
}
"""The same intent with another value of the one thing."""
FLAGS = [(name, flag) for name in sorted(MODELS) for flag in LIMITS]
NO_GNMI = {name for name in MODELS if not capabilities(name).gnmi}
OUTSIDE = {name for name in MODELS if "ssh" in capabilities(name).outside}
"""They write no SSH server at all, and say so by a warning."""


WRITTEN = [
    (name, flag) for name, flag in FLAGS if name not in (NO_GNMI if "gnmi" in LIMITS[flag][0] else OUTSIDE)
]


@pytest.mark.parametrize(("name", "flag"), WRITTEN)
def test_what_limits_management_is_written_or_refused(name, flag):
    """What a product is not told makes no difference to its text: nothing may be dropped so."""
    rest, place = LIMITS[flag]
    if getattr(capabilities(name), flag):
        other = OTHERWISE[flag](rest)
        assert rest != other
        assert texts(name, rest, network=NO_BFD) != texts(name, other, network=NO_BFD)
        return

    with pytest.raises(Invalid) as caught:
        texts(name, rest, network=NO_BFD)
    found = {finding.origin.path: finding for finding in caught.value.diagnostics if finding.is_error}
    assert place in found
    assert found[place].hint


@pytest.mark.parametrize("name", sorted(MODELS))
def test_a_drain_that_keeps_sessions_needs_a_mark(name):
    made = switches(name, state=drained("graceful"))
    kept = [switch for switch in made.values() if isinstance(switch, Switch) and switch.keeps_sessions]

    assert [switch.name for switch in kept] == ["spine-0"]
    for switch in kept:
        can = replace(capabilities(name), drain=False)
        assert [one.origin.path for one in unmet(switch, name, can)] == [("drained",)]


@pytest.mark.parametrize("vrf", ["MGMT", "default"])
@pytest.mark.parametrize("name", sorted(MODELS))
def test_ssh_that_hosts_reach_is_told_and_the_hint_silences_it(name, vrf):
    management = f"  management: {{vrf: {vrf}}}\n"
    found = access(switches(name, management))

    assert [finding.code for finding in found] == (
        [] if vrf != "default" and capabilities(name).ssh_apart else ["FAB578"]
    )
    allowed = management.replace("}", ", allow: [192.0.2.0/24]}")
    refuses_vrf = vrf == "default" and not capabilities(name).management_in_default_vrf
    for finding in found:
        assert product(name).title in finding.rule
        if finding.hint.startswith("add `management: {allow: [PREFIX]}`"):
            assert not access(switches(name, allowed))
            assert refuses_vrf or texts(name, allowed)
            continue
        with pytest.raises(Invalid):
            texts(name, allowed)
        if "`bfd: none`" in finding.hint:  # what refuses the list, and the way around it
            assert refuses_vrf or texts(name, allowed, network=NO_BFD)
        else:
            with pytest.raises(Invalid):
                texts(name, allowed, network=NO_BFD)


def access(made: Devices) -> list:
    """What is found of SSH."""
    report = Report()
    check_access(made, report)
    return list(report)


CLEAR_TEXT = sorted(name for name in set(MODELS) - NO_GNMI if not capabilities(name).own_certificate)


@pytest.mark.parametrize("name", CLEAR_TEXT)
def test_gnmi_without_a_certificate_is_refused_where_it_would_run_in_clear_text(name):
    with pytest.raises(Invalid) as caught:
        texts(name, rest=GNMI)

    (error,) = {finding.origin: finding for finding in caught.value.diagnostics if finding.is_error}.values()
    assert error.origin.path == ("services", "gnmi")
    assert "certificate: {name: fabric}" in (error.hint or "")
    assert texts(name, rest=GNMI + CERTIFICATE)


@pytest.mark.parametrize("feature", ["two tiers", "vlan gateways", "border router"])
@pytest.mark.parametrize("name", sorted(MODELS))
def test_no_cage_of_the_box_is_up_without_a_purpose(name, feature):
    """Written shut, or in no line at all where the product leaves it down, and then a source says so."""
    can = capabilities(name)
    if not FEATURES[feature].able(can):
        return
    assert can.sources["idle_cages"]
    made = devices(name, feature)
    artifacts = rendering.render(made)
    for switch in made.values():
        assert isinstance(switch, Switch)
        found = product(name).read(artifacts.of(switch).text).facts.interfaces
        used = {port.name for port in switch.ports if port.role is not LinkRole.UNUSED}
        idle = {port.name for port in idle_ports(switch, product(name).port_name)}

        assert idle, "the box has more cages than this site uses"
        assert (can.idle_cages == "written shut") == (idle <= set(found))
        assert can.idle_cages != "down by default" or not idle & set(found)
        assert not [port for port in idle & set(found) if found[port].enabled]
        assert not [port.name for port in switch.ports if port.name not in used and found[port.name].enabled]


@pytest.mark.parametrize("name", sorted(name for name in MODELS if capabilities(name).vlan_gateways))
def test_switched_ports_to_hosts_are_guarded_where_the_table_says_so(name):
    artifacts = rendering.render(devices(name, "vlan gateways"))
    text = artifacts["leaf-0-0"].text
    routed = rendering.render(devices(name, "two tiers"))["leaf-0-0"].text

    assert capabilities(name).sources["host_port_guards"]
    for guard in ("bpdu", "storm"):
        assert (guard in text) == capabilities(name).host_port_guards
        assert guard not in routed


@pytest.mark.parametrize("name", sorted(MODELS))
def test_what_protects_the_processor_has_a_source_and_is_there_where_it_is_ours(name):
    can = capabilities(name)
    facts = product(name).read(texts(name)["leaf-0-0"]).facts

    assert can.sources["control_plane"]
    assert can.control_plane != "written" or facts.services["firewall"]


@pytest.mark.parametrize("rest", [ALLOW, SSH_ALLOW])
def test_a_list_of_who_may_use_ssh_never_costs_bfd(rest):
    """Where the product would drop BFD beside such a list, the list is refused, with what to write instead."""
    for name in sorted(set(MODELS) - OUTSIDE):
        if not capabilities(name).ssh_allow:
            continue
        report = Report()
        for switch in switches(name, rest).values():
            lowered(switch, product(name), report)
        errors = [finding for finding in report if finding.is_error]
        assert all("bfd: none" in finding.hint for finding in errors)
        if not errors:
            text = texts(name, rest)["leaf-0-0"]
            assert any(one.bfd for one in product(name).read(text).facts.neighbors.values())
        assert texts(name, rest, network=NO_BFD)


TWO_LISTS = GNMI + CERTIFICATE + SSH_ALLOW
FIRST, SECOND = "  management: {allow: [203.0.113.0/24]}\n", "  management: {allow: [198.51.100.0/24]}\n"


@pytest.mark.parametrize("name", sorted(name for name in MODELS if capabilities(name).gnmi_allow))
def test_a_list_for_gnmi_beside_that_of_ssh_has_its_effect_or_is_refused(name):
    report = Report()
    for switch in switches(name, TWO_LISTS + FIRST, network=NO_BFD).values():
        lowered(switch, product(name), report)
    errors = [finding for finding in report if finding.is_error]

    assert all(finding.origin.path == ("services", "ssh", "allow") for finding in errors)
    if not errors:
        first = texts(name, TWO_LISTS + FIRST, network=NO_BFD)
        assert first != texts(name, TWO_LISTS + SECOND, network=NO_BFD)
    assert texts(name, (TWO_LISTS + FIRST).replace(SSH_ALLOW, ""), network=NO_BFD)


REPLACING = re.compile(
    r"set community (?!.*(?:additive|none|delete)).*|then community = .*|community set .*|\"set_community_inline\".*"
)
"""What takes from a route the communities that it came with, in the words of the products that print text."""


@pytest.mark.parametrize("name", sorted(name for name in MODELS if EXPECTATIONS[name].adds_communities))
def test_no_policy_takes_graceful_shutdown_from_a_route(name):
    for text in texts(name).values():
        assert [] == REPLACING.findall(text)


def test_the_words_that_replace_communities_are_found():
    assert REPLACING.search("  set community 64999:1")
    assert not REPLACING.search("  set community 64999:1 additive")


BORDER = (
    "attachments:\n  border: {network: compute, kind: router, links: 2, speed: 400G, to: {tier: leaf}, "
    "bgp: {asn: 65010, prefixes: [0.0.0.0/0], advertise: [10.0.0.0/10]}}\n"
)


@pytest.mark.parametrize("name", sorted(MODELS))
def test_our_mark_neither_comes_from_the_outside_nor_goes_there(name):
    words = {"model": MODELS[name], "platform": name}
    site = SITE.format(**words, network="", tiers="", rest=BORDER, ports="", leaf="", spine="")
    site = site.replace(
        f"platform: {name}}}\n      spine", f"platform: {name}, reserved_ports: 1}}\n      spine"
    )
    intent = load_text({"site.yaml": site, "policy.yaml": policy(name), "inventory.yaml": ADDRESSES})
    made = derive(intent, expand(intent), registry)
    artifacts = rendering.render(made)
    near = [one for one in made.values() if any(n.relation == "external" for n in one.routing.neighbors)]

    assert near
    for switch in made.values():
        text = re.sub(r"\s+(?=[\"{}:])|(?<=[\"{}:])\s+(?=[\"{}])", "", artifacts.of(switch).text)
        assert (2 if switch in near else 0) <= text.count(EXPECTATIONS[name].unmarked)
        assert switch in near or not text.count(EXPECTATIONS[name].unmarked)
