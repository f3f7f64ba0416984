"""What a file of a platform is called says what it does: who knows one platform finds the way in all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

import fabric.platforms
from fabric.platforms.registry import ROWS, platform
from tests.platforms.expectations import expectations, switch_expectations

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
    "half_commits": "what a commit that stopped half way may have left, of a product that takes nothing back",
    "session": "the driver",
    "emulator": "the sandbox's device",
}
PARTS = ("model_", "lower_", "lines_", "state_", "session_")
"""Parts of a role: `lower_bgp`, `lines_qos`."""


def files(name: str) -> list[str]:
    found = (
        path for path in (ROOT / name).iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    )
    return sorted(path.stem for path in found)


@pytest.mark.parametrize("name", sorted(ROWS))
def test_a_file_of_a_platform_is_called_by_its_role(name: str) -> None:
    known = ROLES.keys() | expectations(name).own_files.keys()

    assert [] == [one for one in files(name) if one not in known and not one.startswith(PARTS)]


@pytest.mark.parametrize("name", sorted(ROWS))
def test_a_platform_has_the_roles_that_all_have(name: str) -> None:
    always = {"__init__", "codes", "dialect", "lower", "model", "names", "read", "refusals"}

    if platform(name).technology == "ethernet":
        always |= {"capabilities", "facts"}

    assert always <= set(files(name))


@pytest.mark.parametrize("name", sorted(ROWS))
def test_what_only_one_product_has_is_there(name: str) -> None:
    assert set() == expectations(name).own_files.keys() - set(files(name))


def test_a_platform_without_expectations_is_told_what_to_write() -> None:
    with pytest.raises(
        AssertionError, match=r"write tests/platforms/new/expectations\.py with EXPECTED = Switch"
    ):
        switch_expectations("new")
