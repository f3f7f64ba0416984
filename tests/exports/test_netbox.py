"""NetBox: files that its import forms take, in an order in which everything is there when it is named."""

from __future__ import annotations

import json

import pytest
import yaml

from fabric import api
from tests.exports.sites import SAMPLE, csv_rows, ethernet, links_of, of_reference, site_text

COLUMNS = {
    "00-custom-fields": "name label group_name type object_types related_object_type required unique "
    "description default choice_set ui_visible ui_editable",
    "01-manufacturers": "name slug description tags",
    "03-roles": "name slug parent color vm_role config_template description tags",
    "04-platforms": "name slug parent manufacturer config_template description tags",
    "05-sites": "name slug status region group tenant facility time_zone description "
    "physical_address comments tags",
    "06-racks": "site location name facility_id tenant status role rack_type form_factor serial "
    "asset_tag width u_height desc_units description tags",
    "07-devices": "name role tenant manufacturer device_type platform serial asset_tag status site "
    "location rack position face airflow virtual_chassis vc_position cluster "
    "description config_template owner comments tags",
    "08-interfaces": "device name label parent bridge lag type speed duplex enabled mark_connected mtu "
    "mgmt_only description mode vlan_group untagged_vlan tagged_vlans vrf owner tags",
    "09-cables": "side_a_site side_a_device side_a_power_panel side_a_type side_a_name side_b_site "
    "side_b_device side_b_power_panel side_b_type side_b_name type status profile "
    "tenant bundle label color length length_unit description owner comments tags",
    "10-vrfs": "name rd tenant enforce_unique description import_targets export_targets owner comments tags",
    "11-prefixes": "prefix vrf vlan_group vlan_site vlan status role scope_type scope_name scope_id "
    "is_pool mark_utilized description owner tags",
    "12-ip-addresses": "address vrf status role device interface fhrp_group is_primary is_oob dns_name "
    "description owner tags",
}
"""Of the import forms of NetBox 4.6; custom fields have columns of their own, `cf_` in front."""
REQUIRED = {
    "07-devices": "name role manufacturer device_type status site",
    "08-interfaces": "device name type",
    "06-racks": "site name status width",
    "12-ip-addresses": "address status",
}
TYPE_KEYS = {"manufacturer", "model", "slug", "u_height", "is_full_depth"}
"""What the schema of the device-type library requires; beside them it allows the names below, and no others."""
MORE_TYPE_KEYS = {"part_number", "airflow", "weight", "weight_unit", "description", "comments", "interfaces"}


def tables(name):
    return {
        path.removesuffix(".csv"): csv_rows(text)
        for path, text in of_reference(name, "netbox").items()
        if path.endswith(".csv")
    }


@pytest.mark.parametrize("name", SAMPLE)
def test_every_column_is_one_of_the_form(name):
    found = {
        path.removesuffix(".csv"): text.split("\n", 1)[0].split(",")
        for path, text in of_reference(name, "netbox").items()
        if path.endswith(".csv")
    }

    assert set(COLUMNS) == set(found)
    for table, columns in found.items():
        assert not {c for c in columns if not c.startswith("cf_")} - set(COLUMNS[table].split()), table
        assert set(REQUIRED.get(table, "").split()) <= set(columns)
    fields = {row["name"] for row in tables(name)["00-custom-fields"]}
    assert {c.removeprefix("cf_") for c in found["07-devices"] if c.startswith("cf_")} == fields


@pytest.mark.parametrize("name", SAMPLE)
def test_what_a_row_names_was_imported_before_it(name):
    rows = tables(name)
    types = [yaml.safe_load(t) for p, t in of_reference(name, "netbox").items() if p.startswith("02-")]
    names = {table: {row.get("name") for row in found} for table, found in rows.items()}
    models = {(one["manufacturer"], one["model"]) for one in types}
    interfaces = {(row["device"], row["name"]) for row in rows["08-interfaces"]}

    assert {one["manufacturer"] for one in types} <= names["01-manufacturers"]
    for row in rows["07-devices"]:
        assert row["role"] in names["03-roles"]
        assert row["platform"] in {*names["04-platforms"], ""}
        assert row["site"] in names["05-sites"]
        assert row["rack"] in {*names["06-racks"], ""}
        assert (row["manufacturer"], row["device_type"]) in models
        assert bool(row["position"]) == bool(row["face"])
    assert {device for device, _ in interfaces} <= names["07-devices"]
    assert len(interfaces) == len(rows["08-interfaces"])
    for row in rows["12-ip-addresses"]:
        assert row["vrf"] in {*names["10-vrfs"], ""}
        assert not row["device"] or (row["device"], row["interface"]) in interfaces


@pytest.mark.parametrize("name", SAMPLE)
def test_every_cable_is_in_one_of_the_two_files(name):
    files = of_reference(name, "netbox")
    single = [
        frozenset([(row["side_a_device"], row["side_a_name"]), (row["side_b_device"], row["side_b_name"])])
        for row in csv_rows(files["09-cables.csv"])
    ]
    many = [
        frozenset([(a["device"], a["name"]), (b["device"], b["name"])])
        for cable in json.loads(files["09-cables.json"])
        for a, b in zip(cable["a_terminations"], cable["b_terminations"], strict=True)
    ]

    assert links_of(name) == {*single, *many}
    assert len(single) + len(many) == len(links_of(name))


def test_a_cable_that_breaks_out_has_a_profile_that_joins_its_connectors_in_order():
    cables = json.loads(of_reference("superpod-b300-spectrumx", "netbox")["09-cables.json"])

    assert cables
    assert {(cable["profile"], len(cable["a_terminations"])) for cable in cables} == {("trunk-2c1p", 2)}


@pytest.mark.parametrize("kind", ["netbox", "device-types"])
def test_device_types_are_those_of_the_library(kind):
    found = {p: t for p, t in of_reference("lab-8", kind).items() if p.endswith(".yaml")}
    types = [yaml.safe_load(text) for text in found.values()]

    assert len(types) >= (2 if kind == "netbox" else 39)
    for one in types:
        assert set(one) >= TYPE_KEYS
        assert not set(one) - TYPE_KEYS - MORE_TYPE_KEYS
        assert set(one["slug"]) <= set("abcdefghijklmnopqrstuvwxyz0123456789-_")
        ports = [port["name"] for port in one.get("interfaces", ())]
        assert len(ports) == len(set(ports))
    assert len(types) == len({one["slug"] for one in types})


@pytest.mark.parametrize(
    ("name", "types"),
    [
        ("superpod-h100-1su", {"infiniband-ndr", "other", "virtual"}),
        ("superpod-b300-spectrumx", {"400gbase-x-osfp", "other", "virtual"}),
    ],
)
def test_types_of_ports_are_words_of_netbox(name, types):
    assert {row["type"] for row in tables(name)["08-interfaces"]} <= types


HOSTILE = '=cmd|" /C calc"!A1, "x"'


def test_a_rack_that_is_called_like_a_formula_is_text_in_every_table():
    inventory = f"devices: {{leaf-0-0: {{rack: {json.dumps(HOSTILE)}, position: 3}}}}\n"
    made = api.export(*site_text(ethernet(), inventory), ["netbox"]).files
    text = {file.path: file.text for file in made}

    (rack,) = csv_rows(text["netbox/06-racks.csv"])
    assert f"'{HOSTILE}" == rack["name"]
    assert {f"'{HOSTILE}", ""} == {row["rack"] for row in csv_rows(text["netbox/07-devices.csv"])}
