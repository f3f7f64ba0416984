"""Whole fabrics of real FRR: sessions, routes and their width, pings from host to host, and cables that fail."""

from __future__ import annotations

import re
import sys

import pytest

from fabric.devices.model import LinkRole
from tests.platforms.frr import sites
from tests.platforms.frr.lab import Lab, needed_lab
from tests.platforms.frr.oracle import RANKS, expected, valley

pytestmark = pytest.mark.live
KINDS = {
    "numbered, both families": ("dual", "frr", (4, 6)),
    "unnumbered": ("unnumbered", "frr", (4,)),
    "unnumbered, of SONiC": ("unnumbered", "sonic", (4,)),
}
"""Family, product, and the versions of IP whose routes are looked at."""


@pytest.fixture(autouse=True)
def frr():
    """Skips without FRR, root and iproute2."""
    needed_lab()


@pytest.mark.parametrize("kind", KINDS)
def test_eight_switches_in_three_tiers_and_two_planes_agree(kind):
    family, product, versions = KINDS[kind]
    site = sites.eight(family, product)

    assert 8 == len(site.switches)
    assert {"leaf", "spine", "superspine"} == {one.role for one in site.switches.values()}
    assert {0, 1} == {one.plane for one in site.switches.values() if one.role == "leaf"}
    with Lab(site.switches, site.files, site.hosts) as lab:
        assert all(settles(lab, version) for version in versions)
        assert [] == unreachable(lab)
        part_leaves(lab)
        assert all(settles(lab, version) for version in versions)
        part_superspines(lab)
        for version in versions:
            assert settles(lab, version)
            assert lonely(lab, version)
            assert [] == valleys(lab, version)


def test_numbered_switches_of_sonic_agree():
    site = sites.eight("ipv4", "sonic")
    with Lab(site.switches, site.files, site.hosts) as lab:
        assert settles(lab, 4)
        assert [] == unreachable(lab)


def test_without_the_denial_routes_with_valleys_appear():
    site = sites.eight("unnumbered")
    denial = re.compile(r"(?m)^route-map RM-TO-ABOVE deny 10\n(?: .*\n)*exit\n")
    files = {
        name: texts | {"frr.conf": denial.sub("", texts["frr.conf"])} for name, texts in site.files.items()
    }

    assert files != site.files
    with Lab(site.switches, files) as lab:
        assert lab.wait(lambda: established(lab))
        part_leaves(lab)
        part_superspines(lab)
        assert lab.wait(lambda: valleys(lab, 4) != [])
        assert lab.wait(lambda: not lonely(lab, 4))


def test_twenty_switches_in_two_disjoint_planes_agree():
    site = sites.twenty()

    assert {"leaf": 8, "spine": 8, "superspine": 4} == {role: len(site.of_role(role)) for role in RANKS}
    with Lab(site.switches, site.files, site.hosts) as lab:
        assert settles(lab, 4)
        assert [] == unreachable(lab)
        part_leaves(lab)
        assert settles(lab, 4)
        assert lonely(lab, 4)


def settles(lab, version):
    """Whether the kernels come to hold exactly the routes that the cables allow; no valley on the way there."""

    def agreed():
        assert [] == valleys(lab, version, upper)
        return all(lab.routes(name, version) == routes for name, routes in wanted.items())

    wanted = expected(lab.switches, lab.dead, version)
    upper = [
        name for name, switch in lab.switches.items() if switch.role != "leaf"
    ]  # these hear of a valley first
    return lab.wait(agreed) and established(lab) and not valleys(lab, version)


def established(lab):
    """Whether each session is up whose cable is there, and no other one."""
    for name, switch in lab.switches.items():
        alive = {
            one.port if one.address is None else str(one.address)
            for one in switch.routing.neighbors
            if (name, one.port) not in lab.dead
        }
        up = {peer for peer, state in lab.sessions(name).items() if state == "Established"}
        if up != alive:
            return False
    return True


