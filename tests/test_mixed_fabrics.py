"""The page on mixed fabrics shows what the program says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fabric import api
from fabric.platforms.registry import platform
from tests.platforms.expected_facts import expected_facts
from tests.test_readme import fabric

PAGE = (Path(__file__).parent.parent / "docs" / "mixed-fabrics.md").read_text()


@pytest.fixture
def folder(tmp_path) -> Path:
    text = re.search(r"```yaml\n(# site.yaml\n.*?)```", PAGE, re.DOTALL)
    assert text is not None
    (tmp_path / "site.yaml").write_text(text[1])
    return tmp_path


def test_the_devices_are_those_of_the_page(folder):
    shown = [line.split() for line in re.findall(r"^(?:leaf|spine)-.*$", PAGE, re.MULTILINE)]
    made = api.compile(folder).devices

    assert [(words[0], words[-4], words[-3]) for words in shown] == [
        (name, switch.hardware.id, switch.platform) for name, switch in made.items()
    ]
    assert made["spine-0"].release == "4.33.2F"


def test_the_finding_is_that_of_the_page(folder):
    (told,) = re.findall(r"^(FAB583: .*)$", PAGE, re.MULTILINE)

    assert told in fabric("validate", folder=folder).stdout


def test_every_device_is_printed_and_read_back(folder):
    made = api.compile(folder)

    for name, switch in made.devices.items():
        product = platform(switch.platform)
        assert expected_facts(switch) == product.read(made.artifacts[name].text).facts
