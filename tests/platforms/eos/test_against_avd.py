"""Our text beside what Arista's own generator prints for the equivalent structured configuration."""

from __future__ import annotations

import re

import pytest

from tests.platforms.eos.sites import CASES, device, text_of
from tests.platforms.eos.twin import twin
from tests.programs import needed_module

pyavd = needed_module("pyavd")


@pytest.mark.parametrize("case", CASES)
def test_avd_prints_the_same_lines_in_the_same_order(case):
    config = without_none(twin(device(case)))

    assert [] == violations(config)
    assert pyavd.get_device_config(config).splitlines() == comparable(text_of(case))


def violations(config):
    """What AVD's schema has against a structured configuration."""
    return [str(found) for found in pyavd.validate_structured_config(config).validation_result.violations]


def comparable(text):
    """Our lines. AVD writes passwords that are encrypted already (type 7), we write placeholders for plain ones."""
    lines = re.sub(r"(neighbor \S+ password) 0 ", r"\1 7 ", text).splitlines()
    assert ["!", "end"] == lines[-2:]
    return lines[:-2]


def without_none(value):
    """AVD takes a missing key, and no null."""
    if isinstance(value, dict):
        return {key: without_none(inner) for key, inner in value.items() if inner is not None}
    return [without_none(inner) for inner in value] if isinstance(value, list) else value
