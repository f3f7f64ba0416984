"""Published fabrics with Nexus switches in place of their own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from fabric import api
from fabric.diagnostics import Invalid
from fabric.platforms.nxos import PLATFORM
from tests.platforms.expected_facts import expected_facts
from tests.platforms.nxos.grammar import grammar

REFERENCE = Path(__file__).parents[3] / "inventories" / "reference"
MODEL = "cisco-n9364e-sg2"
HASH = "$5$abcdefgh$0123456789................................."


@pytest.fixture
def nexus_site(tmp_path):
    """A reference site, its tiers of that model; what NX-OS refuses of the services left out."""

    def made(name: str) -> Path:
        folder = tmp_path / name
        shutil.copytree(REFERENCE / name, folder, ignore=shutil.ignore_patterns("*.lock"))
        site = yaml.safe_load((folder / "site.yaml").read_text())
        _swap(site)
        (folder / "site.yaml").write_text(yaml.safe_dump(site, sort_keys=False))
        return folder

    return made


def _swap(site) -> None:
    for network in site["networks"].values():
        if network.pop("technology", "ethernet") == "infiniband":
            site.pop("attachments", None)
        for tier in network["tiers"].values():
            tier.update(model=MODEL, platform="nxos")
    services = site.get("services", {})
    services.pop("snmp", None)
    services.get("management", {}).pop("allow", None)  # refused beside gNMI
    for user in services.get("users", {}).values():
        user["password_hash_sha256"] = HASH


@pytest.mark.parametrize("name", ["lab-8", "apstra-64-h100", "rail-only", "superpod-h100-1su"])
def test_a_published_fabric_becomes_one_of_nexus_switches(nexus_site, name):
    made = api.compile(nexus_site(name))

    assert made.artifacts
    for device, switch in made.devices.items():
        text = made.artifacts[device].text
        reading = PLATFORM.read(text)
        assert ((), expected_facts(switch)) == (reading.unread, reading.facts)
        assert [] == grammar(text)


@pytest.mark.parametrize("name", ["hpn7-pod", "megascale"])
def test_a_speed_that_the_model_has_not_is_refused(nexus_site, name):
    with pytest.raises(Invalid, match="has no port of 200G"):
        api.compile(nexus_site(name))


def test_snmp_users_are_refused_as_logins(nexus_site):
    folder = nexus_site("lab-8")
    site = yaml.safe_load((folder / "site.yaml").read_text())
    secrets = {"auth_secret": "env:A", "privacy_secret": "env:P"}
    site["services"]["snmp"] = {"users": {"monitor": secrets}}
    (folder / "site.yaml").write_text(yaml.safe_dump(site))

    with pytest.raises(Invalid, match="an SNMPv3 user is a login too"):
        dict(api.compile(folder).artifacts)
