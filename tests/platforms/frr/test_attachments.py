"""Storage and a border router on real FRR: who reaches whom, what is learned, and what must not leak."""

from __future__ import annotations

import re
import sys
from ipaddress import IPv6Address, ip_address, ip_network

import pytest

from fabric.devices.model import LinkRole
from fabric.topology.attachments.address_blocks import is_inside
from tests.platforms.frr import sites
from tests.platforms.frr.lab import START, Lab, needed_lab
from tests.platforms.frr.test_fabric import PING, bare

pytestmark = pytest.mark.live
BORDER = """frr defaults datacenter
hostname border
!
router bgp 65010
 bgp router-id 192.0.2.1
 no bgp ebgp-requires-policy
 no bgp network import-check
{sessions}
 address-family ipv4 unicast
  network 203.0.113.0/24
  network 192.0.2.0/24
{active4} exit-address-family
 address-family ipv6 unicast
  network 2001:db8:1::/48
  network 2001:db8:2::/48
{active6} exit-address-family
!
"""
WANTED = {4: {"203.0.113.0/24", "0.0.0.0/0"}, 6: {"2001:db8:1::/48"}}
ADVERTISED = ("10.0.0.0/10", "fd00::/32")
UNWANTED = {4: {"192.0.2.0/24"}, 6: {"2001:db8:2::/48"}}


@pytest.fixture(autouse=True)
def frr():
    """Skips without FRR, root and iproute2."""
    needed_lab()


def border_conf(switches):
    """FRR of a router that is not ours: two prefixes too many, GTSM and BFD as we ask for."""
    ours = [
        (one, str(address).partition("/")[0])
        for switch in switches.values()
        for port in switch.ports
        if port.peer == "border"
        for one, address in ((switch.routing.asn, address) for address in port.addresses)
    ]
    lines = []
    for asn, address in ours:
        lines += [f" neighbor {address} remote-as {asn}", f" neighbor {address} bfd"]
        lines.append(f" neighbor {address} ttl-security hops 1")
    active = {
        version: "".join(
            f"  neighbor {a} activate\n" + (f"  neighbor {a} default-originate\n" if version == 4 else "")
            for _, a in ours
            if (":" in a) == (version == 6)
        )
        for version in (4, 6)
    }
    return BORDER.format(sessions="\n".join(lines), active4=active[4], active6=active[6])


def theirs(port):
    """The other end of a link of two addresses, with its length."""
    for address in port.addresses:
        bare_, _, length = str(address).partition("/")
        head, colon, last = bare_.rpartition(":" if ":" in bare_ else ".")
        number = int(last, 16 if colon == ":" else 10) ^ 1
        yield f"{head}{colon}{number:x}" if colon == ":" else f"{head}.{number}", bare_, length


def plug(lab, name):
    """Addresses of an attachment, and a way back through each of its links."""
    ports = [port for switch in lab.switches.values() for port in switch.ports if port.peer == name]
    for table, port in enumerate(ports, start=1):
        for mine, gateway, length in theirs(port):
            lab.boxes[name].batch(
                [
                    f"addr add {mine}/{length} dev {port.peer_port}",
                    f"rule add from {mine} table {table}",
                    f"route add default via {gateway} dev {port.peer_port} table {table}",
                ],
                "-6" if ":" in mine else "-4",
            )
    return [mine for port in ports for mine, _, _ in theirs(port)]


def start_border(lab):
    box = lab.boxes["border"]
    plug(lab, "border")
    for file, text in {**sites.system_files(), "frr.conf": border_conf(lab.switches)}.items():
        if file in ("frr.conf", "daemons", "vtysh.conf"):
            box.write(f"etc/frr/{file}", text)
    return box.run("sh", "-c", START)


def unanswered(lab, targets):
    """Pairs of a host's address and a target of its family that do not answer."""
    found = []
    for host in lab.hosts.values():
        pairs = [
            f"{source} {target}"
            for port in host.ports
            for source in bare(port)
            for target in targets
            if (":" in source) == (":" in target)
        ]
        assert pairs
        found += lab.boxes[host.name].run(sys.executable, "-c", PING, stdin="\n".join(pairs)).splitlines()
    return found


def learned(lab, version):
    """By switch, which of the border's prefixes its kernel has."""
    every = WANTED[version] | UNWANTED[version]
    names = {"default": "0.0.0.0/0"}
    return {
        name: {names.get(p.partition("/")[0], p) for p in lab.routes(name, version)} & every
        for name in lab.switches
    }


