"""The schemas say exactly what the model takes: what editors see is what is enforced."""

from __future__ import annotations

import json

import jsonschema
import msgspec
import pytest
from hypothesis import given

from fabric.diagnostics import Report
from fabric.documents import Document
from fabric.documents.places import SourceMap
from fabric.documents.schema.scalar_types import decode
from fabric.documents.schema.validate import converted, explained
from fabric.intent.generate import ROOT, generated
from fabric.intent.model.site import Site
from fabric.intent.model.tiers import Network
from fabric.intent.schema_files import DOCUMENTS
from tests.intent.samples import FULL, fuzzing, spoilt
from tests.places import whole


def test_what_is_made_from_the_model_is_committed():
    for name, text in generated().items():
        assert text == (ROOT / name).read_text(), "run: python -m fabric.intent.generate"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_schema_is_a_valid_schema(name):
    jsonschema.Draft202012Validator.check_schema(whole()[name])


def walk(node):
    yield node
    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from walk(inner)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_schema_offers_alternatives_whose_errors_are_a_wall(name):
    assert [] == alternatives(whole()[name])


def alternatives(schema):
    """Parts of a schema that offer alternatives."""
    return [node for node in walk(schema) if isinstance(node, dict) and {"anyOf", "oneOf"} & node.keys()]


def test_an_alternative_would_be_found():
    deep = {"properties": {"a": {"items": [{"oneOf": []}]}}}

    assert [{"oneOf": []}] == alternatives(deep)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_pattern_says_what_it_means_and_stops_line_ends(name):
    for node in walk(whole()[name]):
        if isinstance(node, dict) and isinstance(node.get("pattern"), str):
            assert node["$comment"], node
            assert node["pattern"].startswith("^"), node
            assert node["pattern"].endswith(r"$(?!\n)"), node


@pytest.mark.parametrize("name", ["intent", "inventory", "state", "policy"])
def test_every_key_is_described(name):
    made = whole()[name]
    for part, definition in made["$defs"].items():
        assert definition["description"], part
        for key, prop in definition["properties"].items():
            assert "$ref" in prop or prop.get("description"), f"{part}.{key} has no description"


def test_defaults_of_the_schema_are_what_the_model_fills_in():
    network = msgspec.convert({"tiers": {"leaf": {"model": "x"}}}, Network, dec_hook=decode)
    filled = msgspec.to_builtins(network, enc_hook=str)
    said = {
        key: prop["default"]
        for key, prop in whole()["intent"]["$defs"]["Network"]["properties"].items()
        if key != "tiers"
    }

    assert {
        key: filled[key] for key in ("technology", "rails", "lossless", "ip_mtu", "pods")
    }.items() <= said.items()
    assert said["cables"] == {}
    assert whole()["intent"]["$defs"]["Cables"]["properties"]["leaf_spine"]["default"] == {"length": "40m"}


def document(value):
    return Document("intent", value, SourceMap("a.yaml", 1, 1))


def test_the_full_sample_is_right_for_model_and_schema():
    assert converted(document(FULL), Site, "intent", Report()) is not None
    assert list(explained(document(FULL), "intent")) == []


@fuzzing
@given(spoilt())
def test_fuzz_model_and_schema_refuse_the_same(tree):
    try:
        msgspec.convert(tree, Site, dec_hook=decode)
        accepted = True
    except msgspec.ValidationError:
        accepted = False

    findings = list(explained(document(tree), "intent"))

    assert accepted == (not findings), (json.dumps(tree), [f.rule for f in findings])
    assert all(f.hint for f in findings)
