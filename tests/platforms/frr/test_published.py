"""The reader on configurations that we did not write: what it understands, and every line that it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric.platforms.base import PART
from fabric.platforms.frr import PLATFORM
from fabric.platforms.frr.dialect import DIALECT

PUBLISHED = Path(__file__).parent / "published"
UNREAD = {
    "evpn-leaf.conf": (
        *(4, 7, 8),  # zebra, and a VRF
        *(23, 24, 25),  # EVPN
        *(28, 29, 31, 32, 35),  # BGP in a VRF, and terminals
    ),
    "evpn-leaf.interfaces": (4, 15, 26),  # VXLAN, a virtual address, a bond
    "bfd.conf": (2, 6, 16, 17, 24, 32),  # with a line that a tab puts below another one
    "unnumbered.conf": (7,),
}


def read(name):
    text = (PUBLISHED / name).read_text()
    return PLATFORM.read(f"{PART}{'interfaces' if name.endswith('.interfaces') else 'frr.conf'}\n{text}")


@pytest.mark.parametrize("name", sorted(UNREAD))
def test_every_line_that_is_not_understood_is_returned(name):
    lines = (PUBLISHED / name).read_text().splitlines()

    assert tuple((n + 1, lines[n - 1].strip()) for n in UNREAD[name]) == read(name).unread


def test_every_published_file_is_tried():
    assert set(UNREAD) == {file.name for file in PUBLISHED.iterdir() if file.suffix != ".md"}


def test_a_published_leaf_is_understood():
    facts = read("evpn-leaf.conf").facts

    assert ("leaf01", 65101, "10.10.10.1") == (facts.hostname, facts.asn, facts.router_id)
    assert {"swp51": "underlay", "swp52": "underlay"} == {k: n.policy for k, n in facts.neighbors.items()}
    assert {"bgp": "ipv4 connected"} == facts.services


def test_published_interfaces_are_understood():
    found = read("evpn-leaf.interfaces").facts.interfaces

    assert {"lo", "bridge", "vlan10", "swp51", "bond1"} == set(found)
    assert (("10.1.10.2/24",), "RED", 10) == (
        found["vlan10"].addresses,
        found["vlan10"].vrf,
        found["vlan10"].vlan,
    )
    assert (9000, 10) == (found["bond1"].ip_mtu_bytes, found["bond1"].vlan)


def test_a_published_session_is_understood():
    one = read("bfd.conf").facts.neighbors["10.2.2.254"]

    assert (200, True, True) == (one.remote_asn, one.bfd, one.has_password)
    plain = DIALECT.plain(f"{PART}frr.conf\n{(PUBLISHED / 'bfd.conf').read_text()}")
    assert "<masked>" in plain
    assert "password password" not in plain
    assert None is read("unnumbered.conf").facts.neighbors["net0"].remote_asn
