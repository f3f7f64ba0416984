"""Reference fabrics built of QFX: what compiles, what is truly refused, and what Juniper's models say."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from fabric import api
from fabric.diagnostics import Invalid, Severity
from fabric.platforms.junos import PLATFORM
from tests.platforms.expected_facts import expected_facts
from tests.yang import said

REFERENCE = Path(__file__).parents[3] / "inventories" / "reference"
OTHERS = re.compile(r"model: ?(?:arista|nvidia|generic|qm)[a-z0-9.-]+")
INFINIBAND = re.compile(r"^    technology: infiniband\n|^attachments:.*", re.MULTILINE | re.DOTALL)
"""What a SuperPOD has no use for on Ethernet: its technology, and its subnet manager."""


def of_qfx(name: str, folder: Path) -> Path:
    """A reference site with every switch a QFX5240, and without what was fixed for other switches."""
    site = Path(shutil.copytree(REFERENCE / name, folder / name))
    (site / "fabric.lock").unlink(missing_ok=True)
    file = site / "site.yaml"
    text = file.read_text()
    text = INFINIBAND.sub("", text) if "infiniband" in text else text
    file.write_text(OTHERS.sub("model: juniper-qfx5240-64od", text))
    return site


@pytest.mark.live
@pytest.mark.parametrize(
    "name",
    ["lab-8", "apstra-64-h100", "rail-only", "superpod-b300-spectrumx", "superpod-h100-1su", "megascale"],
)
def test_a_reference_fabric_is_said_by_junos(name, tmp_path):
    made = api.compile(of_qfx(name, tmp_path))
    firsts = {made.devices[device].role: device for device in reversed(list(made.devices))}

    for device in firsts.values():
        text = made.artifacts[device].text
        reading = PLATFORM.read(text)
        assert () == reading.unread
        assert expected_facts(made.devices[device]) == reading.facts
        assert () == said(PLATFORM, text, "junos-24.4R1")


@pytest.mark.parametrize("name", ["hpn7-pod", "dcnplus-pod"])
def test_bonds_over_two_leaves_are_refused(name, tmp_path):
    made = api.compile(of_qfx(name, tmp_path))
    leaf = next(device for device in made.devices if made.devices[device].role == "leaf")

    with pytest.raises(Invalid) as refused:
        made.artifacts[leaf].text  # noqa: B018  # printed when asked for

    assert {"FAB579"} == {one.code for one in refused.value.diagnostics if one.severity is Severity.ERROR}
