"""Attachments through all platforms: their switch originates their prefixes, and every other one accepts them."""

# ruff: noqa: E501  # a hash is one word

from __future__ import annotations

import re
from ipaddress import ip_network

import pytest

from fabric.devices.derive import derive
from fabric.devices.model import LinkRole
from fabric.diagnostics import Invalid
from fabric.intent.load import load_text
from fabric.platforms import registry
from fabric.topology.expand import expand
from tests.platforms.everywhere import ANY, MODELS, capabilities, product, texts

SITE = """site: shared
units: 2
hosts:
  gpu: {{gpus: 2, per_unit: 2, nics: {{compute: {{count: 2, speed: 400G}}}}}}
networks:
  compute:
    addressing: {{family: {family}{more}}}
    routing: {{advertise_host_links: {advertised}}}
    lossless: null
    tiers:
      leaf: {{model: {model}, platform: {platform}, reserved_ports: 2, max_oversubscription: "4:1"}}
      spine: {{model: {model}, platform: {platform}, count: 2, reserved_ports: 1}}
services:
  users:
    netops: {{role: admin, password_hash: "$6$abcdefgh$0123..................................................................................", password_hash_sha256: "$5$abcdefgh$0123......................................."}}
attachments:
  filer: {{network: compute, kind: storage, links: 2, speed: 400G, to: {{tier: leaf, unit: 1}}}}
  backup: {{network: compute, kind: other, links: 1, speed: 400G, to: {{tier: spine}}}}
  given: {{network: compute, kind: storage, links: 1, speed: 400G, to: {{tier: leaf, unit: 0}},
    addresses: [{{ours: "{ours}", theirs: "{theirs}"}}]}}
"""
FAMILIES = {
    "ipv4": ((4,), "198.51.100.1/30", "198.51.100.2/30"),
    "ipv6": ((6,), "2001:db8::1/126", "2001:db8::2/126"),
    "dual": ((4, 6), "198.51.100.1/30", "198.51.100.2/30"),
    "dual, hosts of ipv6": ((6,), "2001:db8::1/126", "2001:db8::2/126"),
}
RANGE = re.compile(
    r"(?:ip-prefix\": \")?([0-9a-f.:]+/\d+)"
    r"(?: (exact)| eq (\d+)| prefix-length-range /(\d+)-/(\d+)| (\d+)\.\.(\d+)"
    r"| max (\d+); \d+ \S+ min (\d+)|(?: ge (\d+))?(?: le (\d+))?)"
)


def ranges(text):
    """Every prefix with the shortest and longest length that it stands for, in whatever syntax a reader noted it."""
    for match in RANGE.finditer(text):
        prefix = ip_network(match[1])
        _, _, exact, low, high, from_, to, most, least, ge, le = match.groups()
        length = prefix.prefixlen
        shortest = next(int(n) for n in (exact, low, from_, least, ge, length) if n is not None)
        longest = next(int(n) for n in (exact, high, to, most, le, length) if n is not None)
        yield prefix, shortest, longest


def permits(policies, word, prefix):
    """Whether a list or term of that name has room for a prefix."""
    for name, text in policies.items():
        for part in re.split(r"; (?=term )", text):
            if word in (name + part.partition(" from ")[0]).lower().replace("prefix-set", ""):
                for known, shortest, longest in ranges(part):
                    if (
                        known.version == prefix.version
                        and prefix.subnet_of(known)
                        and shortest <= prefix.prefixlen <= longest
                    ):
                        return True
    return False


def made(name, family, advertised="aggregate"):
    carried, ours, theirs = FAMILIES[family]
    word, _, rest = family.partition(",")
    more = ", host_family: ipv6" if rest else ""
    site = SITE.format(
        platform=name, model=MODELS[name], family=word, more=more, ours=ours, theirs=theirs, advertised=advertised
    )  # fmt: skip
    intent = load_text({"site.yaml": site})
    return derive(intent, expand(intent), registry), carried


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", sorted(MODELS))
def test_an_attachment_is_originated_by_its_switch_and_accepted_by_all_others(name, family):
    devices, carried = made(name, family)
    facts = {switch.name: product(name).read(text).facts for switch, text in texts(devices)}
    links = [
        (switch.name, port.peer, address.network)
        for switch in devices.values()
        for port in switch.ports
        for address in port.addresses
        if port.role is LinkRole.ATTACHMENT
    ]

    assert {"filer", "backup", "given"} == {peer for _, peer, _ in links}
    assert {(p, v) for p in ("filer", "backup") for v in carried} <= {(p, n.version) for _, p, n in links}
    for device, _, prefix in links:
        for other, found in facts.items():
            if other == device:
                assert permits(found.policies, "hosts", prefix), (device, prefix)
            else:
                assert permits(found.policies, "accepted", prefix), (other, prefix)
                assert not permits(found.policies, "hosts", prefix), (other, prefix)


@pytest.mark.parametrize("name", sorted(MODELS))
def test_the_check_sees_a_prefix_that_nobody_accepts(name):
    devices, _ = made(name, "ipv4")
    for _, text in texts(devices):
        policies = product(name).read(text).facts.policies
        assert not permits(policies, "accepted", ip_network("203.0.113.0/24"))
        assert not permits(policies, "accepted", ip_network("10.0.0.0/32"))


@pytest.mark.parametrize("name", sorted(MODELS))
def test_attachments_are_advertised_as_hosts_are(name):
    devices, _ = made(name, "ipv4", "none")

    assert {()} == {switch.routing.host_prefixes for switch in devices.values()}


