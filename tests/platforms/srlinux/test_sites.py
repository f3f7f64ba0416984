"""Published fabrics with Nokia switches in place of their own: what compiles, and what is truly refused."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from fabric import api
from fabric.diagnostics import Invalid
from fabric.platforms.srlinux import PLATFORM
from tests.platforms.expected_facts import expected_facts
from tests.yang import said

REFERENCE = Path(__file__).parents[3] / "inventories" / "reference"
MODEL = "nokia-ixr-h5-64d"


@pytest.fixture
def nokia_site(tmp_path):
    """A reference site, all its switches of that model, without what was fixed for others."""

    def made(name: str) -> Path:
        folder = tmp_path / name
        shutil.copytree(REFERENCE / name, folder, ignore=shutil.ignore_patterns("*.lock"))
        site = yaml.safe_load((folder / "site.yaml").read_text())
        for network in site["networks"].values():
            if network.pop("technology", "ethernet") == "infiniband":
                site.pop("attachments", None)
            for tier in network["tiers"].values():
                tier.update(model=MODEL, platform="srlinux")
        (folder / "site.yaml").write_text(yaml.safe_dump(site, sort_keys=False))
        return folder

    return made


@pytest.mark.parametrize(
    "name", ["lab-8", "apstra-64-h100", "rail-only", "superpod-b300-spectrumx", "superpod-h100-1su"]
)
def test_a_published_fabric_becomes_one_of_nokia_switches(nokia_site, name):
    made = api.compile(nokia_site(name))
    firsts = {made.devices[device].role: device for device in reversed(list(made.devices))}

    assert firsts
    for device in firsts.values():
        text = made.artifacts[device].text
        reading = PLATFORM.read(text)
        assert ((), expected_facts(made.devices[device])) == (reading.unread, reading.facts)


@pytest.mark.parametrize("policy", ["roce-lossless", "roce-lossy"])
def test_every_policy_that_we_ship_is_said(nokia_site, policy):
    folder = nokia_site("lab-8")
    site = yaml.safe_load((folder / "site.yaml").read_text())
    site["networks"]["compute"]["lossless"] = policy
    (folder / "site.yaml").write_text(yaml.safe_dump(site))
    made = api.compile(folder)

    for device, switch in made.devices.items():
        facts = PLATFORM.read(made.artifacts[device].text).facts
        assert expected_facts(switch).profiles == facts.profiles != {}


@pytest.mark.live
@pytest.mark.parametrize("name", ["lab-8", "apstra-64-h100"])
def test_nokias_models_have_nothing_to_say_of_a_published_fabric(nokia_site, name):
    made = api.compile(nokia_site(name))
    firsts = {made.devices[device].role: device for device in reversed(list(made.devices))}

    assert {()} == {said(PLATFORM, made.artifacts[device].text, "srl-25.3.1") for device in firsts.values()}


@pytest.mark.parametrize("name", ["hpn7-pod", "dcnplus-pod"])
def test_bonds_over_two_leaves_are_refused(nokia_site, name):
    made = api.compile(nokia_site(name))
    leaf = next(device for device in made.devices if made.devices[device].role == "leaf")

    with pytest.raises(Invalid, match="no bonds over two independent leaves"):
        made.artifacts[leaf].text  # noqa: B018  # printed when asked for
