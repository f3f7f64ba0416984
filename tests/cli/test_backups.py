"""A plan against saved configurations, of every product: what is as compiled, edited, missing or gone is told so."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fabric.platforms.base import split_parts
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


@pytest.mark.covering
def test_backups_as_compiled_are_no_change(fabric: Run, site: Path, product: str, backups: Backups) -> None:
    given, folder = backups
    found = planned(fabric, given, 0)["summary"]

    assert found["unchanged"] == found["devices"] == len(devices_in(folder))
    assert found["removed"] == 0
    assert "No changes. The network matches the intent." in fabric("plan", "--offline", given).out


@pytest.mark.covering
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


@pytest.mark.covering
def test_a_missing_backup_is_a_new_device(fabric: Run, site: Path, product: str, backups: Backups) -> None:
    given, folder = backups
    device = devices_in(folder)[-1]
    for path in files_of(folder, device):
        path.unlink()
    made = planned(fabric, given, 2)

    assert made["summary"]["new"] == 1
    assert [one["device"] for one in made["plan"]["devices"] if one["action"] == "new"] == [device]


@pytest.mark.covering
def test_a_device_that_the_intent_has_no_more_is_removed(
    fabric: Run, site: Path, product: str, backups: Backups
) -> None:
    given, folder = backups
    before = devices_in(folder)
    after = devices_in(compiled(fabric, site, product, "fewer", fewer(product)))
    ran = fabric("plan", "--offline", given, "--format", "json")

    assert set(before) - set(after)
    assert json.loads(ran.out)["plan"]["removed"] == sorted(set(before) - set(after))


def main_part(folder: Path, device: str, product: str) -> Path:
    """The only file of a device, or the first of them."""
    found = files_of(folder, device)
    parts = platform(product).parts
    return found[0] if not parts else next(path for path in found if path.name == parts[0].name)


def own_text(product: str) -> bytes:
    """A configuration of a product: its only file, or its first."""
    made = print_one(product)
    parts = platform(product).parts
    return (split_parts(made)[parts[0].name] if parts else made).encode()


@cache
def print_one(product: str) -> str:
    if platform(product).technology == "infiniband":
        name = next(iter(subnets.compiled(product, subnets.TENANTED)))
        return subnets.printed(subnets.manager(product, subnets.TENANTED, name=name))
    return sites.printed(sites.leaf(product))


def random_bytes(size: int) -> bytes:
    """The same ones every time."""
    return random.Random(size).randbytes(size)  # noqa: S311


BROKEN = {
    "empty": b"",
    "one blank line": b"\n",
    "random bytes": random_bytes(4000),
    "few random bytes": random_bytes(30),
    "an empty list": b"[]\n",
    "a brace": b"{\n",
    "an error page": b"<html>\n<body>502 Bad Gateway</body>\n</html>\n",
    "truncated JSON": b'{"system": {"name": {"host-name": "leaf',
    "a merge": b"<<<<<<< HEAD\nOURS=======\nOURS>>>>>>> other\n",
    "UTF-16": "hostname leaf-0-0\n".encode("utf-16"),
} | {f"a configuration of {other}": other for other in names()}
"""What may lie where the configuration of a device should."""


@pytest.fixture
def out(fabric: Run, site: Path, product: str) -> Path:
    """Where the files of devices are in `out`."""
    return compiled(fabric, site, product, "out")


def test_a_file_that_is_no_configuration_of_the_device_is_refused(
    fabric: Run, site: Path, product: str, out: Path, subtests: pytest.Subtests
) -> None:
    path = main_part(out, devices_in(out)[0], product)
    real = path.read_bytes()
    for what, broken in BROKEN.items():
        if broken == product or (broken == b"\n" and platform(product).parts):
            continue  # a blank line says that the device does not have that file
        with subtests.test(what):
            own = own_text(product)
            path.write_bytes(own_text(broken) if isinstance(broken, str) else broken.replace(b"OURS", own))
            shutil.rmtree(site / "made", ignore_errors=True)
            ran = fabric("plan", "--offline", "out", "--out", "made")

            assert ran.code == 1, (ran.out, ran.err)
            assert f"{path.relative_to(site)}: FAB64" in ran.err
            assert "hint: save it there again" in ran.err
            assert not (site / "made").exists()
    path.write_bytes(real)

    assert fabric("plan", "--offline", "out").code == 0


def test_a_new_device_is_planned_once_its_broken_files_are_removed(
    fabric: Run, site: Path, product: str, out: Path
) -> None:
    device = devices_in(out)[0]
    main_part(out, device, product).write_bytes(b"")
    assert fabric("plan", "--offline", "out").code == 1
    for path in files_of(out, device):
        path.unlink()

    assert planned(fabric, "out", 2)["summary"]["new"] == 1


def test_lines_that_nobody_knows_do_not_make_a_backup_a_broken_one(
    fabric: Run, site: Path, product: str, out: Path
) -> None:
    """The control: what a device runs beside ours is foreign, however much of it there is."""
    path = main_part(out, devices_in(out)[0], product)
    text = path.read_text()
    if path.suffix == ".json" and not text.startswith("["):
        strange = json.dumps(json.loads(text) | {f"STRANGE_{i}": {"a": {"b": "c"}} for i in range(40)})
    elif path.suffix == ".yaml":
        strange = text + "".join(f"    strange{i}:\n      a: b\n" for i in range(40))
    elif path.suffix == ".jsonl":
        strange = text + '{"strange": 1}\n'
    else:
        end = ";" if text.rstrip().endswith("}") else ""
        strange = text + "".join(f"strange-{i} setting{end}\n" for i in range(40))
    path.write_text(strange)

    assert "FAB645" not in fabric("plan", "--offline", "out").err


def test_a_missing_or_empty_file_of_several_is_refused(
    fabric: Run, site: Path, product: str, out: Path, subtests: pytest.Subtests
) -> None:
    device = devices_in(out)[0]
    for part in platform(product).parts:
        path = next((one for one in files_of(out, device) if one.name == part.name), None)
        if path is None or part.by_hand or not path.read_text().strip():
            continue
        real = path.read_bytes()
        for how in ("missing", "empty"):
            with subtests.test(f"{part.name} {how}"):
                path.write_bytes(b"")
                if how == "missing":
                    path.unlink()
                ran = fabric("plan", "--offline", "out")

                assert ran.code == 1
                assert f"{path.relative_to(site)}: FAB646: " in ran.err
                assert f"`echo > {path.relative_to(site)}`" in ran.err
                path.write_bytes(b"\n")
                assert f"{path.relative_to(site)}: FAB646: " not in fabric("plan", "--offline", "out").err
        path.write_bytes(real)
