"""Nautobot: what a row refers to was imported before it, and each link has a cable."""

from __future__ import annotations

import json
from ipaddress import ip_interface, ip_network

import pytest
import yaml

from fabric.exports import rows
from fabric.exports.inventories.nautobot import NO_OBJECT
from fabric.exports.network_view import views
from tests.exports.sites import SAMPLE, csv_rows, links_of, of_reference, reference


def tables(name):
    return {
        path[3:].removesuffix(".csv"): csv_rows(text)
        for path, text in of_reference(name, "nautobot").items()
        if path.endswith(".csv")
    }


@pytest.mark.parametrize("name", SAMPLE)
def test_what_a_row_refers_to_was_imported_before_it(name):
    found = tables(name)
    names = {table: {row.get("name") for row in own} for table, own in found.items()}
    types = [yaml.safe_load(t) for p, t in of_reference(name, "nautobot").items() if p.startswith("02-")]
    models = {(one["manufacturer"], one["model"]) for one in types}
    interfaces = {(row["device__name"], row["name"]) for row in found["interfaces"]}
    namespaces = {*names["namespaces"], "Global"}

    for row in found["devices"]:
        assert row["role__name"] in names["roles"]
        assert row["platform__name"] in {*names["platforms"], NO_OBJECT}
        assert row["location__name"] in names["locations"]
        assert row["rack__name"] in {*names["racks"], NO_OBJECT}
        assert (row["device_type__manufacturer__name"], row["device_type__model"]) in models
    assert {device for device, _ in interfaces} <= names["devices"]
    assert {row["location_type__name"] for row in found["locations"]} <= names["location-types"]
    for table in ("vrfs", "prefixes", "ip-addresses"):
        assert {row["namespace__name"] for row in found[table]} <= namespaces
    for row in found["assignments"]:
        assert (row["interface__device__name"], row["interface__name"]) in interfaces


@pytest.mark.parametrize("name", SAMPLE)
def test_every_address_has_a_parent_and_is_assigned_once(name):
    found = tables(name)
    parents: dict[str, list] = {}
    for row in found["prefixes"]:
        parents.setdefault(row["namespace__name"], []).append(ip_network(row["prefix"]))

    for row in found["ip-addresses"][:: max(1, len(found["ip-addresses"]) // 50)]:
        address = ip_interface(row["address"]).ip
        assert any(address in prefix for prefix in parents[row["namespace__name"]])
    given = [row.host for row in rows.address_rows(views(*reference(name))) if row.device]
    assert sorted(given) == sorted(row["ip_address__host"] for row in found["assignments"])
    assert len(found["prefixes"]) == len(
        {(row["namespace__name"], row["prefix"]) for row in found["prefixes"]}
    )


@pytest.mark.parametrize("name", SAMPLE)
def test_every_link_has_a_cable_with_one_end_a_side(name):
    cables = json.loads(of_reference(name, "nautobot")["10-cables.json"])
    found = [
        frozenset((cable[end]["device"], cable[end]["name"]) for end in ("termination_a", "termination_b"))
        for cable in cables
    ]

    assert links_of(name) == set(found)
    assert len(found) == len(set(found))


def test_types_that_nautobot_does_not_have_are_other():
    assert "1.6tbase" not in of_reference("lab-8", "nautobot")["09-interfaces.csv"]
