"""A border that sends a default, and hosts whose leaf is away: on real FRR nothing for them leaves the fabric."""

from __future__ import annotations

import re
from ipaddress import ip_network

import pytest

from fabric.devices.model import DISCARD_DISTANCE, LinkRole
from tests.platforms.frr import sites
from tests.platforms.frr.lab import Lab, needed_lab
from tests.platforms.frr.test_attachments import start_border, unanswered
from tests.platforms.frr.test_fabric import bare

pytestmark = pytest.mark.live
AWAY = "leaf-0-0"
FAMILIES = (4, 6)


@pytest.fixture(autouse=True)
def frr():
    """Skips without FRR, root and iproute2."""
    needed_lab()


def blocks(site):
    """What the leaf that goes away advertises of its hosts."""
    return [str(prefix) for prefix in site.switches[AWAY].routing.aggregates]


def take_away(lab, site):
    """Take the leaf's cables out, and wait until no other switch has a route to its hosts."""
    spine = site.of_role("spine")[0]
    assert lab.wait(lambda: set(blocks(site)) <= {p for v in FAMILIES for p in lab.routes(spine, v)})
    for port in site.switches[AWAY].ports:
        if port.role is LinkRole.UP and port.peer:
            lab.fail(AWAY, port.name)
    others = [name for name in site.switches if name != AWAY]
    gone = set(blocks(site))
    assert lab.wait(
        lambda: all(not gone & lab.routes(name, v).keys() for name in others for v in FAMILIES)
    ), [lab.routes(name, v) for name in others for v in FAMILIES]


def defaults(lab):
    """The border sends a default of both families, and every leaf has them."""
    start_border(lab)
    ours = [
        str(a.ip) for s in lab.switches.values() for p in s.ports if p.peer == "border" for a in p.addresses
    ]
    for address in ours:
        if ":" in address:
            lines = (
                "router bgp 65010",
                "address-family ipv6 unicast",
                f"neighbor {address} default-originate",
            )
            lab.vtysh("border", "configure terminal", *lines)
    wanted = {4: "0.0.0.0/0", 6: "::/0"}
    assert lab.wait(lambda: all(wanted[v] in lab.routes(name, v) for name in lab.switches for v in FAMILIES))
    blocks = {
        str(p)
        for host in lab.hosts.values()
        for one in host.ports
        for p in lab.switches[one.peer].routing.aggregates
    }
    assert lab.wait(lambda: blocks <= {prefix for v in FAMILIES for prefix in lab.routes("border", v)})


def without_discards(site):
    """The files without the routes that drop."""
    drops = re.compile(r"(?m)^ip(?:v6)? route \S+ blackhole \d+\n")
    return {
        name: texts | {"frr.conf": drops.sub("", texts["frr.conf"])} for name, texts in site.files.items()
    }


@pytest.mark.parametrize("held", [True, False], ids=["as written", "control: without the routes that drop"])
def test_what_is_for_hosts_of_a_leaf_that_is_away_does_not_leave_by_the_border(held):
    """The router outside has the hosts' addresses itself: who reaches it there gets an answer."""
    site = sites.stored()
    hosts = [host for host in site.hosts if all(port.peer != AWAY for port in host.ports)]
    lone = [host.name for host in site.hosts if host not in hosts]
    lost = [a for host in site.hosts for port in host.ports if port.peer == AWAY for a in bare(port)]
    assert {4, 6} == {6 if ":" in one else 4 for one in lost}
    with Lab(site.switches, site.files if held else without_discards(site), hosts, ("border", *lone)) as lab:
        defaults(lab)
        take_away(lab, site)
        lab.boxes["border"].batch(f"addr add {one}/{128 if ':' in one else 32} dev lo" for one in lost)
        pairs = sum(len(bare(port)) for host in hosts for port in host.ports) * len(lost) // 2
        told = {
            prefix
            for v in FAMILIES
            for name in lab.boxes
            if name not in lab.hosts
            for prefix in lab.routes(name, v)
        }

        assert len(unanswered(lab, lost)) == (pairs if held else 0)
        assert not told & {str(one) for switch in site.switches.values() for one in switch.routing.discards}


def test_a_route_of_bgp_wins_over_one_that_drops_the_same_prefix():
    """A site so small that a leaf's block is the pool loses nothing."""
    site = sites.stored()
    block = next(one for one in blocks(site) if ip_network(one).version == 4)
    with Lab(site.switches, site.files, site.hosts, ("border",)) as lab:
        spine = site.of_role("spine")[0]
        assert lab.wait(lambda: block in lab.routes(spine, 4))
        lab.vtysh(spine, "configure terminal", f"ip route {block} blackhole {DISCARD_DISTANCE}")
        shown = lab.vtysh(spine, f"show ip route {block} longer-prefixes json")

        assert '"protocol":"static"' in shown
        assert block in lab.routes(spine, 4)
