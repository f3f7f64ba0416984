"""The steps of docs/adding-a-platform.md, followed to the letter: they make a platform that works."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from fabric.platforms import registry
from tests.programs import ANY, run

ROOT = Path(__file__).parent.parent
DOCUMENT = ROOT / "docs" / "adding-a-platform.md"
BLOCK = re.compile(r"^```(\w+)\n(?:#|\{#) (\S+)(?: #\})?\n(.*?)^```", re.MULTILINE | re.DOTALL)


def fabric(*arguments: str, distribution: Path) -> CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(distribution), "NO_COLOR": "1"}
    return run(sys.executable, "-m", "fabric", *arguments, exits=ANY, env=environment)


@pytest.fixture(scope="module")
def distribution(tmp_path_factory) -> Path:
    """The document's blocks as files, with the metadata that an installer would write."""
    folder = tmp_path_factory.mktemp("toy")
    for language, name, text in BLOCK.findall(DOCUMENT.read_text()):
        if language == "toml":
            continue
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    metadata = folder / "fabric_toy-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: fabric-toy\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[fabric.platforms]\ntoy = fabric_toy:PLATFORM\n")
    return folder


SITE = """site: toys
units: 2
hosts: {gpu: {gpus: 2, per_unit: 2, nics: {compute: {count: 2, speed: 400G}}}}
networks:
  compute:
    addressing: {family: ipv4}
    tiers:
      leaf: {model: arista-7060x6-64pe, platform: toy}
      spine: {model: arista-7060x6-64pe, platform: toy, count: 2}
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """Six switches, all of them Toy's."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "site.yaml").write_text(SITE)
    return folder


@pytest.fixture(scope="module")
def compiled(site, distribution, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("out") / "configs"
    made = fabric("compile", "-C", str(site), "-o", str(out), distribution=distribution)
    assert made.returncode == 0, made.stderr
    return out


def test_the_toy_compiles_a_site(compiled):
    texts = {path.stem: path.read_text() for path in compiled.rglob("*.toy")}

    assert len(texts) == 6
    assert all(text.startswith(f"system {name}\n") for name, text in texts.items())


def test_the_toys_own_output_leaves_nothing_to_plan(compiled, site, distribution):
    planned = fabric("plan", "-C", str(site), "--offline", str(compiled), distribution=distribution)

    assert planned.returncode == 0, planned.stdout + planned.stderr


def test_the_toys_plan_tells_the_impact_of_a_change(compiled, site, distribution):
    leaf = min(compiled.rglob("leaf*.toy"))
    text = leaf.read_text()
    leaf.write_text(re.sub(r" mtu \d+", " mtu 1500", text, count=1))

    planned = fabric("plan", "-C", str(site), "--offline", str(compiled), distribution=distribution)

    leaf.write_text(text)
    assert planned.returncode in (1, 2)  # the link's other end keeps its MTU: coupled
    assert "restarts a port" in planned.stdout or "MTU" in planned.stdout + planned.stderr


@pytest.mark.parametrize(
    ("instead", "of", "code", "feature"),
    [
        ("family: unnumbered", "family: ipv4", "FAB579", "Toy names every session by an address"),
        ("services: {snmp: {}}\nsite: toys", "site: toys", "FAB579", "no SNMPv3"),
        ("family: ipv4}\n    ip_mtu: 1400", "family: ipv4}", "TOY001", "1500 bytes and more"),
    ],
)
def test_what_the_toy_cannot_say_is_refused(instead, of, code, feature, distribution, tmp_path):
    assert of in SITE
    (tmp_path / "site.yaml").write_text(SITE.replace(of, instead))

    made = fabric("compile", "-C", str(tmp_path), "-o", str(tmp_path / "out"), distribution=distribution)

    assert made.returncode == 1
    assert code in made.stderr
    assert feature in made.stderr
    assert not (tmp_path / "out").exists()


def test_the_readers_law_holds_for_the_toy(compiled, site, distribution):
    script = (
        "import sys; from pathlib import Path; from fabric import api; from fabric.platforms.registry import platform\n"
        "from fabric_toy_tests.facts import expected_facts\n"
        "made = api.compile(Path(sys.argv[1])); toy = platform('toy')\n"
        "for name, switch in made.devices.items():\n"
        "    reading = toy.read(made.artifacts[name].text)\n"
        "    assert reading.unread == () and reading.facts == expected_facts(switch), name\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(distribution)}

    done = run(sys.executable, "-c", script, site, env=environment)

    assert "" == done.stderr


def test_the_laws_can_read_what_the_toy_tells_them(compiled, distribution):
    """Its record of expectations has the shape that they want, and finds the profiles of its text."""
    script = (
        "import sys; from pathlib import Path\n"
        "from fabric_toy_tests.expectations import EXPECTED\n"
        "from tests.platforms.expectations import SwitchExpectations\n"
        "assert isinstance(EXPECTED, SwitchExpectations)\n"
        "assert dict(EXPECTED.profiles(Path(sys.argv[1]).read_text()))\n"
    )
    environment = {**os.environ, "PYTHONPATH": f"{distribution}{os.pathsep}{ROOT}"}

    done = run(sys.executable, "-c", script, min(compiled.rglob("*.toy")), env=environment)

    assert "" == done.stderr


def test_the_metadata_of_what_is_installed_is_read_once(monkeypatch):
    """It is a file of each installed distribution, which was two thirds of the compile of a small site."""
    known = registry.names()
    monkeypatch.delattr(registry, "entry_points")

    assert known == registry.names()
    assert isinstance(registry.foreign_homes(), tuple)
