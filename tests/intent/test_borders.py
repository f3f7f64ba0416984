"""What a border router brings in: refused exactly where a route of ours could lose to it."""

from __future__ import annotations

from ipaddress import ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from fabric.diagnostics import Report
from fabric.intent.checks.addresses import SPECIAL, check_addresses
from fabric.intent.checks.borders import check_borders
from fabric.intent.load import load_text
from fabric.topology.expand import expand
from fabric.topology.roles import NONE

FAMILIES = ("ipv4", "ipv6", "dual", "unnumbered")
SITE = """site: s
units: 2
hosts: {{gpu: {{gpus: 2, per_unit: 2, nics: {{compute: {{count: 2, speed: 400G}}}}}}}}
networks:
  compute:
    addressing: {{family: {family}}}
    lossless: null
    tiers:
      leaf: {{model: nvidia-sn5600, platform: frr, max_oversubscription: "100:1"}}
      spine: {{model: nvidia-sn5600, platform: frr, count: 2, reserved_ports: 2}}
attachments:
  border: {{network: compute, kind: router, links: 1, speed: 400G, to: {{tier: spine}}, bgp: {{asn: 65010}}}}
"""
INTENTS = {family: load_text({"site.yaml": SITE.format(family=family)}) for family in FAMILIES}


def found(family, prefixes=(), advertise=()):
    """Codes by list and index."""
    intent = INTENTS[family]
    border = intent.site.attachments["border"]
    bgp = replace(border.bgp, prefixes=prefixes, advertise=advertise)
    site = replace(intent.site, attachments={"border": replace(border, bgp=bgp)})
    report = Report()
    check_borders(replace(intent, site=site), report)
    check_addresses(replace(intent, site=site), report)
    return {(one.origin.path[-2], one.origin.path[-1]): one.code for one in report}


def ours(family):
    """Addresses that the program gives out, without the checks' own words: of hosts, links and loopbacks."""
    net = expand(INTENTS[family]).networks["compute"]
    fours = [net.loopback[node] for node in net.switches]
    return [ip_network(address) for address in fours if address != NONE]


@pytest.mark.parametrize("family", FAMILIES)
def test_every_loopback_is_refused_and_everything_shorter_than_a_pool_may_stay(family):
    loopbacks = ours(family)

    assert loopbacks
    assert {"FAB811"} == set(found(family, tuple(loopbacks)).values())
    assert len(loopbacks) == len(found(family, tuple(loopbacks)))
    assert {} == found(
        family, tuple(ip_network(p) for p in ("0.0.0.0/0", "::/0", "10.0.0.0/8", "203.0.113.0/24"))
    )


NEAR = st.one_of(
    st.integers(10 << 24, (11 << 24) - 1),  # where our pools are
    st.sampled_from([10 << 24, 10 << 24 | 128 << 16, 10 << 24 | 255 << 16, 127 << 24, 224 << 24, 240 << 24]),
    st.integers(0, 2**32 - 1),
)


@given(st.sampled_from(FAMILIES), NEAR, st.integers(1, 32))
def test_a_prefix_is_refused_where_it_is_inside_a_pool_or_a_special_block(family, address, length):
    prefix = ip_network((address >> (32 - length) << (32 - length), length))
    addressing = INTENTS[family].site.networks["compute"].addressing
    pools = [addressing.loopback_pool]
    pools += [addressing.host_pool] if 4 in addressing.host_families else []
    pools += [addressing.fabric_pool] if family in ("ipv4", "dual") else []
    blocks = [one.network for one in SPECIAL if one.network.version == 4]
    low, high = int(prefix.network_address), int(prefix.broadcast_address)

    def holds(block):
        return int(block.network_address) <= low and high <= int(block.broadcast_address)

    expected = "FAB130" if any(map(holds, blocks)) else "FAB811" if any(map(holds, pools)) else None
    told = found(family, (prefix,), (prefix,))

    assert told.get(("prefixes", 0)) == expected
    assert told.get(("advertise", 0)) == (expected if expected == "FAB130" else None)


PREFIXES = ("0.0.0.0/0", "172.16.0.0/12", "192.168.0.0/16", "::/0", "2001:db8::/32")


@given(st.lists(st.sampled_from(PREFIXES), unique=True), st.booleans(), st.none() | st.integers(1, 4))
def test_a_limit_holds_all_that_is_accepted_of_a_family(prefixes, default_route, limit):
    """A router that sends exactly what the site says it does must not lose its session by that."""
    accepted = set(map(ip_network, prefixes))
    everything = accepted | {ip_network("0.0.0.0/0"), ip_network("::/0")} if default_route else accepted
    most = max((sum(one.version == version for one in everything) for version in (4, 6)), default=0)
    report = Report()
    border = INTENTS["dual"].site.attachments["border"]
    bgp = replace(border.bgp, prefixes=tuple(accepted), default_route=default_route, max_prefixes=limit)
    attachments = {"b": replace(border, bgp=bgp)}
    check_borders(
        replace(INTENTS["dual"], site=replace(INTENTS["dual"].site, attachments=attachments)), report
    )
    told = [one.hint for one in report if one.origin.path[-1] == "max_prefixes"]

    assert told == ([f"write {most} or more"] if limit is not None and most > limit else [])
