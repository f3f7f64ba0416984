"""`validate` goes through every stage up to the text of each device, and is quick about it."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import SITE
from tests.work import LINEAR, growth


def codes(ran):
    return {finding["code"] for finding in json.loads(ran.out)["diagnostics"]}


@pytest.mark.parametrize(
    ("stage", "old", "new", "code"),
    [
        ("files", "site: lab", "site: lab\nsite: lab", "FAB006"),
        ("schema", "site: lab", "site: Lab", "FAB025"),
        ("intent", "networks:", "tenants: {red: {}}\nnetworks:", "FAB110"),
        ("topology", "count: 2", "count: 2000", "FAB20"),
        ("devices", "networks:", "overrides: [{device: leaf-9-9, asn: 7}]\nnetworks:", "FAB403"),
        ("platform", "networks:", "overrides: [{device: leaf-0-0, release: 4.2.1F}]\nnetworks:", "FAB55"),
    ],
)
def test_an_error_of_any_stage_is_found(fabric, site, stage, old, new, code):
    (site / "site.yaml").write_text(SITE.replace(old, new))

    ran = fabric("validate", "--format", "json")

    assert ran.code == 1, stage
    assert any(found.startswith(code) for found in codes(ran)), codes(ran)


def test_a_template_that_breaks_while_it_prints_is_found(fabric, site):
    (site / "templates" / "eos").mkdir(parents=True)
    (site / "templates" / "eos" / "ntp.j2").write_text("{{ config.there.is.nothing }}\n")

    ran = fabric("validate", "--format", "json")

    assert ran.code == 1
    assert any(code.startswith("FAB58") for code in codes(ran))


def test_what_lowering_remarks_is_told_and_is_no_error(fabric):
    ran = fabric("validate", "--format", "json")

    assert (ran.code, codes(ran)) == (0, {"FAB410", "FAB559"})


def test_everything_that_compile_would_say_is_said(fabric, site):
    (site / "inventory.yaml").write_text("devices: {leaf-7-7: {address: 192.0.2.7/24}}\n")

    said = {line.split(": ")[1] for line in fabric("compile").err.splitlines() if ": FAB" in line}

    assert said == codes(fabric("validate", "--format", "json")) == {"FAB406", "FAB410", "FAB559"}


def test_a_pod_of_360_switches_is_valid(fabric):
    fabric("init", "hpn7-pod", "pod")

    assert fabric("validate", "-C", "pod", "--quiet").code == 0


def test_twice_the_switches_are_at_most_twice_the_work_to_validate(fabric, tmp_path):
    def validate(units):
        folder = tmp_path / str(units)
        folder.mkdir(exist_ok=True)
        (folder / "site.yaml").write_text(GROWING.format(units=units))
        assert fabric("validate", "-C", folder, "--quiet").code == 0

    assert growth(validate, 4) <= LINEAR


GROWING = """site: growing
units: {units}
hosts: {{gpu: {{model: dgx-h100, per_unit: 8}}}}
networks:
  compute:
    tiers:
      leaf: {{model: arista-7060x6-64pe, platform: eos}}
      spine: {{model: arista-7060x6-64pe, platform: eos}}
"""
