"""What a file of a platform is called says what it does: who knows one platform finds the way in all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

import fabric.platforms
from fabric.platforms.registry import ROWS, platform

ROOT = Path(fabric.platforms.__file__).parent

ROLES = {
    "__init__": "the record of the platform",
    "capabilities": "what the product supports, by release and model, with the sources",
    "codes": "its own findings",
    "refusals": "what no capability can say, and the product does not support",
    "check_qos": "the same of queues",
    "names": "names of ports and objects",
    "model": "the product's own shape, which templates print",
    "lower": "a device to that shape",
    "buffers": "its arithmetic of buffers",
    "dialect": "its syntax and its table of lines",
    "documents": "the documents that its syntax reads and prints",
    "rows": "makers of rows of that table",
    "state": "what the readers of the rows fill",
    "read": "a text to facts",
    "facts": "what the product makes of queues, after its own rounding",
    "secrets": "where secrets stand in a text",
    "override_rules": "what lines of an override may say",
    "schema": "the vendor's published schema",
    "session": "the driver",
    "emulator": "the sandbox's device",
}
PARTS = ("model_", "lower_", "lines_", "state_", "session_")
"""Parts of a role: `lower_bgp`, `lines_qos`."""
OWN = {
    "cumulus": {"releases": "which words a release takes", "settings": "NVUE files as settings by path"},
    "dellsonic": {"notes": "what the product settles itself"},
    "frr": {"spectrum": "what the driver of the ASIC can do"},
    "junos": {"derived": "what Junos computes itself"},
    "nxos": {"checkpoint": "the form that `rollback` takes", "notes": "what NX-OS settles itself"},
    "opensm": {
        "options": "lines of opensm.conf",
        "policy": "partitions and QoS policy",
        "simulation": "the files for a simulated subnet",
        "simulation_run": "a folder in which it runs",
    },
    "sonic": {
        "headroom": "what SONiC computes itself",
        "modes": "which daemon writes FRR's configuration",
        "skus": "which hardware sku fits a breakout",
    },
    "srlinux": {
        "lists": "the key of each list of Nokia's models",
        "ports": "what a port is there",
    },
    "ufm": {
        "moves": "the order in which partitions change",
        "pkeys": "partitions as bodies of requests",
        "rest": "its API",
        "running": "what a UFM has",
    },
}
"""What only one product has."""


def files(name: str) -> list[str]:
    found = (
        path for path in (ROOT / name).iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    )
    return sorted(path.stem for path in found)


@pytest.mark.parametrize("name", sorted(ROWS))
def test_a_file_of_a_platform_is_called_by_its_role(name: str) -> None:
    known = ROLES.keys() | OWN.get(name, {}).keys()

    assert [] == [one for one in files(name) if one not in known and not one.startswith(PARTS)]


@pytest.mark.parametrize("name", sorted(ROWS))
def test_a_platform_has_the_roles_that_all_have(name: str) -> None:
    always = {"__init__", "codes", "dialect", "lower", "model", "names", "read", "refusals"}

    if platform(name).technology == "ethernet":
        always |= {"capabilities", "facts"}

    assert always <= set(files(name))


def test_what_only_one_product_has_is_there() -> None:
    assert {} == {name: gone for name, own in OWN.items() if (gone := own.keys() - set(files(name)))}