def valleys(lab, version, names=()):
    """Every path that a switch has heard of, chosen or not, that goes down and up again."""
    ranks = {one.routing.asn: RANKS[one.role] for one in lab.switches.values()}
    return [
        (name, prefix, path)
        for name in names or lab.switches
        for prefix, path in lab.paths(name, version)
        if valley((RANKS[lab.switches[name].role], *(ranks[asn] for asn in path)))
    ]


def lonely(lab, version):
    """Whether the first two leaves have no route to each other."""
    one, other = lab_leaves(lab)[:2]
    prefixes = expected(lab.switches, (), version)
    mine = {prefix for prefix in prefixes[one] if prefix not in prefixes[other]}
    return not mine & set(lab.routes(one, version))


def lab_leaves(lab):
    """The leaves of the first plane."""
    return [name for name, switch in lab.switches.items() if switch.role == "leaf" and switch.plane == 0]


def part_leaves(lab):
    """Take cables out until two leaves of a plane share no spine: one keeps even spines, the other odd ones."""
    for parity, leaf in enumerate(lab_leaves(lab)[:2]):
        up = [port for port in lab.switches[leaf].ports if port.role is LinkRole.UP]
        spines = sorted({port.peer for port in up})
        for port in up:
            if spines.index(port.peer) % 2 == parity:
                lab.fail(leaf, port.name)


def part_superspines(lab):
    """Take cables out until the two spines share no superspine."""
    spines = [name for name, switch in lab.switches.items() if switch.role == "spine"]
    for parity, spine in enumerate(spines):
        for port in lab.switches[spine].ports:
            if port.role is LinkRole.UP and int(port.peer[-1]) % 2 == parity:
                lab.fail(spine, port.name)


def unreachable(lab):
    """Pairs of host ports on one rail and plane of which one does not answer the other.

    Pings are proved to see it where nobody answers, each time.
    """
    ends = [(host.name, port) for host in lab.hosts.values() for port in host.ports]
    nobody = {f"{source} {NOBODY[':' in source]}" for source in bare(ends[0][1])}
    assert nobody == set(pinged(lab, ends[0][0], nobody))
    found = []
    for name in lab.hosts:
        pairs = [
            f"{source} {target}"
            for here, mine in ends
            for there, yours in ends
            if here == name != there and (mine.rail, mine.plane) == (yours.rail, yours.plane)
            for source, target in zip(bare(mine), bare(yours), strict=True)
        ]
        assert pairs
        found += pinged(lab, name, pairs)
    return found


NOBODY = ("192.0.2.254", "2001:db8::254")
"""Addresses for documentation (RFC 5737, RFC 3849)."""


def pinged(lab, name, pairs):
    """Those pairs, "source target", of which the target does not answer."""
    return lab.boxes[name].run(sys.executable, "-c", PING, stdin="\n".join(pairs)).splitlines()


def bare(port):
    """The addresses of a host port, without their lengths."""
    return [str(address).partition("/")[0] for address in port.addresses]


PING = """
import socket, struct, sys
for line in sys.stdin:
    source, target = line.split()
    six = ":" in target
    family, protocol, kind = (socket.AF_INET6, 58, 128) if six else (socket.AF_INET, 1, 8)
    raw = socket.socket(family, socket.SOCK_RAW, protocol)
    raw.settimeout(0.5)
    raw.bind((source, 0))
    body = struct.pack("!HH", 7, 1)
    head = struct.pack("!BBH", kind, 0, 0)
    if not six:
        total = sum(struct.unpack("!4H", head + body))
        total = (total >> 16) + (total & 0xFFFF)
        head = struct.pack("!BBH", kind, 0, ~total & 0xFFFF)
    for _ in range(4):
        raw.sendto(head + body, (target, 0))
        try:
            while True:
                answer, sender = raw.recvfrom(2000)
                answer = answer if six else answer[(answer[0] & 15) * 4 :]
                if sender[0] == target and answer[0] == (129 if six else 0):
                    break
            break
        except TimeoutError:
            pass
    else:
        print(line.strip())
"""
"""Echo requests from one address to another; prints the pairs without an answer."""
