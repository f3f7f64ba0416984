"""Our configurations against Juniper's own models: 24.4R1, Evolved, and junos-qfx for class of service."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from fabric.platforms.junos.curly import parse
from tests.platforms.junos.devices import CASES, device_of, printed
from tests.platforms.junos.schema import Wrong, load, messages, to_xml

pytestmark = pytest.mark.live
COS = "class-of-service"
MISTAKES = {
    "unknown stanza": ("chassis {", "chassiss {"),
    "unknown statement": ("root-login deny", "root-log-in deny"),
    "ways of balancing": ("maximum-ecmp 64", "maximum-ecmp 65"),
    "kind of group": ("type external", "type outside"),
    "hold time": ("hold-time 9", "hold-time 900000"),
    "bfd multiplier": ("multiplier 3", "multiplier 999"),
    "key word of lldp": ("port-id-subtype interface-name", "port-id-subtype interfacename"),
    "queue": ("queue-num 3", "queue-number 3"),
    "watchdog action": ("watchdog-action drop", "watchdog-action dropp"),
    "buffer percent": (
        "buffer-partition lossy {\n                percent 10",
        "buffer-partition lossy {\n percent 1000",
    ),
    "fill level": ("fill-level [ ", "fill-level [ 999 "),
}


def models_archive() -> Path | None:
    """The models, from where the operator says, or beside the repository."""
    root = Path(__file__).parents[3]
    homes = [os.environ.get("FABRIC_YANG_DIR"), root.parent / "shared" / "yang"]
    found = (f for home in homes if home for f in sorted((Path(home) / "junos").glob("*.tar.xz")))
    return next(found, None)


@pytest.fixture(scope="module")
def schemas(tmp_path_factory):
    archive = models_archive()
    if archive is None:
        pytest.skip("no Juniper models: set FABRIC_YANG_DIR to a folder with junos/*.tar.xz")
    if shutil.which("yanglint") is None:
        pytest.skip("no yanglint: install libyang2-tools")
    folder = tmp_path_factory.mktemp("models")
    subprocess.run(["tar", "xf", str(archive), "-C", str(folder)], check=True, timeout=60)
    for file in folder.rglob("junos*-conf-class-of-service@*"):  # libyang wants this pattern in single quotes
        file.write_text(file.read_text().replace('pattern "\\*"', "pattern '\\*'"))
    homes = {name: next(folder.rglob(name)) for name in ("evo", "qfx")}
    return {name: (home, load(home)) for name, home in homes.items()}


def findings(text, schemas, scratch, only=("evo", "qfx")):
    found = []
    for name in only:
        folder, schema = schemas[name]
        kept = [one for one in parse(text) if (one.words[0] == COS) == (name == "qfx")]
        try:
            found.append(messages(to_xml(kept, schema), folder, scratch))
        except Wrong as wrong:
            found.append(f"unknown: {wrong}")
    return "".join(found)


@pytest.mark.parametrize("case", sorted(CASES))
def test_libyang_has_nothing_to_say(case, schemas, tmp_path):
    assert "" == findings(printed(device_of(case)), schemas, tmp_path)


@pytest.mark.parametrize("mistake", sorted(MISTAKES))
def test_a_planted_mistake_is_caught(mistake, schemas, tmp_path):
    right, wrong = MISTAKES[mistake]
    text = printed(device_of("leaf"))
    assert right in text
    only = ("qfx",) if mistake in ("queue", "watchdog action", "buffer percent", "fill level") else ("evo",)
    assert findings(text.replace(right, wrong, 1), schemas, tmp_path, only)