VLANS = [name for name in sorted(MODELS) if capabilities(name).vlan_gateways]


def with_vlans(name, family, bundle, vlan=120):
    """The site above with `filer` in a VLAN, and one of written addresses in another; some products bundle ports."""
    carried, ours, theirs = FAMILIES[family]
    site = SITE.replace("kind: storage, links: 2,", f"kind: storage, links: 2, vlan: {vlan}{bundle},")
    site = site.replace("kind: storage, links: 1,", "kind: storage, links: 1, vlan: 130,")
    site = site.format(
        platform=name,
        model=MODELS[name],
        family=family,
        more="",
        ours=ours,
        theirs=theirs,
        advertised="aggregate",
    )
    intent = load_text({"site.yaml": site})
    return derive(intent, expand(intent), registry), carried


@pytest.mark.parametrize("family", ["ipv4", "ipv6", "dual"])
@pytest.mark.parametrize("name", VLANS)
def test_the_subnet_of_a_vlan_is_originated_by_its_leaf_and_accepted_by_all_others(name, family):
    bundle = ", lacp: true" if capabilities(name).lacp_bundles else ""
    devices, carried = with_vlans(name, family, bundle)
    printed = list(texts(devices))
    facts = {switch.name: product(name).read(text).facts for switch, text in printed}
    subnets = [
        (switch.name, one.attachment, address)
        for switch, _ in printed
        for one in switch.gateways
        for address in one.addresses
    ]

    assert {"filer", "given"} == {who for _, who, _ in subnets}
    assert {("filer", version) for version in carried} <= {(who, a.version) for _, who, a in subnets}
    for switch, _ in printed:
        for port in switch.ports:
            if port.peer in ("filer", "given"):
                vlan = facts[switch.name].interfaces[port.name].vlan
                assert () == port.addresses
                assert (120 if port.peer == "filer" else 130) == (vlan or port.vlan)
                assert vlan is not None or port.bond
    for device, _, address in subnets:
        assert any(str(address) in one.addresses for one in facts[device].interfaces.values())
        for other, found in facts.items():
            accepted = permits(found.policies, "accepted", address.network)
            originated = permits(found.policies, "hosts", address.network)
            assert (other == device, other != device or accepted) == (originated, accepted), (
                device,
                other,
                address,
            )


@pytest.mark.parametrize("name", sorted(set(MODELS) - set(VLANS)))
def test_a_vlan_is_refused_by_name_where_the_product_has_no_gateways(name):
    with pytest.raises(Invalid) as caught:
        list(texts(with_vlans(name, "ipv4", "")[0]))
    errors = [finding for finding in caught.value.diagnostics if finding.is_error]

    assert errors
    assert {("attachments", "filer", "vlan"), ("attachments", "given", "vlan")} >= {
        e.origin.path for e in errors
    }


POSITION = """site: shared
units: 1
capacity: {{hosts_per_unit: 4}}
hosts:
  gpu: {{gpus: 2, per_unit: 2, nics: {{compute: {{count: 2, ports: 2, speed: 400G}}}}}}
networks:
  compute:
    planes: {{count: 2}}
    addressing: {{host_links: {{mode: {mode}}}}}
    lossless: null
    tiers:
      leaf: {{model: {model}, platform: {platform}}}
      spine: {{model: {model}, platform: {platform}, count: 2}}
services:
  users:
    netops: {{role: admin, password_hash: "$6$abcdefgh$0123.................................................................................."}}
attachments:
  nas: {{network: compute, kind: storage, links: 2, speed: 400G, to: {{host_slot: 3, rails: [0]}}}}
"""


@pytest.mark.parametrize("mode", ["routed", "vlan", "lacp, host_arp_duplication: true"])
def test_what_is_on_a_host_position_is_attached_as_a_host_is(mode):
    """In a VLAN of hosts it switches, and where they are bonded over two leaves it is bonded over the same two."""
    intent = load_text({"site.yaml": POSITION.format(model=MODELS[ANY], platform=ANY, mode=mode)})
    devices = derive(intent, expand(intent), registry)
    facts = {switch.name: product(ANY).read(text).facts for switch, text in texts(devices)}
    found = {
        peer: {
            (facts[switch.name].interfaces[port.name].vlan, bool(port.bond), bool(port.addresses))
            for switch in devices.values()
            for port in switch.ports
            if port.peer == peer
        }
        for peer in ("nas", "gpu-0-0")
    }
    bonds = {port.bond for switch in devices.values() for port in switch.ports if port.peer == "nas"}

    assert found["nas"] == found["gpu-0-0"]
    assert 1 == len(found["nas"])
    assert "lacp" not in mode or (1 == len(bonds) and 0 not in bonds)


def test_links_carry_the_mtu_of_their_attachment():
    site = SITE.replace("kind: other,", "kind: other, ip_mtu: 1500,")
    site = site.format(
        platform=ANY, model=MODELS[ANY], family="ipv4", more="", advertised="aggregate",
        ours="198.51.100.1/30", theirs="198.51.100.2/30",
    )  # fmt: skip
    intent = load_text({"site.yaml": site})
    ports = [p for s in derive(intent, expand(intent), registry).values() for p in s.ports]

    assert {"backup": {1500}, "filer": {9000}} == {
        peer: {port.ip_mtu_bytes for port in ports if port.peer == peer} for peer in ("backup", "filer")
    }
