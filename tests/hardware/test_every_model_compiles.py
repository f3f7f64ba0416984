"""What the catalogue lists compiles: the shortest site of every model, on every product that is listed for it."""

from __future__ import annotations

import pytest

from fabric import api
from fabric.hardware import load_catalogue, parse_mode

MODELS = load_catalogue().switches
LISTED = sorted((name, software.name) for name, model in MODELS.items() for software in model.software)

TWO_TIERS = "{{leaf: {switch}, spine: {switch}}}"
THREE_TIERS = "{{leaf: {switch}, spine: {switch}, superspine: {switch}}}"
SITE = """\
site: shortest
units: {units}
hosts:
  gpu:
    per_unit: 4
    nics:
      compute: {{count: 4, speed: {speed}}}
networks:
  compute:
    tiers: {tiers}
"""
ADMIN = """\
services:
  users:
    admin:
      role: admin
      ssh_keys: [ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFIcb3MJ9yc/ZhLHnBsH8bNji0HtNHC5BMKRYx599yIB a@b]
"""
NEEDED = {
    "cumulus": ADMIN,  # a configuration that replaces all others must leave somebody who can log in
    "frr": "    lossless: roce-lossless-no-watchdog\n",  # Linux has none
    "opensm": """\
    technology: infiniband
    infiniband: {platform: opensm, managers: [{host: gpu-0-0, priority: 14}, {host: gpu-0-1, priority: 13}]}
""",
    "ufm": """\
    technology: infiniband
    infiniband: {platform: ufm, managers: [{host: gpu-0-0, priority: 14}, {host: gpu-0-1, priority: 13}]}
""",
}
"""What a site of this product cannot do without, whatever its hardware."""


def nic_speed(model):
    """The fastest port of at most 400G, else the slowest."""
    speeds = sorted({parse_mode(mode).speed_mbps // 1000 for mode in model.cages[0].breakouts})
    return f"{max((speed for speed in speeds if speed <= 400), default=speeds[0])}G"


def shortest_site(name, platform, tiers):
    switch = (
        f"{{model: {name}}}" if platform in ("opensm", "ufm") else f"{{model: {name}, platform: {platform}}}"
    )
    three = tiers is THREE_TIERS
    text = SITE.format(
        units=4 if three else 2, speed=nic_speed(MODELS[name]), tiers=tiers.format(switch=switch)
    )
    return text + ("    pods: {units: 2}\n" if three else "") + NEEDED.get(platform, "")


@pytest.mark.parametrize("tiers", [TWO_TIERS, THREE_TIERS], ids=["two-tiers", "three-tiers"])
@pytest.mark.parametrize(("name", "platform"), LISTED)
def test_the_shortest_site_of_a_model_compiles(tmp_path, name, platform, tiers):
    (tmp_path / "site.yaml").write_text(shortest_site(name, platform, tiers))

    compiled = api.compile(tmp_path)
    texts = [compiled.artifacts[device].text for device in compiled.devices]

    assert all(texts)
    assert len(compiled.devices) >= {"ufm": 1, "opensm": 2}.get(platform, 6)


@pytest.mark.parametrize(("name", "platform"), LISTED[:1])
def test_the_first_product_is_the_default(tmp_path, name, platform):
    listed = MODELS[name].software[0].name
    (tmp_path / "site.yaml").write_text(
        shortest_site(name, platform, TWO_TIERS).replace(f", platform: {platform}", "")
    )

    platforms = {device.platform for device in api.compile(tmp_path).devices.values()}

    assert {listed} == platforms
