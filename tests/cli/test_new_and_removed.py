"""A plan counts what is new, what changes and what the site has no longer, and says what a missing backup means."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.platforms.everywhere import MODELS
from tests.platforms.sites import files

LEFTOVERS = ("README.md", "notes.pdf", "Makefile", "leaf-0-0.cfg.bak.gz")
"""Files that lie in folders of backups and are no device's."""


@pytest.fixture(params=["as compiled", "flat"])
def backups(request, fabric, site) -> Path:
    """Saved configurations of every device of the site: where a compile puts them, or one file a device."""
    assert fabric("compile", "--out", "backups").code == 0
    folder = site / "backups"
    if request.param == "flat":
        for file in list((folder / "configs").iterdir()):
            file.rename(folder / file.name)
        (folder / "configs").rmdir()
    for name in LEFTOVERS:
        (folder / name).write_text("nothing to see\n")
    return folder


def saved(folder: Path, name: str) -> Path:
    """The file of a device."""
    here = folder / "configs" if (folder / "configs").is_dir() else folder
    return here / f"{name}.cfg"


def summary(fabric, code: int) -> dict[str, int]:
    ran = fabric("plan", "--offline", "backups", "--format", "json")
    assert ran.code == code
    counted = json.loads(ran.out)["summary"]
    return {key: counted[key] for key in ("devices", "new", "changed", "removed", "unchanged")}


def test_nothing_is_new_or_removed_where_every_backup_is_there(fabric, backups):
    """The control of the rest: leftovers are no devices."""
    assert summary(fabric, 0) == {"devices": 6, "new": 0, "changed": 0, "removed": 0, "unchanged": 6}
    assert "No changes. The network matches the intent." in fabric("plan", "--offline", "backups").out


def test_the_headline_counts_new_changed_and_removed(fabric, site, backups):
    saved(backups, "leaf-0-0").unlink()
    changed = saved(backups, "leaf-0-1")
    changed.write_text(changed.read_text().replace("description", "description old", 1))
    shutil.copy(saved(backups, "leaf-0-2"), saved(backups, "leaf-9-9"))
    inventory = site / "inventory.yaml"
    inventory.write_text(
        inventory.read_text().replace("hosts:", "  leaf-7-7: {address: 192.0.2.77/24}\nhosts:")
    )
    ran = fabric("plan", "--offline", "backups")
    headline = "6 devices: +1 new, 1 changed, 2 removed, 4 unchanged"

    assert summary(fabric, 2) == {"devices": 6, "new": 1, "changed": 1, "removed": 2, "unchanged": 4}
    assert ran.out.splitlines()[1] == headline
    assert headline in ran.err
    assert "1 device (compute leaf, eos, new): " in ran.out
    assert "FAB641: warning" in ran.err
    assert "no saved configuration: planned as an empty switch" in ran.err
    assert "FAB642: warning" in ran.err
    assert "in the site no longer: what they run stays" in ran.err
    for name in ("leaf-0-0", "leaf-7-7", "leaf-9-9"):
        assert name in ran.err
    assert f"**{headline}**" in fabric("plan", "--offline", "backups", "--format", "markdown").out


def test_a_plan_in_json_names_what_is_new_and_what_is_removed(fabric, backups):
    saved(backups, "leaf-0-0").unlink()
    shutil.copy(saved(backups, "leaf-0-2"), saved(backups, "leaf-9-9"))
    made = json.loads(fabric("plan", "--offline", "backups", "--format", "json").out)["plan"]

    assert [d["device"] for d in made["devices"] if d["action"] == "new"] == ["leaf-0-0"]
    assert made["removed"] == ["leaf-9-9"]
    assert {name for wave in made["waves"] for name in wave["devices"]} == {"leaf-0-0"}


def test_a_removed_device_alone_is_no_change(fabric, backups):
    shutil.copy(saved(backups, "leaf-0-2"), saved(backups, "leaf-9-9"))
    ran = fabric("plan", "--offline", "backups")

    assert ran.code == 0
    assert "No changes on the devices of the site." in ran.out
    assert "1 removed" in ran.out


def test_who_asks_for_one_device_is_told_of_that_one(fabric, backups):
    shutil.copy(saved(backups, "leaf-0-2"), saved(backups, "leaf-9-9"))

    assert "removed" not in fabric("plan", "--offline", "backups", "--device", "leaf-0-1").out


@pytest.mark.parametrize("product", MODELS)
def test_a_new_device_interrupts_nothing(fabric, site, tmp_path, product):
    for name, text in files(product).items():
        (site / name).write_text(text)
    (site / "inventory.yaml").unlink()
    (tmp_path / "none").mkdir()

    ran = fabric("plan", "--offline", str(tmp_path / "none"), "--format", "json")
    devices = json.loads(ran.out)["plan"]["devices"]

    assert {"new"} == {one["action"] for one in devices}
    assert {"none"} == {one["impact"] for one in devices}
    assert {"none"} == {change["impact"] for one in devices for change in one["changes"]}
    assert "FAB641: warning" in ran.err
