"""The reference fabrics, with their switches swapped for ones that run SONiC, become files that read back.

What a fabric needs and SONiC lacks is taken out here, and refused in `test_refusals.py`.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
import yaml

from fabric import api
from fabric.diagnostics import Invalid
from fabric.platforms.sonic import PLATFORM
from tests.platforms.expected_facts import expected_facts
from tests.yang import said

REFERENCE = Path(__file__).parents[3] / "inventories" / "reference"
SITES = {
    ("lab-8", "arista-7060x6-64pe"),
    ("lab-8", "nvidia-sn5600"),
    ("apstra-64-h100", "nvidia-sn4700"),
    ("superpod-h100-1su", "arista-7060x6-64pe"),
    ("superpod-b300-spectrumx", "nvidia-sn5600"),
    ("rail-only", "arista-7060x6-64pe-b"),
}
MODES = ("202511", "master-frrcfgd")
SHOWN = 12
"""Switches of each fabric that are printed and read back, beside the last of every tier."""


def swapped(site, model, release, folder):
    """The folder of a reference fabric whose switches run SONiC on this model."""
    made = folder / site
    shutil.copytree(REFERENCE / site, made)
    (made / "fabric.lock").unlink(missing_ok=True)
    text = (made / "site.yaml").read_text().replace("technology: infiniband", "technology: ethernet")
    intent = yaml.safe_load(
        re.sub(r"model: (?:arista|juniper|generic|nvidia|qm9700)[\w-]*", f"model: {model}", text)
    )
    for network in intent["networks"].values():
        for tier in network["tiers"].values():
            tier |= {"platform": "sonic", "release": release}
    services = intent.get("services", {})
    for user in services.get("snmp", {}).get("users", {}).values():
        user |= {"auth": "sha", "privacy": "aes"}
    services.get("snmp", {}).pop("trap_servers", None)
    services.get("management", {}).pop("allow", None)  # refused beside BFD
    (made / "site.yaml").write_text(yaml.safe_dump(intent))
    return made


@pytest.mark.parametrize("release", MODES)
@pytest.mark.parametrize(("site", "model"), sorted(SITES))
def test_a_reference_fabric_becomes_files_of_sonic(site, model, release, tmp_path):
    made = api.compile(swapped(site, model, release, tmp_path))
    last = {switch.role: name for name, switch in made.devices.items()}
    for name in dict.fromkeys((*last.values(), *list(made.devices)[:SHOWN])):
        switch = made.devices[name]
        reading = PLATFORM.read(made.artifacts[name].text)

        assert () == reading.unread
        assert expected_facts(switch) == reading.facts


@pytest.mark.live
@pytest.mark.parametrize(("site", "model"), sorted(SITES))
def test_sonics_models_have_nothing_against_a_reference_fabric(site, model, tmp_path):
    made = api.compile(swapped(site, model, "202511", tmp_path))
    last = {switch.role: name for name, switch in made.devices.items()}

    for name in last.values():
        assert () == said(PLATFORM, made.artifacts[name].text, "sonic-202511")


def test_the_lossy_policy_reads_back_too(tmp_path):
    folder = swapped("lab-8", "nvidia-sn5600", "202511", tmp_path)
    intent = yaml.safe_load((folder / "site.yaml").read_text())
    intent["networks"]["compute"]["lossless"] = "roce-lossy"
    (folder / "site.yaml").write_text(yaml.safe_dump(intent))
    made = api.compile(folder)
    for name, switch in made.devices.items():
        reading = PLATFORM.read(made.artifacts[name].text)

        assert () == reading.unread
        assert expected_facts(switch) == reading.facts


def test_a_bond_over_two_leaves_is_refused_for_the_whole_fabric(tmp_path):
    made = api.compile(swapped("hpn7-pod", "arista-7060x6-64pe-b", "202511", tmp_path))
    with pytest.raises(Invalid) as caught:
        made.artifacts[next(iter(made.devices))]

    errors = {(one.code, str(one.origin)) for one in caught.value.diagnostics if one.is_error}
    assert {("FAB579", "networks.compute.addressing.host_links.mode")} == errors
