"""Rows that all printers share: each cable and address once, both ends there, growth moves none."""

from __future__ import annotations

import pytest

from fabric.exports import rows
from fabric.exports.network_view import views
from tests.exports.sites import SAMPLE, ethernet, links_of, reference, site_text


@pytest.mark.parametrize("name", SAMPLE)
def test_cables_are_the_links_that_are_shown(name):
    found = [
        frozenset(pair)
        for cable in rows.cable_rows(views(*reference(name)))
        for pair in zip(cable.a, cable.b, strict=True)
    ]

    assert len(found) == len(set(found))
    assert links_of(name) == set(found)


@pytest.mark.parametrize("name", SAMPLE)
def test_what_rows_name_is_a_row(name):
    seen = views(*reference(name))
    devices = [row.name for row in rows.device_rows(seen)]
    ports = [(row.device, row.port) for row in rows.port_rows(seen)]

    assert len(devices) == len(set(devices))
    assert len(ports) == len(set(ports))
    assert {device for device, _ in ports} <= set(devices)
    assert {end for link in links_of(name) for end in link} == set(ports)
    addresses = list(rows.address_rows(seen))
    assert {row.device for row in addresses if row.device} <= set(devices)
    assert len(addresses) == len({(row.network, row.host) for row in addresses})


def rows_of(units):
    seen = views(*site_text("capacity: {units: 4}\n" + ethernet(units=str(units))))
    return {
        "devices": set(rows.device_rows(seen)),
        "ports": set(rows.port_rows(seen)),
        "cables": set(rows.cable_rows(seen)),
        "addresses": set(rows.address_rows(seen)),
        "prefixes": set(rows.prefix_rows(seen)),
    }


def test_growth_adds_rows_and_moves_none():
    before, after = rows_of(2), rows_of(3)

    for kind, own in before.items():
        assert own <= after[kind], kind
    assert len(before["cables"]) < len(after["cables"])


def test_a_gateway_that_leaves_share_is_one_row():
    text = ethernet(
        network="    addressing: {host_links: {mode: vlan}}\n",
    )
    found = list(rows.address_rows(views(*site_text(text))))
    gateways = [row for row in found if row.kind == "gateway"]

    assert gateways
    assert all(row.device is None for row in gateways)
    assert len(gateways) == len({row.host for row in gateways})


def test_a_management_address_is_in_no_network():
    inventory = "devices: {leaf-0-0: {address: 192.0.2.7/24, serial: ABC1}}\n"
    seen = views(*site_text(ethernet(), inventory))

    (row,) = [row for row in rows.address_rows(seen) if row.kind == "management"]
    assert (None, "leaf-0-0", "192.0.2.7") == (row.network, row.device, row.host)
    (device,) = [row for row in rows.device_rows(seen) if row.name == "leaf-0-0"]
    assert ("192.0.2.7", "ABC1", "Arista", "7060X6-32PE") == (
        device.management_host,
        device.serial,
        device.manufacturer,
        device.model,
    )
