"""Ansible and Nornir load what we write, and read no password and no template in it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from fabric import api
from fabric.exports import rows
from fabric.exports.network_view import views
from fabric.integrations.nornir_inventory import FabricInventory
from tests.exports.sites import REFERENCE, SAMPLE, ethernet, of_reference, reference, site_text
from tests.programs import needed_module, run

TEMPLATE = "{{ lookup('pipe', 'id') }}"
INVENTORY = f"""credentials: {{ops: {{username: ops, password: "env:SECRET_NAME"}}}}
default_credentials: ops
devices: {{leaf-0-0: {{address: 192.0.2.7/24, rack: {json.dumps(TEMPLATE)}, serial: ABC1}}}}
"""


def written(kind: str, folder: Path) -> Path:
    for file in api.export(*site_text(ethernet(), INVENTORY), [kind]).files:
        (folder / Path(file.path).name).write_text(file.text)
    return folder


@pytest.fixture(scope="module")
def listed(tmp_path_factory):
    needed_module("ansible")
    folder = written("ansible", tmp_path_factory.mktemp("ansible"))
    program = Path(sys.executable).with_name("ansible-inventory")
    environment = {"HOME": str(folder), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    done = run(program, "-i", folder / "inventory.yaml", "--list", env=environment, cwd=folder)
    return json.loads(done.stdout), done.stderr


def test_ansible_reads_every_device_with_its_groups(listed):
    found, messages = listed
    names = {row.name for row in rows.device_rows(views(*site_text(ethernet(), INVENTORY)))}

    assert names == set(found["_meta"]["hostvars"])
    assert "WARNING" not in messages
    assert {"role_leaf", "role_spine", "role_host", "network_compute", "unit_0"} <= set(found)
    leaf = found["_meta"]["hostvars"]["leaf-0-0"]
    assert ("192.0.2.7", 0, "ABC1") == (leaf["ansible_host"], leaf["fabric_unit"], leaf["fabric_serial"])
    assert leaf["ansible_network_os"]
    assert "ansible_connection" in leaf


def test_ansible_takes_no_text_for_a_template(listed):
    found, _ = listed

    rack = found["_meta"]["hostvars"]["leaf-0-0"]["fabric_rack"]
    assert TEMPLATE == (rack["__ansible_unsafe"] if isinstance(rack, dict) else rack)


def test_nornir_reads_every_device_with_its_groups(tmp_path):
    simple = needed_module("nornir.plugins.inventory").SimpleInventory
    folder = written("nornir", tmp_path)

    found = simple(
        host_file=str(folder / "hosts.yaml"),
        group_file=str(folder / "groups.yaml"),
        defaults_file=str(folder / "defaults.yaml"),
    ).load()

    leaf = found.hosts["leaf-0-0"]
    assert ("192.0.2.7", "test", TEMPLATE) == (leaf.hostname, leaf["site"], leaf["rack"])
    assert leaf.platform
    assert leaf.get_connection_parameters("netmiko").platform
    assert {group.name for group in leaf.groups} <= set(found.groups)
    assert leaf.password is None


def test_nornir_finds_the_plug_in_and_reads_the_site_itself():
    needed_module("nornir")
    found = FabricInventory(str(REFERENCE / "lab-8")).load()

    assert {row.name for row in rows.device_rows(views(*reference("lab-8")))} == set(found.hosts)
    from importlib.metadata import EntryPoint

    point = EntryPoint(
        "fabric", "fabric.integrations.nornir_inventory:FabricInventory", "nornir.plugins.inventory"
    )
    assert point.load() is FabricInventory


@pytest.mark.parametrize("kind", ["ansible", "nornir"])
@pytest.mark.parametrize("name", SAMPLE)
def test_no_login_is_written(kind, name):
    words = ("password", "secret", "username", "env:", "ansible_user")

    assert [] == [word for text in of_reference(name, kind).values() for word in words if word in text]


def test_a_login_would_be_found():
    assert "SECRET_NAME" in INVENTORY
    made = api.export(*site_text(ethernet(), INVENTORY), ["ansible", "nornir"]).files
    assert [] == [file.path for file in made if "SECRET_NAME" in file.text or "ops" in file.text]
