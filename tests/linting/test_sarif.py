"""`fabric lint --format sarif` and `fabric validate --format sarif` fulfil the published schema of SARIF 2.1.0."""

from __future__ import annotations

import copy
import json
import lzma
from pathlib import Path

import pytest
from jsonschema import Draft4Validator

from fabric.cli import main
from tests.topology.builders import REFERENCE

SCHEMA = Path(__file__).parent / "sarif-2.1.0-rtm.5.json.xz"
FOUND = ("hpn7-pod", "lab-8", "rail-only", "superpod-h100-1su")
"""Reference sites with findings of several severities, and one that has none."""
BROKEN = "site: s\nunits: two\nnetworks: {compute: {tiers: {leaf: {model: arista-7060x6-64p}}}}\n"


@pytest.fixture(scope="module")
def sarif():
    return Draft4Validator(json.loads(lzma.decompress(SCHEMA.read_bytes())))


@pytest.fixture
def printed(capsys):
    """What a command prints as SARIF."""

    def run(*words):
        main([*map(str, words), "--format", "sarif"])
        return json.loads(capsys.readouterr().out)

    return run


@pytest.mark.parametrize("name", FOUND)
def test_findings_of_a_site_are_sarif(sarif, printed, name):
    document = printed("lint", "-C", REFERENCE / name)

    assert [] == list(sarif.iter_errors(document))
    assert [run["tool"]["driver"]["name"] for run in document["runs"]] == ["fabric"]


def test_errors_of_an_intent_are_sarif(sarif, printed, tmp_path):
    (tmp_path / "site.yaml").write_text(BROKEN)
    document = printed("validate", "-C", tmp_path)

    assert [] == list(sarif.iter_errors(document))
    assert {"error"} == {result["level"] for result in document["runs"][0]["results"]}


def test_what_is_no_sarif_is_refused(sarif, printed):
    document = printed("lint", "-C", REFERENCE / "hpn7-pod")
    wrong = copy.deepcopy(document)
    wrong["runs"][0]["results"][0]["level"] = "fatal"
    less = copy.deepcopy(document)
    del less["runs"][0]["tool"]

    assert all(list(sarif.iter_errors(each)) for each in (wrong, less))