def test_storage_is_reached_from_every_rail_and_a_border_is_heard_everywhere():
    site = sites.stored()
    with Lab(site.switches, site.files, site.hosts, ("filer", "border")) as lab:
        targets = plug(lab, "filer")
        said = start_border(lab)
        assert {4, 6} == {6 if ":" in target else 4 for target in targets}
        for version in (4, 6):
            assert lab.wait(
                lambda v=version: all(WANTED[v] <= found for found in learned(lab, v).values())
            ), (version, learned(lab, version), said)
        leaked = [found & UNWANTED[v] for v in (4, 6) for found in learned(lab, v).values()]
        told = {prefix for v in (4, 6) for prefix in lab.routes("border", v)}
        silent = unanswered(lab, targets)
        outside = {name: lab.sessions(name) for name, s in site.switches.items() if "border" in peers(s)}

    assert [] == silent
    assert set() == set().union(*leaked)
    assert told
    assert all(any(is_inside(ip_network(one), ip_network(pool)) for pool in ADVERTISED) for one in told)
    assert all("Established" in states.values() for states in outside.values())


def plug_vlan(lab):
    """Storage behind its gateway on each leaf, with a way back through each."""
    found = []
    links = [
        (switch, port) for switch in lab.switches.values() for port in switch.ports if port.peer == "filer"
    ]
    for table, (switch, port) in enumerate(links, start=1):
        for gateway in (address for one in switch.gateways for address in one.addresses):
            mine = ip_address(gateway.value + 1) if gateway.version == 4 else IPv6Address(gateway.value + 1)
            lines = [
                f"addr add {mine}/{gateway.prefix_length} dev {port.peer_port}",
                f"rule add from {mine} table {table}",
                f"route add default via {gateway.ip} dev {port.peer_port} table {table}",
            ]
            lab.boxes["filer"].batch(lines, f"-{gateway.version}")
            found.append(str(mine))
    return found


def told(lab):
    """The subnets of VLANs that each switch without them has learned."""
    subnets = {
        name: {str(a.network) for one in switch.gateways for a in one.addresses}
        for name, switch in lab.switches.items()
    }
    every = set().union(*subnets.values())
    return {
        name: (every - subnets[name], (lab.routes(name, 4).keys() | lab.routes(name, 6).keys()) & every)
        for name in lab.switches
    }


def test_storage_in_a_vlan_is_reached_from_every_rail():
    site = sites.stored_in_vlans()
    with Lab(site.switches, site.files, site.hosts, ("filer", "border")) as lab:
        targets = plug_vlan(lab)
        assert lab.wait(lambda: all(wanted == found for wanted, found in told(lab).values())), told(lab)
        silent = unanswered(lab, targets)

    assert 4 == len(targets)
    assert {4, 6} == {6 if ":" in target else 4 for target in targets}
    assert [] == silent


def test_the_check_sees_a_vlan_whose_subnet_nobody_tells_of():
    site = sites.stored_in_vlans()
    files = {
        name: texts
        | {"frr.conf": re.sub(r"(?m)^ip(v6)? prefix-list PL-HOSTS\S* seq 20 .*\n", "", texts["frr.conf"])}
        for name, texts in site.files.items()
    }
    with Lab(site.switches, files, site.hosts, ("filer", "border")) as lab:
        targets = plug_vlan(lab)
        lab.wait(lambda: all(len(lab.routes(name, 4)) > 4 for name in site.of_role("leaf")))

        assert unanswered(lab, targets)


def peers(switch):
    return {port.peer for port in switch.ports if port.role is LinkRole.ATTACHMENT}


def test_the_check_sees_storage_that_nobody_tells_of_and_a_filter_that_is_gone():
    site = sites.stored()
    files = {}
    for name, texts in site.files.items():
        conf = re.sub(r"(?m)^ip(v6)? prefix-list PL-HOSTS\S* seq 20 .*\n", "", texts["frr.conf"])
        conf = re.sub(
            r"(?m)^(ip prefix-list PL-(?:EXTERNAL-BORDER-IN|ACCEPTED) seq 10 permit) .*$", r"\1 any", conf
        )
        files[name] = texts | {"frr.conf": conf}
    with Lab(site.switches, files, site.hosts, ("filer", "border")) as lab:
        targets = plug(lab, "filer")
        start_border(lab)
        assert lab.wait(lambda: any(UNWANTED[4] <= found for found in learned(lab, 4).values()))

        assert unanswered(lab, targets)
