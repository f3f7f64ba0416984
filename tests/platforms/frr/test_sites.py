"""The reference fabrics, with their switches swapped for ones that mlxsw drives, become files that read back.

What a fabric needs and FRR on Linux lacks is taken out here, and refused in `test_refusals.py`.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from fabric import api
from fabric.diagnostics import Invalid
from fabric.platforms.frr import PLATFORM
from fabric.qos import policies
from tests.platforms.expected_facts import expected_facts

REFERENCE = Path(__file__).parents[3] / "inventories" / "reference"
POLICIES = Path(policies.__path__[0])
SITES = {
    "lab-8": "nvidia-sn5600",
    "apstra-64-h100": "nvidia-sn4700",
    "superpod-h100-1su": "nvidia-sn5600",
    "superpod-b300-spectrumx": "nvidia-sn5610",
    "rail-only": "nvidia-sn5400",
}
SHOWN = 12
"""Switches of each fabric that are printed and read back: the first of every tier are among them."""


def swapped(site: str, model: str, folder: Path) -> Path:
    """The folder of a reference fabric on this model, without a watchdog and what has no place on Linux."""
    made = folder / site
    shutil.copytree(REFERENCE / site, made)
    (made / "fabric.lock").unlink(missing_ok=True)
    intent = yaml.safe_load((made / "site.yaml").read_text())
    policy = yaml.safe_load((POLICIES / "roce-lossless.yaml").read_text()) | {"watchdog": "none"}
    (made / "quiet.yaml").write_text(yaml.safe_dump(policy))
    for network in intent["networks"].values():
        network |= {"technology": "ethernet", "lossless": "quiet.yaml"}
        network.get("routing", {}).pop("load_balancing", None)
        for tier in network["tiers"].values():
            tier |= {"model": model, "platform": "frr"}
    for service in ("snmp", "tacacs", "gnmi"):
        intent.get("services", {}).pop(service, None)
    (made / "site.yaml").write_text(yaml.safe_dump(intent))
    return made


@pytest.mark.parametrize("site", sorted(SITES))
def test_a_reference_fabric_becomes_files_of_linux(site, tmp_path):
    made = api.compile(swapped(site, SITES[site], tmp_path))
    last = {switch.role: name for name, switch in made.devices.items()}
    names = [*dict.fromkeys((*last.values(), *list(made.devices)[:SHOWN]))]

    assert {"frr"} == {made.devices[name].platform for name in names}
    for name in names:
        reading = PLATFORM.read(made.artifacts[name].text)

        assert () == reading.unread
        assert expected_facts(made.devices[name]) == reading.facts


def test_a_bond_over_two_leaves_is_refused_for_the_whole_fabric(tmp_path):
    made = api.compile(swapped("hpn7-pod", "nvidia-sn5600", tmp_path))
    with pytest.raises(Invalid) as caught:
        next(iter(made.artifacts.values()))

    assert {"FAB579"} == {one.code for one in caught.value.diagnostics if one.is_error}
