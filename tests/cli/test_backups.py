"""A plan against saved configurations, of every product: what is as compiled, edited, missing or gone is told so."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fabric.platforms.registry import names, platform
from tests.cli.conftest import Ran
from tests.platforms import sites, subnets
from tests.platforms.sites import Words

LAYOUTS = ("as compiled", "copied")
"""Where a compile writes the files; or a copy of the folder that it writes those of devices to."""
Run = Callable[..., Ran]
Backups = tuple[str, Path]
"""The folder that a plan is given, and the one that the devices' files are in."""


def site_of(product: str, *changes: Words) -> dict[str, str]:
    """The files of a small site whose devices are of this product."""
    if platform(product).technology == "infiniband":
        return subnets.site_files(product, subnets.TENANTED, *changes)
    return sites.files(product, *changes)


def edit(product: str) -> Words:
    """A change that every device has to know of."""
    if platform(product).technology == "infiniband":
        return subnets.tenants('{red: {partition: {pkey: "0x1077"}}}')
    return sites.network("routing: {bfd: none}")


def fewer(product: str) -> Words:
    """A change by which devices are gone."""
    if platform(product).technology == "infiniband":
        other = {
            "network": "compute",
            "kind": "subnet_manager",
            "links": 1,
            "speed": "400G",
            "to": {"unit": 0},
        }
        return {"site.yaml": {"attachments": {"sm-1": None, "sm-2": None, "other": other}}}
    return sites.site("{units: 1}")


def write(site: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (site / name).write_text(text)


def compiled(fabric: Run, site: Path, product: str, folder: str, *changes: Words) -> Path:
    """The folder of the devices' files, `configs` or another, of a small site with these changes."""
    write(site, site_of(product, *changes))
    ran = fabric("compile", "--out", folder)
    assert ran.code == 0, ran.err
    path = Path(platform(product).path)
    return site / folder / path.parts[0]


def files_of(folder: Path, device: str) -> list[Path]:
    """The files of a device, however many its product has."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return [path for path in found if device in (path.stem, *path.relative_to(folder).parts)]


def devices_in(folder: Path) -> list[str]:
    """Who has files there."""
    return sorted({path.name if path.is_dir() else path.stem for path in folder.iterdir()})


@pytest.fixture(params=names())
def product(request: pytest.FixtureRequest, site: Path) -> str:
    """A product, whichever; the site has no inventory of another one."""
    (site / "inventory.yaml").unlink()
    return str(request.param)


@pytest.fixture(params=LAYOUTS)
def backups(request: pytest.FixtureRequest, fabric: Run, site: Path, product: str) -> Backups:
    """Saved configurations of all devices."""
    folder = compiled(fabric, site, product, "out")
    if request.param == "as compiled":
        return "out", folder
    shutil.copytree(folder, site / "copied")
    shutil.rmtree(site / "out")
    return "copied", site / "copied"


def planned(fabric: Run, folder: str, code: int) -> dict[str, Any]:
    """What `plan --format json` says, and its exit code."""
    ran = fabric("plan", "--offline", folder, "--format", "json")
    assert ran.code == code, ran.err
    found: dict[str, Any] = json.loads(ran.out)
    return found


def test_backups_as_compiled_are_no_change(fabric: Run, site: Path, product: str, backups: Backups) -> None:
    given, folder = backups
    found = planned(fabric, given, 0)["summary"]

    assert found["unchanged"] == found["devices"] == len(devices_in(folder))
    assert found["removed"] == 0
    assert "No changes. The network matches the intent." in fabric("plan", "--offline", given).out


def test_an_edited_backup_is_a_change_of_that_device_alone(
    fabric: Run, site: Path, product: str, backups: Backups
) -> None:
    given, folder = backups
    device = devices_in(folder)[0]
    other = compiled(fabric, site, product, "edited", edit(product))
    write(site, site_of(product))
    for path in files_of(other, device):
        shutil.copy(path, folder / path.relative_to(other))

    made = planned(fabric, given, 2)["plan"]

    assert [(one["device"], one["action"]) for one in made["devices"] if one["changes"]] == [
        (device, "update")
    ]


def test_a_missing_backup_is_a_new_device(fabric: Run, site: Path, product: str, backups: Backups) -> None:
    given, folder = backups
    device = devices_in(folder)[-1]
    for path in files_of(folder, device):
        path.unlink()
    made = planned(fabric, given, 2)

    assert made["summary"]["new"] == 1
    assert [one["device"] for one in made["plan"]["devices"] if one["action"] == "new"] == [device]


def test_a_device_that_the_intent_has_no_more_is_removed(
    fabric: Run, site: Path, product: str, backups: Backups
) -> None:
    given, folder = backups
    before = devices_in(folder)
    after = devices_in(compiled(fabric, site, product, "fewer", fewer(product)))
    ran = fabric("plan", "--offline", given, "--format", "json")

    assert set(before) - set(after)
    assert json.loads(ran.out)["plan"]["removed"] == sorted(set(before) - set(after))
