"""Zones that named loads, names that are unique, and the neighbours that PTM expects."""

from __future__ import annotations

import re
from ipaddress import ip_address
from pathlib import Path

import pytest

from fabric import api
from fabric.exports import rows
from fabric.exports.naming.dns_zones import reverse_zone
from fabric.exports.naming.names import NamedAddress
from fabric.exports.network_view import views
from tests.exports.sites import ethernet, links_of, of_reference, reference, refused, site_text
from tests.programs import run

DOMAIN = "services: {management: {domain: net.example.com}}\n"
DUAL = DOMAIN + ethernet(network="    addressing: {family: dual}\n")
VLANS = DOMAIN + ethernet(network="    addressing: {host_links: {mode: vlan}}\n")
INVENTORY = "devices: {leaf-0-0: {address: 192.0.2.7/24}, spine-0: {address: '2001:db8::5/64'}}\n"


def zones(text: str, **options) -> dict[str, str]:
    made = api.export(*site_text(text, INVENTORY), ["dns-zones"], **options).files
    return {Path(file.path).name.removesuffix(".zone"): file.text for file in made}


def loaded(found: dict[str, str], folder: Path) -> None:
    for name, text in found.items():
        (folder / name).write_text(text)
        done = run("named-checkzone", "-k", "fail", "-n", "fail", name, folder / name)
        assert "OK" in done.stdout, done.stdout


@pytest.mark.live
@pytest.mark.parametrize("text", [DUAL, VLANS], ids=["dual", "vlans"])
def test_named_loads_every_zone(text, tmp_path):
    loaded(zones(text), tmp_path)


@pytest.mark.live
def test_named_loads_the_zones_of_a_reference(tmp_path):
    found = of_reference("lab-8", "dns-zones")

    loaded({path.removesuffix(".zone"): text for path, text in found.items()}, tmp_path)


@pytest.mark.live
def test_named_would_refuse_a_broken_zone(tmp_path):
    (name, text), *_ = zones(DUAL).items()
    (tmp_path / "zone").write_text(text + "spine-0 IN A 192.0.2.999\n")

    run("named-checkzone", name, tmp_path / "zone", exits=1)


def test_every_address_has_a_name_forward_and_reverse():
    found = zones(DUAL)
    records = re.findall(r"^(\S+) IN A(?:AAA)? (\S+)$", found["net.example.com"], re.MULTILINE)
    forward = {value: name for name, value in records}
    reverse = {}
    for zone, text in found.items():
        for name, target in re.findall(r"^(\S+) IN PTR (\S+)$", text, re.MULTILINE):
            reverse[f"{name}.{zone}"] = target.removesuffix(".net.example.com.")
    expected = {row.host for row in rows.address_rows(views(*site_text(DUAL, INVENTORY)))}

    assert expected == set(forward)
    assert {ip_address(address).reverse_pointer: name for address, name in forward.items()} == reverse


@pytest.mark.parametrize(
    ("address", "length", "pools", "zone"),
    [
        ("10.1.2.3", 31, ("10.0.0.0/10",), "1.10.in-addr.arpa"),
        ("10.1.2.3", 31, ("10.0.0.0/8",), "10.in-addr.arpa"),
        ("192.0.2.7", 26, (), "2.0.192.in-addr.arpa"),
        ("192.0.2.7", 22, (), "2.0.192.in-addr.arpa"),
        ("fd00::1", 127, ("fd00::/32",), "0.0.0.0.0.0.d.f.ip6.arpa"),
        ("2001:db8::5", 127, (), "0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa"),
    ],
)
def test_a_reverse_zone_is_never_larger_than_the_pool(address, length, pools, zone):
    from ipaddress import ip_network

    row = NamedAddress("x", address, length, None)

    assert zone == reverse_zone(row, [ip_network(pool) for pool in pools])


def serial(text: str) -> str:
    return re.search(r"hostmaster\.\S+ (\d+) ", text)[1]


def test_a_serial_follows_from_the_records_or_is_given():
    before, after = zones(DUAL), zones(DUAL.replace("per_unit: 4", "per_unit: 3"))

    assert serial(before["net.example.com"]) != serial(after["net.example.com"])
    assert serial(before["255.10.in-addr.arpa"]) == serial(after["255.10.in-addr.arpa"])
    assert {"2026112701"} == {serial(text) for text in zones(DUAL, serial=2026112701).values()}


def test_names_are_unique_and_those_of_the_hosts_file():
    found = of_reference("lab-8", "hosts-file")["hosts"]
    lines = [line.split() for line in found.splitlines() if not line.startswith("#")]

    assert {row.host for row in rows.address_rows(views(*reference("lab-8")))} == {line[0] for line in lines}
    assert len(lines) == len({line[-1] for line in lines})


def test_without_a_domain_there_are_no_zones():
    ((code, _, rule, _),) = refused(ethernet(), "dns-zones")

    assert "FAB241" == code
    assert "`services.management.domain` is not set" in rule


@pytest.mark.parametrize("domain", ["net..example.com", f"{'a' * 64}.example", ".".join(["abcdefgh"] * 27)])
def test_a_domain_that_dns_cannot_hold_is_refused(domain):
    ((code, place, _, _),) = refused(DOMAIN.replace("net.example.com", domain) + ethernet(), "dns-zones")

    assert ("FAB240", "services.management.domain") == (code, place)


def test_ptm_expects_each_link_between_switches_once():
    text = of_reference("lab-8", "ptm")["topology.dot"]
    found = re.findall(r'^    "([^"]+)":"([^"]+)" -- "([^"]+)":"([^"]+)"$', text, re.MULTILINE)
    switches = {link for link in links_of("lab-8") if not any(device.startswith("gpu") for device, _ in link)}

    assert switches == {frozenset([(a, port), (b, peer)]) for a, port, b, peer in found}
    assert len(switches) == len(found)


@pytest.mark.live
def test_graphviz_reads_what_ptm_reads(tmp_path):
    file = tmp_path / "topology.dot"
    file.write_text(of_reference("lab-8", "ptm")["topology.dot"])

    run("nop", "-p", file)


def test_ptm_calls_ports_as_lldp_announces_them():
    tier = "{model: nvidia-sn5600, platform: sonic, "
    text = ethernet(leaf=tier + "up: {speed: 400G, ports: 4}}", spine=tier + "count: 2}")
    (file,) = api.export(*site_text(text + "    lossless: null\n"), ["ptm"]).files

    assert '"etp' in file.text
    assert "Ethernet" not in file.text
