"""What the program writes for other programs is what its schema says."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from fabric.cli.reference import OUTPUTS, output_schema, output_schema_files

SCHEMAS = Path(__file__).parents[2] / "schemas"


@pytest.mark.parametrize("name", output_schema_files())
def test_a_schema_is_up_to_date(name):
    """If this fails: `python -m fabric.cli.reference`."""
    assert (SCHEMAS / name).read_text(encoding="utf-8") == output_schema_files()[name]


@pytest.mark.parametrize("name", OUTPUTS)
def test_a_schema_is_a_valid_schema_with_descriptions(name):
    schema = output_schema(name)
    jsonschema.Draft202012Validator.check_schema(schema)

    assert schema["$defs"]["DevicePlan"]["properties"]["intended"]["description"] == "Digest of the artifact."


@pytest.fixture
def saved(fabric, site):
    """The `plan.json` of an offline plan."""
    (site / "backups").mkdir()
    (site / "backups" / "leaf-0-0.cfg").write_text("hostname leaf-0-0\ninterface Ethernet1/1\n   mtu 1500\n")
    assert fabric("plan", "--offline", "backups", "--out", "saved").code == 2
    return json.loads((site / "saved" / "plan.json").read_text())


def faults(document):
    schema = json.loads((SCHEMAS / "plan.schema.json").read_text())
    return [error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(document)]


def test_a_saved_plan_is_as_its_schema_says(saved):
    assert saved["devices"]
    assert saved["waves"]
    assert faults(saved) == []


def test_every_key_of_a_saved_plan_is_described_or_named_by_the_schema(saved):
    definitions = output_schema("plan")["$defs"]

    assert saved.keys() == definitions["Plan"]["properties"].keys()
    assert saved["devices"][0].keys() == definitions["DevicePlan"]["properties"].keys()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda plan: plan.pop("site"),
        lambda plan: plan.update(mode="guess"),
        lambda plan: plan["devices"][0].update(impact="big"),
        lambda plan: plan["waves"][0].update(number="1"),
    ],
)
def test_a_spoilt_plan_is_not(saved, spoil):
    spoil(saved)

    assert faults(saved)
