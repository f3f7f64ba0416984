"""The reference fabrics, with their switches swapped for ones of NVIDIA, become files that read back and keep to the
grammar. What a fabric needs and Cumulus Linux lacks is taken out here, and refused in `test_refusals.py`."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
import yaml

from fabric import api
from fabric.diagnostics import Invalid
from fabric.platforms.cumulus import PLATFORM
from tests.platforms.cumulus.grammar import refused
from tests.platforms.expected_facts import expected_facts

REFERENCE = Path(__file__).parents[3] / "inventories" / "reference"
ADMIN = {"cumulus": {"role": "admin", "password_hash": "$6$abcdefgh$" + "a" * 86}}
SITES = {
    "lab-8": "nvidia-sn5600",
    "apstra-64-h100": "nvidia-sn4700",
    "superpod-h100-1su": "nvidia-sn5600",
    "superpod-b300-spectrumx": "nvidia-sn5600",
    "superpod-b300-spectrumx-16su": "nvidia-sn5600",
    "rail-only": "nvidia-sn5600",
}
SHOWN = 12
"""Switches of each fabric that are printed and read back: the first of every tier are among them."""


def swapped(site: str, model: str, folder: Path, **services):
    """The folder of a reference fabric whose switches are this model, with an admin."""
    made = folder / site
    shutil.copytree(REFERENCE / site, made)
    (made / "fabric.lock").unlink(missing_ok=True)
    text = (made / "site.yaml").read_text()
    text = re.sub(r"model: (?:arista|juniper|generic|nvidia|qm9700)[\w-]*", f"model: {model}", text)
    intent = yaml.safe_load(text.replace("technology: infiniband", "technology: ethernet"))
    wanted = intent.setdefault("services", {})
    wanted.pop("snmp", None)
    wanted.get("management", {}).pop("allow", None)
    wanted["users"] = wanted.get("users", {}) | ADMIN
    (made / "site.yaml").write_text(yaml.safe_dump(intent | {"services": wanted | services}))
    return made


@pytest.mark.parametrize("site", sorted(SITES))
def test_a_reference_fabric_becomes_nvue_files(site, tmp_path):
    made = api.compile(swapped(site, SITES[site], tmp_path))
    last = {switch.role: name for name, switch in made.devices.items() if switch.platform == "cumulus"}
    names = [*dict.fromkeys((*last.values(), *list(made.devices)[:SHOWN]))]

    assert len(last) >= 1
    for name in names:
        switch, text = made.devices[name], made.artifacts[name].text
        reading = PLATFORM.read(text)

        assert () == reading.unread
        assert expected_facts(switch) == reading.facts
        assert [] == refused(text, switch.release)


def test_a_bond_over_two_leaves_is_refused_for_the_whole_fabric(tmp_path):
    site = swapped("hpn7-pod", "nvidia-sn5600", tmp_path)
    with pytest.raises(Invalid) as caught:
        next(iter(api.compile(site).artifacts.values()))

    assert {"FAB579"} == {one.code for one in caught.value.diagnostics if one.is_error}
